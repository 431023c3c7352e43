internal import Foundation
internal import GRDB
package import News

package struct OutboxMark: Hashable, Sendable {
  package let item: Int64
  package let article: ArticleID
  package let sent: EntryMark
}

/// Changes that are sent together. A batch is alone, and may exceed the limit of one request.
package struct OutboxCall: Hashable, Sendable {
  package let items: [OutboxItem]
  package let marks: [OutboxMark]
}

extension OutboxView {
  /// The number of a batch's articles at its server, and the article where there is one.
  func articlesOfBatch(_ item: OutboxItem) throws -> (count: Int, only: ArticleID?) {
    guard case .readBatch(let batch, _) = item.change else { return (0, nil) }
    let row = try db.row(
      """
      SELECT count(*), min(articleStatus.articleID) FROM articleStatus
        JOIN feed ON feed.id = articleStatus.feedID
      WHERE articleStatus.batch IN (?, ?) AND \(OutboxMark.standsForBatch()) AND feed.account = ?
      """, [batch, -batch, item.id, item.account])
    let count: Int = row?[0] ?? 0
    return (count, count == 1 ? (row?[1] as Int64?).map { ArticleID($0) } : nil)
  }

  /// The marks of a change, article by article; none for changes of other kinds, and for articles
  /// that have lost their ids in a repair.
  func outboxMarks(of item: OutboxItem) throws -> [OutboxMark] {
    let (mark, condition, arguments): (Mark, String, StatementArguments)
    switch item.change {
    case .mark(let article, let set):
      (mark, condition, arguments) = (set, "article.id = ?", [article.rawValue])
    case .readBatch(let batch, let isRead):
      mark = .read(isRead)
      condition = "articleStatus.batch IN (?, ?) AND \(OutboxMark.standsForBatch())"
      arguments = [batch, -batch, item.id]
    default: return []
    }
    return try db.rows(
      """
      SELECT feed.url, article.entryID, article.id FROM articleStatus
        JOIN article ON article.id = articleStatus.articleID
        JOIN feed ON feed.id = article.feedID
      WHERE \(condition) AND feed.account = ? AND article.entryID <> ''
        AND \(MovedEntry.isNone("article.entryID"))
      ORDER BY article.id
      """, arguments + [item.account]
    ).map { row in
      OutboxMark(
        item: item.id, article: row[2],
        sent: EntryMark(mark, of: EntryReference(feedURL: row[0], id: row[1])))
    }
  }
}

extension OutboxMark {
  /// SQL: whether an article of a batch goes with it. A refused one stays in the batch for undo,
  /// and has a later row of its own.
  ///
  /// - Parameter number: SQL for the number of the batch's row.
  static func standsForBatch(_ number: String = "?") -> String {
    """
    NOT EXISTS (
      SELECT 1 FROM outbox AS own
      WHERE own.articleID = articleStatus.articleID AND own.kind = 'read' AND own.id > \(number))
    """
  }
}

extension OutboxEdit {
  /// Takes a sample of an account's waiting marks, which count as tried.
  ///
  /// - Parameters:
  ///   - refusedToo: whether refused ones are included.
  ///   - places: chooses among the changes, oldest first, and among the marks of a batch.
  package func beginSendingSample(
    of account: AccountID, refusedToo: Bool, _ places: (Int) -> [Int]
  ) throws -> [OutboxMark] {
    let items = try view.outbox.items(
      where: "account = ? AND kind IN (\(OutboxKind.ofMarks))", [account.rawValue], limit: .max
    ).filter { refusedToo || !$0.isRefused }
    var sample: [OutboxMark] = []
    for item in places(items.count).map({ items[$0] }) {
      let marks = try view.outbox.outboxMarks(of: item)
      sample += places(marks.count).map { marks[$0] }
      try beginSending(item)
    }
    return sample
  }

  /// Notes that the server refuses a mark for good. The article of a batch gets a row of its own
  /// with the reason, unless it has left the batch.
  package func recordRefusal(of mark: OutboxMark, in item: OutboxItem, _ error: SourceError) throws
  {
    guard case .readBatch(let batch, let isRead) = item.change else {
      return try recordFailure(item, error)
    }
    try db.run(
      """
      INSERT INTO outbox (
        key, kind, value, articleID, account, createdAt, attempts, error, state)
      SELECT ?, 'read', ?, articleID, ?, ?, 1, ?, \(OutboxItemState.tried.rawValue)
      FROM articleStatus WHERE articleID = ? AND batch IN (?, ?)
        AND \(OutboxMark.standsForBatch())
      """,
      [
        UUID().uuidString, isRead, item.account, seconds(item.created), StoredError.encode(error),
        mark.article, batch, -batch, item.id,
      ])
  }

  /// Notes an error of an account as a whole. Whether a refused sign-in pauses it is decided by the
  /// next sync (`SyncEdit.record`).
  package func recordError(_ error: SourceError, of account: AccountID) throws {
    var error = error
    if error.status == 401, let known = try view.accounts.account(account) {
      error.next = known.nextStep(needsSignIn: known.needsSignIn, at: nil)
    }
    try db.run("UPDATE account SET error = ?2 WHERE id = ?1", [account, StoredError.encode(error)])
  }

  /// Notes accepted marks as the server's state.
  func noteAccepted(_ item: OutboxItem, by account: AccountID) throws {
    switch item.change {
    case .mark(let article, let mark):
      let (set, isIn): (MarkSet, Bool) =
        mark.kind == .read ? (.unread, !mark.isSet) : (.starred, mark.isSet)
      try db.run(
        "UPDATE item SET \(set.column) = ? WHERE articleID = ? AND account = ?",
        [isIn, article, account])
    case .readBatch(let batch, let isRead):
      // The order is fixed: without statistics SQLite would go through all items of the account.
      try db.run(
        """
        UPDATE item SET isUnread = ?1 WHERE account = ?2 AND key IN (
          SELECT item.key FROM articleStatus INDEXED BY statusByBatch
            CROSS JOIN item ON item.articleID = articleStatus.articleID AND item.account = ?2
          WHERE articleStatus.batch IN (?3, -?3) AND \(OutboxMark.standsForBatch("?4")))
        """, [!isRead, account, batch, item.id])
    default: break
    }
  }

  /// Removes earlier changes of the same marks.
  func removeSuperseded(by item: OutboxItem) throws {
    switch item.change {
    case .mark(let article, let mark): try removeEarlier(mark.kind.rawValue, article, than: item)
    case .readBatch(let batch, _):
      try db.run(
        """
        DELETE FROM outbox WHERE account = ?1 AND id < ?2 AND (
          kind = 'readBatch' AND batch = ?3
            OR kind = 'read' AND articleID IN (
              SELECT articleID FROM articleStatus WHERE batch IN (?3, -?3)))
        """, [item.account, item.id, batch])
    default: break
    }
  }

  private func removeEarlier(_ kind: String, _ article: ArticleID, than item: OutboxItem) throws {
    try db.run(
      "DELETE FROM outbox WHERE kind = ? AND articleID = ? AND account IS ? AND id < ?",
      [kind, article, item.account, item.id])
  }
}
