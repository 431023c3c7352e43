internal import GRDB
package import News

/// A set of ids that stands for a mark of articles.
package enum MarkSet: String, Sendable {
  case unread = "isUnread"
  case starred = "isStarred"

  var column: String { rawValue }

  fileprivate var index: String { self == .unread ? "itemUnread" : "itemStarred" }
}

/// A set of the server as earlier walks have found it.
package struct KnownSet: Sendable {
  package var keys: Set<ItemKey> = []
  /// Whether there are ids of which nobody knows yet whether they are in it.
  package var hasUndecided = false

  package init() {}
}

extension ItemsView {
  package func known(_ set: MarkSet, of account: AccountID) throws -> KnownSet {
    let rows = try db.cursor(
      """
      SELECT key, \(set.column) FROM item INDEXED BY \(set.index)
      WHERE account = ? AND \(set.column) IS NOT 0
      """, [account])
    var known = KnownSet()
    while let row = try rows.next() {
      if let _: Int64 = row[1] {
        known.keys.insert(ItemKey(stored: row[0]))
      } else {
        known.hasUndecided = true
      }
    }
    return known
  }
}

// Only changes of the server since an earlier walk, or a sent mark, apply here: other marks of the
// user stay, and the outbox wins.
extension ItemsEdit {
  /// Notes that ids are in a set, or no longer, and marks their articles. Returns how many marks
  /// have changed.
  ///
  /// - Parameter keys: about a thousand at most, so that the user's changes get in between.
  package func apply(
    _ isIn: Bool, _ set: MarkSet, to keys: some Sequence<ItemKey>, in walk: SyncWalk
  ) throws -> Int {
    try edit.sync.check(walk)
    let find = try db.cachedStatement(
      sql: "SELECT articleID, \(set.column) FROM item WHERE account = ? AND key = ?")
    // Unread and starred articles are fetched first.
    let update = try db.cachedStatement(
      sql: """
        UPDATE item SET \(set.column) = ?1,
          rank = CASE WHEN ?1 AND articleID IS NULL AND rank > -\(SyncWalk.urgency)
            THEN rank - \(SyncWalk.urgency) ELSE rank END
        WHERE account = ?2 AND key = ?3
        """)
    let marking = ServerMarks(edit: edit, account: walk.account)
    var changed = 0
    for key in keys {
      let row = try Row.fetchOne(find, arguments: [walk.account, key.rawValue])
      guard let row, (row[1] as Bool?) != isIn else { continue }
      let article = row[0] as Int64?
      // The next walk tells what the server has now.
      if let article, try marking.wasSent(set, of: article) { continue }
      try update.execute(arguments: [isIn, walk.account, key.rawValue])
      guard let article else { continue }
      changed += try marking.settle(
        article, isRead: set == .unread ? !isIn : nil, isStarred: set == .starred ? isIn : nil)
    }
    return changed
  }

  /// Notes that undecided ids are not in a set that is whole. Returns the changed marks and the
  /// last id; nil where there were none.
  ///
  /// - Parameters:
  ///   - limit: of ids.
  ///   - key: of the last id before.
  package func excludeUndecided(
    from set: MarkSet, after key: ItemKey?, limit: Int, in walk: SyncWalk
  ) throws -> (changed: Int, last: ItemKey?) {
    try edit.sync.check(walk)
    let rows = try db.rows(
      """
      SELECT key, articleID FROM item INDEXED BY \(set.index)
      WHERE account = ? AND \(set.column) IS NOT 0 AND \(set.column) IS NULL AND key > ?
      ORDER BY key LIMIT ?
      """, [walk.account, key?.rawValue ?? .min, limit])
    guard let first = rows.first, let last = rows.last else { return (0, nil) }
    let linked = rows.filter { ($0[1] as Int64?) != nil }.map { ItemKey(stored: $0[0]) }
    let changed = try apply(false, set, to: linked, in: walk)
    try db.run(
      """
      UPDATE item SET \(set.column) = 0
      WHERE account = ? AND key BETWEEN ? AND ? AND \(set.column) IS NULL
      """, [walk.account, first[0] as Int64, last[0] as Int64])
    return (changed, ItemKey(stored: last[0]))
  }
}

/// Marks articles as their server does, except marks in the outbox, which the server does not know
/// yet.
struct ServerMarks {
  let edit: StoreEdit
  let account: AccountID
  private var db: Database { edit.db }

  /// Returns how many marks have changed. Nil is for unknown marks.
  func settle(_ article: Int64, isRead: Bool?, isStarred: Bool?) throws -> Int {
    let row = try db.row(
      "SELECT isRead, isStarred, batch FROM articleStatus WHERE articleID = ?", [article])
    guard let row else { return 0 }
    var changed = 0
    if let isRead, isRead != (row[0] as Bool), try !isHeld("read", article),
      try !isInHeldBatch(row[2])
    {
      try db.run(
        "UPDATE articleStatus SET isRead = ?, batch = NULL WHERE articleID = ?", [isRead, article])
      changed += 1
    }
    if let isStarred, isStarred != (row[1] as Bool), try !isHeld("starred", article) {
      try db.run(
        "UPDATE articleStatus SET isStarred = ? WHERE articleID = ?", [isStarred, article])
      changed += 1
    }
    return changed
  }

  /// Whether a mark was sent since the sync began whose walk this is: what was listed may be older.
  func wasSent(_ set: MarkSet, of article: Int64) throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM outbox WHERE articleID = ?1 AND kind = ?2 AND account = ?3
        AND state = \(OutboxItemState.sent.rawValue)
      UNION ALL
      SELECT 1 FROM articleStatus JOIN outbox ON outbox.batch = abs(articleStatus.batch)
      WHERE ?2 = 'read' AND articleStatus.articleID = ?1 AND outbox.account = ?3
        AND outbox.state = \(OutboxItemState.sent.rawValue)
      """, [article, set == .unread ? "read" : "starred", account])
  }

  private func isHeld(_ kind: String, _ article: Int64) throws -> Bool {
    try db.exists(
      "SELECT 1 FROM outbox WHERE articleID = ? AND kind = ? AND account = ?",
      [article, kind, account])
  }

  /// Articles that were read with others of a batch in another feed have its number below zero.
  private func isInHeldBatch(_ batch: Int64?) throws -> Bool {
    guard let batch else { return false }
    return try db.exists(
      "SELECT 1 FROM outbox WHERE batch = ? AND account = ?", [abs(batch), account])
  }
}
