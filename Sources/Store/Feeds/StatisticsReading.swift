package import Foundation
internal import GRDB
package import News

extension StoreView {
  /// What each feed has brought and what was read of it over a time that ends now. Reads indexes and the journal, and
  /// no texts.
  ///
  /// - Parameter span: seconds.
  package func readingStatistics(over span: Int64, now: Date) throws -> ReadingStatistics {
    let now = Int64(now.timeIntervalSince1970)
    let start = now - span
    let week = ReadingStatistics.week
    let count = ReadingStatistics.weekCount(of: span)
    /// Feeds may date articles after now: those are of this week.
    func place(_ age: Int64) -> Int { count - 1 - Int(min(max(0, age), Int64(count - 1))) }

    var weeks: [FeedID: [Int]] = [:]
    let articles = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT feedID, (?1 - sortDate) / ?2 AS age, count(*)
          FROM articleStatus INDEXED BY statusByFeed WHERE sortDate > ?3 GROUP BY feedID, age
          """), arguments: [now, week, start])
    while let row = try articles.next() {
      weeks[FeedID(row[0]), default: [Int](repeating: 0, count: count)][place(row[1])] += row[2]
    }
    let unread = try numbers(
      """
      SELECT feedID, count(*) FROM articleStatus INDEXED BY statusUnreadByFeed
      WHERE isRead = 0 AND sortDate > ? GROUP BY feedID
      """, [start])
    let starred = try numbers(
      """
      SELECT feedID, count(*) FROM articleStatus INDEXED BY statusStarred
      WHERE isStarred = 1 AND sortDate > ? GROUP BY feedID
      """, [start])
    let newest = try numbers(
      """
      SELECT id, (SELECT max(sortDate) FROM articleStatus INDEXED BY statusByFeed
        WHERE feedID = feed.id) FROM feed
      """)

    var opened: [FeedID: Int64] = [:]
    var openedByWeek = [Int](repeating: 0, count: count)
    let actions = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT feedID, (?1 - createdAt) / ?2 AS age, count(*) FROM userAction
          WHERE kind = '\(UserActionKind.opened.rawValue)' AND createdAt > ?3 GROUP BY feedID, age
          """), arguments: [now, week, start])
    while let row = try actions.next() {
      openedByWeek[place(row[1])] += row[2]
      if let feed = row[0] as Int64? { opened[FeedID(feed), default: 0] += row[2] }
    }
    let none = [Int](repeating: 0, count: count)
    return ReadingStatistics(
      now: now, span: span,
      feeds: try feeds().map { feed in
        FeedStatistics(
          feed: feed, weeks: weeks[feed.id] ?? none, unread: Int(unread[feed.id] ?? 0),
          starred: Int(starred[feed.id] ?? 0), opened: Int(opened[feed.id] ?? 0),
          newest: newest[feed.id])
      },
      opened: openedByWeek,
      journalStart: try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT createdAt FROM userAction ORDER BY id LIMIT 1")))
  }

  /// A number for each feed; those without one are left out.
  private func numbers(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [FeedID: Int64] {
    var numbers: [FeedID: Int64] = [:]
    let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
    while let row = try rows.next() {
      if let number = row[1] as Int64? { numbers[FeedID(row[0])] = number }
    }
    return numbers
  }
}
