internal import Foundation
internal import HTTP
internal import News
internal import Secrets
internal import TOMLKit

/// Why a value is refused, without the value, which may contain a password.
struct SettingMistake: Error {
  var message: String
  var next: String
}

/// Reader of a TOML table with a list of allowed keys. Unknown keys and wrong types are mistakes
/// with line and column.
struct TableReader {
  indirect enum Key {
    case table([String: Key])
    case integer(ClosedRange<Int>, (Int) -> Void)
    case choice([String], (String) -> Void)
    case boolean((Bool) -> Void)
    /// Any keys, each with a list of texts, which may be refused with a `PublicKeyPins.Mistake`.
    case lists((String, [String]) throws -> Void)
    /// Any keys, each with a text that may be refused with a `SettingMistake`.
    case texts((String, String) throws -> Void)
    /// Any keys, each with any value, which may be refused with a `SettingMistake`.
    case values((String, any TOMLValueConvertible) throws -> Void)
    /// Tables that have no names, written as `[[name]]`.
    case list((TOMLTable, _ index: Int) -> Void)
    /// A text that may be refused, with an error that says why: a `SettingMistake`, or a `SecretError`.
    case checked((String) throws -> Void)
    /// Tables of any name: the keys of each, and a function to call when it has been read.
    case tables((String, [String]) -> ([String: Key], done: () throws -> Void))

    static func string(_ take: @escaping (String) -> Void) -> Key { .checked(take) }

    static func integer(_ range: ClosedRange<Int>) -> (@escaping (Int) -> Void) -> Key {
      { .integer(range, $0) }
    }
  }

  let text: String
  let subject: String
  /// The new names of settings by their former ones.
  var renamed: [String: String] = [:]

  /// A setting that is not taken, so that its default stays.
  struct Mistake {
    let path: [String]
    let line, column: Int
    let error: SourceError
  }

  /// - Parameter note: gets each mistake.
  func read(
    _ table: TOMLTable, path: [String], keys: [String: Key], note: (Mistake) -> Void
  ) throws {
    try each(table, path, note) { name, value, here in
      guard let key = keys[name] else {
        if let name = renamed[here.joined(separator: ".")] {
          throw failure(
            here, "this setting is now called \(name)", "telex config check --fix renames it")
        }
        let known = keys.keys.sorted().joined(separator: ", ")
        throw failure(here, "there is no setting with this name", "the settings here are \(known)")
      }
      try read(value, name, here, as: key, note)
    }
  }

  /// - Throws: the first mistake.
  func read(_ table: TOMLTable, path: [String], keys: [String: Key]) throws {
    var mistakes: [Mistake] = []
    try read(table, path: path, keys: keys) { mistakes.append($0) }
    let first = mistakes.min { ($0.line, $0.column) < ($1.line, $1.column) }
    if let first { throw first.error }
  }

  /// Takes the values of a table; one that is mistaken does not keep the others from being taken.
  private func each(
    _ table: TOMLTable, _ path: [String], _ note: (Mistake) -> Void,
    _ take: (String, any TOMLValueConvertible, [String]) throws -> Void
  ) throws {
    for (name, value) in table {
      let here = path + [name]
      func report(_ error: SourceError) {
        let (line, column) = place(of: here)
        note(Mistake(path: here, line: line, column: column, error: error))
      }
      do { try take(name, value, here) } catch let error as SourceError {
        report(error)
      } catch let mistake as SettingMistake {
        report(failure(here, mistake.message, mistake.next))
      }
    }
  }

