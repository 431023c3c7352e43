internal import Foundation
internal import News
internal import Text

/// Sanitiser of text from the database: other programs can write to the file. All text passes it on
/// the way into the model.
enum StoredText {
  static func line(_ text: String) -> String { PlainText.sanitized(text) }
  static func line(_ text: String?) -> String? { text.map(PlainText.sanitized) }
  /// A name that serves as a key: its spaces are kept.
  static func name(_ text: String) -> String { PlainText.sanitizedName(text) }
  static func markup(_ text: String?) -> String? { text.map { markup($0) } }
  /// Without names and passwords in its addresses.
  static func markup(_ text: String) -> String {
    let markup = PlainText.sanitizedMarkup(text)
    return markup.contains(byte: 0x40) ? MarkupLinks.absolutized(markup, base: nil) : markup
  }
  /// Title of a feed or an article, which may be an address with a password.
  static func title(_ text: String) -> String { WebAddress.textWithoutUser(line(text)) }
  static func title(_ text: String?) -> String? { text.map { title($0) } }
  /// An address from a document, without name and password.
  static func link(_ text: String) -> String { WebAddress.withoutUser(address(text)) }
  static func link(_ text: String?) -> String? { text.map { link($0) } }
  static func address(_ text: String) -> String { WebAddress.clean(text) }
  static func address(_ text: String?) -> String? { text.map(WebAddress.clean) }
}

/// A short list in one column as JSON; null for an empty one.
enum StringList {
  static func encode(_ list: [String]) -> String? { list.isEmpty ? nil : StoredJSON.encode(list) }

  static func decode(_ text: String?) -> [String] {
    guard let text else { return [] }
    let list: [String] = plain(text) ?? StoredJSON.decode(text) ?? []
    return list.map { StoredText.line($0) }
  }

  /// Fast path for a list in which nothing is escaped; nil for any other. All feeds are read at
  /// once, and a decoder takes as long for a name as the database for a row.
  private static func plain(_ text: String) -> [String]? {
    let quote = UInt8(ascii: "\"")
    guard !text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
    // Names stand between quotes, with a comma between two of them.
    let parts = text.utf8.split(separator: quote, omittingEmptySubsequences: false)
    guard parts.count > 2, parts.count % 2 == 1 else { return nil }
    var list: [String] = []
    for (index, part) in parts.enumerated() {
      let between = index == 0 ? "[" : index == parts.count - 1 ? "]" : ","
      if index % 2 == 1 {
        list.append(String(decoding: part, as: UTF8.self))
      } else if !part.elementsEqual(between.utf8) {
        return nil
      }
    }
    return list
  }
}

/// Authors in one column: a list of names, or of objects where there is more than names.
enum AuthorList {
  static func encode(_ authors: [Author]) -> String? {
    if authors.allSatisfy({ $0.email == nil && $0.url == nil }) {
      return StringList.encode(authors.map(\.name))
    }
    return StoredJSON.encode(authors)
  }

  static func decode(_ text: String?) -> [Author] {
    guard let text else { return [] }
    let names = StringList.decode(text)
    if !names.isEmpty { return names.map { Author($0) } }
    return (StoredJSON.decode(text) ?? []).map { (author: Author) in
      Author(
        StoredText.line(author.name), email: StoredText.line(author.email),
        url: StoredText.link(author.url))
    }
  }

  static func names(_ text: String) -> String {
    decode(text).map { [$0.name, $0.email ?? ""].joined(separator: "\n") }.joined(separator: "\n")
  }
}

/// Parts of an article that few feeds have, as JSON in one column; null for none.
struct EntryDetails: Codable, Equatable {
  fileprivate struct File: Codable, Equatable {
    var url: String
    var type: String?
    var length: Int64?
    var title: String?
    var duration: Int?
    var role: Enclosure.Role?
  }

  private struct Parts: Codable, Equatable {
    var files: [File]?
    /// Categories without label and scheme.
    var names: [String]?
    /// All categories, where one has a label or a scheme.
    var categories: [Category]?
    /// Whether the date of the last change lay in the future at arrival; nil for no.
    var isAhead: Bool?
  }

  private var parts = Parts()
  private var extras = EntryExtras()

  var isDatedAhead: Bool { parts.isAhead == true }

  private init() {}

  // The members of both are those of one object.

