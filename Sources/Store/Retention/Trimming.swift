package import Foundation
internal import GRDB
package import News

// Trimming of articles: found in one reading, and deleted in small transactions.

extension RetentionView {
  /// Articles beyond a retention, the oldest of each feed first.
  ///
  /// - Parameter feeds: only of these; nil for all.
  package func articles(
    beyond retention: Retention, feeds wanted: Set<FeedID>? = nil, now: Date
  ) throws -> [ArticleID] {
    var found: [ArticleID] = []
    var known: Set<ArticleID> = []
    func add(_ ids: [Int64]) {
      for id in ids where known.insert(ArticleID(id)).inserted { found.append(ArticleID(id)) }
    }
    for feed in try view.feeds.all() where wanted?.contains(feed.id) != false {
      let bounds = retention.settings(of: feed.settings)
      if let age = bounds.age, let now = seconds(now) {
        add(
          try db.values(
            """
            SELECT status.articleID FROM articleStatus AS status INDEXED BY statusByFeed
              JOIN article ON article.id = status.articleID
            WHERE status.feedID = ?1 AND status.sortDate < ?2 AND article.firstSeen < ?2
              AND \(Self.isTrimmable(bounds))
            ORDER BY status.sortDate, status.articleID
            """, [feed.id, now - age]))
      }
      if let count = bounds.articlesPerFeed {
        add(
          try db.values(
            """
            SELECT status.articleID FROM (
              SELECT articleID FROM articleStatus INDEXED BY statusByFeed WHERE feedID = ?
              ORDER BY sortDate DESC, articleID DESC LIMIT -1 OFFSET ?) AS rest
              JOIN articleStatus AS status ON status.articleID = rest.articleID
            WHERE \(Self.isTrimmable(bounds)) ORDER BY status.sortDate, status.articleID
            """, [feed.id, count]))
      }
    }
    if let bytes = retention.bytes {
      add(try articles(over: bytes, without: known, retention, wanted))
    }
    return found
  }

  /// The oldest articles, until the rest is as small as it has to be.
  private func articles(
    over bytes: Int64, without gone: Set<ArticleID>, _ retention: Retention, _ wanted: Set<FeedID>?
  ) throws -> [Int64] {
    let size = try estimatedBytes()
    guard size > bytes else { return [] }
    var excess = size - bytes
    let rows = try db.cursor(
      """
      SELECT status.articleID, \(Self.bytesOfBody) + \(Self.bytesBeside), status.feedID
      FROM articleStatus AS status INDEXED BY statusByDate
        JOIN articleBody ON articleBody.articleID = status.articleID
      WHERE \(Self.isTrimmable(retention)) ORDER BY status.sortDate, status.articleID
      """)
    var found: [Int64] = []
    let unbounded = try Set(view.feeds.all().filter { $0.settings.keepsAll }.map(\.id))
    while excess > 0, let row = try rows.next() {
      let feed = FeedID(row[2])
      guard wanted?.contains(feed) != false, !unbounded.contains(feed) else { continue }
      excess -= Self.bytes(ofArticles: 1, texts: row[1])
      if !gone.contains(ArticleID(row[0])) { found.append(row[0]) }
    }
    return found
  }

  /// The tables with texts of articles; that of the bodies has a row for each.
  private static let sized = StoreTable.all.filter { $0.bytes != nil && $0.name != "articleBody" }
  fileprivate static let bytesOfBody = StoreTable.named("articleBody")?.bytes ?? "0"

  /// SQL beside a row `status`: of its texts but the body.
  private static let bytesBeside = sized.map { table in
    """
    coalesce((SELECT sum(\(table.bytes ?? "0")) FROM \(table.name)
      WHERE \(table.name).articleID = status.articleID), 0)
    """
  }.joined(separator: " + ")

  /// Bytes of each feed, in several rows.
  fileprivate static let bytesBesideOfFeeds = sized.map { table in
    """
    SELECT status.feedID, sum(\(table.bytes ?? "0"))
      FROM \(table.name) CROSS JOIN articleStatus AS status USING (articleID) GROUP BY 1
    """
  }.joined(separator: " UNION ALL ")

  private static let isKeptByRow = StoreTable.all.filter(\.keepsArticle).map { table in
    "AND NOT EXISTS (SELECT 1 FROM \(table.name) WHERE articleID = status.articleID)"
  }.joined(separator: " ")

  /// SQL for what may go, over a row `status`.
  fileprivate static func isTrimmable(_ retention: Retention) -> String {
    """
    status.isStarred = 0 \(retention.includesUnread ? "" : "AND status.isRead = 1")
      \(isKeptByRow) AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.articleID = status.articleID)
      AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.batch = abs(status.batch))
    """
  }

