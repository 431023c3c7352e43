/// The settings of a front end, as they stand in `config.toml`. TelexKit makes no use of them.
package struct ScreenSettings: Hashable, Sendable {
  /// What text is drawn on.
  package enum Background: String, Hashable, Sendable {
    case dark
    case light
  }

  /// nil where the screen is to be asked.
  package var background: Background?
  package var colors = true
  package var mouse = true
  /// Columns of the longest line of an article.
  package var textWidth = 80
  /// Whether feeds are refreshed without being asked.
  package var refreshesByItself = true
  /// The command that shows web pages; nil for that of the system.
  package var browser: String?
  /// Whether that command draws on the terminal of the reader.
  package var browserUsesTerminal = false

  /// The defaults.
  package init() {}
}
