internal import Foundation
internal import News
internal import Testing

@testable internal import Store

/// Lists in another order than that of the newest first.
struct OrderTests {
  /// Titles with capitals, accents, one in another script, two of a name, and one that is missing.
  private static let titles: [String?] = [
    "zebra", "Apple", "äpfel", "apple pie", "日本", "Zebra", nil, "b", "B", "éclair", "Same", "Same",
    "  led by spaces", "an article with a title that goes on and on",
  ]

  /// Three feeds, two of one name, with 40 articles each; every third is read.
  private func fill(_ test: borrowing TestStore) async throws -> [FeedID] {
    var feeds: [FeedID] = []
    for (number, name) in ["Middle", "alpha", "Middle"].enumerated() {
      let feed = try await test.subscribe("\(number)", folders: number < 2 ? ["F"] : [])
      feeds.append(feed)
      try await test.store.edit { try $0.actions.rename(feed, to: name, isTold: false, now: noon) }
      try await test.merge(
        (0..<40).map { item in
          Entry(
            id: "\(number)-\(item)", title: Self.titles[(item * 5 + number) % Self.titles.count],
            // Some are of the same second.
            published: noon.addingTimeInterval(Double(-3_600 * (item / 2) - number)),
            contentHTML: "<p>word\(item % 2)</p>")
        }, into: feed)
    }
    let all = try await test.rows(TimelineQuery(.all, olderCount: 1_000)).compactMap {
      row -> ArticleID? in
      if case .article(let article) = row { article.id } else { nil }
    }
    let read = all.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    try await test.store.edit { try $0.marks.set(.read(true), of: read, now: noon) }
    // Most have no score, as it is; several have the same one.
    let raw = try RawDatabase(test.folder)
    for (number, id) in all.enumerated() where number % 4 == 1 {
      let score = [5, -3, 1_000, 5, -1_000][number / 4 % 5]
      try raw.execute(
        "UPDATE articleStatus SET score = \(score) WHERE articleID = \(id.rawValue)")
    }
    return feeds
  }

  private static let lists: [(String, @Sendable ([FeedID]) throws -> Timeline)] = [
    ("all", { _ in .all }), ("unread", { _ in .unread }), ("folder", { _ in .folder("F") }),
    ("feed", { .feed($0[0]) }), ("search", { _ in .search("word1") }),
    ("query", { _ in .matching(try ArticleQuery("unread feed:middle word0"), in: .all) }),
  ]

