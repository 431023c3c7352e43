internal import News

/// Colours of newsboat's elements, as a theme.
struct NewsboatColors {
  /// The parts of a theme that have a style.
  private var styles: [(part: String, style: String)] = []

  mutating func take(_ arguments: [String]) throws(QueryError) {
    guard arguments.count >= 3 else {
      throw QueryError("it needs an element and two colours", at: 0..<0)
    }
    let style = try Self.style(Array(arguments.dropFirst()))
    let parts: [String] =
      switch arguments[0] {
      case "background", "article", "listnormal": ["text"]
      case "listnormal_unread": ["unread"]
      case "listfocus", "listfocus_unread": ["selected"]
      case "info": ["status", "heading"]
      case "title": ["heading"]
      default:
        throw QueryError("themes have no part like \(arguments[0])", at: 0..<0)
      }
    for part in parts {
      // The unread row's own colour where it is selected is not told apart.
      if arguments[0] == "listfocus_unread", styles.contains(where: { $0.part == part }) {
        continue
      }
      styles.removeAll { $0.part == part }
      styles.append((part, style))
    }
  }

  /// The theme, and that it is the one to be used.
  var settings: [LibrarySetting] {
    guard !styles.isEmpty else { return [] }
    return [
      LibrarySetting("[screen]", "theme = \"newsboat\""),
      LibrarySetting(
        "[themes.newsboat]",
        styles.map { "\($0.part) = \(TOMLText.quoted($0.style))" }.joined(separator: "\n")),
    ]
  }

  /// A style as themes have it, of a colour, a colour behind it, and attributes.
  static func style(_ words: [String]) throws(QueryError) -> String {
    var style: [String] = []
    for (index, word) in words.enumerated() {
      let word = word.lowercased()
      switch index {
      case 0: style.append(try color(word))
      case 1:
        let color = try color(word)
        // The default behind is what is there anyway.
        if color != "default" { style += ["on", color] }
      default:
        switch word {
        case "bold", "dim", "underline", "reverse", "italic": style.append(word)
        case "standout": style.append("reverse")
        default: break
        }
      }
    }
    return style.joined(separator: " ")
  }

  private static let names: Set = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "default",
  ]

  private static func color(_ word: String) throws(QueryError) -> String {
    if names.contains(word) { return word }
    if word.hasPrefix("color"), let number = Int(word.dropFirst(5)), (0...255).contains(number) {
      return String(number)
    }
    throw QueryError("\(word) is no colour", at: 0..<0)
  }
}
