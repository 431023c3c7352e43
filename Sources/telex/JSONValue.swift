internal import Foundation
internal import News
internal import Syndication

/// JSON for scripts: members in the order given, absent values as null.
enum JSONValue {
  case null
  case bool(Bool)
  case number(Int64)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  static func string(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  static func number(_ number: Int?) -> JSONValue { number.map { .number(Int64($0)) } ?? .null }
  static func number(_ number: Int64?) -> JSONValue {
    if let number { .number(number) } else { .null }
  }
  static func strings(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }

  /// ISO 8601, in UTC.
  static func date(_ date: Date?) -> JSONValue {
    date.map { .string(FeedDate.iso8601($0)) } ?? .null
  }

  static func date(seconds: Int64) -> JSONValue {
    .date(Date(timeIntervalSince1970: Double(seconds)))
  }

  static func error(_ error: SourceError?) -> JSONValue {
    guard let error else { return .null }
    return .object([
      ("stage", .string(error.stage.rawValue)), ("subject", .string(error.subject)),
      ("message", .string(error.message)), ("next", .string(error.next)),
      ("status", .number(error.status)), ("retryAfter", .date(error.retryAfter)),
    ])
  }

  /// On one line.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let number): text += String(number)
    case .string(let string): Self.write(string, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, (name, value)) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(name, to: &text)
        text += ":"
        value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONValue {
  /// The object of `parse` and `fetch`.
  static func feed(
    _ description: FeedDescription?, entries: [JSONValue], warnings: [String]
  ) -> [(String, JSONValue)] {
    [
      ("format", .string(description?.format.rawValue)), ("title", .string(description?.title)),
      ("link", .string(description?.link)), ("description", .string(description?.description)),
      ("language", .string(description?.language)),
      ("next_url", .string(description?.nextURL)), ("entries", .array(entries)),
      ("warnings", .strings(warnings)),
    ]
  }

  static func entry(_ entry: Entry) -> [(String, JSONValue)] {
    [
      ("id", .string(entry.id)), ("title", .string(entry.title)), ("url", .string(entry.url)),
      ("authors", .strings(entry.authors)), ("published", .date(entry.published)),
      ("updated", .date(entry.updated)), ("contentHTML", .string(entry.contentHTML)),
      ("summary", .string(entry.summary)),
      (
        "enclosures",
        .array(
          entry.enclosures.map {
            .object([
              ("url", .string($0.url)), ("type", .string($0.type)), ("length", .number($0.length)),
            ])
          })
      ),
      ("categories", .strings(entry.categories)),
    ]
  }

  static func row(_ row: ArticleRow) -> JSONValue {
    .object([
      ("id", .number(row.id.rawValue)), ("feedID", .number(row.feedID.rawValue)),
      ("feed", .string(row.feedTitle)), ("title", .string(row.title)),
      ("date", .date(seconds: row.position.date)), ("read", .bool(row.status.isRead)),
      ("starred", .bool(row.status.isStarred)),
      ("cursor", .string("\(row.position.date).\(row.position.id)")),
    ])
  }

  static func feed(_ feed: Feed) -> JSONValue {
    .object([
      ("id", .number(feed.id.rawValue)), ("url", .string(feed.url)),
      ("title", .string(feed.title)), ("link", .string(feed.link)),
      ("format", .string(feed.format?.rawValue)), ("folders", .strings(feed.folders)),
      ("total", .number(feed.counts.total)), ("unread", .number(feed.counts.unread)),
      ("starred", .number(feed.counts.starred)),
      ("updated", .date(feed.state.lastSuccess)), ("attempted", .date(feed.state.lastAttempt)),
      ("nextAttempt", .date(feed.state.nextAttempt)), ("error", .error(feed.state.error)),
    ])
  }
}