  init(from decoder: any Decoder) throws {
    parts = try Parts(from: decoder)
    extras = try EntryExtras(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    try parts.encode(to: encoder)
    try extras.encode(to: encoder)
  }

  private init(_ entry: Entry) {
    parts.files = entry.enclosures.isEmpty ? nil : entry.enclosures.map(File.init)
    if entry.categories.contains(where: { $0.label != nil || $0.scheme != nil }) {
      parts.categories = entry.categories
    } else if !entry.categories.isEmpty {
      parts.names = entry.categories.map(\.term)
    }
    extras = entry.extras
  }

  static func encode(_ entry: Entry, storedAt now: Date) -> String? {
    var details = EntryDetails(entry)
    if let updated = entry.updated, updated > now { details.parts.isAhead = true }
    return details == EntryDetails() ? nil : StoredJSON.encode(details)
  }

  /// Details other than names of categories and addresses, types and lengths of files; nil for
  /// none.
  static func beyondFilesAndNames(of entry: Entry) -> String? {
    var details = EntryDetails(entry)
    details.parts.names = nil
    if details.parts.files?.allSatisfy({ $0.title == nil && $0.duration == nil && $0.role == nil })
      == true
    {
      details.parts.files = nil
    }
    let people = entry.authors.filter { $0.email != nil || $0.url != nil }
    if details == EntryDetails(), people.isEmpty { return nil }
    return (StoredJSON.encode(details) ?? "") + (StoredJSON.encode(people) ?? "")
  }

  static func decode(_ text: String?) -> EntryDetails { StoredJSON.decode(text) ?? EntryDetails() }

  func add(to entry: inout Entry) {
    entry.enclosures = (parts.files ?? []).map(Enclosure.init)
    entry.categories = (parts.categories ?? (parts.names ?? []).map { Category($0) }).map {
      Category(
        StoredText.line($0.term), label: StoredText.line($0.label),
        scheme: StoredText.line($0.scheme))
    }
    entry.extras = extras.sanitized(line: StoredText.line, address: StoredText.link)
  }
}

extension EntryDetails.File {
  fileprivate init(_ file: Enclosure) {
    self.init(
      url: file.url, type: file.type, length: file.length, title: file.title,
      duration: file.duration, role: file.role == .media ? nil : file.role)
  }
}

extension Enclosure {
  fileprivate init(_ file: EntryDetails.File) {
    self.init(
      url: StoredText.link(file.url), type: StoredText.line(file.type), length: file.length,
      title: StoredText.line(file.title), duration: file.duration, role: file.role ?? .media)
  }
}

/// A value in one column, with members in the order of their names: equal values are the same text.
enum StoredJSON {
  static func encode(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func decode<Value: Decodable>(_ text: String?) -> Value? {
    text.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
  }
}

enum StoredError {
  static func encode(_ error: SourceError) -> String? { StoredJSON.encode(error) }

  static func decode(_ text: String?) -> SourceError? {
    guard var error: SourceError = StoredJSON.decode(text) else { return nil }
    error.feedURL = StoredText.link(error.feedURL)
    return error
  }
}

extension Date {
  init(seconds: Int64) { self.init(timeIntervalSince1970: Double(seconds)) }
}

func date(_ seconds: Int64?) -> Date? { seconds.map(Date.init(seconds:)) }

func seconds(_ date: Date?) -> Int64? {
  date.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) }
}

/// The settings of a feed in one column as JSON; null for none.
enum StoredSettings {
  static func encode(_ settings: FeedSettings) -> String? {
    settings == FeedSettings() ? nil : StoredJSON.encode(settings)
  }

  static func decode(_ text: String?) -> FeedSettings {
    guard var settings: FeedSettings = StoredJSON.decode(text) else { return FeedSettings() }
    settings.browser = StoredText.line(settings.browser)
    settings.userAgent = StoredText.line(settings.userAgent)
    settings.headers = settings.headers.map {
      RequestHeader(StoredText.line($0.name), StoredText.line($0.value))
    }
    settings.otherURLs = settings.otherURLs.map { StoredText.address($0) }
    settings.list = StoredText.address(settings.list)
    return settings
  }

  /// SQL for the feeds that All and Unread leave out.
  static let hiddenFeeds = """
    SELECT id FROM feed WHERE settings IS NOT NULL
      AND iif(json_valid(settings), settings ->> '$.hidden', 0)
    """
}
