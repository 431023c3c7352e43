internal import Foundation
internal import News

/// Small lists lie in one column as JSON; an empty one is null.
enum StringList {
  static func encode(_ list: [String]) -> String? {
    guard !list.isEmpty, let data = try? JSONEncoder().encode(list) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  static func decode(_ text: String?) -> [String] {
    guard let text else { return [] }
    return (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
  }
}

/// The enclosures and categories of an article.
struct Attachments: Codable {
  private struct File: Codable {
    var url: String
    var type: String?
    var length: Int64?
  }

  private var files: [File]?
  var categories: [String] { names ?? [] }
  private var names: [String]?

  var enclosures: [Enclosure] {
    (files ?? []).map { Enclosure(url: $0.url, type: $0.type, length: $0.length) }
  }

  static func encode(_ entry: Entry) -> String? {
    if entry.enclosures.isEmpty && entry.categories.isEmpty { return nil }
    let value = Attachments(
      files: entry.enclosures.isEmpty
        ? nil : entry.enclosures.map { File(url: $0.url, type: $0.type, length: $0.length) },
      names: entry.categories.isEmpty ? nil : entry.categories)
    guard let data = try? JSONEncoder().encode(value) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  static func decode(_ text: String?) -> Attachments {
    guard let text,
      let value = try? JSONDecoder().decode(Attachments.self, from: Data(text.utf8))
    else { return Attachments() }
    return value
  }
}

enum StoredError {
  static func encode(_ error: SourceError) -> String? {
    (try? JSONEncoder().encode(error)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func decode(_ text: String?) -> SourceError? {
    text.flatMap { try? JSONDecoder().decode(SourceError.self, from: Data($0.utf8)) }
  }
}
