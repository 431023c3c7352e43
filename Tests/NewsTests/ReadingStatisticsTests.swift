internal import Foundation
internal import News
internal import Testing

/// What feeds bring and how much of it is read, as numbers.
struct ReadingStatisticsTests {
  private static let now: Int64 = 1_700_000_000

  private func feed(
    _ id: Int64, _ weeks: [Int], unread: Int = 0, opened: Int = 0, age: Int64 = 0,
    days: Int64 = 14, _ change: (inout FeedState) -> Void = { _ in }
  ) -> FeedStatistics {
    var feed = Feed(id: FeedID(id), url: "https://example.org/\(id)")
    change(&feed.state)
    return FeedStatistics(
      feed: feed, added: Self.now - days * ReadingStatistics.day, weeks: weeks, unread: unread,
      opened: opened, newest: Self.now - age)
  }

  private func statistics(_ feeds: FeedStatistics...) -> ReadingStatistics {
    ReadingStatistics(now: Self.now, span: 14 * ReadingStatistics.day, feeds: feeds)
  }

  @Test(arguments: [(1, 1), (7, 1), (8, 2), (90, 13), (365, 53)] as [(Int64, Int)])
  func `A part of a week counts as a week`(_ days: Int64, _ weeks: Int) {
    #expect(ReadingStatistics.weekCount(of: days * ReadingStatistics.day) == weeks)
  }

  @Test func `Feeds are grouped by what speaks for looking after them`() {
    let day = ReadingStatistics.day
    let feeds = [
      feed(1, [0, 0], age: 365 * day),
      feed(2, [1, 1]) {
        $0.failing = FailureRun(
          since: Date(timeIntervalSince1970: Double(Self.now - 31 * day)), count: 9)
      },
      feed(3, [10, 11], unread: 21), feed(4, [10, 11], unread: 21, opened: 1),
      feed(5, [10, 11], unread: 20), feed(6, [10, 10], unread: 20),
      feed(7, [70, 70]), feed(8, [70, 68]),
      feed(9, [1, 1]) { $0.exchange = ExchangeSummary(status: 200, attempts: 2) },
      feed(10, [1, 1]) {
        $0.error = SourceError(.status, stage: .fetch, subject: "a", message: "replied 503")
        $0.exchange = ExchangeSummary(status: 503, attempts: 3)
      },
      // Too new for advice.
      feed(11, [10, 11], unread: 21, days: 13),
      feed(12, [70, 70], days: 13) { $0.exchange = ExchangeSummary(status: 200, attempts: 2) },
    ]
    let statistics = statistics()
    let expected: [Set<FeedGroup>] = [
      [.silent], [.silent], [.unopened], [], [], [], [.noisy], [], [.slow],
      [.failing], [], [],
    ]
    #expect(feeds.map { statistics.groups(of: $0) } == expected)
  }

  @Test func `All feeds together are the sum of each`() {
    let total = statistics(feed(1, [1, 2], unread: 2), feed(2, [3, 4], unread: 1)).total
    #expect(total.articles == 10 && total.unread == 3 && total.weeks == [4, 6])
    #expect(statistics().perDay(7) == "0.5")
    var daily = feed(1, [1, 2])
    daily.days = (1...14).map { $0 }
    #expect(statistics(daily, daily).total.days == (1...14).map { $0 * 2 })
    #expect(ReadingStatistics.dayCount(of: 90 * ReadingStatistics.day) == 28)
  }

  @Test func `What is kept on the disk is told in parts that do not overlap`() {
    let feed = FeedRoom(
      feed: FeedID(1), title: "A", articles: 1, unread: 0, starred: 0, bytes: 500,
      oldest: nil)
    var room = StoreRoom(
      feeds: [feed, feed], file: 2_000, free: 100, removed: 50, former: 30, full: 20, log: 7)
    let kept = KeptRoom(room, pictures: 3_000)
    #expect(kept.texts == 1_000 && kept.free == 107 && kept.indexes == 800)
    #expect(kept.all == 2_000 + 7 + 3_000)
    room.file = 10
    #expect(KeptRoom(room, pictures: 0).indexes == 0)
  }
}
