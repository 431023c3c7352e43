package import Foundation
internal import GRDB
package import News
internal import Text

// All marks but those of servers (`ServerMarks`, `apply(_:of:)`) go through `set`, `markAllRead`
// and `turnBatch`, which write each mark together with its row in the outbox.
extension MarksEdit {
  /// Marks one article, and queues the mark where its account takes marks. Returns false where it
  /// was marked so before, and nothing is written.
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
        // Marked again, the article leaves its batch: it needs a row of its own where the batch is
        // still to arrive.
        let isUnderWay = try Bool.fetchOne(findBatch, arguments: [article]) == true
        try leaveBatch.execute(arguments: [article])
        if isUnderWay { try edit.outbox.queue(mark, of: article, now: now) }
      }
    }
  }

  /// Marks the articles that are not marked so already, as one action for `undo`.
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

  /// Marks articles as read because they were opened, and notes it in the journal where one is
  /// kept.
  ///
  /// - Parameter articles: the opened one first; the others are read with it.
  package func markOpened(_ articles: [ArticleID], now: Date) throws {
    let changed = try articles.filter { try isMarked($0, .read) == false }
    try set(.read(true), of: articles, now: now)
    guard let opened = articles.first, !changed.isEmpty, edit.journalKeeping.limit > 0 else {
      return
    }
    let detail: ActionDetail? = changed == [opened] ? nil : .articles(changed.map(\.rawValue))
    try edit.journal.note(.opened, article: opened, detail, now: now)
  }

  /// Marks articles of the timeline at or below `position` as read, as one batch for `undo`.
  ///
  /// - Parameters:
  ///   - unseen: articles that have arrived since the user looked stay unread.
  ///   - floor: articles at or below it stay as they are; nil for none.
  /// - Returns: how many articles of the list were marked. Duplicates in the list count once, those
  ///   in other feeds are marked and not counted.
  @discardableResult
  package func markAllRead(
    _ timeline: Timeline, notNewerThan position: TimelinePosition?,
    except unseen: UnseenRegion? = nil, newerThan floor: TimelinePosition? = nil, now: Date
  ) throws -> Int {
    let query = TimelineQuery(timeline, unreadOnly: true, mergesDuplicates: true)
    var predicate = query.predicate
    // Articles with rows of their own are counted one by one.
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

  /// Marks the other articles of stories that were one row of the list.
  ///
  /// - Parameter last: articles with higher numbers are unseen; nil for none.
  /// - Returns: how many were marked.
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

  /// Marks duplicates in other feeds, with the negative number of the batch: they are undone with
  /// it, and not counted.
  private func markDuplicatesRead(of batch: Int64) throws {
    // The original of a duplicate that was read.
    try db.run(
      """
      UPDATE articleStatus SET isRead = 1, batch = -?1 WHERE isRead = 0 AND articleID IN (
        SELECT duplicateOf FROM articleStatus INDEXED BY statusDuplicate
        WHERE duplicateOf IS NOT NULL AND batch = ?1)
      """, [batch])
    // The duplicates of an original that was read.
    try db.run(
      """
      UPDATE articleStatus INDEXED BY statusDuplicate SET isRead = 1, batch = -?1
      WHERE duplicateOf IS NOT NULL AND isRead = 0 AND duplicateOf IN (
        SELECT original.articleID FROM articleStatus AS duplicate INDEXED BY statusDuplicate
          JOIN articleStatus AS original ON original.articleID = duplicate.duplicateOf
        WHERE duplicate.duplicateOf IS NOT NULL AND original.batch IN (?1, -?1))
      """, [batch])
  }

  /// Marks the articles of a batch as unread, or as read again, except those that were marked one
  /// by one since. Returns how many articles of the list have changed, without duplicates in other
  /// feeds.
  func turnBatch(_ batch: Int64, isRead: Bool, now: Date) throws -> Int {
    try edit.outbox.queue(batch, isRead, now: now)
    let sql = "UPDATE articleStatus SET isRead = ?1 WHERE batch = ?2 AND isRead <> ?1"
    try db.execute(sql: sql, arguments: [isRead, -batch])
    try db.execute(sql: sql, arguments: [isRead, batch])
    return db.changesCount
  }

  package func setReadingPosition(_ article: ArticleID, _ position: ReadingPosition?) throws {
    try db.run(
      "UPDATE articleStatus SET readBlock = ?, readOffset = ? WHERE articleID = ?",
      [position?.block, position?.offset, article])
  }
}
