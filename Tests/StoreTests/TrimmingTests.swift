internal import Foundation
internal import GRDB
internal import News
internal import Testing

@testable internal import Store

/// Articles whose time is over.
struct TrimmingTests {
  /// A feed with an article of each of the last days, read but for every fifth.
  private func fill(
    _ test: borrowing TestStore, _ name: String = "a", days: Int = 40
  ) async throws -> FeedID {
    let feed = try await test.subscribe(name)
    try await test.merge(entries(days), into: feed)
    // They came when they were written.
    try await test.store.edit { edit in
      try edit.db.execute(
        sql: """
          UPDATE article SET firstSeen = (SELECT sortDate FROM articleStatus WHERE articleID = id)
          WHERE feedID = ?
          """, arguments: [feed.rawValue])
    }
    let rows = try await articles(test, feed)
    let read = rows.enumerated().filter { $0.offset % 5 != 0 }.map(\.element.id)
    try await test.store.edit { try $0.marks.set(.read(true), of: read, now: noon) }
    return feed
  }

  private func entries(_ days: Int) -> [Entry] {
    (0..<days).map { day in
      Entry(
        id: "\(day)", title: "Day \(day)",
        published: noon.addingTimeInterval(Double(-86_400 * day)),
        contentHTML: "<p>" + String(repeating: "needle\(day) \(day * 7919) ", count: 200) + "</p>")
    }
  }

  private func articles(
    _ test: borrowing TestStore, _ feed: FeedID
  ) async throws -> [ArticleRow] {
    try await test.rows(TimelineQuery(.feed(feed), olderCount: 1_000)).compactMap {
      if case .article(let row) = $0 { row } else { nil }
    }
  }

  private func trim(_ test: borrowing TestStore, _ retention: Retention) async throws -> Int {
    try await test.store.edit { edit in
      try edit.retention.trim(
        edit.view.retention.articles(beyond: retention, now: noon), beyond: retention, now: noon)
    }
  }

  private static let tenDays = Retention(age: 10 * 86_400)

