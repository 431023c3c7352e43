/// Settings of the screen.
package struct ReaderSettings: Hashable, Sendable {
  /// Whether feeds are refreshed without being asked.
  package var refreshesByItself = true
  /// Whether the user is asked before the reader quits by a key.
  package var asksBeforeQuitting = false
  /// Columns of the longest line of an article.
  package var textWidth = 80
  /// What is done by itself.
  package var events = ReaderEvents()
  /// The verbs of the program's command line.
  package var verbs: [Verb] = []
  /// The keys of commands.
  package var keys = KeyScheme.standard

  package struct Verb: Hashable, Sendable {
    package var name: String
    package var help: String

    package init(_ name: String, help: String) {
      self.name = name
      self.help = help
    }
  }

  package init() {}
}
