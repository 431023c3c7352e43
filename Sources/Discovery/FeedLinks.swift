package import News
internal import Text

/// Finds the feeds that a page names.
package enum FeedLinks {
  /// The feeds that a page names. Feeds of comments come last in each list.
  package struct Found: Hashable, Sendable {
    /// Declared with `<link rel="alternate">`, with an `<a>` that has a relation or a media type, or
    /// in the head of the answer.
    package var declared: [FeedLink] = []
    /// The `<a href>` whose addresses look like feeds.
    package var guessed: [FeedLink] = []
    /// Those whose words say so: `<a href="/x?id=1">RSS</a>`.
    package var labelled: [FeedLink] = []
    /// Those that lead to XML of any kind. On a page about feeds these are feeds.
    package var documents: [FeedLink] = []
    /// Where `<meta http-equiv=refresh>` leads to.
    package var refresh: String?
    /// Whether WordPress made the page, which has a feed even where it hides it.
    package var isWordPress = false
    /// Whether it is no page but a list of feeds in OPML.
    package var isListOfFeeds = false

    /// The likeliest only: what is declared, else what looks like it, else what is called so.
    package var best: [FeedLink] {
      if !declared.isEmpty { return declared }
      return guessed.isEmpty ? labelled : guessed
    }

    /// All that a page about feeds names. What is called by the name of a format is one more likely
    /// than XML of any kind, and that more than what is called a feed.
    package var all: [FeedLink] {
      FeedLink.ordered(
        declared + guessed + labelled.filter(\.isCalledByFormat) + documents + labelled)
    }
  }

  /// All that a page and the head of its answer say of feeds.
  ///
  /// - Parameter linkFields: the values of the answer's `Link` fields (RFC 8288).
  package static func look(
    in html: [UInt8], base: String, linkFields: [String] = []
  ) -> Found {
    var found = html.withUnsafeBufferPointer { bytes in
      var scan = PageScan(bytes, base: base)
      return scan.run()
    }
    for header in HeaderLink.links(in: linkFields) where !header.hasAnchor {
      if header.relations.contains("https://api.w.org/") { found.isWordPress = true }
      guard FeedLink.isDeclared(header.relations, header.type, header.target),
        let link = FeedLink(header.target, base, title: header.title, type: header.type)
      else { continue }
      found.declared.append(link)
    }
    found.labelled = found.labelled.filter(\.isCalledByFormat) + found.labelled
    found.changeLists(FeedLink.ordered)
    return found
  }

  /// Where feeds usually are on the site of a page that names none, the likeliest first; eleven at
  /// most.
  ///
  /// Of a page in folders these are its first folder, which may be a site within the site (`/blog/`,
  /// `/~ada/`), the one it lies in, and the root.
  package static func usualPlaces(of page: String, isWordPress: Bool = false) -> [String] {
    guard let site = SitePage(page), let root = WebAddress.resolve("/", against: page) else {
      return []
    }
    func places(_ folder: String, _ names: String) -> [String] {
      names.split(separator: " ").compactMap { WebAddress.resolve(String($0), against: folder) }
    }
    // The segment behind the last slash is the page.
    let path = page.prefix { $0 != "?" && $0 != "#" }
    let folders = path.hasSuffix("/") ? site.segments : site.segments.dropLast()
    var found = isWordPress ? places(root, "feed/ ?feed=rss2") : []
    // A blog that lies at the root has folders of years.
    let isDated = folders.contains(where: isYear)
    if let first = folders.first, !isYear(first) {
      let folder = root + first + "/"
      found += places(folder, "feed/ feed.xml rss.xml")
      // In WordPress the feed of an article is that of its comments.
      if folders.count > 1, !isDated, let deepest = WebAddress.resolve(".", against: page) {
        found += places(deepest, "feed/ feed.xml")
      }
      found += places(root, "feed/ rss.xml feed.xml") + places(folder, "feed")
      found += places(root, "rss atom.xml index.xml feed")
    } else {
      found += places(
        root, "feed/ feed rss rss.xml atom.xml feed.xml index.xml feed.json blog/feed/")
    }
    var seen: Set<String> = []
    return Array(found.filter { seen.insert($0).inserted }.prefix(11))
  }

  private static func isYear(_ segment: String) -> Bool {
    segment.utf8.count == 4 && segment.utf8.allSatisfy(\.isASCIIDigit)
      && (segment.hasPrefix("19") || segment.hasPrefix("20"))
  }
}