  @Test func `What is older goes; what is starred, tagged, unread, queued or to be sent stays`()
    async throws
  {
    let test = try TestStore()
    let feed = try await fill(test)
    let rows = try await articles(test, feed)
    // Days 11, 12, 13 and 14 are read.
    let (starred, tagged, queued) = (rows[11].id, rows[12].id, rows[13].id)
    try await test.store.edit { edit in
      try edit.marks.set(.starred(true), of: [starred], now: noon)
      _ = try edit.actions.tag([tagged], "keep", true, now: noon)
      try edit.db.execute(
        sql: "INSERT INTO playQueue (articleID, file, rank) VALUES (?, 'f', 1)",
        arguments: [queued.rawValue])
    }
    let before = Set(rows.map(\.id))
    let gone = try await trim(test, Self.tenDays)
    let left = try await articles(test, feed)
    #expect(gone == before.count - left.count && gone > 10)
    #expect(Set([starred, tagged, queued]).isSubset(of: Set(left.map(\.id))))
    #expect(
      left.filter { $0.status.isRead }.map(\.title).allSatisfy { title in
        let day = Int(title.split(separator: " ")[1]) ?? 0
        return day <= 10 || [11, 12, 13].contains(day)
      })
    // All that were unread.
    #expect(left.count { !$0.status.isRead } == 8)
    // The index, the counts and the rest of the rows went along.
    let (found, counts, bodies) = try await test.store.view { view in
      (
        try view.timeline.slice(TimelineQuery(.search("needle14"))).rows.count,
        try view.articles.counts(),
        try Int.fetchOne(view.db, sql: "SELECT count(*) FROM articleBody")
      )
    }
    #expect(found == 0 && counts.total == left.count && bodies == left.count)
  }

  @Test func `What is starred, tagged, queued or commented on while the store is trimmed stays`()
    async throws
  {
    let test = try TestStore()
    let feed = try await fill(test)
    let rows = try await articles(test, feed)
    let (starred, tagged, queued) = (rows[11].id, rows[12].id, rows[13].id)
    let (commented, unread) = (rows[14].id, rows[16].id)
    let found = try await test.store.view {
      try $0.retention.articles(beyond: Self.tenDays, now: noon)
    }
    #expect(Set([starred, tagged, queued, commented, unread]).isSubset(of: found))
    try await test.store.edit { edit in
      try edit.marks.set(.starred(true), of: [starred], now: noon)
      _ = try edit.actions.tag([tagged], "keep", true, now: noon)
      try edit.marks.set(.read(false), of: [unread], now: noon)
      try edit.db.execute(
        sql: "INSERT INTO playQueue (articleID, file, rank) VALUES (?, 'f', 1)",
        arguments: [queued.rawValue])
      try edit.outbox.queueComment("words", on: commented, now: noon)
    }
    let gone = try await test.store.edit {
      try $0.retention.trim(found, beyond: Self.tenDays, now: noon)
    }
    #expect(gone == found.count - 5)
    let left = try await articles(test, feed).map(\.id)
    #expect(Set([starred, tagged, queued, commented, unread]).isSubset(of: left))
  }

  @Test func `What was trimmed does not come again while its feed lists it`() async throws {
    let test = try TestStore()
    let feed = try await fill(test)
    var all = Self.tenDays
    all.includesUnread = true
    _ = try await trim(test, all)
    #expect(try await articles(test, feed).count == 11)
    try await test.merge(entries(42), into: feed)
    #expect(try await articles(test, feed).map(\.title).contains("Day 40"))
    #expect(try await articles(test, feed).count == 13)
  }

  @Test func `Each feed keeps its newest, and a feed may have bounds of its own`() async throws {
    let test = try TestStore()
    let (one, other) = (try await fill(test, "a"), try await fill(test, "b"))
    var settings = FeedSettings()
    try FeedSetting.keepAtMost.set("30", in: &settings)
    try await test.store.edit { [settings] in try $0.actions.set(settings, of: other, now: noon) }
    var retention = Retention(articlesPerFeed: 10)
    retention.includesUnread = true
    _ = try await trim(test, retention)
    #expect(try await articles(test, one).map(\.title) == (0..<10).map { "Day \($0)" })
    #expect(try await articles(test, other).count == 30)
    try FeedSetting.keepAtMost.set("all", in: &settings)
    try await test.store.edit { [settings] in try $0.actions.set(settings, of: other, now: noon) }
    #expect(try await trim(test, retention) == 0)
  }

  @Test func `A bound in bytes takes the oldest of all feeds first`() async throws {
    let test = try TestStore()
    let (one, other) = (try await fill(test, "a"), try await fill(test, "b"))
    let size = try await test.store.view { try $0.retention.estimatedBytes() }
    var retention = Retention(bytes: size / 2)
    retention.includesUnread = true
    let gone = try await trim(test, retention)
    #expect((30...50).contains(gone), "\(gone)")
    for feed in [one, other] {
      let left = try await articles(test, feed)
      #expect(left.map(\.title) == (0..<left.count).map { "Day \($0)" })
    }
    // Once is enough, whatever the file itself has come to.
    #expect(try await trim(test, retention) == 0)
    // What was removed and can come back takes the room of no other article.
    try await test.store.edit { try $0.actions.remove(one, isTold: false, now: noon) }
    #expect(try await trim(test, retention) == 0)
  }

  @Test func `The article of an account is not asked for again`() async throws {
    let test = try TestStore()
    let feed = try await fill(test)
    let account = try await test.account(at: "http://example.org", [.items, .takesMarks])
    let rows = try await articles(test, feed)
    try await test.store.edit { edit in
      for row in rows {
        try edit.db.execute(
          sql: """
            INSERT INTO item (account, key, id, rank, articleID, isUnread) VALUES (?, ?, ?, ?, ?, 0)
            """,
          arguments: [
            account.rawValue, row.id.rawValue, "i\(row.id.rawValue)", row.id.rawValue,
            row.id.rawValue,
          ])
      }
      try edit.db.execute(sql: "DELETE FROM outbox")
    }
    #expect(try await trim(test, Self.tenDays) > 10)
    let missing = try await test.store.view { try $0.items.missingCount(of: account) }
    #expect(missing == 0)
    let items = try await test.store.view {
      try Int.fetchOne($0.db, sql: "SELECT count(*) FROM item")
    }
    #expect(items == rows.count)
  }

  @Test func `What the store takes is told by feed`() async throws {
    let test = try TestStore()
    let large = try await fill(test, "large")
    let small = try await fill(test, "small", days: 3)
    let room = try await test.store.view { try $0.retention.room() }
    #expect(room.feeds.map(\.feed) == [large, small])
    #expect(room.feeds.map(\.articles) == [40, 3])
    #expect(room.feeds[0].bytes > room.feeds[1].bytes && room.feeds[1].bytes > 0)
    #expect(room.file > room.feeds[0].bytes)
    _ = try await trim(test, Retention(articlesPerFeed: 0, includesUnread: true))
    try await test.store.compact()
    let after = try await test.store.view { try $0.retention.room() }
    #expect(after.free == 0 && after.file < room.file)
  }
}
