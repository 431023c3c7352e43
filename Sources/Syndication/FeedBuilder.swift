internal import Foundation
internal import News

/// Makes a feed out of the elements of RSS, RDF and Atom documents.
///
/// Follows what the elements mean, not where libxml2's recovery puts them: an `item` ends the one
/// before it, and a date or a guid ends a text that markup left open.
final class FeedBuilder: XMLEvents {
  /// Elements nested deeper than this end the document.
  static let depthLimit = 1024

  private struct Frame {
    var tag: FeedTag
    /// Its effective `xml:base`, an index into `bases`.
    var base: Int?
  }

  private(set) var collector = FeedCollector(format: .rss)
  /// The root's name where it is none of a feed's.
  private(set) var strangeRoot: String?
  private(set) var hasRoot = false
  private(set) var isTooDeep = false
  weak var reader: XMLReader?

  private let documentURL: String?
  private var vocabulary = FeedVocabulary()
  private var frames: [Frame] = []
  private var bases: [String] = []
  /// One value, so that a piece of text costs one access.
  private var pending = PendingText()
  private var draft = EntryDraft()
  /// How deep the entry is that is open.
  private var entryDepth: Int?
  private var person: (name: String?, email: String?) = (nil, nil)
  private var archiveURL: String?

  init(documentURL: String?) {
    self.documentURL = documentURL
  }

  /// Whether the document ended before its root did.
  var isOpen: Bool { !frames.isEmpty }

  /// The feed, with what was open at the end of the document.
  func finished() -> ParsedFeed {
    endCut()
    if collector.feed.description.isComplete {
      collector.feed.description.nextURL = nil
    } else if collector.feed.description.nextURL == nil {
      collector.feed.description.nextURL = archiveURL
    }
    return collector.finished()
  }

  // MARK: Events

  func start(_ element: XMLElement) {
    guard frames.count < Self.depthLimit else {
      isTooDeep = true
      reader?.stop()
      return
    }
    let tag = vocabulary.tag(of: element, isRoot: frames.isEmpty)
    if frames.isEmpty, !hasRoot {
      startRoot(tag, element)
      // Stopped, libxml2 has freed the element's attributes.
      if strangeRoot != nil { return }
    }
    let base = base(of: element)
    if let open = pending.capture {
      if open.style == .xhtml || !tag.endsOpenText {
        if open.style != .plain {
          let ownBase = base == open.base ? nil : base.flatMap { AddressBase(bases[$0]) }
          pending.writeStart(element, isTop: frames.count == open.depth, base: ownBase)
        }
        frames.append(Frame(tag: open.tag, base: base))
        return
      }
      endCapture()
    }
    let parent = parentTag
    frames.append(Frame(tag: tag, base: base))
    if tag == .entry {
      startEntry(element)
    } else {
      startField(tag, element, in: parent)
    }
  }

  func text(_ bytes: ByteBuffer) {
    pending.append(bytes)
  }

  func end() {
    guard let frame = frames.popLast() else { return }
    if let open = pending.capture {
      if frames.count < open.depth {
        endCapture()
      } else {
        if open.style != .plain { pending.writeEnd() }
        return
      }
    }
    switch frame.tag {
    case .entry where frames.count == entryDepth: endEntry()
    case .person: endPerson()
    default: break
    }
  }

  // MARK: Structure

  private func startRoot(_ tag: FeedTag, _ element: XMLElement) {
    hasRoot = true
    switch tag {
    case .rss, .channel: collector = FeedCollector(format: .rss)
    case .rdf: collector = FeedCollector(format: .rdf)
    case .feed, .entry:
      collector = FeedCollector(format: .atom)
      collector.feed.description.language = line(element.attribute("lang", prefix: "xml"))
    default:
      strangeRoot = element.localName
      reader?.stop()
    }
  }

  /// The nearest element around that has fields. Texts do not count: recovery may have left one open.
  private var parentTag: FeedTag? {
    frames.last { $0.tag.isContainer }?.tag
  }

