internal import News
internal import Text

/// Single pass over the tags of a page that collects its links to feeds.
struct PageScan {
  private struct Anchor {
    var href: String
    /// `title` and `aria-label`, and `alt` of images in it.
    var remarks: [String]
    var text = ""
  }

  private static let limit = 50
  /// Maximum number of bytes of a label.
  private static let labelLimit = 100

  /// Number of links and tags within links that may still be read. People read no page with more.
  private var anchorTagsLeft = 10_000

  private let bytes: ByteBuffer
  private var base: String
  private var hasBase = false
  private var found = FeedLinks.Found()
  /// Anchors with `rel=feed` only, which may be pages of articles.
  private var anchorsOfRelation: [FeedLink] = []
  private var anchor: Anchor?
  private var textStart = 0
  /// Number of open `<template>` elements, whose contents are not part of the page.
  private var openTemplates = 0
  private var hasRoot = false

  init(_ bytes: ByteBuffer, base: String) {
    self.bytes = bytes
    self.base = base
  }

  mutating func run() -> FeedLinks.Found {
    var tokenizer = MarkupTokenizer(bytes)
    while found.declared.count < Self.limit, let tag = tokenizer.nextTag() {
      collectText(upTo: tag.start)
      textStart = tag.end
      switch tag.kind {
      case .open: open(tag)
      case .close: close(tag)
      case .other: break
      }
    }
    collectText(upTo: bytes.count)
    closeAnchor()
    if found.declared.isEmpty { found.declared = anchorsOfRelation }
    return found
  }

  private mutating func open(_ tag: MarkupTokenizer.Tag) {
    if !hasRoot {
      hasRoot = true
      found.isListOfFeeds = bytes.isWord("opml", in: tag.name)
    }
    if bytes.isWord("template", in: tag.name) {
      let closesItself = tag.attributes.last.map { bytes[$0] == 0x2F } ?? false
      if !closesItself { openTemplates += 1 }
    }
    guard openTemplates == 0 else { return }
    if bytes.isWord("a", in: tag.name) { closeAnchor() }
    guard !tag.attributes.isEmpty else { return }
    switch tag.name.count {
    case 1 where bytes.isWord("a", in: tag.name):
      guard anchorTagsLeft > 0 else { return }
      anchorTagsLeft -= 1
      openAnchor(tag.values(in: bytes))
    case 4 where bytes.isWord("link", in: tag.name):
      let attributes = tag.values(in: bytes)
      found.isWordPress = found.isWordPress || isOfWordPress(attributes)
      if let link = declaredFeed(attributes) { found.declared.append(link) }
    case 4 where bytes.isWord("meta", in: tag.name): readMeta(tag.values(in: bytes))
    case 4 where !hasBase && bytes.isWord("base", in: tag.name): readBase(tag.values(in: bytes))
    default:
      guard anchor != nil, anchorTagsLeft > 0 else { return }
      anchorTagsLeft -= 1
      let attributes = tag.values(in: bytes)
      for name in ["alt", "title", "aria-label"] { remark(attributes[name]) }
    }
  }

  private mutating func close(_ tag: MarkupTokenizer.Tag) {
    if bytes.isWord("template", in: tag.name) {
      openTemplates = max(0, openTemplates - 1)
    } else if bytes.isWord("a", in: tag.name) {
      closeAnchor()
    }
  }

  private func declaredFeed(_ attributes: [String: String]) -> FeedLink? {
    let type = attributes["type"]?.mediaType
    guard let href = attributes["href"],
      FeedLink.isDeclared(attributes["rel"]?.lowercasedWords ?? [], type, href)
    else { return nil }
    return FeedLink(href, base, title: attributes["title"], type: type)
  }

  private mutating func openAnchor(_ attributes: [String: String]) {
    guard let href = attributes["href"], !href.hasPrefix("#") else { return }
    let type = attributes["type"]?.mediaType
    let remarks = [attributes["title"], attributes["aria-label"]].compactMap { $0 }
    let relations = attributes["rel"]?.lowercasedWords ?? []
    if type.map(FeedLink.isOfFeedsOnly) == true
      || relations.contains("alternate") && FeedLink.isDeclared(relations, type, href)
    {
      guard var link = link(href) else { return }
      link.type = type
      link.title = remarks.lazy.compactMap(Self.label).first
      found.declared.append(link)
    } else if relations.contains("feed"), anchorsOfRelation.count < Self.limit {
      if let link = link(href) { anchorsOfRelation.append(link) }
    } else {
      anchor = Anchor(href: href, remarks: remarks)
    }
  }