extension FeedLinks.Found {
  /// The links of a page at this address: one that came over https leads to https only.
  package func secured(at page: String) -> Self {
    guard WebAddress.scheme(of: page) == "https" else { return self }
    let named = Set((declared + guessed + labelled + documents).map(\.url))
    func secured(_ links: [FeedLink]) -> [FeedLink] {
      FeedLink.ordered(
        links.map { link in
          guard let url = WebAddress.secured(link.url, namedAt: page) else { return link }
          var link = link
          (link.url, link.isSecured) = (url, !named.contains(url))
          return link
        })
    }
    var found = self
    found.changeLists(secured)
    found.refresh = refresh.map { WebAddress.secured($0, namedAt: page) ?? $0 }
    return found
  }

  fileprivate mutating func changeLists(_ change: ([FeedLink]) -> [FeedLink]) {
    (declared, guessed) = (change(declared), change(guessed))
    (labelled, documents) = (change(labelled), change(documents))
  }
}

private let feedTypes: Set<String> = [
  "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
  "application/json", "application/rss", "application/atom", "application/x-rss+xml", "text/rss",
  "application/xml", "text/xml",
]

extension FeedLink {
  /// A link as a page has it; nil where it leads nowhere on the web.
  init?(_ href: String, _ base: String, title: String?, type: String?) {
    guard !href.allSatisfy(\.isWhitespace), let resolved = WebAddress.resolve(href, against: base)
    else { return nil }
    let whole = WebAddress.withASCIIHost(WebAddress.ofFeedScheme(resolved, on: base))
    let url = String(whole.prefix { $0 != "#" })
    guard WebAddress.isWeb(url) else { return nil }
    let title = title.map(PlainText.sanitized) ?? ""
    self.init(url: url, title: title.isEmpty ? nil : title, type: type)
  }

  /// Whether a link is one to a feed, by what it is to the page and its media type.
  static func isDeclared(_ relations: [String], _ type: String?, _ href: String) -> Bool {
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

  /// Whether a media type says that it is a feed, rather than XML or JSON of any kind.
  static func isOfFeedsOnly(_ type: String) -> Bool {
    feedTypes.contains(type)
      && !["application/json", "application/xml", "text/xml"].contains(type)
  }

  static func looksLikeFeed(_ url: String) -> Bool {
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
    return ["feed", "rss", "atom", "feeds", "index.xml", "feed.json"].contains(last)
      || [".rss", ".atom", ".rdf"].contains { last.hasSuffix($0) }
      || (last.hasSuffix(".xml") && ["rss", "atom", "feed"].contains { last.contains($0) })
  }

  /// Whether it subscribes at the site of another feed reader rather than leads to the feed.
  var isSharing: Bool {
    ["feedly.com", "inoreader.com", "newsblur.com", "feedburner.google.com", "validator.w3.org"]
      .contains { site in
        WebAddress.host(of: url).map { $0 == site || $0.hasSuffix("." + site) } ?? false
      }
  }

  /// Whether its words name a format rather than a feed of any kind, which cats may have as well.
  var isCalledByFormat: Bool {
    guard let title else { return false }
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.contains { $0.hasPrefix("rss") || $0 == "atom" }
  }

  /// The feeds of comments after all others, each address once.
  static func ordered(_ links: [FeedLink]) -> [FeedLink] {
    var seen: Set<String> = []
    let links = links.filter { seen.insert($0.url).inserted }
    return links.filter { !$0.isOfComments } + links.filter(\.isOfComments)
  }
}
