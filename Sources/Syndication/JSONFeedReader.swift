internal import Foundation
internal import News

/// Reads JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
///
/// A member of the wrong type is left out with a warning; its item stays.
struct JSONFeedReader {
  private let documentURL: String?
  private let subject: String
  private var collector = FeedCollector(format: .json)

  init(documentURL: String?, subject: String) {
    self.documentURL = documentURL
    self.subject = subject
  }

  consuming func read(_ bytes: [UInt8]) throws(SourceError) -> ParsedFeed {
    let (value, isComplete) = bytes.withUnsafeBufferPointer { JSONValue.parse($0) }
    guard case .object(let members) = value else {
      throw failure(
        isComplete ? .notAFeed : .decoding,
        isComplete ? "This is JSON, but no feed." : "The document holds no readable JSON.")
    }
    guard isFeed(members) else {
      throw failure(
        isComplete ? .notAFeed : .decoding,
        isComplete ? "This is JSON, but no feed." : "The document holds no readable feed.")
    }
    readFeed(members)
    if let items = members["items"] {
      if case .array(let items) = items {
        for item in items { readItem(item) }
      } else {
        collector.warn("“items” is no list.")
      }
    } else if isComplete {
      collector.warn("The feed has no list of items.")
    }
    if !isComplete { collector.warn("The document ends before it is complete.") }
    return collector.finished()
  }

  private func isFeed(_ members: [String: JSONValue]) -> Bool {
    if case .string(let version) = members["version"], version.contains("jsonfeed.org") {
      return true
    }
    guard case .array = members["items"] else { return false }
    return members["title"] != nil || members["feed_url"] != nil || members["home_page_url"] != nil
  }

  private func failure(_ kind: SourceError.Kind, _ message: String) -> SourceError {
    SourceError(
      kind, stage: .parse, subject: subject, message: message,
      next: kind == .notAFeed ? "Look for the address of the feed on the site." : nil)
  }

  private mutating func readFeed(_ members: [String: JSONValue]) {
    var object = JSONMembers(members)
    collector.feed.description.title = object.line("title")
    collector.feed.description.link = object.line("home_page_url").flatMap { url($0) }
    collector.feed.description.description = object.line("description")
    collector.feed.description.language = object.line("language")
    collector.feed.description.nextURL = object.line("next_url").flatMap { page($0) }
    collector.inheritedAuthors = authors(&object)
    object.report(to: &collector)
  }

  private mutating func readItem(_ value: JSONValue) {
    guard case .object(let members) = value else {
      collector.warn("An item is no object.")
      return
    }
    var object = JSONMembers(members)
    var draft = EntryDraft()
    draft.id = object.identifier("id")
    draft.url =
      object.line("url").flatMap { url($0) } ?? object.line("external_url").flatMap { url($0) }
    draft.title = object.line("title")
    draft.published = date(object.line("date_published"))
    draft.updated = date(object.line("date_modified"))
    for name in authors(&object) { draft.addAuthor(name) }
    for tag in object.list("tags") {
      if case .string(let tag) = tag { draft.addCategory(PlainText.sanitized(tag)) }
    }
    draft.content.base = collector.feed.description.link ?? documentURL
    if let html = object.text("content_html") {
      draft.content.kind = .html
      draft.content.bytes = Array(html.utf8)
    } else if let text = object.text("content_text") {
      draft.content.kind = .text
      draft.content.bytes = Array(text.utf8)
    }
    if let summary = object.text("summary") {
      draft.lead.kind = .text
      draft.lead.bytes = Array(summary.utf8)
    }
    for attachment in object.list("attachments") {
      guard case .object(let members) = attachment else { continue }
      var attachment = JSONMembers(members)
      if let url = attachment.line("url").flatMap({ url($0) }) {
        draft.addEnclosure(
          Enclosure(
            url: url, type: attachment.line("mime_type"), length: attachment.size("size_in_bytes")))
      }
      attachment.report(to: &collector)
    }
    object.report(to: &collector)
    collector.add(draft)
  }

  /// Version 1.1's `authors`, 1.0's `author`.
  private func authors(_ object: inout JSONMembers) -> [String] {
    var people = object.list("authors")
    if people.isEmpty, let author = object.object("author") { people = [author] }
    return people.compactMap { person in
      guard case .object(let members) = person, case .string(let name) = members["name"] else {
        return nil
      }
      let clean = PlainText.sanitized(name)
      return clean.isEmpty ? nil : clean
    }
  }

  private mutating func date(_ text: String?) -> Date? {
    guard let text else { return nil }
    return text.withBytes { collector.date($0) }
  }

  /// The address of another page of the feed, which lies beside the document.
  private func page(_ reference: String) -> String? {
    WebAddress.resolve(reference, against: documentURL).flatMap {
      WebAddress.isWeb($0) ? $0 : nil
    }
  }

  private func url(_ reference: String) -> String? {
    let base = collector.feed.description.link ?? documentURL
    guard let url = WebAddress.resolve(reference, against: base), WebAddress.isWeb(url) else {
      return nil
    }
    return url
  }
}

/// The members of an object, asked for by type. Remembers those of another type.
private struct JSONMembers {
  private let members: [String: JSONValue]
  private var strange: [String] = []

  init(_ members: [String: JSONValue]) { self.members = members }

  func report(to collector: inout FeedCollector) {
    for name in strange { collector.warn("“\(name)” is not of the type it should be.") }
  }

  /// Text of any length.
  mutating func text(_ name: String) -> String? {
    switch members[name] {
    case .string(let text): return text
    case nil, .null: return nil
    default:
      strange.append(name)
      return nil
    }
  }

  /// Text of one line, sanitised; nil where it is empty.
  mutating func line(_ name: String) -> String? {
    guard let text = text(name) else { return nil }
    let line = PlainText.sanitized(text)
    return line.isEmpty ? nil : line
  }

  /// An id: numbers are ids too (version 1.1, "id").
  mutating func identifier(_ name: String) -> String? {
    if case .number(let number) = members[name] { return number }
    return line(name)
  }

  mutating func size(_ name: String) -> Int64? {
    guard case .number(let number) = members[name] else {
      if let value = members[name], value != .null { strange.append(name) }
      return nil
    }
    return Int64(number).flatMap { $0 > 0 ? $0 : nil }
  }

  mutating func list(_ name: String) -> [JSONValue] {
    switch members[name] {
    case .array(let values): return values
    case nil, .null: return []
    default:
      strange.append(name)
      return []
    }
  }

  mutating func object(_ name: String) -> JSONValue? {
    switch members[name] {
    case .object: return members[name]
    case nil, .null: return nil
    default:
      strange.append(name)
      return nil
    }
  }
}
