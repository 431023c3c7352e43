internal import Foundation
internal import News
internal import Text

/// Parser of JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/). A member of the wrong
/// type is dropped with a warning.
struct JSONFeedReader {
  private let documentURL: String?
  private let subject: String
  private var collector = FeedCollector(format: .json)
  private var link: String?
  private let firstLine: Int
  private var lines: LineCounter

  /// - Parameter warnings: warnings about the bytes, such as those of the decoder.
  init(documentURL: String?, subject: String, firstLine: Int, warnings: ParseWarnings) {
    self.documentURL = documentURL
    self.subject = subject
    self.firstLine = firstLine
    lines = LineCounter(firstLine: firstLine)
    collector.warnings = warnings
  }

  consuming func read(_ bytes: [UInt8]) throws(SourceError) -> ParsedFeed {
    try bytes.withUnsafeBufferPointer { bytes throws(SourceError) in try read(bytes: bytes) }
  }

  private mutating func read(bytes: ByteBuffer) throws(SourceError) -> ParsedFeed {
    let document = JSONValue.parse(bytes)
    let isComplete = document.isComplete
    if let rss = RSSInJSON(document, in: bytes, firstLine: firstLine) {
      if rss.hasStrangeItems { collector.warnings.add("An item is no object.") }
      noteFlaws(of: document, in: bytes)
      return read(rss)
    }
    let found = feedMembers(of: document.value)
    guard let (members, start) = found, isFeed(members) else {
      if isComplete { throw failure(.notAFeed, "This is JSON, but no feed.") }
      let thing = found == nil ? "JSON" : "feed"
      throw failure(.decoding, "The document holds no readable \(thing).")
    }
    let authors = readFeed(JSONMembers(members, line: lines.line(of: start, in: bytes)))
    if let items = items(members["items"]) {
      for (place, item) in items.enumerated() {
        readItem(item, in: bytes, isCut: !isComplete && place == items.count - 1)
      }
      if !items.isEmpty, collector.feed.entries.isEmpty, isComplete, !namesVersion(members) {
        throw failure(.notAFeed, "This is JSON, but no feed.")
      }
    } else if isComplete {
      collector.warnings.add("The feed has no list of items.")
    }
    noteFlaws(of: document, in: bytes)
    return collector.finished(authors: authors)
  }

  private func read(_ rss: RSSInJSON) -> ParsedFeed {
    let builder = FeedBuilder(documentURL: documentURL)
    var claims = EncodingClaims()
    claims.first = EncodingClaims.Claim(source: .document, label: "UTF-8", encoding: .utf8)
    let reader = XMLReader(claims, firstLine: firstLine, events: builder)
    builder.reader = reader
    rss.xml.withUnsafeBufferPointer { reader.consume($0) }
    reader.finish()
    // Warnings about the generated XML do not concern the author of the feed.
    builder.collector.warnings.add(collector.warnings)
    return builder.finished()
  }

  private mutating func noteFlaws(of document: JSONValue.Document, in bytes: ByteBuffer) {
    let flaws = [
      (document.firstFlaw, "This is not written as JSON has it."),
      (document.firstDepth, "Values are nested too deep; they were left out."),
      (document.tail, "Something follows the end of the document; it was left out."),
    ]
    for case (let place?, let warning) in flaws {
      var lines = LineCounter(firstLine: firstLine)
      collector.warnings.add(warning, line: lines.line(of: place, in: bytes))
    }
    if !document.isComplete { collector.warnings.add("The document ends before it is complete.") }
    collector.feed.isCut = !document.isComplete
  }

  private func namesVersion(_ members: [String: JSONValue]) -> Bool {
    members["version"]?.string?.lowercased().contains("jsonfeed.org") ?? false
  }

  private func isFeed(_ members: [String: JSONValue]) -> Bool {
    if namesVersion(members) { return true }
    guard case .array(let items) = members["items"] else { return false }
    return areItems(items) || members["title"] != nil || members["feed_url"] != nil
      || members["home_page_url"] != nil
  }

  private func areItems(_ values: [JSONValue]) -> Bool {
    guard case .object(let item, _)? = values.first else { return false }
    return item["content_html"] != nil || item["content_text"] != nil
  }

