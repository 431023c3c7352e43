internal import Foundation
internal import News
internal import Text

/// Builds a feed from the elements of RSS, RDF and Atom documents.
///
/// The meaning of elements overrules the recovered structure: an `item` ends the one before it, and
/// a date or a guid ends a text that markup left open.
///
/// The fields of entries are in `FeedBuilder+Entry`, those of the feed in `FeedBuilder+Head`: each
/// needs the open elements, the text and the draft at once.
final class FeedBuilder: XMLEvents {
  private struct Frame {
    var tag: FeedTag
    /// Effective `xml:base`, an index into `bases`.
    var base: Int?
    var content = Content.own
  }

  private enum Content {
    case own
    /// Of an extension of the feed, whose entries count if the feed has no others.
    case extensions
    /// Of an extension of an entry, or of an entry that is quoted in one.
    case quoted
  }

  // Accessed several times for each text and element, and never overlapping: no checks at run time.
  @exclusivity(unchecked) var collector = FeedCollector(format: .rss)
  @exclusivity(unchecked) var head = FeedHead()
  private(set) var strangeRoot: String?
  private(set) var hasRoot = false
  /// Whether there is a channel or an entry: RDF has other uses.
  private(set) var hasFeed = false
  weak var reader: XMLReader?

  let documentURL: String?
  private var vocabulary = FeedVocabulary()
  @exclusivity(unchecked) private var frames: [Frame] = []
  private var bases = AddressBases()
  @exclusivity(unchecked) var pending = PendingText()
  @exclusivity(unchecked) var draft = EntryDraft()
  private var entryDepth: Int?
  private var rootSpace = XMLNamespaces.none
  /// Atom's person that is being read.
  var person: (name: String?, email: String?, url: String?) = (nil, nil, nil)
  /// Text directly in a person or picture, where some feeds put the name or address.
  private var looseText: [UInt8] = []
  /// The text element that turned out to be a person.
  private var personElement: FeedTag?
  /// The feed of origin (`atom:source`) that is being read.
  var source: EntrySource?

  init(documentURL: String?) { self.documentURL = documentURL }

  var isOpen: Bool { !frames.isEmpty }

  var format: FeedFormat { collector.feed.description.format }

  func finished() -> ParsedFeed {
    endCut()
    collector.feed.description = head.described(as: format)
    // RFC 4287 §4.2.1; RSS has no such rule.
    return collector.finished(authors: format == .atom ? head.authors.list : [])
  }

  func warn(_ cause: String) { collector.warnings.add(cause, line: reader?.line) }

  // MARK: Events

  func start(_ element: XMLElement) {
    var tag = vocabulary.tag(of: element, isRoot: frames.isEmpty)
    if frames.isEmpty, !hasRoot {
      startRoot(tag, element)
      if strangeRoot != nil { return }
    }
    let base = base(of: element)
    if let open = pending.capture, open.endsAtElement {
      // XML data in the content.
      frames[open.depth - 1].tag = .other
      frames[open.depth - 1].content = .quoted
      pending.capture = nil
    }
    var content = content(of: tag, element)
    if content == .quoted, tag != .other || frames.last?.content == .quoted {
      startQuoted(element, base)
      return
    }
    if let open = pending.capture, becomesPerson(open, at: element) {
      frames[frames.count - 1].tag = .person
      personElement = open.tag
      swap(&looseText, &pending.bytes)
      pending.capture = nil
    }
    if let open = pending.capture {
      if open.style == .xhtml || !tag.ends(open.tag) {
        if open.style == .plain {
          pending.part(by: element)
        } else {
          let ownBase = base == open.base ? nil : base.flatMap { AddressBase(bases[$0]) }
          pending.writeStart(element, isTop: frames.count == open.depth, base: ownBase)
        }
        frames.append(Frame(tag: open.tag, base: base))
        return
      }
      endCapture()
    }
    let parent = parentTag
    if parent == .person {
      tag = personTag(of: element) ?? .aside
      if tag != .aside { content = frames.last?.content ?? .own }
    }
    if tag == .mediaContent, element.isPicture { tag = .picture }
    frames.append(Frame(tag: tag, base: base, content: content))
    if tag == .channel { hasFeed = true }
    switch tag {
    case .entry: startEntry(element)
    case .atomSource where entryDepth != nil: source = EntrySource()
    default: startField(tag, element, in: parent)
    }
  }

