package import Foundation
internal import GRDB
package import News

extension FeedsView {
  /// Articles and reading of each feed over a time that ends now, from indexes and the journal.
  ///
  /// - Parameter span: seconds.
  package func readingStatistics(over span: Int64, now: Date) throws -> ReadingStatistics {
    let now = Int64(now.timeIntervalSince1970)
    let start = now - span
    let (day, week) = (ReadingStatistics.day, ReadingStatistics.week)
    let count = ReadingStatistics.weekCount(of: span)
    let dayCount = ReadingStatistics.dayCount(of: span)
    let recent = Int64(ReadingStatistics.recentDays)
    /// Articles dated after now belong to this week.
    func place(_ age: Int64, of count: Int) -> Int {
      count - 1 - Int(min(max(0, age), Int64(count - 1)))
    }

    var weeks: [FeedID: [Int]] = [:]
    var days: [FeedID: [Int]] = [:]
    // One row for each feed: SQLite would sort all articles to count those of each day.
    let articles = try db.cursor(
      """
      SELECT feedID, group_concat(?1 - sortDate) FROM articleStatus INDEXED BY statusByFeed
      WHERE sortDate > ?2 GROUP BY feedID
      """, [now, start])
    while let row = try articles.next() {
      var ofWeeks = [Int](repeating: 0, count: count)
      var ofDays = [Int](repeating: 0, count: dayCount)
      Self.forEachNumber(in: row[1]) { age in
        ofWeeks[place(age / week, of: count)] += 1
        if age < recent * day { ofDays[place(age / day, of: dayCount)] += 1 }
      }
      weeks[FeedID(row[0])] = ofWeeks
      days[FeedID(row[0])] = ofDays
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
    let added = try numbers("SELECT id, addedAt FROM feed")

    var opened: [FeedID: Int64] = [:]
    var openedByWeek = [Int](repeating: 0, count: count)
    let actions = try db.cursor(
      """
      SELECT feedID, (?1 - createdAt) / ?2 AS age, count(*) FROM userAction
      WHERE kind = '\(UserActionKind.opened.rawValue)' AND createdAt > ?3 GROUP BY feedID, age
      """, [now, week, start])
    while let row = try actions.next() {
      openedByWeek[place(row[1], of: count)] += row[2]
      if let feed = row[0] as Int64? { opened[FeedID(feed), default: 0] += row[2] }
    }
    let none = [Int](repeating: 0, count: count)
    let noDays = [Int](repeating: 0, count: dayCount)
    return ReadingStatistics(
      now: now, span: span,
      feeds: try all().map { feed in
        FeedStatistics(
          feed: feed, added: added[feed.id] ?? now, weeks: weeks[feed.id] ?? none,
          days: days[feed.id] ?? noDays, unread: Int(unread[feed.id] ?? 0),
          starred: Int(starred[feed.id] ?? 0),
          opened: Int(opened[feed.id] ?? 0), newest: newest[feed.id])
      }, opened: openedByWeek, journalStart: try db.value("SELECT min(createdAt) FROM userAction"))
  }

  /// The numbers of a text in which commas are between them.
  private static func forEachNumber(in text: String, _ body: (Int64) -> Void) {
    var (number, isNegative): (Int64, Bool) = (0, false)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: ","):
        body(isNegative ? -number : number)
        (number, isNegative) = (0, false)
      case UInt8(ascii: "-"): isNegative = true
      default: number = number &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
      }
    }
    body(isNegative ? -number : number)
  }

  /// A number for each feed; those without one are left out.
  private func numbers(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [FeedID: Int64] {
    try db.cursor(sql, arguments).reduce(into: [:]) { numbers, row in
      if let number = row[1] as Int64? { numbers[row[0]] = number }
    }
  }
}
