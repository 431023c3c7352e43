internal import News

/// Colours of newsraft's lists, as a theme.
struct NewsraftColors {
  /// The parts of a theme that have a style.
  private var styles: [(part: String, style: String)] = []

  private static let attributes: Set = ["bold", "italic", "underlined", "reverse"]

  /// - Parameters:
  ///   - name: of the setting: `color-list-item`.
  ///   - value: two colours and attributes.
  mutating func take(_ name: String, _ value: String) throws(QueryError) {
    let words = value.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    let colors = words.filter { !Self.attributes.contains($0) }
    guard !name.hasSuffix("-fg"), !name.hasSuffix("-bg") else {
      throw QueryError(
        "newsraft takes both colours in one setting now: color-list-item-unread yellow default",
        at: 0..<0)
    }
    guard (1...2).contains(colors.count) else {
      throw QueryError("it needs two colours", at: 0..<0)
    }
    let style = try ForeignStyle.text(
      [colors[0], colors.count > 1 ? colors[1] : "default"]
        + words.filter(Self.attributes.contains))
    let part =
      switch name {
      case "color-list-item": "text"
      case "color-list-item-unread": "unread"
      case "color-list-item-important": "star"
      case "color-list-item-selected": "selected"
      case "color-list-feed-failed": "error"
      case "color-status", "color-status-good", "color-status-info": "status"
      case "color-status-fail": "status-error"
      default:
        throw QueryError("feeds and folders have the colours of articles in a theme", at: 0..<0)
      }
    styles.removeAll { $0.part == part }
    styles.append((part, style))
  }

  /// The theme, and that it is the one to be used.
  var settings: [LibrarySetting] {
    guard !styles.isEmpty else { return [] }
    return [
      LibrarySetting("[screen]", "theme = \"newsraft\""),
      LibrarySetting(
        "[themes.newsraft]",
        styles.map { "\($0.part) = \(TOMLText.quoted($0.style))" }.joined(separator: "\n")),
    ]
  }
}