  /// Bytes of articles in a vacuumed database, about 3.7 kB each: rows, compressed texts and index.
  /// The size of the file does not shrink with deletions.
  private static func bytes(ofArticles count: Int64, texts: Int64) -> Int64 {
    700 * count + texts * 9 / 5
  }

  func estimatedBytes() throws -> Int64 {
    Self.bytes(
      ofArticles: try db.value("SELECT count(*) FROM articleStatus") ?? 0,
      texts: try StoreTable.all.reduce(0) { try $0 + bytes(of: $1.name) })
  }

  fileprivate func bytes(of table: String) throws -> Int64 {
    guard let bytes = StoreTable.named(table)?.bytes else { return 0 }
    return try db.value("SELECT sum(\(bytes)) FROM \(table)") ?? 0
  }

  fileprivate func databaseBytes() throws -> (file: Int64, free: Int64) {
    func number(_ name: String) throws -> Int64 {
      try Int64.fetchOne(db, sql: "PRAGMA \(name)") ?? 0
    }
    let page = try number("page_size")
    return (try number("page_count") * page, try number("freelist_count") * page)
  }

  /// Bytes of the store and of each of its feeds.
  package func room() throws -> (
    feeds: [FeedRoom], file: Int64, free: Int64, removed: Int64, former: Int64, full: Int64
  ) {
    let rows = try db.rows(
      """
      SELECT status.feedID, sum(\(Self.bytesOfBody)), min(status.sortDate)
      FROM articleStatus AS status
        LEFT JOIN articleBody ON articleBody.articleID = status.articleID
      GROUP BY status.feedID
      """)
    var bytes: [FeedID: (Int64, Int64)] = [:]
    for row in rows { bytes[FeedID(row[0])] = (row[1] ?? 0, row[2]) }
    // Few articles have any of these.
    for row in try db.rows(Self.bytesBesideOfFeeds) { bytes[FeedID(row[0])]?.0 += row[1] ?? 0 }
    let feeds = try view.feeds.all().map { feed in
      FeedRoom(
        feed: feed.id, title: feed.displayTitle, articles: feed.counts.total,
        unread: feed.counts.unread, starred: feed.counts.starred, bytes: bytes[feed.id]?.0 ?? 0,
        oldest: bytes[feed.id]?.1)
    }.sorted { ($0.bytes, $0.articles) > ($1.bytes, $1.articles) }
    let (file, free) = try databaseBytes()
    let removed: Int64 = try db.value("SELECT sum(length(data)) FROM removedRow") ?? 0
    let (former, full) = (try self.bytes(of: "formerText"), try self.bytes(of: "fullText"))
    return (feeds, file, free, removed, former, full)
  }
}

extension FeedSettings {
  /// Whether the user wants to keep all of the feed, however large the store gets.
  fileprivate var keepsAll: Bool { keepFor == Self.unbounded || keepAtMost == Int(Self.unbounded) }
}

extension RetentionEdit {
  /// Deletes articles, and keeps their ids, so that their sources do not bring them again. Returns
  /// how many are gone.
  ///
  /// - Parameter articles: from `articles(beyond:)`. Those that were starred, tagged, queued or
  ///   commented on since stay.
  package func trim(_ articles: [ArticleID], beyond retention: Retention, now: Date) throws -> Int {
    let find = try db.cachedStatement(
      sql: """
        SELECT article.feedID, article.entryKey FROM article
          JOIN articleStatus AS status ON status.articleID = article.id
        WHERE article.id = ? AND \(RetentionView.isTrimmable(retention))
        """)
    let bury = try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO tombstone (feedID, entryKey, listedAt) VALUES (?, ?, ?)")
    let unlink = try db.cachedStatement(
      sql: "UPDATE item SET articleID = NULL, tries = \(SyncWalk.trimmed) WHERE articleID = ?")
    let delete = try db.cachedStatement(sql: "DELETE FROM article WHERE id = ?")
    var count = 0
    for article in articles {
      guard let row = try Row.fetchOne(find, arguments: [article]) else { continue }
      try bury.execute(arguments: [row[0] as Int64, row[1] as Int64, seconds(now)])
      try unlink.execute(arguments: [article])
      try edit.indexing.remove(article.rawValue, in: db)
      try delete.execute(arguments: [article])
      count += 1
    }
    return count
  }
}

extension Store {
  package var logBytes: Int64 { StoreFolder.size(of: path + "-wal") }
}