  /// The members of the feed. Some documents are a list of items, or a list with the feed.
  private mutating func feedMembers(
    of value: JSONValue
  ) -> (members: [String: JSONValue], start: Int)? {
    switch value {
    case .object(let members, let start): return (members, start)
    case .array(let values):
      if values.count == 1, case .object(let members, let start) = values[0], isFeed(members) {
        return (members, start)
      }
      guard areItems(values) else { return nil }
      collector.warnings.add("The items stand in a list without a feed around it.")
      return (["items": .array(values)], 0)
    default: return nil
    }
  }

  /// Nil without a list. Some feeds have a single item, and PHP objects with numbers.
  private mutating func items(_ value: JSONValue?) -> [JSONValue]? {
    switch value {
    case nil: return nil
    case .array(let items)?: return items
    case .object(let members, let start)?:
      // PHP writes an empty list as an empty object.
      if members.isEmpty { return [] }
      collector.warnings.add("“items” is no list.")
      return JSONMembers.numbered(members) ?? [.object(members, at: start)]
    default:
      collector.warnings.add("“items” is no list.")
      return []
    }
  }

  private func failure(_ kind: SourceError.Kind, _ message: String) -> SourceError {
    SourceError(
      kind, stage: .parse, subject: subject, message: message,
      next: kind == .notAFeed ? "Look for the address of the feed on the site." : nil)
  }

  /// Returns the authors of the feed, which apply to items without authors.
  private mutating func readFeed(_ members: JSONMembers) -> [Author] {
    var object = members
    link = object.line("home_page_url").flatMap(webAddress)
    let people = authors(&object)
    collector.feed.description = FeedDescription(
      format: .json, title: object.title("title"), link: link,
      description: object.title("description"),
      language: LanguageTag.normalized(object.line("language")),
      image: object.line("icon").flatMap(webAddress),
      icon: object.line("favicon").flatMap(webAddress), authors: people,
      feedURL: object.line("feed_url").flatMap(page),
      nextURL: object.line("next_url").flatMap(page))
    object.report(to: &collector)
    return people
  }

  /// - Parameter isCut: whether the item is truncated. Without an identity it is dropped, because
  ///   it would occur again once the document is complete.
  private mutating func readItem(_ value: JSONValue, in bytes: ByteBuffer, isCut: Bool) {
    guard case .object(let members, let start) = value else {
      return collector.warnings.add("An item is no object.")
    }
    let line = lines.line(of: start, in: bytes)
    var object = JSONMembers(members, line: line)
    var draft = EntryDraft()
    draft.line = line
    draft.fields.id.offer(object.lineOrNumber("id"), 0)
    draft.fields.url.offer(object.line("url").flatMap(webAddress), 0)
    draft.fields.url.offer(object.line("external_url").flatMap(webAddress), 1)
    // The id should be the full address of the item (version 1.1, "id").
    draft.fields.url.offer(
      draft.fields.id.value.flatMap {
        WebAddress.isWeb($0) || $0.hasPrefix("/") && AddressText.isPath($0) ? webAddress($0) : nil
      }, 2)
    draft.fields.title.offer(object.title("title"), 0)
    draft.fields.published.offer(date(object.lineOrNumber("date_published"), line), 0)
    draft.fields.updated.offer(date(object.lineOrNumber("date_modified"), line), 0)
    draft.fields.language.offer(LanguageTag.normalized(object.line("language")), 0)
    draft.fields.image.offer(object.line("image").flatMap(webAddress), 0)
    draft.fields.image.offer(object.line("banner_image").flatMap(webAddress), 1)
    for author in authors(&object) { draft.fields.authors.offer(author, 0) }
    for tag in object.words("tags") { draft.addCategory(Category(tag)) }
    readBody(&object, into: &draft)
    for attachment in object.objects("attachments") {
      switch attachment {
      case .object(let members, _): readAttachment(JSONMembers(members, line: line), into: &draft)
      // Some feeds write the address instead of an object.
      case .string: readAttachment(JSONMembers(["url": attachment], line: line), into: &draft)
      default: continue
      }
    }
    object.report(to: &collector)
    guard !isCut || draft.isIdentified else { return }
    collector.add(collector.isFull ? nil : draft.entry(of: [link, documentURL]), line: draft.line)
  }

