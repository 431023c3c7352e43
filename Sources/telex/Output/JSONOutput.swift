internal import Foundation
internal import News
internal import Text

/// JSON for scripts: ordered members, null for absent values.
enum JSONOutput: ExpressibleByDictionaryLiteral {
  case null
  case bool(Bool)
  case number(Int64)
  case string(String)
  case array([JSONOutput])
  case object([(String, JSONOutput)])

  init(dictionaryLiteral members: (String, JSONOutput)...) { self = .object(members) }

  /// An object with the members of several.
  static func joined(_ parts: JSONOutput...) -> JSONOutput {
    .object(
      parts.flatMap { part in
        if case .object(let members) = part { return members }
        return []
      })
  }

  static func string(_ text: String?) -> JSONOutput { text.map { .string($0) } ?? .null }
  static func number(_ number: Int?) -> JSONOutput { number.map { .number(Int64($0)) } ?? .null }
  static func number(_ number: Int64?) -> JSONOutput {
    if let number { .number(number) } else { .null }
  }
  static func numbers(_ list: [Int]) -> JSONOutput { .array(list.map { .number($0) }) }
  static func strings(_ list: [String]) -> JSONOutput { .array(list.map { .string($0) }) }

  /// ISO 8601, in UTC.
  static func date(_ date: Date?) -> JSONOutput {
    date.map { .string(Timestamp.text(of: $0)) } ?? .null
  }

  static func date(seconds: Int64?) -> JSONOutput {
    .date(seconds.map { Date(timeIntervalSince1970: Double($0)) })
  }

  static func error(_ error: SourceError?) -> JSONOutput {
    guard let error else { return .null }
    return [
      "stage": .string(error.stage.rawValue), "subject": .string(error.subject),
      "message": .string(error.message), "next": .string(error.next),
      "status": .number(error.status), "retryAfter": .date(error.retryAfter),
    ]
  }

  /// Passes the value on as a line of UTF-8, in pieces of about `pieceSize` bytes, since a feed
  /// with all its articles may be large.
  func writeLine(_ body: (UnsafeRawBufferPointer) -> Void) {
    var bytes: [UInt8] = []
    write(to: &bytes, body)
    bytes.append(0x0A)
    bytes.withUnsafeBytes(body)
  }

  private static let pieceSize = 64 << 10