  private func read(
    _ value: any TOMLValueConvertible, _ name: String, _ here: [String], as key: Key,
    _ note: (Mistake) -> Void
  ) throws {
    switch key {
    case .table(let keys):
      guard let table = value.table else {
        throw failure(
          here, "this must be a table", "write it as [\(here.joined(separator: "."))]")
      }
      try read(table, path: here, keys: keys, note: note)
    case .integer(let range, let take):
      guard let number = value.int, range.contains(number) else {
        throw failure(
          here, "this must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      take(number)
    case .checked(let take):
      guard let text = value.string else { throw failure(here, "this must be a string in quotes") }
      do { try take(text) } catch let error as SecretError {
        throw failure(here, error.message, error.next)
      }
    case .tables(let entry):
      try each(try self.table(value, here), here, note) { name, value, here in
        let (keys, done) = entry(name, here)
        try read(try self.table(value, here), path: here, keys: keys, note: note)
        do { try done() } catch let error as SourceError {
          throw failure(here, error.message, "name a scheme, a host and a port")
        }
      }
    case .choice(let choices, let take):
      guard let text = value.string, choices.contains(text) else {
        throw failure(here, "this must be one of: \(choices.joined(separator: ", "))")
      }
      take(text)
    case .boolean(let take):
      guard let flag = value.bool else { throw failure(here, "this must be true or false") }
      take(flag)
    case .texts(let take):
      try each(try table(value, here), here, note) { name, value, here in
        guard let text = value.string else {
          throw failure(here, "this must be a string in quotes")
        }
        try take(name, text)
      }
    case .values(let take):
      try each(try table(value, here), here, note) { name, value, _ in try take(name, value) }
    case .list(let take):
      let tables = value.table.map { [$0] } ?? value.array?.compactMap(\.table)
      guard let tables, tables.count == value.array?.count ?? 1 else {
        throw failure(here, "this must be tables", "write each as [[\(name)]]")
      }
      for (index, table) in tables.enumerated() { take(table, index) }
    case .lists(let take):
      guard let table = value.table else {
        throw failure(
          here, "this must be a table", "write it as [\(here.joined(separator: "."))]")
      }
      try each(table, here, note) { _, value, here in try read(value, path: here, into: take) }
    }
  }

  private func table(_ value: any TOMLValueConvertible, _ path: [String]) throws -> TOMLTable {
    guard let table = value.table else { throw failure(path, "this must be a table") }
    return table
  }

  private func read(
    _ value: any TOMLValueConvertible, path: [String], into take: (String, [String]) throws -> Void
  ) throws {
    let texts = value.array.map { array in array.compactMap(\.string) }
    guard let texts, texts.count == value.array?.count else {
      throw failure(path, "this must be a list of strings: [\"…\", \"…\"]")
    }
    do {
      try take(path.last ?? "", texts)
    } catch let mistake as PublicKeyPins.Mistake {
      throw failure(path, mistake.message, mistake.next)
    }
  }

  func failure(
    _ path: [String], _ message: String, _ next: String = "correct the line"
  ) -> SourceError {
    SourceError(
      .decoding, stage: .config, subject: text(of: place(of: path)),
      message: "\(path.joined(separator: ".")): \(message)", next: next)
  }

  /// A place as it is shown: `config.toml:12:3`.
  func text(of place: (line: Int, column: Int)) -> String {
    "\(subject):\(place.line):\(place.column)"
  }

  /// The line and column of one of the tables that are written as `[[name]]`.
  func place(ofList name: String, at index: Int) -> (line: Int, column: Int) {
    let found = headings(ofList: name)
    guard index < found.count else { return place(of: name.split(separator: ".").map(String.init)) }
    let column = found[index].element.prefix { $0 == " " || $0 == "\t" }.count + 1
    return (found[index].offset + 1, column)
  }

  /// The line and column of a key in one of these tables; of the table where it is not found.
  func place(of key: String, inList name: String, at index: Int) -> (line: Int, column: Int) {
    let found = headings(ofList: name)
    guard index < found.count else { return place(ofList: name, at: index) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    for (offset, line) in lines.dropFirst(found[index].offset + 1) {
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      let content = line.dropFirst(indent)
      if content.hasPrefix("[") { break }
      let isKey = content.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces) == key
      if isKey, content.contains("=") { return (offset + 1, indent + 1) }
    }
    return place(ofList: name, at: index)
  }

  private func headings(ofList name: String) -> [(offset: Int, element: Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().filter {
      $0.element.replacingOccurrences(of: " ", with: "").hasPrefix("[[\(name)]]")
    }
  }

  /// The names in `feeds."https://example.org/feed.xml"]`: dots in quotes part none.
  private static func names(inHeading text: Substring) -> [String] {
    var (names, name) = ([String](), "")
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { name.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "]" {
        break
      } else if character == "." {
        names.append(name.trimmingCharacters(in: .whitespaces))
        name = ""
      } else {
        name.append(character)
      }
    }
    names.append(name.trimmingCharacters(in: .whitespaces))
    return names
  }

  /// The line and column of a key, which the parser does not keep: the text is searched below the
  /// heading of the table.
  func place(of path: [String]) -> (line: Int, column: Int) {
    var table: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      let content = line.dropFirst(indent)
      if content.hasPrefix("[") {
        table = Self.names(inHeading: content.drop { $0 == "[" })
        if table == path { return (index + 1, indent + 1) }
        continue
      }
      let key = content.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces)
      // A key in quotes may hold dots of its own.
      let isQuoted = key.hasPrefix("\"") || key.hasPrefix("'")
      let names =
        isQuoted
        ? [key.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))]
        : key.split(separator: ".").map(String.init)
      if content.contains("="), table + names == path { return (index + 1, indent + 1) }
    }
    // A table within a line stands where the line does.
    return path.count > 1 ? place(of: path.dropLast()) : (1, 1)
  }
}