  private func startEntry(_ element: XMLElement) {
    endEntry()
    entryDepth = frames.count - 1
    if collector.feed.description.format == .rdf {
      draft.about = element.attribute("about", prefix: "rdf").flatMap(line)
    }
  }

  private func endEntry() {
    guard entryDepth != nil else { return }
    entryDepth = nil
    collector.add(draft)
    draft.clear()
  }

  /// Keeps of what the end of the document cut only what is worth having: a text may be cut, an
  /// address or an id may not, and an entry that cannot be told from others would come twice.
  private func endCut() {
    switch pending.capture?.tag {
    case .title, .atomTitle, .description, .encoded, .atomSummary, .atomContent, .xhtmlBody:
      endCapture()
    default: pending.capture = nil
    }
    if draft.id != nil || draft.about != nil || draft.url != nil {
      endEntry()
    } else {
      entryDepth = nil
    }
  }

  private func endPerson() {
    let name = person.name ?? person.email
    person = (nil, nil)
    guard let name else { return }
    if entryDepth != nil {
      draft.addAuthor(name)
    } else if collector.inheritedAuthors.count < 64 {
      collector.inheritedAuthors.append(name)
    }
  }

  // MARK: Fields

  private func startField(_ tag: FeedTag, _ element: XMLElement, in parent: FeedTag?) {
    switch parent {
    case .entry, .mediaGroup: startEntryField(tag, element)
    case .channel, .feed, .rdf, .rss: startFeedField(tag, element)
    case .person where tag == .name || tag == .email: begin(tag, .plain)
    default: break
    }
  }

  private func startEntryField(_ tag: FeedTag, _ element: XMLElement) {
    switch tag {
    case .title, .author, .creator, .published, .updated, .identifier, .category:
      begin(tag, .plain)
    case .guid:
      begin(tag, .plain)
      pending.capture?.isPermalink = element.attribute("isPermaLink")?.lowercased() != "false"
    case .link:
      if let href = element.attribute("href") { setLink(href) }
      begin(tag, .plain)
    case .description, .encoded, .fallbackBody: begin(tag, .html)
    case .xhtmlBody: begin(tag, .xhtml)
    case .atomTitle, .atomSummary: beginAtomText(tag, element)
    case .atomContent where element.attribute("src") == nil: beginAtomText(tag, element)
    case .atomLink: readLink(element)
    case .atomCategory:
      let name = element.attribute("label") ?? element.attribute("term")
      draft.addCategory(line(name) ?? "")
    case .enclosure: addEnclosure(element, length: element.attribute("length"))
    case .mediaContent: addEnclosure(element, length: element.attribute("fileSize"))
    default: break
    }
  }

  private func startFeedField(_ tag: FeedTag, _ element: XMLElement) {
    switch tag {
    case .title, .link, .language, .minutesToLive, .description, .listTotal, .listStart:
      begin(tag, .plain)
    case .generator:
      // RFC 4287 §4.2.4 and RSS 2.0: an address tells a program better than its name does.
      collector.feed.description.generator =
        line(element.attribute("uri")) ?? line(element.attribute("url"))
      begin(tag, .plain)
    case .atomTitle, .atomSubtitle: beginAtomText(tag, element)
    case .atomLink: readLink(element)
    case .historyComplete: collector.feed.description.isComplete = true
    case .historyArchive: collector.feed.description.isArchive = true
    default: break
    }
  }

  private func begin(_ tag: FeedTag, _ style: PendingText.Capture.Style) {
    pending.begin(
      PendingText.Capture(tag: tag, style: style, depth: frames.count, base: frames.last?.base))
  }

  /// RFC 4287 §3.1 and §4.1.3.3; Atom 0.3 names media types and says in `mode` how they are written.
  private func beginAtomText(_ tag: FeedTag, _ element: XMLElement) {
    let type = element.attribute("type")?.lowercased() ?? "text"
    let mode = element.attribute("mode")?.lowercased()
    guard mode != "base64" else { return }
    switch type {
    case "text", "text/plain", "":
      begin(tag, .plain)
      // Atom 0.3 escapes HTML without a type at times.
      pending.capture?.isPlainText = mode != "escaped"
    case "html", "text/html": begin(tag, mode == "xml" ? .xhtml : .html)
    case "xhtml", "application/xhtml+xml": begin(tag, mode == "escaped" ? .html : .xhtml)
    default: break
    }
  }