  func text(_ bytes: ByteBuffer) {
    if let open = pending.capture {
      // The text of a quoted entry does not belong to the field around it.
      if open.style == .plain, frames.last?.content == .quoted { return }
      pending.append(bytes)
    } else if let last = frames.last, last.tag == .person || last.tag == .image {
      looseText.append(contentsOf: bytes)
    }
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
    case .image: endImage(frame.base)
    case .atomSource: endSource()
    default: break
    }
  }

  func removeLast(_ length: Int, from place: (ByteBuffer) -> Int?) -> [UInt8]? {
    pending.removeLast(length, from: place)
  }

  // MARK: Structure

  private func content(of tag: FeedTag, _ element: XMLElement) -> Content {
    let around = frames.last?.content ?? .own
    if around == .quoted { return .quoted }
    if let entryDepth {
      // `XMLScanner` has closed an unclosed entry, except at the root.
      if tag == .entry { return frames.count == 1 && entryDepth == 0 ? .own : .quoted }
      return tag == .other && pending.capture == nil ? .quoted : around
    }
    switch tag {
    case .channel, .feed, .rss, .rdf: return .own
    case .entry: return around
    case .other:
      guard pending.capture == nil, !frames.isEmpty else { return around }
      let isForeign = element.hasPrefix || element.space != rootSpace
      return isForeign ? .extensions : around
    default: return around == .extensions && tag.isContainer ? .quoted : around
    }
  }

  /// Skips a foreign element. Within HTML it is part of the text.
  private func startQuoted(_ element: XMLElement, _ base: Int?) {
    if let open = pending.capture, open.style != .plain {
      let ownBase = base == open.base ? nil : base.flatMap { AddressBase(bases[$0]) }
      pending.writeStart(element, isTop: frames.count == open.depth, base: ownBase)
    }
    frames.append(Frame(tag: pending.capture?.tag ?? .other, base: base, content: .quoted))
  }

  private func startRoot(_ tag: FeedTag, _ element: XMLElement) {
    hasRoot = true
    rootSpace = element.space
    switch tag {
    case .rss, .channel: collector = FeedCollector(format: .rss)
    case .rdf: collector = FeedCollector(format: .rdf)
    case .entry where element.localName.lowercased() == "item":
      collector = FeedCollector(format: .rss)
    case .feed, .entry: collector = FeedCollector(format: .atom)
    default:
      strangeRoot = element.localName
      reader?.stop()
      return
    }
    head.language.offer(language(of: element), Precedence.feedLanguage[.feed])
  }

  /// The nearest container. Texts do not count: recovery may have left one open.
  private var parentTag: FeedTag? { frames.last { $0.tag.isContainer }?.tag }

  private func startEntry(_ element: XMLElement) {
    endEntry()
    hasFeed = true
    entryDepth = frames.count - 1
    draft.line = reader?.line
    draft.isOfExtension = frames.last?.content == .extensions
    guard element.attributeCount > 0 else { return }
    draft.fields.language.offer(language(of: element), Precedence.language[.entry])
    if format == .rdf {
      draft.fields.about =
        (element.attribute("about", prefix: "rdf") ?? element.attribute("about")).flatMap(
          PlainText.line)
    }
  }

  private func endEntry() {
    guard entryDepth != nil else { return }
    entryDepth = nil
    source = nil
    // A link to the site does not identify an item.
    if let permalink = draft.fields.permalink, isSite(draft.fields.url.value) {
      draft.fields.url.replace(permalink, 0)
    }
    draft.useOriginalEnclosure()
    collector.add(
      collector.isFull ? nil : draft.entry(of: [head.link.value, documentURL]), line: draft.line,
      isOfExtension: draft.isOfExtension)
    draft.clear()
  }

  /// Keeps a truncated text, but no truncated address or id, and no entry without an identity.
  private func endCut() {
    switch pending.capture?.tag {
    case .title, .atomTitle, .description, .encoded, .atomSummary, .atomContent, .xhtmlBody:
      endCapture()
    default: pending.capture = nil
    }
    if draft.isIdentified {
      endEntry()
    } else {
      entryDepth = nil
    }
  }

  private func endPerson() {
    let text = looseText.withUnsafeBufferPointer { PlainText.title(bytes: $0) }
    looseText.removeAll(keepingCapacity: true)
    let name = person.name ?? person.email ?? person.url.map(WebAddress.redacted)
    var author =
      name.map { Author($0, email: person.email, url: person.url) } ?? PersonText.author(text)
    // The name is a mail address.
    if let other = author, other.isNameless, other.email == nil {
      author?.email = PersonText.author(other.name)?.email
    }
    person = (nil, nil, nil)
    let element = personElement ?? .person
    personElement = nil
    if source != nil {
      if let author { draft.fields.sourceAuthors.append(author) }
    } else if entryDepth != nil {
      draft.fields.authors.offer(author, Precedence.authors[element])
    } else {
      head.authors.offer(author, Precedence.feedAuthors[element])
    }
  }

  /// Atom's elements in a person of RSS, with or without their namespace.
  private func personTag(of element: XMLElement) -> FeedTag? {
    if element.isNamed("name") { return .name }
    if element.isNamed("email") { return .email }
    let isAddress = element.isNamed("uri") || element.isNamed("url")
    return isAddress ? .personURL : nil
  }

  /// Whether a person of RSS contains Atom's elements.
  private func becomesPerson(_ open: PendingText.Capture, at element: XMLElement) -> Bool {
    switch open.tag {
    case .author, .managingEditor, .creator, .itunesAuthor:
      frames.count == open.depth && personTag(of: element) != nil
    default: false
    }
  }

  /// Some feeds write the address of a picture as text.
  private func endImage(_ base: Int?) {
    let text = looseText.withUnsafeBufferPointer { PlainText.sanitized(bytes: $0) }
    looseText.removeAll(keepingCapacity: true)
    guard WebAddress.isWeb(text) else { return }
    if entryDepth != nil {
      draft.fields.image.offer(webAddress(text, base: base), Precedence.image[.image])
    } else {
      head.image.offer(webAddress(text, base: base), Precedence.feedImage[.image])
    }
  }

  private func endSource() {
    guard let found = source else { return }
    source = nil
    draft.fields.source.offer(found.isEmpty ? nil : found, Precedence.source[.atomSource])
  }

  // MARK: Fields

  private func startField(_ tag: FeedTag, _ element: XMLElement, in parent: FeedTag?) {
    switch parent {
    case .entry, .mediaGroup, .mediaContent:
      if entryDepth != nil { startEntryField(tag, element) } else { startHeadField(tag, element) }
    case .picture where entryDepth != nil: startPictureField(tag, element)
    case .channel, .feed, .rdf, .rss: startHeadField(tag, element)
    case .person where tag == .name || tag == .email || tag == .personURL: begin(tag, .plain)
    case .image where tag == .url: begin(tag, .plain)
    case .skips where tag == .skippedHour || tag == .skippedDay: begin(tag, .plain)
    case .atomSource where source != nil: startSourceField(tag, element)
    default: break
    }
  }

  func begin(_ tag: FeedTag, _ style: PendingText.Capture.Style) {
    pending.begin(
      PendingText.Capture(tag: tag, style: style, depth: frames.count, base: frames.last?.base))
  }

  private func endCapture() {
    guard let open = pending.capture else { return }
    pending.capture = nil
    if open.style != .xhtml { pending.unwrapSection() }
    pending.decodeTwice()
    switch open.tag {
    case .name: person.name = pending.titleText()
    case .email: person.email = pending.line()
    case .personURL: person.url = webAddress(base: open.base)
    default:
      if source != nil {
        if open.tag == .atomTitle, source?.title == nil { source?.title = pending.title(open) }
      } else if entryDepth != nil {
        endEntryField(open)
      } else {
        endHeadField(open)
      }
    }
  }

  private func isSite(_ url: String?) -> Bool {
    guard let url, let link = head.link.value else { return false }
    return url == link || url + "/" == link || url == link + "/"
  }

  /// Atom's rights have a type, RSS's copyright is plain.
  func beginRights(_ tag: FeedTag, _ element: XMLElement) {
    if element.attribute("type") != nil || element.attribute("mode") != nil {
      beginAtomText(tag, element)
    } else {
      begin(tag, .plain)
    }
  }

  /// Files are skipped.
  func beginAtomText(_ tag: FeedTag, _ element: XMLElement) {
    begin(tag, .plain)
    if pending.capture?.readType(of: element) == false {
      pending.capture = nil
      frames[frames.count - 1].tag = .other
    }
  }

  // MARK: Values

  private func language(of element: XMLElement) -> String? {
    LanguageTag.normalized(element.line("lang", prefix: "xml"))
  }

  func date(_ open: PendingText.Capture) -> Date? {
    let line = reader?.line
    return pending.bytes.withUnsafeBufferPointer { collector.date($0, line: line) }
  }

  // MARK: Addresses

  /// `xml:base`, then the page of an RSS feed, then the document.
  func effectiveBase(_ base: Int?) -> String? {
    if let base { return bases[base] }
    if format != .atom, let link = head.link.value { return link }
    return documentURL
  }

  private func base(of element: XMLElement) -> Int? {
    let inherited = frames.last?.base
    guard element.attributeCount > 0, let value = element.attribute("base", prefix: "xml"),
      let base = WebAddress.resolve(value, against: inherited.map { bases[$0] } ?? documentURL),
      WebAddress.isWeb(base)
    else { return inherited }
    guard let index = bases.index(of: base) else {
      warn("There are more than 4,096 different “xml:base”; the rest is left out.")
      return inherited
    }
    return index
  }

  func webAddress(_ href: String?) -> String? { webAddress(href, base: frames.last?.base) }

  func webAddress(base: Int?) -> String? {
    if let plain = pending.bytes.withUnsafeBufferPointer({ WebAddress.plain(bytes: $0) }) {
      return plain
    }
    if let joined = pending.bytes.withUnsafeBufferPointer({ AddressText.joined($0) }) {
      return webAddress(joined, base: base)
    }
    return webAddress(pending.line(), base: base)
  }

  func webAddress(_ href: String?, base: Int?) -> String? {
    if let plain = href.flatMap(WebAddress.plain) { return plain }
    guard let href = href.map(AddressText.mended), !WebAddress.isBlank(href) else { return nil }
    return WebAddress.resolve(href, against: effectiveBase(base)).map(PlainText.sanitized)
      .flatMap(AddressText.web)
  }

  /// The address of the feed or another page of it, relative to the document.
  func documentAddress(_ href: String?) -> String? {
    let base = frames.last?.base.map { bases[$0] } ?? documentURL
    guard let href, !WebAddress.isBlank(href) else { return nil }
    return WebAddress.resolve(href, against: base).map(PlainText.sanitized).flatMap(AddressText.web)
  }
}
