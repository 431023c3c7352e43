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

/// Finds the feeds that an HTML page names.
package enum FeedLinks {
  /// The feeds of a page, best first, each address once: what the page declares with
  /// `<link rel="alternate">` in its order, feeds of comments last; where it declares none, the
  /// `<a href>` that look like feeds.
  ///
  /// - Parameters:
  ///   - html: the page, in an encoding that extends ASCII.
  ///   - base: the address it came from; a `<base href>` in the page counts.
  package static func find(in html: [UInt8], base: String) -> [FeedLink] {
    html.withUnsafeBufferPointer { find(in: $0, base: base) }
  }

  /// No page is asked for more than this many feeds.
  private static let limit = 50

  private static func find(in bytes: ByteBuffer, base: String) -> [FeedLink] {
    var base = base
    var hasBase = false
    var declared: [FeedLink] = []
    var guessed: [FeedLink] = []
    var seen: Set<String> = []
    var tokenizer = MarkupTokenizer(bytes)
    while declared.count < limit, let tag = tokenizer.nextTag() {
      guard tag.kind == .open, !tag.attributes.isEmpty else { continue }
      if bytes.isWord("link", in: tag.name) {
        if let link = declaredFeed(attributes(of: tag, in: bytes), base),
          seen.insert(link.url).inserted
        {
          declared.append(link)
        }
      } else if bytes.isWord("a", in: tag.name) {
        if guessed.count < limit, let link = guessedFeed(attributes(of: tag, in: bytes), base) {
          guessed.append(link)
        }
      } else if !hasBase, bytes.isWord("base", in: tag.name),
        let href = attributes(of: tag, in: bytes)["href"],
        let resolved = WebAddress.resolve(href, against: base), WebAddress.isWeb(resolved)
      {
        base = resolved
        hasBase = true
      }
    }
    if declared.isEmpty {
      return guessed.filter { seen.insert($0.url).inserted }
    }
    return declared.filter { !isOfComments($0) } + declared.filter(isOfComments)
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
  let type = (attributes["type"] ?? "").lowercased().split(separator: ";").first
    .map { PlainText.sanitized(String($0)) }
  let isDeclared = relations.contains("alternate") && feedTypes.contains(type ?? "")
  // `rel="feed"` was HTML 5's own for a while.
  guard isDeclared || relations.contains("feed"), !relations.contains("stylesheet"),
    let href = attributes["href"]
  else { return nil }
  // WordPress offers its own API as an alternate of the page, and it is no JSON Feed.
  if type == "application/json", href.contains("/wp-json/") { return nil }
  return link(href, base, title: attributes["title"], type: type)
}

private func guessedFeed(_ attributes: [String: String], _ base: String) -> FeedLink? {
  guard let href = attributes["href"], let link = link(href, base, title: nil, type: nil),
    let path = link.url.split(separator: "?").first?.lowercased()
  else { return nil }
  let names = path.split(separator: "/").dropFirst(2)
  guard let last = names.last else { return nil }
  let looksLikeFeed =
    ["feed", "rss", "atom", "feeds", "index.xml", "feed.json"].contains(String(last))
    || [".rss", ".atom", ".rdf"].contains { last.hasSuffix($0) }
    || (last.hasSuffix(".xml") && ["rss", "atom", "feed"].contains { last.contains($0) })
  return looksLikeFeed ? link : nil
}

private func link(_ href: String, _ base: String, title: String?, type: String?) -> FeedLink? {
  guard var url = WebAddress.resolve(href, against: base) else { return nil }
  if WebAddress.scheme(of: url) == "feed" { url = (try? WebAddress.normalized(url)) ?? url }
  guard WebAddress.isWeb(url) else { return nil }
  let title = title.map(PlainText.sanitized) ?? ""
  return FeedLink(url: url, title: title.isEmpty ? nil : title, type: type)
}

private func isOfComments(_ link: FeedLink) -> Bool {
  (link.title?.lowercased().contains("comment") ?? false) || link.url.contains("/comments/")
}