  private func endCapture() {
    guard let open = pending.capture else { return }
    pending.capture = nil
    if entryDepth != nil {
      endEntryField(open)
    } else {
      endFeedField(open)
    }
  }

  private func endEntryField(_ open: PendingText.Capture) {
    switch open.tag {
    case .title, .atomTitle: draft.title = draft.title ?? title(open)
    case .link:
      if let href = line() { setLink(href, base: open.base) }
    case .guid:
      draft.id = draft.id ?? line()
      if open.isPermalink, let id = line(), WebAddress.isWeb(id) {
        draft.permalink = WebAddress.resolve(id, against: nil)
      }
    case .identifier: draft.id = draft.id ?? line()
    case .author, .creator: draft.addAuthor(line().map(Author.name))
    case .name: person.name = line()
    case .email: person.email = line()
    case .published: draft.published = draft.published ?? date()
    case .updated: draft.updated = draft.updated ?? date()
    case .category: draft.addCategory(titleText() ?? "")
    case .description:
      keep(open, as: &draft.lead)
      draft.leadIsBody = true
    case .atomSummary: keep(open, as: &draft.lead)
    case .encoded, .atomContent, .xhtmlBody: keep(open, as: &draft.content)
    case .fallbackBody: keep(open, as: &draft.fallback)
    default: break
    }
  }

  private func endFeedField(_ open: PendingText.Capture) {
    switch open.tag {
    case .title, .atomTitle:
      collector.feed.description.title = collector.feed.description.title ?? title(open)
    case .description, .atomSubtitle:
      let isText = open.isPlainText || open.tag == .atomSubtitle && open.style == .plain
      let description = isText ? line() : stripped()
      collector.feed.description.description = collector.feed.description.description ?? description
    case .link:
      if let href = line() { setFeedLink(href, base: open.base) }
    case .language:
      collector.feed.description.language = collector.feed.description.language ?? line()
    case .minutesToLive:
      if let minutes = line().flatMap({ Int($0) }), minutes > 0 {
        collector.feed.description.minutesToLive = min(minutes, 60 * 24 * 366)
      }
    case .generator:
      collector.feed.description.generator = collector.feed.description.generator ?? line()
    case .listTotal: listing { $0.total = $1 }
    case .listStart: listing { $0.start = $1 }
    case .name: person.name = line()
    case .email: person.email = line()
    default: break
    }
  }

  private func listing(_ set: (inout FeedListing, Int) -> Void) {
    guard let number = line().flatMap({ Int($0) }), number >= 0 else { return }
    var listing = collector.feed.description.listing ?? FeedListing()
    set(&listing, number)
    collector.feed.description.listing = listing
  }

  // MARK: Texts

  private func line() -> String? {
    let line = pending.bytes.withUnsafeBufferPointer { PlainText.sanitized(bytes: $0) }
    return line.isEmpty ? nil : line
  }

  private func line(_ value: String?) -> String? {
    guard let value else { return nil }
    let line = PlainText.sanitized(value)
    return line.isEmpty ? nil : line
  }

  private func titleText() -> String? {
    let title = pending.bytes.withUnsafeBufferPointer { PlainText.title(bytes: $0) }
    return title.isEmpty ? nil : title
  }

  private func stripped() -> String? {
    let text = pending.bytes.withUnsafeBufferPointer { PlainText.stripped(bytes: $0) }
    return text.isEmpty ? nil : text
  }

  private func title(_ open: PendingText.Capture) -> String? {
    open.isPlainText ? line() : titleText()
  }

  private func date() -> Date? {
    pending.bytes.withUnsafeBufferPointer { collector.date($0) }
  }

