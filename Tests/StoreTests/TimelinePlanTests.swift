internal import Foundation
internal import GRDB
internal import News
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Store

/// The indexes that the queries of a timeline use, as SQLite itself tells.
@Suite struct TimelinePlanTests {
  struct Case: CustomTestStringConvertible {
    var query: TimelineQuery
    var index: String

    init(_ query: TimelineQuery, _ index: String) { (self.query, self.index) = (query, index) }

    var testDescription: String { "\(query.timeline), unread only: \(query.unreadOnly)" }

    /// From an end of the list: its first rows, and no others.
    var planFromEnd: Set<String> {
      index.hasSuffix("ByFeed")
        ? ["SEARCH articleStatus USING INDEX \(index) (feedID=?)"]
        : ["SCAN articleStatus USING INDEX \(index)"]
    }

    /// From within, in both directions.
    var planFromWithin: Set<String> {
      let feed = index.hasSuffix("ByFeed") ? "feedID=? AND " : ""
      return Set(
        ["<", ">"].map {
          "SEARCH articleStatus USING INDEX \(index) (\(feed)sortDate\($0)?)"
        })
    }
  }

  static let cases: [Case] = [
    Case(TimelineQuery(.all), "statusByDate"),
    Case(TimelineQuery(.all, mergesDuplicates: true), "statusByDate"),
    Case(TimelineQuery(.all, unreadOnly: true), "statusUnread"),
    Case(TimelineQuery(.unread), "statusUnread"),
    Case(TimelineQuery(.unread, mergesDuplicates: true), "statusUnread"),
    Case(TimelineQuery(.starred), "statusStarred"),
    Case(TimelineQuery(.starred, unreadOnly: true), "statusStarred"),
    Case(TimelineQuery(.feed(FeedID(1))), "statusByFeed"),
    Case(TimelineQuery(.feed(FeedID(1)), unreadOnly: true), "statusUnreadByFeed"),
    Case(TimelineQuery(.folder("few")), "statusByFeed"),
    Case(TimelineQuery(.folder("few"), unreadOnly: true), "statusUnreadByFeed"),
    Case(TimelineQuery(.folder("many")), "statusByDate"),
    Case(TimelineQuery(.folder("many"), unreadOnly: true), "statusUnread"),
  ]

  @Test(arguments: cases)
  func `A page of a timeline is read along the index made for it`(_ item: Case) async throws {
    let test = try TestStore()
    for number in 0..<50 {
      try await test.subscribe("\(number)", folders: number < 3 ? ["few", "many"] : ["many"])
    }
    try await test.merge([entry("a", at: 0), entry("b", at: 1)], into: FeedID(1))
    let raw = try RawDatabase(test.folder)
    let anchors: [TimelineQuery.Anchor] = [
      .newest, .oldest, .around(TimelinePosition(date: 1_700_000_000, id: 1)),
    ]
    for anchor in anchors {
      var query = item.query
      query.anchor = anchor
      query.newerCount = 10
      let plan = try raw.plan { _ = try StoreView(db: $0).timeline.slice(query) }
      let expected = anchor == .newest || anchor == .oldest ? item.planFromEnd : item.planFromWithin
      // Where a story is one row, what stands behind the rows is looked up as well.
      let stories = "SEARCH articleStatus USING COVERING INDEX statusStory (storyOf=?)"
      #expect(
        plan == (query.hidesDuplicates ? expected.union([stories]) : expected), "\(anchor)")
    }
  }

  @Test func `A page of a list by score is read along the indexes of scores and of the list`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", at: 0), entry("b", at: 1)], into: feed)
    let raw = try RawDatabase(test.folder)
    for (timeline, index) in [(Timeline.all, "statusByDate"), (.feed(feed), "statusByFeed")] {
      var query = TimelineQuery(timeline)
      query.order = .score
      let scan = timeline == .all ? "SCAN" : "SEARCH"
      let feedID = timeline == .all ? "" : "feedID=? AND "
      // Around an article of score 5, and around one of score 0.
      query.anchor = .around(TimelinePosition(date: 1_700_000_000, id: 1, text: "0995"))
      #expect(
        try raw.plan { _ = try StoreView(db: $0).timeline.slice(query) } == [
          "SEARCH articleStatus USING INDEX statusByScore (score>?)",
          "SEARCH articleStatus USING INDEX statusByScore (score>? AND (score,sortDate)<(?,?))",
          "\(scan) articleStatus USING INDEX \(index)\(timeline == .all ? "" : " (feedID=?)")",
          "SEARCH articleStatus USING INDEX statusByScore (score<?)",
        ])
      query.anchor = .around(TimelinePosition(date: 1_700_000_000, id: 1, text: "1000"))
      #expect(
        try raw.plan { _ = try StoreView(db: $0).timeline.slice(query) } == [
          "SEARCH articleStatus USING INDEX \(index) (\(feedID)sortDate>?)",
          "SEARCH articleStatus USING INDEX \(index) (\(feedID)sortDate<?)",
          "SEARCH articleStatus USING INDEX statusByScore (score<?)",
        ])
    }
  }

  @Test(arguments: [false, true])
  func `The articles of a batch are found by its number`(hasStatistics: Bool) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let entries = (0..<50).map { (number: Int) in entry("\(number)", at: number) }
    try await test.merge(entries, into: feed)
    let raw = try RawDatabase(test.folder)
    if hasStatistics { try raw.execute("ANALYZE") }
    let batch = OutboxItem(
      id: 1, account: AccountID(1), key: "", change: .readBatch(1, true), created: noon, attempts: 0
    )
    let plan = try raw.plan {
      try StoreEdit(db: $0, journalKeeping: JournalKeeping(limit: 0), storyTexts: nil)
        .outbox.noteAccepted(batch, by: AccountID(1))
    }
    #expect(plan == ["SEARCH articleStatus USING COVERING INDEX statusByBatch (batch=?)"])
  }

  @Test(arguments: [false, true])
  func `A page of a search looks up what the words match, by id`(_ unreadOnly: Bool) async throws {
    let test = try TestStore()
    let raw = try RawDatabase(test.folder)
    let query = TimelineQuery(.search("words"), unreadOnly: unreadOnly)
    let plan = try raw.plan { _ = try StoreView(db: $0).timeline.slice(query) }
    #expect(plan == ["SEARCH articleStatus USING INTEGER PRIMARY KEY (rowid=?)"])
  }
}

extension RawDatabase {
  /// How SQLite reads `articleStatus` in the statements that the body runs. What they change is taken back.
  fileprivate func plan(_ body: (Database) throws -> Void) throws -> Set<String> {
    var plan: Set<String> = []
    try queue.inTransaction { db in
      let log = Mutex<[String]>([])
      db.trace { event in
        let statement = event.expandedDescription
        log.withLock { $0.append(statement) }
      }
      try body(db)
      db.trace()
      let statements = log.withLock { $0 }.filter {
        $0.hasPrefix("SELECT") || $0.hasPrefix("UPDATE")
      }
      let steps = try statements.flatMap {
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + $0).map { $0["detail"] as String }
      }
      plan = Set(steps.filter { $0.contains(" articleStatus") })
      return .rollback
    }
    return plan
  }
}
