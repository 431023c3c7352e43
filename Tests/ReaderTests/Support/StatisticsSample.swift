internal import News

@testable import Reader

extension ReadingStatistics {
  /// A feed of each group, and some of none.
  static let sample: ReadingStatistics = {
    let feeds = SidebarSnapshot.counted.feeds
    let weeks = (0..<13).map { [9, 12, 3, 0, 7, 5, 14][$0 % 7] }
    let days = (0..<28).map { [2, 0, 1, 3, 0, 0, 4][$0 % 7] }
    let none = [Int](repeating: 0, count: 13)
    let noDays = [Int](repeating: 0, count: 28)
    return ReadingStatistics(
      now: Sample.now, span: usualSpan,
      feeds: [
        FeedStatistics(
          feed: feeds[0], weeks: weeks, days: days, unread: 12, starred: 3, opened: 41,
          newest: Sample.now - 3_600, bytes: 1_234_567),
        FeedStatistics(
          feed: feeds[1], weeks: weeks.map { $0 * 20 }, days: days.map { $0 * 20 }, unread: 1_400,
          starred: 1, opened: 5, newest: Sample.now - 60, bytes: 23_456_789),
        FeedStatistics(
          feed: feeds[2], weeks: weeks.map { $0 / 2 }, days: days.map { $0 / 2 }, unread: 43,
          newest: Sample.now - 86_400, bytes: 345_678),
        FeedStatistics(
          feed: feeds[3], weeks: none, days: noDays, newest: Sample.now - 500 * day, bytes: 4_096),
        FeedStatistics(
          feed: feeds[4], weeks: none, days: noDays, newest: Sample.now - 900 * day, bytes: 0),
        FeedStatistics(
          feed: feeds[5], weeks: none.dropLast() + [2], days: noDays.dropLast() + [2],
          newest: Sample.now - 1_000, bytes: 12_000),
      ],
      opened: (0..<13).map { $0 % 5 * 3 }, journalStart: Sample.now - 40 * day)
  }()

  static let hundred = ReadingStatistics(
    now: Sample.now, span: usualSpan,
    feeds: SidebarSnapshot.hundred.feeds.enumerated().map { index, feed in
      FeedStatistics(
        feed: feed, weeks: (0..<13).map { ($0 * 7 + index * 3) % (index + 2) },
        days: (0..<28).map { ($0 * 5 + index) % (index / 7 + 2) }, unread: index % 4 * 3,
        starred: index % 3, opened: index % 6, newest: Sample.now - Int64(index) * 3_600,
        bytes: Int64(index * index) * 1_000)
    }, opened: [Int](repeating: 4, count: 13), journalStart: Sample.now - 40 * day)
}

extension KeptRoom {
  static let sample = KeptRoom(
    StoreRoom(
      feeds: [
        FeedRoom(
          feed: FeedID(1), title: "Feed 1", articles: 40, unread: 3, starred: 1, bytes: 25_053_130,
          oldest: nil)
      ], file: 48_000_000, free: 1_200_000, removed: 300_000, former: 80_000, full: 6_000_000,
      log: 4_000_000), pictures: 31_000_000)
}

extension SidebarSnapshot {
  /// The feeds of `ReadingStatistics.sample`.
  static let counted = SidebarSnapshot(feeds: [
    Sample.feed(1, "A quiet journal", unread: 12),
    Sample.feed(2, "The Everything Wire: all news, all day, and all night", unread: 1_400),
    Sample.feed(3, "日本語のブログ", unread: 43), Sample.feed(4, "An old blog"),
    Sample.feed(5, "Forgotten"),
    Sample.feed(6, "Struggling", error: Sample.unavailable).with {
      $0.exchange = ExchangeSummary(status: 503, attempts: 3)
      $0.failing = FailureRun(since: Sample.date(secondsAgo: 7_200), count: 4)
    },
  ])

  static let hundred = SidebarSnapshot(
    feeds: (1...100).map { Sample.feed($0, "Feed number \($0)", unread: Int($0) % 4 * 3) })
}

extension Session {
  mutating func showStatistics(_ keys: String, _ statistics: ReadingStatistics = .sample) {
    if state.subscriptions.feeds.count < 100 {
      _ = state.reduce(.subscriptions(.arrived(.counted)))
    }
    send(keys: "S")
    _ = state.reduce(.statistics(.counted(statistics, nil)))
    _ = state.reduce(.statistics(.counted(statistics, .sample)))
    send(keys: keys)
  }
}
