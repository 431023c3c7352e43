internal import Foundation
internal import News
internal import Testing

@testable internal import Store

/// What counts as having arrived.
struct ArrivalTests {
  /// An article of so many minutes after noon.
  private func article(_ minutes: Int, _ title: String? = nil) -> Entry {
    Entry(
      id: "at \(minutes)", title: title ?? "at \(minutes)",
      published: noon.addingTimeInterval(Double(minutes) * 60), contentHTML: "<p>news</p>")
  }

  private func arrivals(
    _ store: borrowing TestStore, _ timeline: Timeline = .all, since: Int64? = 0,
    unreadOnly: Bool = false
  ) async throws -> (minutes: [Int], ofNewFeeds: [Int]) {
    let query = TimelineQuery(
      timeline, unreadOnly: unreadOnly, mergesDuplicates: true, arrivedAfter: since)
    let arrivals = try await store.store.view { try $0.timeline.arrivals(query) }
    func minutes(_ articles: [Arrivals.Arrival]) -> [Int] {
      articles.map { (Int($0.position.date) - Int(noon.timeIntervalSince1970)) / 60 }.sorted()
    }
    return (
      minutes(arrivals.articles.filter { !$0.isFromNewFeed }),
      minutes(arrivals.articles.filter(\.isFromNewFeed))
    )
  }

  private func lastID(_ store: borrowing TestStore) async throws -> Int64 {
    try await store.store.view { try $0.timeline.arrivals(TimelineQuery(.all)).lastID }
  }

  private let late = noon.addingTimeInterval(86_400)

  @Test func `A refresh and what a server tells bring arrivals, older pages and imports none`()
    async throws
  {
    let store = try TestStore()
    let feed = try await store.subscribe()
    let other = try await store.subscribe("b")
    try await store.merge([article(100), article(90)], next: "2", into: feed, now: late)
    try await store.merge([article(500)], into: other, now: late)
    let seen = try await lastID(store)
    #expect(try await arrivals(store, since: seen).minutes == [])
    try await store.merge([article(80), article(70)], next: "3", into: feed, at: .older, now: late)
    try await store.merge(
      [article(60)], into: feed, at: .imported(areRead: false), now: late)
    #expect(try await arrivals(store, since: seen).minutes == [])
    // Newer than all of its feed, though not than the top of the list.
    try await store.merge([article(120), article(110), article(100)], into: feed, now: late)
    try await store.merge([article(130)], into: feed, at: .pushed, now: late)
    let arrived = try await arrivals(store, since: seen)
    #expect(arrived.minutes == [110, 120, 130] && arrived.ofNewFeeds == [])
    #expect(try await arrivals(store, .feed(other), since: seen).minutes == [])
    #expect(try await arrivals(store, .feed(feed), since: seen).minutes == [110, 120, 130])
    #expect(try await arrivals(store, since: nil).minutes == [])
    #expect(try await arrivals(store, since: lastID(store)).minutes == [])
  }

  @Test func `What fills a gap has not arrived`() async throws {
    let store = try TestStore()
    let feed = try await store.subscribe()
    try await store.merge([article(10)], into: feed, now: late)
    try await store.merge([article(100)], next: "gap", into: feed, now: late)
    let gap = try #require(try await store.gaps(feed).first)
    let seen = try await lastID(store)
    try await store.merge(
      [article(90), article(80)], next: "more", into: feed, at: .gap(gap.id), now: late)
    #expect(try await arrivals(store, since: seen).minutes == [])
  }

  @Test func `The articles of a feed without any before are told apart`() async throws {
    let store = try TestStore()
    try await store.merge([article(10)], into: store.subscribe(), now: late)
    let seen = try await lastID(store)
    try await store.merge([article(20), article(5)], into: store.subscribe("b"), now: late)
    let arrived = try await arrivals(store, since: seen)
    #expect(arrived.minutes == [] && arrived.ofNewFeeds == [5, 20])
  }

  @Test func `Only what the list shows counts`() async throws {
    let store = try TestStore()
    let feed = try await store.subscribe(folders: ["Work"])
    let other = try await store.subscribe("b")
    for feed in [feed, other] { try await store.merge([article(10)], into: feed, now: late) }
    let seen = try await lastID(store)
    try await store.merge([article(20, "quokka"), article(30)], into: feed, now: late)
    try await store.merge([article(40)], into: other, now: late)
    let read = try await store.rows(TimelineQuery(.feed(feed))).first { $0.position.date > 0 }
    let id = ArticleID(try #require(read).position.id)
    try await store.store.edit { try $0.marks.set(.read(true), of: [id], now: noon) }
    #expect(try await arrivals(store, since: seen).minutes == [20, 30, 40])
    #expect(try await arrivals(store, .folder("Work"), since: seen).minutes == [20, 30])
    #expect(try await arrivals(store, .unread, since: seen).minutes == [20, 40])
    #expect(
      try await arrivals(store, .folder("Work"), since: seen, unreadOnly: true).minutes == [20])
    #expect(try await arrivals(store, .search("quokka"), since: seen).minutes == [20])
    #expect(try await arrivals(store, .starred, since: seen).minutes == [])
  }
}
