internal import News

enum StatisticsStrings {
  static let allFeeds = "All feeds"
  static let counting = "Counting …"
  static let noFeeds = "No feeds to count."
  static let noteSizes = "adding up sizes …"
  static let noteFailed = "not counted"
  static let onDisk = "on disk"
  static let aDay = "a day"
  static func time(_ span: Int64) -> String {
    switch span / ReadingStatistics.day {
    case 365: "a year"
    case let days where days % 365 == 0: "\(days / 365) years"
    case let days: "\(days) days"
    }
  }
  static func countAgain(_ key: String) -> String { "\(key) counts again." }
  static let noAdvice = "This line has no advice. Select a line with advice."
  static let noFeedSelected = "This line has no feed. Select a feed or a line with advice."
  static func hide(_ feeds: String) -> String { "Hide \(feeds) from All and Unread" }
  static func refreshing(_ feeds: String) -> String { "Refreshing \(feeds) …" }
  static func suggestion(
    _ group: FeedGroup, _ found: [FeedStatistics], in statistics: ReadingStatistics
  ) -> String {
    let feeds = quantity(found.count, "feed")
    let articles = found.map(\.articles).reduce(0, +)
    func upTo(_ numbers: [Int]) -> String {
      "\(found.count > 1 ? "up to " : "")\(numbers.max() ?? 0)"
    }
    switch group {
    case .silent: return "\(feeds) silent for a year or failing for a month"
    case .unopened:
      let span = min(statistics.span, statistics.now - (found.map(\.added).min() ?? 0))
      return "\(feeds): 0 of \(quantity(articles, "article")) opened in \(weeks(span))"
    case .noisy: return "\(feeds) with \(perDay(statistics.perDay(articles)))"
    case .failing:
      let counts = found.map { $0.feed.state.failing?.count ?? 1 }
      return "\(feeds) failing"
        + (counts.contains { $0 > 1 } ? ", \(upTo(counts)) times in a row" : "")
    case .slow:
      let attempts = upTo(found.map { $0.feed.state.exchange?.attempts ?? 1 })
      return "\(feeds) slow: answered after \(attempts) attempts"
    }
  }
  /// Of a year and more as the heading writes it.
  private static func weeks(_ span: Int64) -> String {
    span < 365 * ReadingStatistics.day
      ? quantity(Int(span / ReadingStatistics.week), "week") : time(span)
  }
  static func neverRead(_ count: Int) -> String { "\(quantity(count, "feed")) never read" }
  static func remedy(_ group: FeedGroup) -> String {
    switch group {
    case .silent: "unsubscribe"
    case .unopened: "pause"
    case .noisy: "hide"
    case .failing, .slow: "refresh"
    }
  }
  static func explained(_ group: FeedGroup, undo key: String) -> String {
    let remedy = remedy(group)
    let label =
      group == .noisy
      ? "Hide from All and Unread" : remedy.prefix(1).uppercased() + remedy.dropFirst()
    return remedy == "refresh" ? label : "\(label). Telex asks first. \(MarksStrings.undo(key))"
  }
  static let selectThem = "Select in the sidebar"
  static let goneForGood = "gone for good"
  static func nothingSince(_ time: String) -> String { "no new articles since \(time)" }
  static func failing(for time: String?) -> String { time.map { "failing for \($0)" } ?? "failing" }
  static func noneOpened(of count: Int) -> String { "0 of \(quantity(count, "article")) opened" }
  static func perDay(_ number: String) -> String { "\(number) articles a day" }
  static func answered(_ count: Int) -> String { "answered after \(quantity(count, "attempt"))" }
  static func articles(_ count: Int, in time: String, perDay: String) -> String {
    "\(count) in \(time), \(perDay) a day"
  }
  static let noArticles = "no articles"
  static func marks(unread: Int, starred: Int, neverRead count: Int) -> String {
    "\(unread) unread, \(starred) starred" + (count > 0 ? ", \(neverRead(count))" : "")
  }
  static func marks(unread: Int, starred: Int, opened: Int) -> String {
    "\(unread) unread, \(starred) starred, \(opened) opened here"
  }
  static func opened(_ count: Int, since time: String) -> String { "\(count) here since \(time)" }
  static let hintCount = "count again"
}