  private func readBody(_ object: inout JSONMembers, into draft: inout EntryDraft) {
    draft.content.base = link ?? documentURL
    let html = object.text("content_html").flatMap { PlainText.sanitized($0).isEmpty ? nil : $0 }
    let text = object.text("content_text").flatMap { PlainText.sanitized($0).isEmpty ? nil : $0 }
    var summary = object.text("summary")
    if let html, text == nil || !html.withBytes(BodyText.showsNothing) {
      draft.content.set(html: html)
      if let unescaped = html.withBytes(EscapedMarkup.unescaped) { draft.content.bytes = unescaped }
      if summary == nil, html.withBytes(BodyText.isWordless) { summary = text }
    } else if let text {
      draft.content.set(text: text)
      if text.withBytes(EscapedMarkup.isMarkup) { draft.content.kind = .html }
    }
    if let summary { draft.lead.set(text: PlainTitle.text(summary)) }
  }

  private mutating func readAttachment(_ members: JSONMembers, into draft: inout EntryDraft) {
    var object = members
    if let url = object.line("url").flatMap(webAddress) {
      draft.addEnclosure(
        Enclosure(
          url: url, type: FileKind.type(object.line("mime_type"), of: url),
          length: object.number("size_in_bytes"), title: object.line("title"),
          duration: object.duration("duration_in_seconds")))
    }
    object.report(to: &collector)
  }

  /// `authors` of version 1.1, or `author` of version 1.0.
  private func authors(_ object: inout JSONMembers) -> [Author] {
    let named = authors(object.people("authors"))
    return named.isEmpty ? authors(object.people("author")) : named
  }

  private func authors(_ people: [JSONValue]) -> [Author] {
    people.compactMap { person in
      if case .string(let name) = person { return PersonText.author(PlainText.sanitized(name)) }
      guard case .object(let members, _) = person else { return nil }
      var person = JSONMembers(members, line: nil)
      let url = person.line("url")
      let mail = url.flatMap { url in
        url.lowercased().hasPrefix("mailto:") ? PlainText.line(String(url.dropFirst(7))) : nil
      }
      guard let name = person.title("name") ?? mail ?? url.map(WebAddress.redacted) else {
        return nil
      }
      return Author(name, email: mail, url: url.flatMap(webAddress))
    }
  }

  private mutating func date(_ text: String?, _ line: Int?) -> Date? {
    guard let text else { return nil }
    return text.withBytes { collector.date($0, line: line) }
  }

  /// The address of the feed or another page of it, relative to the document.
  private func page(_ reference: String) -> String? {
    guard !WebAddress.isBlank(reference) else { return nil }
    return WebAddress.resolve(reference, against: documentURL).flatMap(AddressText.web)
  }

  private func webAddress(_ reference: String) -> String? {
    AddressText.resolved(reference, against: link ?? documentURL)
  }
}

/// Line counter for ascending positions in a text.
struct LineCounter {
  private var line: Int
  private var counted = 0

  init(firstLine: Int) { line = firstLine }

  /// Positions must not descend between calls.
  mutating func line(of place: Int, in bytes: ByteBuffer) -> Int {
    while counted < place, let end = bytes.firstIndex(of: 0x0A, in: counted..<place) {
      line += 1
      counted = end + 1
    }
    counted = max(counted, place)
    return line
  }
}

/// Typed access to the members of an object. Members of other types are collected.
private struct JSONMembers {
  private let members: [String: JSONValue]
  private let line: Int?
  private var strange: [String] = []

  init(_ members: [String: JSONValue], line: Int?) {
    self.members = members
    self.line = line
  }

  func report(to collector: inout FeedCollector) {
    for name in strange {
      collector.warnings.add("“\(name)” is not of the type it should be.", line: line)
    }
  }

  mutating func text(_ name: String) -> String? {
    switch members[name] {
    case .string(let text):
      return text.withBytes(DoubleUTF8.mended).map { String(decoding: $0, as: UTF8.self) } ?? text
    case nil, .null: return nil
    default:
      strange.append(name)
      return nil
    }
  }

