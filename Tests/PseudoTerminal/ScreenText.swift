/// One look at the screen of a pseudo-terminal.
package struct ScreenText: Sendable {
  package enum Color: Hashable, Sendable {
    /// The terminal's own.
    case standard
    case palette(Int)
    /// Outside the palette.
    case other

    init(_ number: Int32) {
      self = number >= 0 ? .palette(Int(number)) : number == -1 ? .standard : .other
    }
  }

  package struct Cell: Hashable, Sendable {
    /// A character with its combining marks; empty where a wide character covers the cell.
    package let text: String
    /// Columns: 1, 2 for a wide character, and 0 for the cell that it covers.
    package let width: Int
    package let isBold: Bool
    package let isItalic: Bool
    package let isUnderlined: Bool
    package let isReversed: Bool
    package let foreground: Color
    package let background: Color
  }

  package let width: Int
  package let rows: [[Cell]]
  package let cursor: (x: Int, y: Int)
  package let isCursorVisible: Bool
  package let isAlternateScreen: Bool

  package var height: Int { rows.count }

  /// All that is shown, with one space for each stretch of white space: for sentences that may be broken
  /// over lines.
  package var words: String {
    lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The rows as text, without the spaces at their ends.
  package var lines: [String] {
    rows.map { row in
      let text = row.map(\.text).joined()
      return String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
    }
  }

  package var text: String { lines.joined(separator: "\n") }

  /// Whether the text is in one of the rows.
  package func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  /// Where the text is first seen: the cell of its first character.
  package func position(of text: String) -> (x: Int, y: Int)? {
    for (y, row) in rows.enumerated() {
      for x in row.indices where row[x].width > 0 {
        if row[x...].lazy.map(\.text).joined().hasPrefix(text) { return (x, y) }
      }
    }
    return nil
  }

  /// The cell where the text is first seen.
  package func cell(of text: String) -> Cell? {
    position(of: text).map { rows[$0.y][$0.x] }
  }

  /// The screen in a box, for a failure's report.
  package var drawing: String {
    let edge = "+" + String(repeating: "-", count: width) + "+"
    let rows = rows.map { row in "|" + row.map(\.text).joined() + "|" }
    let cursor = "cursor \(isCursorVisible ? "shown" : "hidden") at (\(cursor.x), \(cursor.y))"
    let buffer = isAlternateScreen ? "alternate screen" : "main screen"
    return ([edge] + rows + [edge, "\(cursor), \(buffer)"]).joined(separator: "\n")
  }
}