  /// Keeps the first text that says something. The buffers change places, so that nothing is copied.
  private func keep(_ open: PendingText.Capture, as body: inout EntryDraft.Body) {
    let isBlank = pending.bytes.withUnsafeBufferPointer { $0.trimmed(0..<$0.count).isEmpty }
    guard body.kind == .none, !isBlank else { return }
    swap(&body.bytes, &pending.bytes)
    body.kind = open.isPlainText ? .text : .html
    body.base = effectiveBase(open.base)
  }

  // MARK: Links

  /// What relative addresses refer to: `xml:base`, then RSS's own page, then the document's address.
  private func effectiveBase(_ base: Int?) -> String? {
    if let base { return bases[base] }
    if collector.feed.description.format != .atom, let link = collector.feed.description.link {
      return link
    }
    return documentURL
  }

  private func base(of element: XMLElement) -> Int? {
    let inherited = frames.last?.base
    guard element.attributeCount > 0, let value = element.attribute("base", prefix: "xml"),
      bases.count < 4096,
      let base = WebAddress.resolve(value, against: inherited.map { bases[$0] } ?? documentURL),
      WebAddress.isWeb(base)
    else { return inherited }
    bases.append(base)
    return bases.count - 1
  }

  private func resolved(_ href: String, base: Int?) -> String? {
    guard let url = WebAddress.resolve(href, against: effectiveBase(base)) else { return nil }
    let clean = PlainText.sanitized(url)
    return clean.isEmpty ? nil : clean
  }

  private func setLink(_ href: String, base: Int? = nil) {
    guard draft.url == nil, let url = resolved(href, base: base ?? frames.last?.base),
      WebAddress.isWeb(url)
    else { return }
    draft.url = url
  }

  private func setFeedLink(_ href: String, base: Int?) {
    guard collector.feed.description.link == nil, let url = resolved(href, base: base),
      WebAddress.isWeb(url)
    else { return }
    collector.feed.description.link = url
  }

  /// RFC 4287 §4.2.7, RFC 5005 §3 and §4.
  private func readLink(_ element: XMLElement) {
    guard let href = element.attribute("href") else { return }
    var relation = element.attribute("rel")?.lowercased() ?? "alternate"
    if let slash = relation.lastIndex(of: "/") {
      relation = String(relation[relation.index(after: slash)...])
    }
    if entryDepth == nil {
      switch relation {
      case "alternate": setFeedLink(href, base: frames.last?.base)
      case "next":
        collector.feed.description.nextURL = collector.feed.description.nextURL ?? page(href)
      case "prev-archive": archiveURL = archiveURL ?? page(href)
      default: break
      }
      return
    }
    guard let url = resolved(href, base: frames.last?.base), WebAddress.isWeb(url) else { return }
    if relation == "enclosure" {
      addEnclosure(element, href: url, length: element.attribute("length"))
    } else if relation == "alternate" {
      let isHTML = element.attribute("type").map { $0.lowercased().contains("html") } ?? true
      guard draft.url == nil || (isHTML && !draft.urlIsHTML) else { return }
      draft.url = url
      draft.urlIsHTML = isHTML
    }
  }

  /// The address of another page of the feed. It lies beside the document, also where RSS's own page
  /// lies elsewhere.
  private func page(_ href: String) -> String? {
    let base = frames.last?.base.map { bases[$0] } ?? documentURL
    guard let url = WebAddress.resolve(href, against: base).map(PlainText.sanitized),
      WebAddress.isWeb(url)
    else { return nil }
    return url
  }

  private func addEnclosure(_ element: XMLElement, href: String? = nil, length: String?) {
    guard let href = href ?? element.attribute("url"),
      let url = resolved(href, base: frames.last?.base), WebAddress.isWeb(url)
    else { return }
    let bytes = length.flatMap { Int64(PlainText.sanitized($0)) }
    draft.addEnclosure(
      Enclosure(
        url: url, type: line(element.attribute("type")),
        length: bytes.flatMap { $0 > 0 ? $0 : nil }))
  }
}