  /// What comes first, by the rules of each order.
  private static func precedes(_ a: ArticleRow, _ b: ArticleRow, _ order: ListOrder) -> Bool {
    func dates(_ row: ArticleRow) -> (Int64, Int64) {
      (abs(row.position.date), abs(row.position.id))
    }
    func folded(_ text: String) -> String {
      String(text.drop { $0 == " " }).folding(
        options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
    switch order {
    case .newest: return dates(a) > dates(b)
    case .oldest: return dates(a) < dates(b)
    case .feed:
      let (one, other) = (
        (folded(a.feedTitle), a.feedID.rawValue), (folded(b.feedTitle), b.feedID.rawValue)
      )
      return one == other ? dates(a) > dates(b) : one < other
    case .opened, .relevance: return false
    case .score: return a.score == b.score ? dates(a) > dates(b) : a.score > b.score
    case .title:
      let (one, other) = (folded(a.title), folded(b.title))
      return one == other ? dates(a) > dates(b) : one < other
    }
  }

  @Test(arguments: [ListOrder.newest, .oldest, .feed, .title, .score], lists.map(\.0))
  func `Pages in both directions have each article once, in the order`(
    _ order: ListOrder, _ name: String
  ) async throws {
    let test = try TestStore()
    let feeds = try await fill(test)
    let timeline = try #require(Self.lists.first { $0.0 == name }).1(feeds)
    var query = TimelineQuery(timeline, olderCount: 1_000)
    let expected = try await rows(test, query).sorted { Self.precedes($0, $1, order) }.map(\.id)
    #expect(expected.count > 10)

    query.order = order
    query.olderCount = 7
    var down: [ArticleRow] = []
    while true {
      let slice = try await test.store.view { [query] in try $0.timeline.slice(query) }
      let found = articles(slice)
      down += found.dropFirst(down.isEmpty ? 0 : 1)
      #expect(slice.hasOlder == (down.count < expected.count))
      guard slice.hasOlder, let last = down.last else { break }
      query.anchor = .around(last.position)
    }
    #expect(down.map(\.id) == expected)
    #expect(zip(down, down.dropFirst()).allSatisfy { $0.position > $1.position })

    query.anchor = .oldest
    query.newerCount = 6
    var up: [ArticleRow] = []
    while true {
      let slice = try await test.store.view { [query] in try $0.timeline.slice(query) }
      let found = articles(slice)
      up = found.prefix(up.isEmpty ? found.count : found.count) + up
      guard slice.hasNewer, let first = up.first else { break }
      query.anchor = .around(first.position)
      query.olderCount = 0
    }
    #expect(up.map(\.id) == expected)

    // Around an article in the middle, by its id alone; and the next unread one from there.
    let middle = expected[expected.count / 2]
    query.anchor = .article(middle)
    (query.newerCount, query.olderCount) = (3, 3)
    let around = try await rows(test, query)
    let place = expected.count / 2
    #expect(around.map(\.id) == Array(expected[(place - 3)..<(place + 3)]))
    let position = try #require(around.first { $0.id == middle }).position
    let next = try await test.store.view {
      try $0.timeline.nextUnread(in: timeline, order, after: position)
    }
    let unread = down.drop { $0.id != middle }.dropFirst().first { !$0.status.isRead }
    #expect(next == unread?.position)
  }

  @Test func `What was read meanwhile keeps its place in a list of what is unread`() async throws {
    let test = try TestStore()
    _ = try await fill(test)
    for order in [ListOrder.newest, .oldest, .feed, .title, .score] {
      var query = TimelineQuery(.unread, olderCount: 200)
      query.order = order
      let before = try await rows(test, query)
      let read = before[before.count / 2].id
      try await test.store.edit { try $0.marks.set(.read(true), of: [read], now: noon) }
      query.keeping = [read]
      #expect(try await rows(test, query).map(\.id) == before.map(\.id), "\(order)")
      query.keeping = []
      #expect(try await rows(test, query).map(\.id) == before.map(\.id).filter { $0 != read })
    }
  }

  @Test func `What was opened comes back, the last first`() async throws {
    let test = try TestStore()
    _ = try await fill(test)
    let unread = try await rows(test, TimelineQuery(.unread, olderCount: 40)).map(\.id)
    let opened = [unread[3], unread[30], unread[7], unread[0], unread[12]]
    for (number, id) in opened.enumerated() {
      let time = Date.now.addingTimeInterval(Double(number) - 100)
      try await test.store.edit { try $0.marks.markOpened([id], now: time) }
    }
    let lately = Timeline.matching(try #require(ArticleQuery.readLately), in: .all)
    var query = TimelineQuery(lately, olderCount: 3)
    query.order = lately.ownOrder
    let first = try await rows(test, query)
    #expect(first.map(\.id) == Array(opened.reversed().prefix(3)))
    query.anchor = .around(first[2].position)
    query.newerCount = 1
    #expect(try await rows(test, query).map(\.id) == Array(opened.reversed().dropFirst(1)))
    query.anchor = .article(opened[1])
    (query.newerCount, query.olderCount) = (1, 1)
    #expect(try await rows(test, query).map(\.id) == [opened[2], opened[1]])
    #expect(try await test.store.view { try $0.timeline.counts(of: lately).total } == 5)
    let old = Timeline.matching(try ArticleQuery("opened:1min"), in: .all)
    #expect(try await test.store.view { try $0.timeline.counts(of: old).total } == 0)
    try await test.store.edit { try $0.journal.clear() }
    #expect(try await test.store.view { try $0.timeline.counts(of: lately).total } == 0)
  }

  @Test func `A list by score begins with what has one, and goes on where another one ended`()
    async throws
  {
    let test = try TestStore()
    _ = try await fill(test)
    var query = TimelineQuery(.all, olderCount: 200)
    query.order = .score
    let all = try await rows(test, query)
    let scores = all.map(\.score)
    #expect(scores.first == 1_000 && scores.last == -1_000)
    #expect(scores == scores.sorted(by: >) && scores.filter { $0 == 0 }.count == 90)
    // A position of a list by date, and one that is none.
    for (text, first) in [("", all.first), ("zebra", nil)] {
      query.anchor = .around(TimelinePosition(date: 0, id: 0, text: text))
      #expect(try await rows(test, query).first?.id == first?.id)
    }
  }

  @Test func `A query says how its articles are sorted`() throws {
    let query = try ArticleQuery("unread sort:oldest feed:HN")
    #expect(query.order == .oldest)
    #expect(query.conditionText == "unread feed:HN")
    #expect(try query.condition == ArticleQuery("unread feed:HN").condition)
    #expect(Timeline.matching(query, in: .all).ownOrder == .oldest)
    #expect(try !ArticleQuery("sort:title").isEmpty && ArticleQuery("sort:title").picksAll)
    for text in ["(sort:oldest a)", "-sort:oldest", "sort:never", "a OR sort:title"] {
      #expect(throws: QueryError.self, "\(text)") { try ArticleQuery(text) }
    }
  }

  private func rows(
    _ test: borrowing TestStore, _ query: TimelineQuery
  ) async throws -> [ArticleRow] {
    articles(try await test.store.view { try $0.timeline.slice(query) })
  }

  private func articles(_ slice: TimelineSlice) -> [ArticleRow] {
    slice.rows.compactMap { if case .article(let row) = $0 { row } else { nil } }
  }
}
