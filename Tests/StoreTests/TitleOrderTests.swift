internal import Foundation
internal import GRDB
internal import News
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Store

/// Long lists by title, which are read along an index of how the titles begin.
@Suite struct TitleOrderTests {
  /// Titles that are alike to different lengths, some beyond the bytes of a key, and some altogether.
  private static func title(_ dice: inout SplitMix) -> String? {
    let beginnings = [
      "", "The weekly letter of everything: ", "the Weekly Letter of everything:  ", "Äpfel und ",
      "日本語の新聞の見出しはとても長い", "ÉCLAIR ", "a\u{301}", "  led ", "x", "ＷＩＤＥ",
    ]
    let endings = ["", "a", "B", "é", "ß", "zebra", "语", "12", "2", "\u{1F44B}"]
    if Int.random(in: 0..<20, using: &dice) == 0 { return nil }
    let count = Int.random(in: 0..<4, using: &dice)
    let text = beginnings.randomElement(using: &dice) ?? ""
    return (0..<count).reduce(text) { text, _ in
      text + (endings.randomElement(using: &dice) ?? "")
    }
  }

  private static func entries(
    _ count: Int, _ name: String, _ dice: inout SplitMix
  ) -> [Entry] {
    (0..<count).map { number in
      Entry(
        id: "\(name)-\(number)", title: title(&dice),
        published: noon.addingTimeInterval(-Double(Int.random(in: 0..<300, using: &dice))),
        contentHTML: "<p>word\(number % 3)</p>")
    }
  }

  /// Three feeds with 1,900 articles, one of which has few; a third is read.
  private func fill(_ test: borrowing TestStore, _ dice: inout SplitMix) async throws -> [FeedID] {
    var feeds: [FeedID] = []
    for (number, count) in [(0, 1_200), (1, 600), (2, 100)] {
      let feed = try await test.subscribe("\(number)", folders: number < 2 ? ["F"] : [])
      feeds.append(feed)
      try await test.merge(Self.entries(count, "\(number)", &dice), into: feed)
    }
    try RawDatabase(test.folder).execute(
      "UPDATE articleStatus SET isRead = 1 WHERE articleID % 3 = 0")
    return feeds
  }

