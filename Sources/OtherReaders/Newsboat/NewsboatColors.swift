internal import News

/// Colours of newsboat's elements, as a theme.
struct NewsboatColors {
  /// The parts of a theme that have a style.
  private var styles: [(part: String, style: String)] = []

  mutating func take(_ arguments: [String]) throws(QueryError) {
    guard arguments.count >= 3 else {
      throw QueryError("it needs an element and two colours", at: 0..<0)
    }
    let style = try ForeignStyle.text(Array(arguments.dropFirst()))
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
}