  private mutating func closeAnchor() {
    guard let anchor else { return }
    self.anchor = nil
    let labels = ([CharacterReference.decoded(anchor.text)] + anchor.remarks)
      .compactMap(Self.label)
    let saysFeed = labels.contains(where: Self.saysFeed)
    // Resolving an address is expensive.
    let isOfFeedScheme = WebAddress.hasFeedScheme(anchor.href)
    guard saysFeed || isOfFeedScheme || Self.mayLeadToFeed(anchor.href),
      var link = link(anchor.href)
    else { return }
    link.title = labels.first
    if isOfFeedScheme || FeedLink.looksLikeFeed(link.url) {
      if found.guessed.count < Self.limit { found.guessed.append(link) }
    } else if saysFeed {
      if found.labelled.count < Self.limit { found.labelled.append(link) }
    } else if link.url.prefix(while: { $0 != "?" }).lowercased().hasSuffix(".xml") {
      if found.documents.count < Self.limit { found.documents.append(link) }
    }
  }

  /// Nil unless the target is on the web, and is no other feed reader.
  private func link(_ href: String) -> FeedLink? {
    FeedLink(href, base, title: nil, type: nil).flatMap { $0.isSharing ? nil : $0 }
  }

  private static func mayLeadToFeed(_ href: String) -> Bool {
    let href = href.lowercased()
    return ["feed", "rss", "atom", "rdf", "xml"].contains(where: href.contains)
  }

  private mutating func collectText(upTo end: Int) {
    guard anchor != nil, textStart < end else { return }
    // One byte beyond the limit shows that it is exceeded.
    let room = Self.labelLimit + 1 - (anchor?.text.utf8.count ?? 0)
    guard room > 0 else { return }
    let range = bytes.trimmed(textStart..<end)
    guard !range.isEmpty else { return }
    anchor?.text +=
      " " + bytes.string(range.lowerBound..<min(range.upperBound, range.lowerBound + room))
  }

  private mutating func remark(_ text: String?) {
    guard let text, let count = anchor?.remarks.count, count < 8 else { return }
    anchor?.remarks.append(text)
  }

  /// The text of a link as a title; nil for a long or empty one.
  private static func label(_ text: String) -> String? {
    guard text.utf8.count <= labelLimit else { return nil }
    let label = PlainText.sanitized(text)
    return label.isEmpty ? nil : label
  }

  private static func saysFeed(_ label: String) -> Bool {
    let label = label.lowercased()
    let words = label.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    if words.count <= 6, words.contains(where: { feedWords.contains(String($0)) }) { return true }
    return label.count <= 24 && otherFeedWords.contains(where: label.contains)
  }

  private static let feedWords: Set = [
    "rss", "rss1", "rss2", "atom", "feed", "feeds", "newsfeed", "webfeed", "flux",
  ]
  /// In scripts without spaces between words.
  private static let otherFeedWords = ["フィード", "피드", "лента", "订阅源", "訂閱源"]

  private mutating func readMeta(_ attributes: [String: String]) {
    found.isWordPress = found.isWordPress || isOfWordPress(attributes)
    guard found.refresh == nil, attributes["http-equiv"]?.lowercased() == "refresh",
      let target = attributes["content"].flatMap(PageRefresh.target(of:)),
      let url = WebAddress.resolve(target, against: base), WebAddress.isWeb(url)
    else { return }
    found.refresh = String(url.prefix { $0 != "#" })
  }

  private mutating func readBase(_ attributes: [String: String]) {
    guard let href = attributes["href"], let resolved = WebAddress.resolve(href, against: base),
      WebAddress.isWeb(resolved)
    else { return }
    base = resolved
    hasBase = true
  }

  /// The generator, links to the API, or WordPress's folders.
  private func isOfWordPress(_ attributes: [String: String]) -> Bool {
    if attributes["rel"]?.contains("api.w.org") == true { return true }
    if let href = attributes["href"] {
      return href.contains("/wp-content/") || href.contains("/wp-includes/")
    }
    return attributes["name"]?.lowercased() == "generator"
      && attributes["content"]?.hasPrefix("WordPress") == true
  }
}
