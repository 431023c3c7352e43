internal import GRDB
internal import News

/// Recovery of articles with lost rows, from indexes and other tables.
struct ArticleSalvage {
  let source: DamagedDatabase
  let target: Database

  /// Articles with lost rows whose keys are in an index, or that a comment waits for: they keep
  /// place and marks, and are filled by their feed.
  func keepPlaces() throws {
    var keys: [(id: Int64, feed: Int64, key: Int64)] = []
    for row in source.rows(
      """
      SELECT rowid, feedID, entryKey FROM article INDEXED BY articleEntry WHERE feedID > 0
      ORDER BY feedID, entryKey
      """)
    {
      guard let id = row.integer(0), let feed = row.integer(1), let key = row.integer(2) else {
        continue
      }
      keys.append((id, feed, key))
    }
    let named = Set(keys.map(\.id))
    for row in source.rows(
      """
      SELECT outbox.articleID, feedID FROM outbox
        JOIN articleStatus ON articleStatus.articleID = outbox.articleID
      """)
    {
      guard let id = row.integer(0), let feed = row.integer(1), !named.contains(id) else {
        continue
      }
      keys.append((id, feed, PreparedPage.key(ofEntry: "unreadable \(id)")))
    }
    let insert = try target.makeStatement(
      sql: """
        INSERT OR IGNORE INTO article
          (id, feedID, entryKey, entryID, title, firstSeen, digest)
        SELECT ?1, id, ?3, '', '(title could not be read)',
          coalesce((SELECT sortDate FROM articleStatus WHERE articleID = ?1), 0), 0
        FROM feed WHERE id = ?2
        """)
    for (id, feed, key) in keys { try insert.execute(arguments: [id, feed, key]) }
  }

  /// Recovers marks with lost rows from the indexes. Returns how many articles are missing, and how
  /// many lost their marks.
  func completeMarks() throws -> (articles: Int, marks: Int) {
    let articles = Set(try Int64.fetchAll(target, sql: "SELECT id FROM article"))
    let marked = Set(try Int64.fetchAll(target, sql: "SELECT articleID FROM articleStatus"))
    var found: [Int64: (feed: Int64, date: Int64)] = [:]
    for row in source.rows(
      """
      SELECT articleID, feedID, sortDate FROM articleStatus INDEXED BY statusByFeed
      WHERE feedID > 0 ORDER BY feedID, sortDate, articleID
      """)
    {
      guard let id = row.integer(0), let feed = row.integer(1), let date = row.integer(2) else {
        continue
      }
      found[id] = (feed, date)
    }
    func ids(_ index: String, _ condition: String) -> (ids: Set<Int64>, isWhole: Bool) {
      var isWhole = true
      let rows = source.rows(
        """
        SELECT articleID FROM articleStatus INDEXED BY \(index) WHERE \(condition)
        ORDER BY sortDate, articleID
        """, isWhole: &isWhole)
      return (Set(rows.compactMap { $0.integer(0) }), isWhole)
    }
    var lostMarks = 0
    let missing = articles.subtracting(marked)
    if !missing.isEmpty {
      let unread = ids("statusUnread", "isRead = 0")
      let starred = ids("statusStarred", "isStarred = 1")
      let scores = scores()
      let insert = try target.makeStatement(
        sql: """
          INSERT INTO articleStatus (articleID, feedID, sortDate, isRead, isStarred)
          SELECT id, feedID, coalesce(?2, published, firstSeen), ?3, ?4 FROM article WHERE id = ?1
          """)
      for id in missing.sorted() {
        // An article of unknown state is unread, so that the user misses none.
        let isRead = unread.isWhole && found[id] != nil && !unread.ids.contains(id)
        if !unread.isWhole || !starred.isWhole || found[id] == nil { lostMarks += 1 }
        try insert.execute(arguments: [id, found[id]?.date, isRead, starred.ids.contains(id)])
        if let score = scores[id] {
          try target.execute(
            sql: "UPDATE articleStatus SET score = ? WHERE articleID = ?", arguments: [score, id])
        }
      }
    }
    return (marked.union(found.keys).subtracting(articles).count, lostMarks)
  }

  /// Of the articles that have one, as far as the index of those can be read.
  private func scores() -> [Int64: Int64] {
    var scores: [Int64: Int64] = [:]
    for row in source.rows(
      """
      SELECT articleID, score FROM articleStatus INDEXED BY statusByScore WHERE score <> 0
      ORDER BY score, sortDate, articleID
      """)
    {
      guard let id = row.integer(0), let score = row.integer(1),
        ArticleScore.bounds.contains(Int(clamping: score))
      else { continue }
      scores[id] = score
    }
    return scores
  }

  /// Completes articles with lost texts, which come again from their feeds.
  func completeBodies() throws -> Int {
    let without = "SELECT id FROM article WHERE id NOT IN (SELECT articleID FROM articleBody)"
    let (all, unreadable) = try target.makeStatement(
      sql: """
        SELECT count(*), coalesce(sum(entryID = ''), 0) FROM article
        WHERE id NOT IN (SELECT articleID FROM articleBody)
        """
    ).counts()
    if all > 0 {
      try target.execute(
        sql: """
          UPDATE article SET digest = 0 WHERE id IN (\(without));
          INSERT INTO articleBody (articleID) \(without);
          """)
    }
    return all - unreadable
  }
}
