package import News
internal import Text

package enum FeedLinks {
  /// Feeds of comments come last in each list.
  package struct Found: Hashable, Sendable {
    /// `<link rel="alternate">`, `<a>` with a relation or media type, and `Link` fields.
    package var declared: [FeedLink] = []
    /// `<a>` with addresses that look like feeds.
    package var guessed: [FeedLink] = []
    /// `<a>` with text that names feeds: `<a href="/x?id=1">RSS</a>`.
    package var labelled: [FeedLink] = []
    /// Links to XML of any kind, which are feeds on a page about feeds.
    package var documents: [FeedLink] = []
    /// Target of `<meta http-equiv=refresh>`.
    package var refresh: String?
    /// WordPress has feeds even if the page does not link to them.
    package var isWordPress = false
    package var isListOfFeeds = false

    package var best: [FeedLink] {
      if !declared.isEmpty { return declared }
      return guessed.isEmpty ? labelled : guessed
    }

    /// All links of a page about feeds, with names of formats before XML, and XML before others.
    package var all: [FeedLink] {
      FeedLink.ordered(
        declared + guessed + labelled.filter(\.isCalledByFormat) + documents + labelled)
    }
  }

  /// - Parameter linkFields: values of the response's `Link` fields (RFC 8288).
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

  /// Usual addresses of feeds on the site of a page, likeliest first; eleven at most.
  ///
  /// For a page in folders: its first folder (`/blog/`, `/~ada/`), its own folder, and the root.
  package static func usualPlaces(of page: String, isWordPress: Bool = false) -> [String] {
    guard let site = SitePage(page), let root = WebAddress.resolve("/", against: page) else {
      return []
    }
    func places(_ folder: String, _ names: String) -> [String] {
      names.split(separator: " ").compactMap { WebAddress.resolve(String($0), against: folder) }
    }
    // The last segment is the page.
    let path = page.prefix { $0 != "?" && $0 != "#" }
    let folders = path.hasSuffix("/") ? site.segments : site.segments.dropLast()
    var found = isWordPress ? places(root, "feed/ ?feed=rss2") : []
    // Blogs at the root have folders of years.
    let isDated = folders.contains(where: isYear)
    if let first = folders.first, !isYear(first) {
      let folder = root + first + "/"
      found += places(folder, "feed/ feed.xml rss.xml")
      // WordPress has the comments of an article there.
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
  /// An https page leads to https only.
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
  /// Nil unless the link leads to the web.
  init?(_ href: String, _ base: String, title: String?, type: String?) {
    guard !href.allSatisfy(\.isWhitespace), let resolved = WebAddress.resolve(href, against: base)
    else { return nil }
    let whole = WebAddress.withASCIIHost(WebAddress.ofFeedScheme(resolved, on: base))
    let url = String(whole.prefix { $0 != "#" })
    guard WebAddress.isWeb(url) else { return nil }
    let title = title.map(PlainText.sanitized) ?? ""
    self.init(url: url, title: title.isEmpty ? nil : title, type: type)
  }

  /// Whether relation and media type declare a feed.
  static func isDeclared(_ relations: [String], _ type: String?, _ href: String) -> Bool {
    guard !relations.contains("stylesheet"), !relations.contains("icon") else { return false }
    // `rel="feed"` was HTML 5's own for a while.
    if relations.contains("feed") { return true }
    guard relations.contains("alternate") else { return false }
    // WordPress offers its API as an alternate of the page.
    if type == "application/json", href.contains("/wp-json/") || href.contains("rest_route=") {
      return false
    }
    if let type, !type.isEmpty { return feedTypes.contains(type) }
    return looksLikeFeed(href)
  }

  /// Whether the type is not XML or JSON of any kind.
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

  /// Whether it subscribes at another feed reader.
  var isSharing: Bool {
    ["feedly.com", "inoreader.com", "newsblur.com", "feedburner.google.com", "validator.w3.org"]
      .contains { site in
        WebAddress.host(of: url).map { $0 == site || $0.hasSuffix("." + site) } ?? false
      }
  }

  /// Whether the text names a format rather than feeds of any kind.
  var isCalledByFormat: Bool {
    guard let title else { return false }
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.contains { $0.hasPrefix("rss") || $0 == "atom" }
  }

  /// Each address once, with feeds of comments last.
  static func ordered(_ links: [FeedLink]) -> [FeedLink] {
    var seen: Set<String> = []
    let links = links.filter { seen.insert($0.url).inserted }
    return links.filter { !$0.isOfComments } + links.filter(\.isOfComments)
  }
}
