package enum ListColumn: String, Hashable, Sendable, CaseIterable {
  case date
  /// Where the list has several feeds.
  case feed
  case title
}

package struct ReaderSettings: Hashable, Sendable {
  /// Whether feeds are refreshed without being asked.
  package var refreshesByItself = true
  /// Whether the user is asked before the reader quits by a key.
  package var asksBeforeQuitting = false
  /// Columns of the longest line of an article.
  package var textWidth = 80
  /// The columns of a list between the marks and its right end, in this order.
  package var columns = ListColumn.allCases
  /// How a list writes dates; nil for the shortest form.
  package var dateFormat: DateFormat?
  /// Lines that stay above and below the selected row while there are any.
  package var scrollMargin = 0
  /// Whether signs are of ASCII.
  package var usesAsciiSigns = false
  /// Whether the selected article shows beside or below the list where there is room.
  package var previews = true
  package var showsPictures = true
  /// Whether feeds have their icons, where the terminal shows pixels.
  package var showsIcons = false
  /// For how long the selected article has to show, in seconds, to be marked as read; nil for ever.
  package var secondsUntilRead: Int?
  package var highlights: [Highlight] = []
  package var events = ReaderEvents()
  package var verbs: [Verb] = []
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
