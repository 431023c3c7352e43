package import Foundation
internal import GRDB
package import News
internal import Text

// All that marks an article other than a server's own word (`ServerMarks`, `apply(_:of:)`) goes through `set`,
// or for many at once through `markAllRead` and `turnBatch`: each writes the mark together with the row in
// the outbox of the article's own account.
extension MarksEdit {
  /// Marks one article, and puts the mark into the outbox of its account where that takes marks.
  ///
  /// - Returns: whether it was not marked so before. Otherwise nothing is written.
  @discardableResult
  func set(_ mark: Mark, of article: ArticleID, now: Date) throws -> Bool {
    let change =
      switch mark.kind {
      case .read:
        "UPDATE articleStatus SET isRead = ?1, batch = NULL WHERE articleID = ?2 AND isRead <> ?1"
      case .starred:
        "UPDATE articleStatus SET isStarred = ?1 WHERE articleID = ?2 AND isStarred <> ?1"
      }
    try db.run(change, [mark.isSet, article])
    guard db.changesCount > 0 else { return false }
    try edit.outbox.queue(mark, of: article, now: now)
    return true
  }

  package func set(_ mark: Mark, of articles: [ArticleID], now: Date) throws {
    guard mark.kind == .read else {
      for article in articles { try set(mark, of: article, now: now) }
      return
    }
    let leaveBatch = try db.cachedStatement(
      sql: "UPDATE articleStatus SET batch = NULL WHERE articleID = ? AND batch IS NOT NULL")
    let findBatch = try db.cachedStatement(
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM articleStatus JOIN outbox ON outbox.batch = abs(articleStatus.batch)
          WHERE articleStatus.articleID = ?)
        """)
    for article in articles + (try view.articles.duplicates(of: articles)) {
      if try !set(mark, of: article, now: now) {
        // Said once more of this one, it no longer goes with its batch: what becomes of that decides
        // nothing for it, and its mark needs a row of its own where the batch is still to arrive.
        let isUnderWay = try Bool.fetchOne(findBatch, arguments: [article]) == true
        try leaveBatch.execute(arguments: [article])
        if isUnderWay { try edit.outbox.queue(mark, of: article, now: now) }
      }
    }
  }

  /// Marks articles so that `undo` takes it back, those that are not marked so already.
  package func setByKey(_ mark: Mark, of articles: [ArticleID], now: Date) throws {
    let changed = try articles.filter { try isMarked($0, mark.kind) == !mark.isSet }
    try set(mark, of: articles, now: now)
    guard !changed.isEmpty else { return }
    let detail: ActionDetail? = changed.count > 1 ? .articles(changed.map(\.rawValue)) : nil
    try edit.journal.note(
      mark.kind == .read ? .read : .starred, isSet: mark.isSet, count: changed.count,
      article: changed.count == 1 ? changed[0] : nil, detail, now: now)
  }

  /// Nil where there is no such article.
  func isMarked(_ article: ArticleID, _ kind: Mark.Kind) throws -> Bool? {
    let column = kind == .read ? "isRead" : "isStarred"
    return try db.value("SELECT \(column) FROM articleStatus WHERE articleID = ?", [article])
  }

  /// Marks an article as read because it was opened, and keeps that it was where the journal keeps anything, so that
  /// `undo` takes the mark back.
  ///
  /// - Parameter articles: the one that was opened first; the others are read with it.
  package func markOpened(_ articles: [ArticleID], now: Date) throws {
    let changed = try articles.filter { try isMarked($0, .read) == false }
    try set(.read(true), of: articles, now: now)
    guard let opened = articles.first, !changed.isEmpty, edit.journalKeeping.limit > 0 else {
      return
    }
    let detail: ActionDetail? = changed == [opened] ? nil : .articles(changed.map(\.rawValue))
    try edit.journal.note(.opened, article: opened, detail, now: now)
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
    var predicate = query.predicate
    // What has rows of its own elsewhere is counted for itself.
    predicate.joinsStories = query.isWhole
    guard let selection = try ArticleSelection(predicate, in: view) else { return 0 }
    let batch = try edit.journal.note(.readAll, count: 0, now: now)
    var sql = """
      UPDATE articleStatus SET isRead = 1, batch = ?
      WHERE isRead = 0 AND \(selection.filter) AND \(selection.scope)
      """
    var arguments: StatementArguments = [batch]
    arguments += selection.filterArguments + selection.scopeArguments
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
    var count = db.changesCount
    if query.isWhole, view.tellsStories {
      count += try markStoriesRead(of: batch, upTo: unseen?.since)
    }
    try markDuplicatesRead(of: batch)
    if count == 0 {
      try db.run("DELETE FROM userAction WHERE id = ?", [batch])
    } else {
      try db.run("UPDATE userAction SET count = ? WHERE id = ?", [count, batch])
      try edit.outbox.queue(batch, true, now: now)
    }
    return count
  }

  /// A story that was one row of the list is read as a whole.
  ///
  /// - Parameter last: articles with higher numbers came when the user had looked; nil for none.
  /// - Returns: how many articles it had behind the first.
  private func markStoriesRead(of batch: Int64, upTo last: Int64?) throws -> Int {
    try db.run(
      """
      UPDATE articleStatus INDEXED BY statusStoryUnread SET isRead = 1, batch = ?1
      WHERE storyOf IS NOT NULL AND isRead = 0 AND articleID <= ?2 AND EXISTS (
        SELECT 1 FROM articleStatus AS first
        WHERE first.articleID = articleStatus.storyOf AND first.batch = ?1)
      """, [batch, last ?? .max])
    return db.changesCount
  }

  /// What was read in one feed is read in the others that bring it. Their batch is the negative: it is
  /// taken back with the other and not counted.
  private func markDuplicatesRead(of batch: Int64) throws {
    // The first is read with any of the others.
    try db.run(
      """
      UPDATE articleStatus SET isRead = 1, batch = -?1 WHERE isRead = 0 AND articleID IN (
        SELECT duplicateOf FROM articleStatus INDEXED BY statusDuplicate
        WHERE duplicateOf IS NOT NULL AND batch = ?1)
      """, [batch])
    // And the others are read with the first.
    try db.run(
      """
      UPDATE articleStatus INDEXED BY statusDuplicate SET isRead = 1, batch = -?1
      WHERE duplicateOf IS NOT NULL AND isRead = 0 AND duplicateOf IN (
        SELECT original.articleID FROM articleStatus AS duplicate INDEXED BY statusDuplicate
          JOIN articleStatus AS original ON original.articleID = duplicate.duplicateOf
        WHERE duplicate.duplicateOf IS NOT NULL AND original.batch IN (?1, -?1))
      """, [batch])
  }

  /// Takes a batch of read marks back, or marks its articles again; those that were marked one by one since stay as
  /// they are.
  ///
  /// - Returns: how many articles of the list have changed; what was read with them in other feeds is not counted, as
  ///   when they were marked.
  func turnBatch(_ batch: Int64, isRead: Bool, now: Date) throws -> Int {
    try edit.outbox.queue(batch, isRead, now: now)
    let sql = "UPDATE articleStatus SET isRead = ?1 WHERE batch = ?2 AND isRead <> ?1"
    try db.execute(sql: sql, arguments: [isRead, -batch])
    try db.execute(sql: sql, arguments: [isRead, batch])
    return db.changesCount
  }

  /// Keeps how far an article has been read.
  package func setReadingPosition(_ article: ArticleID, _ position: ReadingPosition?) throws {
    try db.run(
      "UPDATE articleStatus SET readBlock = ?, readOffset = ? WHERE articleID = ?",
      [position?.block, position?.offset, article])
  }
}