  /// Nil if the text is blank.
  mutating func line(_ name: String) -> String? { PlainText.line(text(name)) }

  /// One line without HTML.
  mutating func title(_ name: String) -> String? { PlainText.line(line(name).map(PlainTitle.text)) }

  /// One line, or a number in its spelling: an id may be one (version 1.1, "id"), and some feeds
  /// write dates in seconds since 1970.
  mutating func lineOrNumber(_ name: String) -> String? {
    if case .number(let number) = members[name] { return number }
    return line(name)
  }

  /// A positive number without its fraction. Some feeds write it as text.
  mutating func number(_ name: String) -> Int64? {
    let number: Int64?
    switch members[name] {
    case nil, .null: return nil
    case .number(let text):
      number = Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
    case .string(let text):
      number = Self.wholeNumber(text)
      if number == nil { strange.append(name) }
    default:
      strange.append(name)
      return nil
    }
    return number.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The value of digits, possibly in groups of three; nil for any other text.
  private static func wholeNumber(_ text: String) -> Int64? {
    var text = PlainText.sanitized(text)
    // Python writes the result of a calculation with this fraction.
    if text.hasSuffix(".0") { text.removeLast(2) }
    // The number 2⁶³ in groups has 25 characters.
    guard text.utf8.count <= 25 else { return nil }
    let groups = text.utf8.split(omittingEmptySubsequences: false) { !$0.isASCIIDigit }
    let separators = Set(text.utf8.filter { !$0.isASCIIDigit })
    guard separators.count <= 1, separators.isSubset(of: [0x20, 0x2C, 0x2E]),
      groups.count == 1 || (1...3).contains(groups[0].count),
      groups.dropFirst().allSatisfy({ $0.count == 3 })
    else { return nil }
    return Int64(String(decoding: groups.joined(), as: UTF8.self))
  }

  /// Seconds. Some feeds write `1:02:03`, or a number with a fraction as text.
  mutating func duration(_ name: String) -> Int? {
    if case .string(let text) = members[name],
      let seconds = EpisodeDuration.seconds(PlainText.sanitized(text))
    {
      return seconds
    }
    return number(name).flatMap { Int(exactly: $0) }
  }

  /// Accepts a single object without a list.
  mutating func objects(_ name: String) -> [JSONValue] {
    if case .object(let one, _)? = members[name], Self.numbered(one) == nil {
      return [members[name] ?? .null]
    }
    return list(name)
  }

  mutating func list(_ name: String) -> [JSONValue] {
    switch members[name] {
    case .array(let values): return values
    case nil, .null: return []
    // PHP writes an empty list as an empty object.
    case .object(let values, _) where values.isEmpty: return []
    case .object(let values, _):
      strange.append(name)
      return Self.numbered(values) ?? []
    default:
      strange.append(name)
      return []
    }
  }

  /// The values of PHP's form of a list with gaps, an object with numbers as names; else nil.
  static func numbered(_ members: [String: JSONValue]) -> [JSONValue]? {
    let values = members.compactMap { name, value in
      Int(name).flatMap { $0 >= 0 ? (place: $0, name: name, value: value) : nil }
    }
    guard !values.isEmpty, values.count == members.count else { return nil }
    // The names `1` and `01` are different members with the same number.
    return values.sorted { ($0.place, $0.name) < ($1.place, $1.name) }.map(\.value)
  }

  /// Words without HTML. Some feeds write one text with commas, and years as numbers.
  mutating func words(_ name: String) -> [String] {
    if case .string(let text) = members[name] { return Keywords.list(PlainTitle.text(text)) }
    return list(name).compactMap { word in
      switch word {
      case .string(let text): PlainText.sanitized(PlainTitle.text(text))
      case .number(let number): number
      default: nil
      }
    }
  }

  /// Accepts a single person without a list, and names without objects.
  mutating func people(_ name: String) -> [JSONValue] {
    switch members[name] {
    case .object(let person, let place): return [.object(person, at: place)]
    case .string(let person): return [.string(person)]
    default: return list(name)
    }
  }
}
