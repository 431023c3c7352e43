/// A feed that a page names.
package struct FeedLink: Hashable, Sendable {
  /// Absolute, http or https.
  package var url: String
  package var title: String?
  /// The media type the page gives, in lower case; nil where it gives none.
  package var type: String?

  package init(url: String, title: String? = nil, type: String? = nil) {
    self.url = url
    self.title = title
    self.type = type
  }
}

extension FeedLink {
  /// How its format is called; nil where nobody has said.
  package var formatName: String? {
    guard let type else { return nil }
    if type.contains("rdf") { return "RDF" }
    if type.contains("rss") { return "RSS" }
    if type.contains("atom") { return "Atom" }
    return type.contains("json") ? "JSON Feed" : nil
  }

  /// Whether it has the comments under the articles rather than the articles.
  package var isOfComments: Bool {
    (title?.lowercased().contains("comment") ?? false) || url.contains("/comments/")
  }

  /// The feeds of comments after all others, each address once.
  static func ordered(_ links: [FeedLink]) -> [FeedLink] {
    var seen: Set<String> = []
    let links = links.filter { seen.insert($0.url).inserted }
    return links.filter { !$0.isOfComments } + links.filter(\.isOfComments)
  }
}

/// Finds the feeds that a page names.
package enum FeedLinks {
  /// What a page says of feeds.
  package struct Found: Hashable, Sendable {
    /// Declared with `<link rel="alternate">`, or in the head of the answer; feeds of comments last.
    package var declared: [FeedLink] = []
    /// The `<a href>` that look like feeds.
    package var guessed: [FeedLink] = []
    /// Whether WordPress made the page, which has a feed even where it hides it.
    package var isWordPress = false

    /// Best first: what is declared, else what looks like it.
    package var best: [FeedLink] { declared.isEmpty ? guessed : declared }
  }

  /// The feeds of a page, best first, each address once: what the page declares with
  /// `<link rel="alternate">` in its order, feeds of comments last; where it declares none, the
  /// `<a href>` that look like feeds.
  ///
  /// - Parameters:
  ///   - html: the page, in an encoding that extends ASCII.
  ///   - base: the address it came from; a `<base href>` in the page counts.
  package static func find(in html: [UInt8], base: String) -> [FeedLink] {
    look(in: html, base: base).best
  }

  /// All that a page and the head of its answer say of feeds.
  ///
  /// - Parameter linkFields: the values of the answer's `Link` fields (RFC 8288).
  package static func look(
    in html: [UInt8], base: String, linkFields: [String] = []
  ) -> Found {
    var found = html.withUnsafeBufferPointer { find(in: $0, base: base) }
    for header in HeaderLink.links(in: linkFields) where !header.hasAnchor {
      if header.relations.contains("https://api.w.org/") { found.isWordPress = true }
      guard isDeclared(header.relations, header.type, header.target),
        let link = link(header.target, base, title: header.title, type: header.type)
      else { continue }
      found.declared.append(link)
    }
    found.declared = FeedLink.ordered(found.declared)
    found.guessed = FeedLink.ordered(found.guessed)
    return found
  }

  /// Where feeds usually are on the site of a page that names none, the likeliest first; eleven at
  /// most.
  package static func usualPlaces(of page: String, isWordPress: Bool = false) -> [String] {
    let names = [
      "feed/", "feed", "rss", "rss.xml", "atom.xml", "feed.xml", "index.xml", "feed.json",
    ]
    var places: [String] = []
    // A site within a site, such as `/~ada/` or `/blog/`.
    let folder = WebAddress.resolve(".", against: page)
    let root = WebAddress.resolve("/", against: page)
    if isWordPress {
      places = ["feed/", "?feed=rss2"].compactMap { name in
        root.flatMap { WebAddress.resolve(name, against: $0) }
      }
    }
    if let folder, folder != root {
      places += ["feed/", "feed.xml", "rss.xml", "atom.xml"].compactMap {
        WebAddress.resolve($0, against: folder)
      }
    }
    if let root {
      places += (names + ["blog/feed/"]).compactMap { WebAddress.resolve($0, against: root) }
    }
    var seen: Set<String> = []
    return Array(places.filter { seen.insert($0).inserted }.prefix(11))
  }

  /// No page is asked for more than this many feeds.
  private static let limit = 50

  private static func find(in bytes: ByteBuffer, base: String) -> Found {
    var base = base
    var hasBase = false
    var found = Found()
    var tokenizer = MarkupTokenizer(bytes)
    while found.declared.count < limit, let tag = tokenizer.nextTag() {
      guard tag.kind == .open, !tag.attributes.isEmpty else { continue }
      if bytes.isWord("link", in: tag.name) {
        let attributes = attributes(of: tag, in: bytes)
        found.isWordPress = found.isWordPress || isOfWordPress(attributes)
        if let link = declaredFeed(attributes, base) { found.declared.append(link) }
      } else if bytes.isWord("meta", in: tag.name) {
        found.isWordPress = found.isWordPress || isOfWordPress(attributes(of: tag, in: bytes))
      } else if bytes.isWord("a", in: tag.name) {
        if found.guessed.count < limit, let link = guessedFeed(attributes(of: tag, in: bytes), base)
        {
          found.guessed.append(link)
        }
      } else if !hasBase, bytes.isWord("base", in: tag.name),
        let href = attributes(of: tag, in: bytes)["href"],
        let resolved = WebAddress.resolve(href, against: base), WebAddress.isWeb(resolved)
      {
        base = resolved
        hasBase = true
      }
    }
    return found
  }

  /// What the pages of WordPress have: its name as their generator, its API, its folders.
  private static func isOfWordPress(_ attributes: [String: String]) -> Bool {
    if attributes["rel"]?.contains("api.w.org") == true { return true }
    if let href = attributes["href"] {
      return href.contains("/wp-content/") || href.contains("/wp-includes/")
    }
    return attributes["name"]?.lowercased() == "generator"
      && attributes["content"]?.hasPrefix("WordPress") == true
  }

  private static func attributes(
    of tag: MarkupTokenizer.Tag, in bytes: ByteBuffer
  ) -> [String: String] {
    var values: [String: String] = [:]
    for attribute in MarkupAttributes(bytes, of: tag) where values.count < 32 {
      let name = bytes.string(attribute.name).lowercased()
      if values[name] == nil {
        values[name] = CharacterReference.decoded(bytes.string(attribute.value))
      }
    }
    return values
  }
}

