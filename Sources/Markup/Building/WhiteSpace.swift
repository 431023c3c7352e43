internal import Text

/// Treatment of the white space of a text by its style (`white-space`, CSS Text §3).
enum WhiteSpace {
  case collapsed
  /// Line ends stay, as in a poem.
  case lines
  /// Line ends and white space at the beginning of a line stay.
  case linesAndIndents

  private static let property = WordSearch(["white-space"])

  /// - Parameter style: the text of a `style`; nil where it says nothing of white space.
  init?(style: String) {
    guard Self.property.isAny(in: style) else { return nil }
    var found: WhiteSpace?
    for word in style.styleWords(of: "white-space") {
      switch word {
      case "pre-line": found = .lines
      case "pre", "pre-wrap", "break-spaces": found = .linesAndIndents
      case "normal", "nowrap", "initial": found = .collapsed
      default: break
      }
    }
    guard let found else { return nil }
    self = found
  }

  /// The lines of a text; one where white space means nothing.
  func lines(of text: String) -> [String] {
    guard self != .collapsed, text.utf8.contains(0x0A) || text.utf8.contains(0x0D) else {
      return [text]
    }
    let lines = text.replacingLineEnds().split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      // The first goes on with what is before it.
      self == .lines || index == 0 ? String(line) : Self.indented(line)
    }
  }

  /// Columns of a tab, and the most at the beginning of a line.
  private static let (tab, mostIndent) = (4, 24)

  /// A line that keeps the white space at its beginning.
  private static func indented(_ line: Substring) -> String {
    let indent = line.prefix { $0 == " " || $0 == "\t" }
    guard !indent.isEmpty, indent.endIndex < line.endIndex else { return String(line) }
    let columns = indent.reduce(0) { $0 + ($1 == "\t" ? tab : 1) }
    return String(repeating: "\u{A0}", count: min(columns, mostIndent)) + line[indent.endIndex...]
  }
}

extension String {
  /// The first words of the declarations of a property in this style (CSS), in lower case.
  func styleWords(of property: String) -> [String] {
    lowercased().split(separator: ";").compactMap { declaration in
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == property else { return nil }
      return parts[1].split { $0.isWhitespace || $0 == "!" }.first.map(String.init)
    }
  }
}
