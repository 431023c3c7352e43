/// Preferences for lists and articles, as the settings have them and the screen uses them.
package struct ReadingPreferences: Hashable, Sendable {
  /// How often feeds are refreshed without being asked.
  package var interval = FetchInterval.adaptive
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
  /// Whether the selected article shows beside or below the list where there is room.
  package var previews = true
  /// Seconds for which the selected article has to show to be marked as read; nil for ever.
  package var secondsUntilRead: Int?

  package init() {}

  package var refreshesByItself: Bool { interval != .never }
}

/// A column of the list of articles.
package enum ListColumn: String, Hashable, Sendable, CaseIterable {
  case date
  /// Where the list has several feeds.
  case feed
  case title
}

/// How dates are written in a list, after the conversions of `strftime`.
package struct DateFormat: Hashable, Sendable {
  package let pattern: String

  /// The conversions that there are.
  package static let letters = "abdeHImMpyY%"

  /// - Parameter pattern: text with `%` and one of `letters` for the parts of a date. Nil where another letter follows a
  ///   percent sign, or none.
  package init?(_ pattern: String) {
    var rest = pattern[...]
    while let percent = rest.firstIndex(of: "%") {
      let next = rest.index(after: percent)
      guard next < rest.endIndex, Self.letters.contains(rest[next]) else { return nil }
      rest = rest[rest.index(after: next)...]
    }
    self.pattern = pattern
  }
}
