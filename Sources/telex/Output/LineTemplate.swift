internal import News
internal import Reader

/// The template of `--format`, with names of values in braces: `{title}\t{url}`, `{date:%Y-%m-%d}
/// {feed}`.
///
/// `\t` is a tab, `\n` a line end, and a backslash before any other character that character: `\{`
/// is a brace. A brace that is not closed is text.
struct LineTemplate {
  private enum Part {
    case text(String)
    case value(name: String, format: DateFormat?)
  }

  private let parts: [Part]

  /// - Parameters:
  ///   - names: of the values.
  ///   - dates: the names that accept a date format after a colon.
  /// - Throws: `SourceError` of stage `.arguments` for an unknown name or an invalid date format.
  init(_ format: String, names: [String], dates: Set<String> = []) throws {
    var parts: [Part] = []
    var text = ""
    var rest = format[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        switch rest.popFirst() {
        case "t": text += "\t"
        case "n": text += "\n"
        case let other?: text.append(other)
        case nil: text += "\\"
        }
      case "{":
        guard let close = rest.firstIndex(of: "}") else {
          text += "{"
          continue
        }
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(try Self.value(rest[..<close], names: names, dates: dates))
        rest = rest[rest.index(after: close)...]
      default: text.append(character)
      }
    }
    if !text.isEmpty { parts.append(.text(text)) }
    self.parts = parts
  }

  private static func value(
    _ inner: Substring, names: [String], dates: Set<String>
  ) throws -> Part {
    let colon = inner.firstIndex(of: ":")
    let name = String(inner[..<(colon ?? inner.endIndex)])
    guard names.contains(name) else {
      throw mistake(
        "there is no {\(name)}", "there are " + names.map { "{\($0)}" }.joined(separator: ", "))
    }
    guard let colon else { return .value(name: name, format: nil) }
    guard dates.contains(name) else {
      throw mistake("{\(name)} is no date: nothing may follow its name", "write {\(name)}")
    }
    let pattern = String(inner[inner.index(after: colon)...])
    guard let format = DateFormat(pattern) else {
      let letters = DateFormat.letters.map { "%\($0)" }.joined(separator: " ")
      throw mistake("\(pattern) is no date format", "there are \(letters)")
    }
    return .value(name: name, format: format)
  }

  private static func mistake(_ message: String, _ next: String) -> SourceError {
    .arguments("--format", message, next: next)
  }

  /// The line; tabs and line ends of values are removed.
  ///
  /// - Parameter value: the value of a name, with its date format.
  func filled(_ value: (String, DateFormat?) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value(let name, let format): Table.cell(value(name, format))
      }
    }.joined()
  }
}
