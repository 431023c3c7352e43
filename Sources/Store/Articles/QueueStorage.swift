internal import GRDB
package import News

// Files that wait to be played. A file that was played to its end leaves the queue.
extension PlaybackView {
  /// In the user's order.
  package func queue() throws -> [QueuedFile] {
    let rows = try db.rows(
      """
      SELECT playQueue.id, playQueue.articleID, playQueue.file, article.title,
        coalesce(feed.ownTitle, feed.title, feed.url) AS feedTitle, articleBody.details
      FROM playQueue JOIN article ON article.id = playQueue.articleID
        JOIN articleBody ON articleBody.articleID = article.id
        JOIN feed ON feed.id = article.feedID
      ORDER BY playQueue.rank, playQueue.id
      """)
    return try rows.map { row in
      let article = ArticleID(row["articleID"])
      let url: String = row["file"]
      var entry = Entry(id: "")
      EntryDetails.decode(row["details"]).add(to: &entry)
      let feedTitle = StoredText.title(row["feedTitle"] as String)
      return QueuedFile(
        id: row["id"], article: article,
        title: StoredText.line(row["title"] as String?) ?? feedTitle, feedTitle: feedTitle,
        // The feed may have removed it meanwhile.
        file: entry.enclosures.first { $0.url == url } ?? Enclosure(url: url),
        playback: try all(in: article)[url])
    }
  }

  func all(in article: ArticleID) throws -> [String: Playback] {
    let statement = try db.cachedStatement(
      sql: "SELECT file, seconds, duration, isHeard FROM playback WHERE articleID = ?")
    var found: [String: Playback] = [:]
    for row in try Row.fetchAll(statement, arguments: [article]) {
      found[row["file"]] = Playback(
        seconds: max(0, row["seconds"]),
        duration: (row["duration"] as Int?).flatMap { $0 > 0 ? $0 : nil }, isHeard: row["isHeard"])
    }
    return found
  }
}

extension PlaybackEdit {
  /// Changes the queue. Ignores files that are not in it and articles that are gone.
  package func changeQueue(_ change: QueueChange) throws {
    switch change {
    case .add(let article, let url):
      try db.run(
        """
        INSERT OR IGNORE INTO playQueue (articleID, file, rank)
          SELECT id, ?, (SELECT coalesce(max(rank), 0) + 1 FROM playQueue) FROM article
          WHERE id = ?
        """, [url, article])
    case .remove(let ids):
      try db.run(
        "DELETE FROM playQueue WHERE id IN (SELECT value FROM json_each(?))", [jsonList(ids)])
    case .up(let ids): try move(ids, by: -1)
    case .down(let ids): try move(ids, by: 1)
    case .clear: try db.run("DELETE FROM playQueue")
    }
  }

  func dequeue(_ file: String, of article: ArticleID) throws {
    try db.run("DELETE FROM playQueue WHERE articleID = ? AND file = ?", [article, file])
  }

  private func move(_ moved: [Int64], by delta: Int) throws {
    var ids: [Int64] = try db.values("SELECT id FROM playQueue ORDER BY rank, id")
    ids.shift(by: delta, where: moved.contains)
    let statement = try db.cachedStatement(sql: "UPDATE playQueue SET rank = ? WHERE id = ?")
    for (rank, id) in ids.enumerated() { try statement.execute(arguments: [rank, id]) }
  }
}

// Positions of playback. The table has a row only for files that were begun.
extension PlaybackEdit {
  /// Keeps the position of playback, unless the article is gone.
  ///
  /// - Parameter file: its address.
  package func set(_ playback: Playback, of file: String, in article: ArticleID) throws {
    try db.run(
      """
      INSERT INTO playback (articleID, file, seconds, duration, isHeard)
        SELECT id, ?2, ?3, ?4, ?5 FROM article WHERE id = ?1
      ON CONFLICT (articleID, file) DO UPDATE SET seconds = excluded.seconds,
        duration = coalesce(excluded.duration, duration), isHeard = excluded.isHeard
      """, [article, file, playback.seconds, playback.duration, playback.isHeard])
    if playback.isHeard { try dequeue(file, of: article) }
  }
}
