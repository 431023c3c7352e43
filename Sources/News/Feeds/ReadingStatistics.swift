internal import Foundation

/// Articles of a feed over a time that ends now, and the user's reading of them.
package struct FeedStatistics: Hashable, Sendable, Identifiable {
  package let feed: Feed
  /// The time of the subscription in seconds since 1970.
  package var added: Int64
  /// Articles by week, the oldest first.
  package var weeks: [Int]
  /// Articles by day, the oldest first: of 28 days, or of the whole time where that is shorter.
  package var days: [Int]
  package var unread: Int
  package var starred: Int
  /// Opened articles in the time, as far as the journal reaches back.
  package var opened: Int
  /// The date of its newest article in seconds since 1970; nil for none.
  package var newest: Int64?
  /// The size of all its texts, as `FeedRoom.bytes`; nil where it was not read.
  package var bytes: Int64?

  package init(
    feed: Feed, added: Int64 = 0, weeks: [Int], days: [Int] = [], unread: Int = 0,
    starred: Int = 0, opened: Int = 0, newest: Int64? = nil, bytes: Int64? = nil
  ) {
    self.feed = feed
    self.added = added
    self.weeks = weeks
    self.days = days
    self.unread = unread
    self.starred = starred
    self.opened = opened
    self.newest = newest
    self.bytes = bytes
  }

  package var id: FeedID { feed.id }
  package var articles: Int { weeks.reduce(0, +) }
  package var read: Int { max(0, articles - unread) }

  /// Share of read articles in percent; nil without articles.
  package var readShare: Int? { articles == 0 ? nil : read * 100 / articles }
}

/// Reason to review a feed.
package enum FeedGroup: String, CaseIterable, Hashable, Sendable {
  /// No new article for a year, failing for a month, or gone for good.
  case silent
  /// Many articles, none of them read.
  case unopened
  /// Many articles a day.
  case noisy
  /// Failing at present.
  case failing
  /// The server answered only after several attempts.
  case slow
}

/// Reading of all feeds over a time that ends now.
package struct ReadingStatistics: Hashable, Sendable {
  /// In seconds since 1970.
  package var now: Int64
  /// Seconds.
  package var span: Int64
  package var feeds: [FeedStatistics]
  /// Opened articles by week, the oldest first, as far as the journal reaches back.
  package var opened: [Int]
  /// The time of the oldest entry in the journal, in seconds since 1970; nil for an empty one.
  package var journalStart: Int64?

  package init(
    now: Int64, span: Int64, feeds: [FeedStatistics] = [], opened: [Int] = [],
    journalStart: Int64? = nil
  ) {
    self.now = now
    self.span = span
    self.feeds = feeds
    self.opened = opened
    self.journalStart = journalStart
  }

  package static let day: Int64 = 86_400
  package static let week: Int64 = 7 * day
  package static let usualSpan = 90 * day
  /// Ten years: longer lines of weeks cannot be read.
  package static let longestSpan = 3_650 * day

  /// Days that are shown singly.
  package static let recentDays = 28

  /// Rounded up: the oldest week may be partial.
  package static func weekCount(of span: Int64) -> Int { Int(max(1, (span + week - 1) / week)) }

  /// Rounded up: the oldest day may be partial.
  package static func dayCount(of span: Int64) -> Int {
    Int(max(1, min(Int64(recentDays), (span + day - 1) / day)))
  }

  package struct Total: Hashable, Sendable {
    package var articles = 0
    package var unread = 0
    package var starred = 0
    package var opened = 0
    package var weeks: [Int]
    package var days: [Int]
    /// Nil where sizes were not read.
    package var bytes: Int64?

    package var read: Int { max(0, articles - unread) }
    package var readShare: Int? { articles == 0 ? nil : read * 100 / articles }
  }

  package var total: Total {
    var total = Total(
      opened: opened.reduce(0, +), weeks: [Int](repeating: 0, count: Self.weekCount(of: span)),
      days: [Int](repeating: 0, count: Self.dayCount(of: span)))
    func add(_ numbers: [Int], to sums: inout [Int]) {
      for (index, count) in numbers.enumerated() where index < sums.count { sums[index] += count }
    }
    for feed in feeds {
      add(feed.weeks, to: &total.weeks)
      add(feed.days, to: &total.days)
      total.articles += feed.articles
      total.unread += feed.unread
      total.starred += feed.starred
      if let bytes = feed.bytes { total.bytes = (total.bytes ?? 0) + bytes }
    }
    return total
  }

  /// Rounded.
  package func tenthsPerDay(_ articles: Int) -> Int {
    Int((Int64(articles) * 10 * Self.day + span / 2) / max(1, span))
  }

  /// With one decimal.
  package func perDay(_ articles: Int) -> String {
    let tenths = tenthsPerDay(articles)
    return "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: Groups

  /// More articles than this, none of them read, make a feed unopened.
  package static let unopenedArticles = 20
  /// Articles a day that make a feed noisy.
  package static let noisyPerDay = 10
  /// Seconds without an article that make a feed silent.
  package static let silence = 365 * day
  private static let failing = 30 * day
  /// The shortest time of a subscription, in seconds, after which its numbers say something.
  private static let trial = 14 * day

  package func groups(of feed: FeedStatistics) -> Set<FeedGroup> {
    guard now - feed.added >= Self.trial else { return [] }
    var groups: Set<FeedGroup> = []
    let state = feed.feed.state
    let isSilent = feed.newest.map { now - $0 >= Self.silence } ?? false
    let failingSince = state.failing.map { Int64($0.since.timeIntervalSince1970) }
    let fails = failingSince.map { now - $0 >= Self.failing } ?? false
    if isSilent || fails || state.isGone { groups.insert(.silent) }
    if feed.articles > Self.unopenedArticles, feed.read == 0, feed.opened == 0 {
      groups.insert(.unopened)
    }
    if tenthsPerDay(feed.articles) >= Self.noisyPerDay * 10 { groups.insert(.noisy) }
    if !groups.contains(.silent) {
      if state.isFailing {
        groups.insert(.failing)
      } else if (state.exchange?.attempts ?? 1) > 1 {
        groups.insert(.slow)
      }
    }
    return groups
  }
}
