/// Settings of the screen.
package struct ReaderSettings: Hashable, Sendable {
  /// Whether feeds are refreshed without being asked.
  package var refreshesByItself = true
  /// Columns of the longest line of an article.
  package var textWidth = 80
  /// The keys of commands.
  package var keys = KeyScheme.standard

  package init() {}
}