  /// The articles of a list as plain sorting puts them.
  private func sorted(
    _ test: borrowing TestStore, _ timeline: Timeline
  ) async throws -> [ArticleRow] {
    let rows = articles(
      try await test.store.view {
        try $0.timeline.slice(TimelineQuery(timeline, olderCount: 10_000))
      })
    var titles: [Int64: String] = [:]
    let stored = "SELECT id, coalesce(title, excerpt, url, entryID) FROM article"
    for line in try RawDatabase(test.folder).strings(stored) {
      let (id, title) = (line.prefix { $0 != "|" }, line.drop { $0 != "|" }.dropFirst())
      titles[try #require(Int64(id))] = String(title)
    }
    func key(_ row: ArticleRow) -> (String, Int64, Int64) {
      let title = titles[row.id.rawValue] ?? ""
      return (SortText.text(of: title), -row.position.date, -row.position.id)
    }
    return rows.map { (key($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Reads sections at random places, in both directions.
  private func check(
    _ test: borrowing TestStore, _ timelines: [Timeline], _ dice: inout SplitMix,
    _ stage: String
  ) async throws {
    for timeline in timelines {
      let expected = try await sorted(test, timeline)
      for _ in 0..<8 {
        var query = TimelineQuery(timeline)
        query.order = .title
        (query.newerCount, query.olderCount) = (
          Int.random(in: 0..<40, using: &dice), Int.random(in: 1..<120, using: &dice)
        )
        let place = Int.random(in: 0..<expected.count, using: &dice)
        let range: Range<Int>
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: range = 0..<min(query.olderCount, expected.count)
        case 1:
          query.anchor = .oldest
          range = max(0, expected.count - query.olderCount)..<expected.count
        default:
          query.anchor = .article(expected[place].id)
          range =
            max(0, place - query.newerCount)..<min(expected.count, place + query.olderCount)
        }
        let slice = try await test.store.view { [query] in try $0.timeline.slice(query) }
        let isSame = articles(slice).map(\.id) == expected[range].map(\.id)
        try #require(isSame, "\(stage): \(timeline), \(range)")
        #expect(slice.hasOlder == (range.upperBound < expected.count), "\(stage)")
        #expect(slice.hasNewer == (range.lowerBound > 0), "\(stage)")
      }
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func
    `Sections of long lists are those of plain sorting, whatever has changed since the order was made`(
      _ seed: UInt64
    ) async throws
  {
    var dice = SplitMix(seed: seed)
    let test = try TestStore()
    let feeds = try await fill(test, &dice)
    let lists = [
      Timeline.all, .unread, .folder("F"), .feed(feeds[0]), .feed(feeds[2]), .search("word1"),
      .matching(try ArticleQuery("-read word2"), in: .all),
    ]
    try await check(test, lists, &dice, "sorted")
    #expect(try await !walks(test, .all))

    try await test.store.orderTitles(begins: true)
    let raw = try RawDatabase(test.folder)
    #expect(try raw.problems() == [])
    for list in lists[0..<4] { #expect(try await walks(test, list)) }
    #expect(try await !walks(test, .feed(feeds[2])))
    try await check(test, lists, &dice, "walked")

    // Articles that come, change their titles, go, and come back have no keys.
    try await test.merge(Self.entries(60, "new", &dice), into: feeds[1])
    var changed = Self.entries(300, "0", &dice)
    changed.removeSubrange(0..<200)
    for place in changed.indices { changed[place].updated = noon + 5_000 }
    try await test.merge(changed, into: feeds[0])
    try await test.store.edit { try $0.actions.remove(feeds[2], isTold: false, now: noon) }
    try await check(test, lists.filter { $0 != .feed(feeds[2]) }, &dice, "changed")
    try await test.store.edit { _ = try $0.journal.undo(now: noon) }
    try await test.merge(Self.entries(5, "newer", &dice), into: feeds[2])
    let missing = try raw.strings(
      """
      SELECT (SELECT count(*) FROM article WHERE id NOT IN (SELECT titledID FROM titleKey)),
        (SELECT count(*) FROM titleKey WHERE key IS NULL) > 150
      """)
    #expect(missing == ["65|1"])
    #expect(try await walks(test, .all))
    try await check(test, lists, &dice, "returned")

    try await test.store.orderTitles(begins: false)
    #expect(
      try raw.strings(
        """
        SELECT count(*) FROM article LEFT JOIN titleKey ON titledID = id
        WHERE key IS NOT \(SortText.keyOfArticle)
        """) == ["0"])
    #expect(try raw.problems() == [])
    try await check(test, lists, &dice, "ordered again")
  }

  @Test func `Only the articles near a section are looked at`() async throws {
    var dice = SplitMix(seed: 4)
    let test = try TestStore()
    _ = try await fill(test, &dice)
    try await test.store.orderTitles(begins: true)
    var query = TimelineQuery(.unread)
    query.order = .title
    query.anchor = .around(TimelinePosition(date: 0, id: 0, text: "the weekly letter of every"))
    query.newerCount = 10
    let plan = try plan(of: query, in: RawDatabase(test.folder))
    let read = plan.filter { $0.contains(" articleStatus") }
    #expect(Set(read) == ["SEARCH articleStatus USING INTEGER PRIMARY KEY (rowid=?)"])
    #expect(plan.contains { $0.contains("SEARCH titleKey USING COVERING INDEX titleByKey (key>?") })
    #expect(plan.contains("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"))
  }

  @Test func `A list with few of the articles nearby is sorted instead`() async throws {
    var dice = SplitMix(seed: 5)
    let test = try TestStore()
    _ = try await fill(test, &dice)
    try await test.store.orderTitles(begins: true)
    try await test.store.view { view in
      let selection = try #require(
        try ArticleSelection(TimelineQuery(.unread).predicate, in: view))
      let near = try #require(try TitleWalk(view: view, selection: selection, reach: 20))
      #expect(try near.rows(.older(than: nil), limit: 100) == nil)
      #expect(try near.rows(.newer(than: nil), limit: 100) == nil)
      let far = try #require(try TitleWalk(view: view, selection: selection))
      let rows = try #require(try far.rows(.older(than: nil), limit: 2_000))
      #expect(rows.count == 1_267)
      let last = try #require(rows.last).position
      #expect(try near.rows(.older(than: last), limit: 100)?.isEmpty == true)
    }
  }

  @Test func `The order is not made before a list is sorted by titles, nor of few articles`()
    async throws
  {
    var dice = SplitMix(seed: 6)
    let test = try TestStore()
    let raw = try RawDatabase(test.folder)
    let feed = try await test.subscribe()
    try await test.merge(Self.entries(900, "a", &dice), into: feed)
    try await test.store.orderTitles(begins: true)
    #expect(try raw.strings("SELECT count(*) FROM titleOrder") == ["0"])
    try await test.merge(Self.entries(900, "b", &dice), into: feed)
    try await test.store.orderTitles(begins: false)
    #expect(try raw.strings("SELECT count(*) FROM titleKey") == ["0"])
    try await test.store.orderTitles(begins: true)
    #expect(try raw.strings("SELECT count(*) FROM titleKey WHERE key IS NOT NULL") == ["1800"])
    try await test.store.edit { try $0.feeds.unsubscribe(feed) }
    #expect(try raw.strings("SELECT count(*) FROM titleKey") == ["0"])
  }

  @Test func `An order that was begun goes on, and lists are sorted without it until it is whole`()
    async throws
  {
    var dice = SplitMix(seed: 7)
    let test = try TestStore()
    let feeds = try await fill(test, &dice)
    for _ in 0..<2 {
      let isMore = try await test.store.orderSlice()
      #expect(isMore)
    }
    let raw = try RawDatabase(test.folder)
    #expect(try raw.strings("SELECT count(*) FROM titleKey") == ["1000"])
    #expect(try await !walks(test, .all))
    try await check(test, [.all, .feed(feeds[0])], &dice, "begun")
    // One comes back among those that are done.
    try await test.store.edit { try $0.actions.remove(feeds[0], isTold: false, now: noon) }
    try await test.store.edit { _ = try $0.journal.undo(now: noon) }
    try await test.store.orderTitles(begins: false)
    #expect(try await walks(test, .all))
    try await check(test, [.all, .feed(feeds[0])], &dice, "whole")
  }

  @Test func `Keys of another folding are not read, and made anew`() async throws {
    var dice = SplitMix(seed: 8)
    let test = try TestStore()
    _ = try await fill(test, &dice)
    try await test.store.orderTitles(begins: true)
    let raw = try RawDatabase(test.folder)
    try raw.execute("UPDATE titleOrder SET folding = folding + 1; UPDATE titleKey SET key = x'41'")
    #expect(try await !walks(test, .all))
    try await check(test, [.all], &dice, "of another folding")
    try await test.store.orderTitles(begins: false)
    #expect(try await !walks(test, .all))
    try await test.store.orderTitles(begins: true)
    #expect(try await walks(test, .all))
    try await check(test, [.all], &dice, "made anew")
    #expect(try raw.problems() == [])
  }

  @Test func `Articles that have lost their rows get them with the next first list`() async throws {
    var dice = SplitMix(seed: 10)
    let test = try TestStore()
    _ = try await fill(test, &dice)
    try await test.store.orderTitles(begins: true)
    try RawDatabase(test.folder).execute("DELETE FROM titleKey WHERE titledID % 9 = 0")
    try await test.store.orderTitles(begins: true)
    #expect(try await walks(test, .all))
    try await check(test, [.all], &dice, "mended")
  }

  @Test func `A recovered store makes the order again`() async throws {
    var dice = SplitMix(seed: 9)
    let test = try TestStore()
    _ = try await fill(test, &dice)
    try await test.store.orderTitles(begins: true)
    let raw = try RawDatabase(test.folder)
    // The first page of the articles is lost.
    let page = try raw.strings(
      "SELECT rootpage FROM sqlite_master WHERE name = 'articleEntry'")
    let size = try raw.strings("PRAGMA page_size")
    let number = try #require(page.first.flatMap(Int.init))
    let bytes = try #require(size.first.flatMap(Int.init))
    try raw.queue.inDatabase { _ = try $0.checkpoint(.truncate) }
    try raw.queue.close()
    let path = test.folder + "/telex.sqlite"
    var data = try Data(contentsOf: URL(filePath: path))
    for place in ((number - 1) * bytes)..<(number * bytes) { data[place] = 0xA5 }
    try data.write(to: URL(filePath: path))
    let store = try Store(folder: test.folder)
    _ = try await store.repair()
    #expect(store.untoldRecovery != nil)
    #expect(try await store.view { try $0.timeline.titleOrderState() == nil })
    try await store.orderTitles(begins: true)
    #expect(try RawDatabase(test.folder).problems() == [])
    let count = try await store.view { view in
      var query = TimelineQuery(.all, olderCount: 5_000)
      query.order = .title
      return try view.timeline.slice(query).rows.count
    }
    #expect(count == 1_900)
  }

  /// Whether a list would be read along the index.
  private func walks(_ test: borrowing TestStore, _ timeline: Timeline) async throws -> Bool {
    try await test.store.view { view in
      guard let selection = try ArticleSelection(TimelineQuery(timeline).predicate, in: view)
      else { return false }
      return try TitleWalk(view: view, selection: selection) != nil
    }
  }

  /// How SQLite reads the section that a query asks for.
  private func plan(of query: TimelineQuery, in raw: RawDatabase) throws -> [String] {
    try raw.queue.read { db in
      let log = Mutex<[String]>([])
      db.trace { event in
        let statement = event.expandedDescription
        log.withLock { $0.append(statement) }
      }
      _ = try StoreView(db: db).timeline.slice(query)
      db.trace()
      return try log.withLock({ $0 }).filter { $0.hasPrefix("SELECT") }.flatMap {
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + $0).map { $0["detail"] as String }
      }
    }
  }

  private func articles(_ slice: TimelineSlice) -> [ArticleRow] {
    slice.rows.compactMap { if case .article(let row) = $0 { row } else { nil } }
  }
}
