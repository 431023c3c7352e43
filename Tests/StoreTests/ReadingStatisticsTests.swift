internal import Foundation
internal import News
internal import Testing

@testable internal import Store

/// What feeds bring and how much of it is read, as the store counts it.
struct ReadingStatisticsTests {
  @Test func `Articles count in their week, and marks only within the time`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe("a")
    let empty = try await test.subscribe("b")
    let ages = [0, 1, 8, 13, 20]
    try await test.merge(
      ages.map { day in
        Entry(
          id: "\(day)", title: "Day \(day)",
          published: noon.addingTimeInterval(Double(-86_400 * day)))
      }, into: feed)
    let ids = try await test.rows(TimelineQuery(.feed(feed), olderCount: 10)).compactMap {
      if case .article(let row) = $0 { row.id } else { nil }
    }
    try #require(ids.count == 5)
    try await test.store.edit { edit in
      try edit.marks.markOpened([ids[0]], now: noon.addingTimeInterval(-86_400))
      try edit.marks.set(.read(true), of: [ids[4]], now: noon)
      try edit.marks.set(.starred(true), of: [ids[2], ids[4]], now: noon)
    }
    let span = 14 * ReadingStatistics.day
    let found = try await test.store.view { try $0.feeds.readingStatistics(over: span, now: noon) }
    let (first, second) = (try #require(found.feeds.first), try #require(found.feeds.last))
    #expect(first.weeks == [2, 2] && first.unread == 3 && first.read == 1)
    #expect(first.days == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1])
    #expect(second.days == [Int](repeating: 0, count: 14))
    #expect(first.added == Int64(noon.timeIntervalSince1970))
    #expect(first.starred == 1 && first.opened == 1 && found.opened == [0, 1])
    #expect(first.newest == Int64(noon.timeIntervalSince1970))
    let long = try await test.store.view {
      try $0.feeds.readingStatistics(over: 60 * ReadingStatistics.day, now: noon)
    }
    let days = try #require(long.feeds.first).days
    #expect(days.count == 28 && days.reduce(0, +) == 5 && days[7] == 1 && days[27] == 1)
    #expect(long.feeds.first?.weeks == [0, 0, 0, 0, 0, 0, 1, 2, 2])
    // What is dated after the end of the time is of its last day.
    let earlier = try await test.store.view {
      try $0.feeds.readingStatistics(over: span, now: noon.addingTimeInterval(-3 * 86_400))
    }
    #expect(earlier.feeds.first?.weeks == [1, 3])
    #expect(earlier.feeds.first?.days == [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2])
    #expect(second.id == empty && second.weeks == [0, 0] && second.newest == nil)
  }
}