  private func write(to bytes: inout [UInt8], _ full: (UnsafeRawBufferPointer) -> Void) {
    if bytes.count >= Self.pieceSize {
      bytes.withUnsafeBytes(full)
      bytes.removeAll(keepingCapacity: true)
    }
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .number(let number): bytes += String(number).utf8
    case .string(let string): Self.write(string, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes, full)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, (name, value)) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &bytes, full)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Escapes a string (RFC 8259 §7), and also DEL, C1 controls and characters that change the
  /// direction of text or end lines, since JSON is read on terminals, too.
  private static func write(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { text in
      // Runs without escapes are copied at once.
      var start = 0
      for place in text.indices {
        let byte = text[place]
        if byte >= 0x80 {
          guard let length = lengthOfControl(at: place, in: text) else { continue }
          bytes += text[start..<place]
          start = place + length
          appendEscaped(String(decoding: text[place..<start], as: UTF8.self), to: &bytes)
          continue
        }
        guard
          byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        else { continue }
        bytes += text[start..<place]
        start = place + 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x0A: bytes += #"\n"#.utf8
        case 0x0D: bytes += #"\r"#.utf8
        case 0x09: bytes += #"\t"#.utf8
        default: appendEscaped(String(UnicodeScalar(byte)), to: &bytes)
        }
      }
      bytes += text[start...]
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    for unit in text.utf16 {
      let digits = String(unit, radix: 16)
      bytes += (#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    }
  }

  /// The length of the control character at `place` in bytes; nil for another character. These are
  /// C1; the marks, embeddings, overrides and isolates of the bidirectional algorithm (U+061C,
  /// U+200E–F, U+202A–E, U+2066–9) and the deprecated U+206A–F; the line ends U+2028–9; U+FEFF,
  /// annotations (U+FFF9–B) and tags (U+E0000–7F), which are invisible.
  private static func lengthOfControl(at place: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    let byte = text[place]
    guard byte == 0xC2 || byte == 0xD8 || byte == 0xE2 || byte >= 0xEF else { return nil }
    // The UTF-8 of a string is well-formed, so that these bytes exist.
    let second = text[place + 1]
    switch byte {
    case 0xC2: return second <= 0x9F ? 2 : nil
    case 0xD8: return second == 0x9C ? 2 : nil
    case 0xE2:
      let third = text[place + 2]
      if second == 0x80 {
        return (0x8E...0x8F).contains(third) || (0xA8...0xAE).contains(third) ? 3 : nil
      }
      return second == 0x81 && (0xA6...0xAF).contains(third) ? 3 : nil
    case 0xEF:
      let third = text[place + 2]
      let isControl =
        second == 0xBB && third == 0xBF || second == 0xBF && (0xB9...0xBB).contains(third)
      return isControl ? 3 : nil
    case 0xF3: return second == 0xA0 && text[place + 2] <= 0x81 ? 4 : nil
    default: return nil
    }
  }
}

extension JSONOutput {
  /// The output of `parse` and `fetch`.
  static func feed(
    _ description: FeedDescription?, entries: [JSONOutput], warnings: [String]
  ) -> JSONOutput {
    [
      "format": .string(description?.format.rawValue), "title": .string(description?.title),
      "link": .string(description?.link), "description": .string(description?.description),
      "language": .string(description?.language), "image": .string(description?.image),
      "icon": .string(description?.icon),
      "authors": .strings(description?.authors.map(\.name) ?? []),
      "people": .array(description?.authors.map(person) ?? []),
      "categories": .strings(description?.categories.map(\.name) ?? []),
      "rights": .string(description?.rights), "updated": .date(description?.updated),
      "feed_url": .string(description?.feedURL), "new_feed_url": .string(description?.movedTo),
      "next_url": .string(description?.nextURL), "entries": .array(entries),
      "warnings": .strings(warnings),
    ]
  }

  /// `authors` and `categories` are for display, `people` and `terms` have the details.
  static func entry(_ entry: Entry) -> JSONOutput {
    [
      "id": .string(entry.id), "title": .string(entry.title), "url": .string(entry.url),
      "authors": .strings(entry.authors.map(\.name)), "published": .date(entry.published),
      "updated": .date(entry.updated), "contentHTML": .string(entry.contentHTML),
      "summary": .string(entry.summary), "enclosures": .array(entry.enclosures.map(enclosure)),
      "categories": .strings(entry.categories.map(\.name)),
      "people": .array(entry.authors.map(person)),
      "terms": .array(
        entry.categories.map {
          ["term": .string($0.term), "label": .string($0.label), "scheme": .string($0.scheme)]
        }),
      "language": .string(entry.language), "image": .string(entry.image),
      "comments": entry.comments.map {
        ["page": .string($0.page), "feed": .string($0.feed), "count": .number($0.count)]
      } ?? .null,
      "source": entry.source.map {
        ["title": .string($0.title), "url": .string($0.url), "feed_url": .string($0.feedURL)]
      } ?? .null,
      "rights": .string(entry.rights),
    ]
  }

  private static func person(_ author: Author) -> JSONOutput {
    ["name": .string(author.name), "email": .string(author.email), "url": .string(author.url)]
  }

  private static func enclosure(_ file: Enclosure) -> JSONOutput {
    [
      "url": .string(file.url), "type": .string(file.type), "length": .number(file.length),
      "title": .string(file.title), "duration": .number(file.duration),
      "role": .string(file.role.rawValue),
    ]
  }

  static func row(_ article: ListedArticle, isPacked: Bool = false) -> JSONOutput {
    let row = article.row
    return .joined(
      [
        "id": .number(row.id.rawValue), "feedID": .number(row.feedID.rawValue),
        "feed": .string(row.feedTitle), "title": .string(row.title),
        "date": .date(seconds: row.position.time), "written": .date(seconds: row.written),
        "read": .bool(row.status.isRead), "starred": .bool(row.status.isStarred),
        "cursor": .string(row.cursor), "duplicateOf": .number(row.duplicateOf?.rawValue),
        "storyOf": .number(row.storyOf?.rawValue), "url": .string(article.entry.url),
        "authors": .strings(article.entry.authors.map(\.name)), "feedURL": .string(article.feedURL),
        "account": .string(article.account), "folders": .strings(article.folders),
        "tags": .strings(article.tags),
        "enclosures": .array(article.entry.enclosures.map(enclosure)),
        "arrived": .date(article.arrived),
      ], score(of: row), row.isChanged ? ["changed": .bool(true)] : [:],
      isPacked ? ["packed": .bool(true)] : [:])
  }

  /// The score of an article by rules; no member for 0.
  private static func score(of row: ArticleRow) -> JSONOutput {
    row.score == 0 ? [:] : ["score": .number(row.score)]
  }

  /// A line for `import-articles`.
  static func exported(_ article: ListedArticle) -> JSONOutput {
    .joined(
      entry(article.entry),
      [
        "feedURL": .string(article.feedURL), "account": .string(article.account),
        "read": .bool(article.row.status.isRead), "starred": .bool(article.row.status.isStarred),
        "tags": .strings(article.tags), "date": .date(seconds: article.row.position.time),
        "arrived": .date(article.arrived),
      ], score(of: article.row))
  }

  static func feed(_ feed: Feed) -> JSONOutput {
    [
      "id": .number(feed.id.rawValue), "url": .string(WebAddress.withoutUser(feed.url)),
      "title": .string(feed.title), "link": .string(feed.link),
      "format": .string(feed.format?.rawValue), "folders": .strings(feed.folders),
      "total": .number(feed.counts.total), "unread": .number(feed.counts.unread),
      "starred": .number(feed.counts.starred), "updated": .date(feed.state.lastSuccess),
      "attempted": .date(feed.state.lastAttempt), "nextAttempt": .date(feed.state.nextAttempt),
      "error": .error(feed.state.error), "remark": .string(feed.state.remark),
      "description": .string(feed.description), "language": .string(feed.language),
      "image": .string(feed.details.image), "icon": .string(feed.details.icon),
      "authors": .strings(feed.details.authors.map(\.name)),
      "people": .array(feed.details.authors.map(person)), "rights": .string(feed.details.rights),
      "movedTo": .string(feed.movedTo.map(WebAddress.redacted)),
      "proxy": .string(feed.proxy.map { WebAddress.redacted($0.text) }),
      "settings": settings(feed.settings),
      "account": .string(feed.account.id == .local ? nil : feed.account.base),
      "state": .string(feed.standing.rawValue), "failingSince": .date(feed.state.failing?.since),
      "failures": .number(feed.state.failing?.count ?? 0),
    ]
  }

  /// Only settings that are set.
  private static func settings(_ settings: FeedSettings) -> JSONOutput {
    .object(
      FeedSetting.allCases.compactMap { setting in
        setting.text(in: settings).map { (setting.rawValue, .string($0)) }
      })
  }
}
