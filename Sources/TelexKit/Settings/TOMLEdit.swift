internal import News
internal import TOMLKit

/// Edit of one value in the text of a TOML file. All other bytes stay as they are: comments, order, formatting, ends of
/// lines.
package struct TOMLEdit {
  private let text: String
  private let subject: String
  private let lines: TOMLLines

  /// - Parameter subject: names the file in errors.
  /// - Throws: `SourceError` of stage `.config`, with line and column, where the text is no TOML.
  package init(_ text: String, subject: String) throws {
    _ = try Settings.table(of: text, subject: subject)
    (self.text, self.subject) = (text, subject)
    lines = TOMLLines(text)
  }

  /// Where a value is written: its line, from 1, and its text; nil where it is not, or in a table within a line.
  package func value(at path: [String]) -> (line: Int, text: String)? {
    lines.assignments.first { $0.isPlain && $0.path == path }.map {
      ($0.number, String(decoding: lines.bytes[$0.value], as: UTF8.self))
    }
  }

  /// The text with another value.
  ///
  /// - Parameter value: in TOML; nil to take the key out.
  /// - Throws: `SourceError` of stage `.config`, with the line, where the value cannot be changed without a change of
  ///   others.
  package func setting(_ path: [String], to value: String?) throws -> String {
    guard let change = try change(of: path, to: value) else { return text }
    var bytes = lines.bytes
    bytes.replaceSubrange(change.range, with: change.text.utf8)
    let changed = String(decoding: bytes, as: UTF8.self)
    guard Self.isOnly(path, setTo: value, in: changed, from: text) else {
      throw refusal(
        change.number, "\(Self.key(path)) cannot be changed without changing other values")
    }
    return changed
  }

  /// A key as it is written, with quotes where it needs them.
  package static func key(_ path: [String]) -> String {
    path.map { name in
      let isBare = name.utf8.allSatisfy(TOMLLines.isBare) && !name.isEmpty
      return isBare ? name : literal(name)
    }.joined(separator: ".")
  }

  /// A text as a value on one line.
  package static func literal(_ text: String) -> String {
    var written = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": written += "\\\(scalar)"
      case "\n": written += "\\n"
      case "\t": written += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: written.unicodeScalars.append(scalar)
      }
    }
    return written + "\""
  }

  // MARK: What changes

  private typealias Change = (range: Range<Int>, text: String, number: Int)

  private func change(of path: [String], to value: String?) throws -> Change? {
    if let found = lines.assignments.first(where: { $0.isPlain && $0.path == path }) {
      return value.map { (found.value, $0, found.number) } ?? (found.lines, "", found.number)
    }
    try requirePlace(for: path)
    guard let value else { return nil }
    let table = Array(path.dropLast())
    func line(_ key: [String], indent: String = "") -> String {
      "\(indent)\(Self.key(key)) = \(value)\(lines.newline)"
    }
    // An example of it that is commented out keeps its place.
    if let comment = lines.examples.last(where: { $0.path == path }) {
      return added(line([path[path.count - 1]]), at: comment.end, comment.number)
    }
    let others = lines.assignments.filter { $0.isPlain && $0.path.dropLast() == table[...] }
    if let last = others.last {
      let key = Array(path.dropFirst(last.table.count))
      return added(line(key, indent: last.indent), at: last.lines.upperBound, last.number)
    }
    if let heading = lines.headings.first(where: { !$0.isArray && $0.path == table }) {
      return added(line([path[path.count - 1]]), at: heading.end, heading.number)
    }
    let gap = lines.bytes.isEmpty ? "" : lines.newline
    let heading = table.isEmpty ? "" : "\(gap)[\(Self.key(table))]\(lines.newline)"
    let end = table.isEmpty ? lines.headings.first?.start ?? lines.bytes.count : lines.bytes.count
    return added(heading + line([path[path.count - 1]]), at: end, lines.line)
  }

  /// A change that adds whole lines.
  private func added(_ new: String, at place: Int, _ number: Int) -> Change {
    let isWhole = place == 0 || lines.bytes[place - 1] == TOMLLines.lineFeed
    return (place..<place, (isWhole ? "" : lines.newline) + new, number)
  }

  /// - Throws: `SourceError` where a part of the path is a value already, or the path a table.
  private func requirePlace(for path: [String]) throws {
    for other in lines.assignments where other.isPlain {
      if path.count > other.path.count, path.starts(with: other.path) {
        let name = Self.key(other.path)
        let message = other.isInlineTable ? "is an inline table" : "already has a value"
        let next = other.isInlineTable ? "write it as [\(name)] with a line for each value" : nil
        throw refusal(other.number, "\(name) \(message)", next: next)
      }
      if other.path.count > path.count, other.path.starts(with: path) {
        throw refusal(other.number, "\(Self.key(path)) is a table")
      }
    }
    for heading in lines.headings {
      if heading.path.starts(with: path) {
        throw refusal(heading.number, "\(Self.key(path)) is a table")
      }
      if heading.isArray, path.starts(with: heading.path) {
        throw refusal(heading.number, "\(Self.key(heading.path)) is a list of tables")
      }
    }
  }

  private func refusal(_ number: Int, _ message: String, next: String? = nil) -> SourceError {
    SourceError(
      .decoding, stage: .config, subject: "\(subject):\(number)", message: message,
      next: next ?? "the file was not changed; change it in an editor")
  }

  // MARK: Comparing

  /// Whether a text has this value, and all others as they were.
  private static func isOnly(
    _ path: [String], setTo value: String?, in text: String, from former: String
  ) -> Bool {
    guard let table = try? TOMLTable(string: text), let old = try? TOMLTable(string: former)
    else { return false }
    let new = path.dropLast().reduce(table as TOMLTable?) { $0?[$1]?.table }?[path.last ?? ""]
    let expected = value.flatMap { try? TOMLTable(string: "value = \($0)") }
    guard new?.debugDescription == expected?["value"]?.debugDescription else { return false }
    remove(path[...], from: table)
    remove(path[...], from: old)
    return table.convert() == old.convert()
  }

  /// Removes a value, and the tables that have no other.
  private static func remove(_ path: ArraySlice<String>, from table: TOMLTable) {
    guard let name = path.first else { return }
    if path.count > 1 {
      guard let inner = table[name]?.table else { return }
      remove(path.dropFirst(), from: inner)
      guard inner.isEmpty else { return }
    }
    table.remove(at: name)
  }
}
