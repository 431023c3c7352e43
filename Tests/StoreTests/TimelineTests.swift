internal import Foundation
internal import News
internal import Store
internal import Testing

/// Slices against the plainest thing that could be right: everything, sorted.
@Suite struct TimelineTests {
  /// What a timeline is, as a condition on the articles of the model.
  struct Case: CustomTestStringConvertible {
    var name: String
    var timeline: @Sendable ([FeedID]) -> Timeline
    var unreadOnly = false
    var contains: @Sendable (Model.Item) -> Bool

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "all", timeline: { _ in .all }) { _ in true },
    Case(name: "all unread", timeline: { _ in .all }, unreadOnly: true) { !$0.isRead },
    Case(name: "unread", timeline: { _ in .unread }) { !$0.isRead },
    Case(name: "starred", timeline: { _ in .starred }) { $0.isStarred },
    Case(name: "starred unread", timeline: { _ in .starred }, unreadOnly: true) {
      $0.isStarred && !$0.isRead
    },
    Case(name: "feed", timeline: { .feed($0[3]) }) { $0.feed == 3 },
    Case(name: "feed unread", timeline: { .feed($0[3]) }, unreadOnly: true) {
      $0.feed == 3 && !$0.isRead
    },
    Case(name: "few feeds", timeline: { _ in .folder("few") }) { $0.feed < 5 },
    Case(name: "few feeds unread", timeline: { _ in .folder("few") }, unreadOnly: true) {
      $0.feed < 5 && !$0.isRead
    },
    Case(name: "inner folder", timeline: { _ in .folder("few/inner") }) { $0.feed == 0 },
    Case(name: "many feeds", timeline: { _ in .folder("many") }) { $0.feed >= 2 },
    Case(name: "many feeds unread", timeline: { _ in .folder("many") }, unreadOnly: true) {
      $0.feed >= 2 && !$0.isRead
    },
    Case(name: "search", timeline: { _ in .search("needle") }) { $0.hasNeedle },
    Case(name: "search unread", timeline: { _ in .search("needle") }, unreadOnly: true) {
      $0.hasNeedle && !$0.isRead
    },
  ]

  @Test(arguments: cases)
  func `A walk in either direction is the sorted list`(_ item: Case) async throws {
    let test = try TestStore()
    var model = try await Model(test.store, seed: 7)
    try await model.markSome(test.store)
    let timeline = item.timeline(model.feeds)
    let expected = model.items.filter(item.contains).map(\.position).sorted(by: >)
    #expect(!expected.isEmpty)

    var query = TimelineQuery(timeline, unreadOnly: item.unreadOnly, olderCount: 7)
    var down: [TimelinePosition] = []
    while true {
      let slice = try await slice(test.store, query)
      let rows = slice.rows.map(\.position).filter { $0 != down.last }
      down += rows
      #expect(slice.hasOlder == (down.count < expected.count))
      guard slice.hasOlder, let last = down.last else { break }
      query.anchor = .around(last)
      query.olderCount = 8
    }
    #expect(down == expected)

    query = TimelineQuery(
      timeline, unreadOnly: item.unreadOnly, anchor: .oldest, newerCount: 7, olderCount: 7)
    var up: [TimelinePosition] = []
    while true {
      let slice = try await slice(test.store, query)
      up = slice.rows.map(\.position).filter { up.isEmpty || $0 > up[0] } + up
      #expect(slice.hasNewer == (up.count < expected.count))
      guard slice.hasNewer, let first = up.first else { break }
      query.anchor = .around(first)
      query.olderCount = 0
    }
    #expect(up == expected)
    let counts = try await test.store.view { try $0.timeline.counts(of: timeline) }
    if !item.unreadOnly { #expect(counts.total == expected.count) }
  }

  @Test(arguments: cases)
  func `New articles and marks between two pages make none appear twice or be skipped`(
    _ item: Case
  ) async throws {
    let test = try TestStore()
    var model = try await Model(test.store, seed: 21)
    let timeline = item.timeline(model.feeds)
    let ahead = Set(model.items.map(\.position))
    var seen: [TimelinePosition] = []
    var query = TimelineQuery(timeline, unreadOnly: item.unreadOnly, olderCount: 5)
    while true {
      let rows = try await slice(test.store, query).rows.map(\.position)
      let fresh = rows.filter { position in seen.last.map { position < $0 } ?? true }
      seen += fresh
      guard let last = seen.last, !fresh.isEmpty else { break }
      // Above: more articles. Behind: marks on what has been passed already.
      try await model.insertOnTop(test.store, 3)
      let passed = model.items.filter { $0.position >= last }.prefix(4).map(\.position)
      try await model.setRead(Set(passed), true, test.store)
      query.anchor = .around(last)
      query.olderCount = 6
    }
    #expect(Set(seen).count == seen.count)
    #expect(seen == seen.sorted(by: >))
    let missed = model.items.filter {
      ahead.contains($0.position) && item.contains($0) && !seen.contains($0.position)
    }
    #expect(missed.isEmpty)
  }

  @Test func `What was read since the list was opened stays in it`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe(folders: ["f"])
    try await test.merge((0..<6).map { entry("\($0)", at: -$0, content: "word") }, into: feed)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit {
      try $0.marks.set(.read(true), of: [ids[0], ids[1], ids[4]], now: noon)
    }
    for timeline in [Timeline.unread, .feed(feed), .folder("f"), .search("word")] {
      let query = TimelineQuery(timeline, unreadOnly: true, keeping: [ids[1], ids[4]])
      let rows = try await test.rows(query)
      #expect(rows.map(\.position.id) == [1, 2, 3, 4, 5].map { ids[$0].rawValue }, "\(timeline)")
    }
    // An article of another list is not pulled in by being kept.
    let starred = TimelineQuery(.starred, unreadOnly: true, keeping: [ids[1]])
    #expect(try await test.rows(starred).isEmpty)
  }

  @Test func `A kept article above the stretch counts as something newer`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("kept", at: -1), entry("unread", at: -2)], into: feed)
    let articles = try await test.articles(feed)
    try await test.store.edit { try $0.marks.set(.read(true), of: [articles[0].id], now: noon) }
    let query = TimelineQuery(
      .unread, keeping: [articles[0].id], anchor: .around(articles[1].position))
    let slice = try await slice(test.store, query)
    #expect(slice.rows.map(\.position) == [articles[1].position])
    #expect(slice.hasNewer)
  }

  @Test func `The next unread article is below, and nil where there is none`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge((0..<4).map { entry("\($0)", at: -$0) }, into: feed)
    let articles = try await test.articles(feed)
    try await test.store.edit { try $0.marks.set(.read(true), of: [articles[1].id], now: noon) }
    func next(_ position: TimelinePosition?) async throws -> TimelinePosition? {
      try await test.store.view { try $0.timeline.nextUnread(in: .feed(feed), after: position) }
    }
    #expect(try await next(nil) == articles[0].position)
    #expect(try await next(articles[0].position) == articles[2].position)
    #expect(try await next(articles[3].position) == nil)
  }

  private func slice(_ store: Store, _ query: TimelineQuery) async throws -> TimelineSlice {
    try await store.view { try $0.timeline.slice(query) }
  }
}
