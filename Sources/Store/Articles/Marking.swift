package import Foundation
internal import GRDB
package import News
internal import Text

// All that marks an article other than a server's own word (`ServerMarks`, `apply(_:of:)`) goes through `mark`,
// or for many at once through `markAllRead` and `undoMarkAllRead`: each writes the mark together with the row in
// the outbox of the article's own account.
extension StoreEdit {
  /// Marks one article, and puts the mark into the outbox of its account where that takes marks.
  ///
  /// - Returns: whether it was not marked so before. Otherwise nothing is written.
  @discardableResult
  func mark(
    _ article: ArticleID, _ kind: EntryMark.Kind, _ isSet: Bool, now: Date
  ) throws -> Bool {
    let change =
      switch kind {
      case .read:
        "UPDATE articleStatus SET isRead = ?1, batch = NULL WHERE articleID = ?2 AND isRead <> ?1"
      case .starred:
        "UPDATE articleStatus SET isStarred = ?1 WHERE articleID = ?2 AND isStarred <> ?1"
      }
    try db.cachedStatement(sql: change).execute(arguments: [isSet, article.rawValue])
    guard db.changesCount > 0 else { return false }
    try queue(kind, isSet, article: article, now: now)
    return true
  }

  package func setRead(_ articles: [ArticleID], _ isRead: Bool, now: Date) throws {
    let leaveBatch = try db.cachedStatement(
      sql: "UPDATE articleStatus SET batch = NULL WHERE articleID = ? AND batch IS NOT NULL")
    let findBatch = try db.cachedStatement(
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM articleStatus JOIN outbox ON outbox.batch = abs(articleStatus.batch)
          WHERE articleStatus.articleID = ?)
        """)
    for article in articles + (try view.duplicates(of: articles)) {
      if try !mark(article, .read, isRead, now: now) {
        // Said once more of this one, it no longer goes with its batch: what becomes of that decides
        // nothing for it, and its mark needs a row of its own where the batch is still to arrive.
        let isUnderWay = try Bool.fetchOne(findBatch, arguments: [article.rawValue]) == true
        try leaveBatch.execute(arguments: [article.rawValue])
        if isUnderWay { try queue(.read, isRead, article: article, now: now) }
      }
    }
  }

  package func setStarred(_ articles: [ArticleID], _ isStarred: Bool, now: Date) throws {
    for article in articles { try mark(article, .starred, isStarred, now: now) }
  }

  /// Marks one article with a key that `undo` takes back. Where it is marked so already, there is nothing to
  /// take back.
  package func markByKey(
    _ article: ArticleID, _ kind: EntryMark.Kind, _ isSet: Bool, now: Date
  ) throws {
    let status = try view.article(article)?.status
    let isChange =
      switch kind {
      case .read: status.map { $0.isRead != isSet }
      case .starred: status.map { $0.isStarred != isSet }
      }
    switch kind {
    case .read: try setRead([article], isSet, now: now)
    case .starred: try setStarred([article], isSet, now: now)
    }
    guard isChange == true else { return }
    let name: OutboxKind = kind == .read ? .read : .starred
    try db.execute(
      sql:
        "INSERT INTO readBatch (createdAt, count, kind, value, articleID) VALUES (?, 1, ?, ?, ?)",
      arguments: [seconds(now), name.rawValue, isSet, article.rawValue])
    try db.execute(
      sql: "DELETE FROM readBatch WHERE kind IS NOT NULL AND id <= ?",
      arguments: [db.lastInsertedRowID - Self.undoLimit])
  }

  /// How many marks can be taken back, one after another.
  static let undoLimit: Int64 = 100

  /// Takes back what was marked last: one article by its key, or all of a list. Marks that have been changed
  /// since stay as they are, and what was marked before them is taken back instead. What a server has been
  /// told, or is being told, it is told the reverse of.
  ///
  /// - Returns: how many articles are marked as before.
  @discardableResult
  package func undo(now: Date) throws -> Int {
    while let row = try Row.fetchOne(
      db,
      sql: "SELECT id, kind, value, articleID FROM readBatch ORDER BY id DESC LIMIT 1")
    {
      guard let name = (row[1] as String?).flatMap(OutboxKind.init) else {
        let count = try undoMarkAllRead(now: now)
        guard count > 0 else { continue }
        return count
      }
      try db.execute(sql: "DELETE FROM readBatch WHERE id = ?", arguments: [row[0] as Int64])
      let (article, isSet) = (ArticleID(row[3]), row[2] as Bool)
      guard let status = try view.article(article)?.status else { continue }
      switch name {
      case .starred where status.isStarred == isSet:
        try setStarred([article], !isSet, now: now)
        return 1
      case .read where status.isRead == isSet:
        try setRead([article], !isSet, now: now)
        return 1
      default: continue
      }
    }
    return 0
  }

  /// Marks as read what the timeline holds at or below `position`, as one batch that `undo` takes
  /// back.
  ///
  /// - Parameters:
  ///   - unseen: what has come in since the user looked stays as it is.
  ///   - floor: what is at or below it stays as it is; nil for none.
  /// - Returns: how many articles of the list were marked. Where the list shows an article of several
  ///   feeds once, it counts once; in feeds that are not of the list it is read as well, and counts
  ///   for nothing.
  @discardableResult
  package func markAllRead(
    _ timeline: Timeline, notNewerThan position: TimelinePosition?,
    except unseen: UnseenRegion? = nil, newerThan floor: TimelinePosition? = nil,
    now: Date
  ) throws -> Int {
    let query = TimelineQuery(timeline, unreadOnly: true, mergesDuplicates: true)
    guard let selection = try ArticleSelection(query.predicate, in: view) else { return 0 }
    try db.execute(
      sql: "INSERT INTO readBatch (createdAt, count) VALUES (?, 0)", arguments: [seconds(now)])
    let batch = db.lastInsertedRowID
    var sql = """
      UPDATE articleStatus SET isRead = 1, batch = ?
      WHERE isRead = 0 AND \(selection.filter) AND \(selection.scope)
      """
    var arguments: StatementArguments = [batch]
    arguments += selection.scopeArguments
    if let position {
      sql += " AND (sortDate, articleID) <= (?, ?)"
      arguments += [position.date, position.id]
    }
    if let floor {
      sql += " AND (sortDate, articleID) > (?, ?)"
      arguments += [floor.date, floor.id]
    }
    if let unseen {
      sql += " AND NOT (articleID > ? AND (sortDate, articleID) > (?, ?))"
      arguments += [unseen.since, unseen.above.date, unseen.above.id]
    }
    try db.execute(sql: sql, arguments: arguments)
    let count = db.changesCount
    try markDuplicatesRead(of: batch)
    if count == 0 {
      try db.execute(sql: "DELETE FROM readBatch WHERE id = ?", arguments: [batch])
    } else {
      try db.execute(
        sql: "UPDATE readBatch SET count = ? WHERE id = ?", arguments: [count, batch])
      try queue(batch, true, now: now)
    }
    return count
  }

  /// What was read in one feed is read in the others that bring it. Their batch is the negative: it is
  /// taken back with the other and not counted.
  private func markDuplicatesRead(of batch: Int64) throws {
    // The first is read with any of the others.
    try db.execute(
      sql: """
        UPDATE articleStatus SET isRead = 1, batch = -?1 WHERE isRead = 0 AND articleID IN (
          SELECT duplicateOf FROM articleStatus INDEXED BY statusDuplicate
          WHERE duplicateOf IS NOT NULL AND batch = ?1)
        """, arguments: [batch])
    // And the others are read with the first.
    try db.execute(
      sql: """
        UPDATE articleStatus INDEXED BY statusDuplicate SET isRead = 1, batch = -?1
        WHERE duplicateOf IS NOT NULL AND isRead = 0 AND duplicateOf IN (
          SELECT original.articleID FROM articleStatus AS duplicate INDEXED BY statusDuplicate
            JOIN articleStatus AS original ON original.articleID = duplicate.duplicateOf
          WHERE duplicate.duplicateOf IS NOT NULL AND original.batch IN (?1, -?1))
        """, arguments: [batch])
  }

  /// Takes the newest batch of read marks back; articles marked one by one since stay as they are.
  ///
  /// - Returns: how many articles of the list are unread again; what was read with them in other feeds
  ///   is not counted, as when they were marked.
  @discardableResult
  package func undoMarkAllRead(now: Date) throws -> Int {
    guard
      let batch = try Int64.fetchOne(db, sql: "SELECT max(id) FROM readBatch WHERE kind IS NULL")
    else {
      return 0
    }
    try queue(batch, false, now: now)
    let sql = "UPDATE articleStatus SET isRead = 0 WHERE batch = ? AND isRead = 1"
    try db.execute(sql: sql, arguments: [-batch])
    try db.execute(sql: sql, arguments: [batch])
    let count = db.changesCount
    try db.execute(sql: "DELETE FROM readBatch WHERE id = ?", arguments: [batch])
    return count
  }

  /// Keeps how far an article has been read.
  package func setReadingPosition(_ article: ArticleID, _ position: ReadingPosition?) throws {
    try db.execute(
      sql: "UPDATE articleStatus SET readBlock = ?, readOffset = ? WHERE articleID = ?",
      arguments: [position?.block, position?.offset, article.rawValue])
  }
}