private let feedTypes: Set<String> = [
  "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
  "application/json", "application/rss", "application/atom", "application/x-rss+xml", "text/rss",
  "application/xml", "text/xml",
]

private func declaredFeed(_ attributes: [String: String], _ base: String) -> FeedLink? {
  let relations = (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    .map(String.init)
  let type = (attributes["type"] ?? "").lowercased().split(separator: ";").first
    .map { PlainText.sanitized(String($0)) }
  guard let href = attributes["href"], !href.allSatisfy(\.isWhitespace),
    isDeclared(relations, type, href)
  else { return nil }
  return link(href, base, title: attributes["title"], type: type)
}

/// Whether a link is one to a feed, by what it is to the page and its media type.
private func isDeclared(_ relations: [String], _ type: String?, _ href: String) -> Bool {
  guard !relations.contains("stylesheet"), !relations.contains("icon") else { return false }
  // `rel="feed"` was HTML 5's own for a while.
  if relations.contains("feed") { return true }
  guard relations.contains("alternate") else { return false }
  // WordPress offers its own API as an alternate of the page, and it is no JSON Feed.
  if type == "application/json", href.contains("/wp-json/") || href.contains("rest_route=") {
    return false
  }
  if let type, !type.isEmpty { return feedTypes.contains(type) }
  return looksLikeFeed(href)
}

private func guessedFeed(_ attributes: [String: String], _ base: String) -> FeedLink? {
  guard let href = attributes["href"], let link = link(href, base, title: nil, type: nil),
    looksLikeFeed(link.url), !isSharing(link.url)
  else { return nil }
  return link
}

private func looksLikeFeed(_ url: String) -> Bool {
  let parts = url.split(separator: "?", maxSplits: 1)
  guard let path = parts.first?.lowercased() else { return false }
  if parts.count == 2,
    ["feed=rss", "feed=atom", "format=rss", "format=atom", "alt=rss"]
      .contains(where: parts[1].contains)
  {
    return true
  }
  let names = path.split(separator: "/").dropFirst(WebAddress.isWeb(url) ? 2 : 0)
  guard let last = names.last else { return false }
  return ["feed", "rss", "atom", "feeds", "index.xml", "feed.json"].contains(String(last))
    || [".rss", ".atom", ".rdf"].contains { last.hasSuffix($0) }
    || (last.hasSuffix(".xml") && ["rss", "atom", "feed"].contains { last.contains($0) })
}

/// Whether a link hands a feed to another reader's site rather than leading to it.
private func isSharing(_ url: String) -> Bool {
  ["feedly.com", "inoreader.com", "newsblur.com", "feedburner.google.com", "validator.w3.org"]
    .contains { site in
      WebAddress.host(of: url).map { $0 == site || $0.hasSuffix("." + site) } ?? false
    }
}

private func link(_ href: String, _ base: String, title: String?, type: String?) -> FeedLink? {
  guard var url = WebAddress.resolve(href, against: base) else { return nil }
  if WebAddress.scheme(of: url) == "feed" { url = (try? WebAddress.normalized(url)) ?? url }
  guard WebAddress.isWeb(url) else { return nil }
  let title = title.map(PlainText.sanitized) ?? ""
  return FeedLink(url: url, title: title.isEmpty ? nil : title, type: type)
}
