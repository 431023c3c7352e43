internal import GRDB
internal import News

/// Compares the marks that were sent with what the server is found to have.
///
/// A walk proves what it shows: an article in a set is in it, whole or not. Only a whole set proves what it
/// does not show.
struct Confirmation {
  /// How often a mark is sent that the server does not keep.
  static let attempts = 3
  /// For how many walks a mark is held that none of them shows.
  static let patience: Int64 = 3

  private enum Finding: Equatable {
    case kept
    /// Of so many articles.
    case missing(Int)
    case unknown
  }

  let edit: StoreEdit
  let account: AccountID
  let walk: SyncWalk
  let unread: WalkedSet
  let starred: WalkedSet
  private var db: Database { edit.db }

  init(
    edit: StoreEdit, account: AccountID, walk: SyncWalk, unread: WalkedSet, starred: WalkedSet
  ) {
    self.edit = edit
    self.account = account
    self.walk = walk
    self.unread = unread
    self.starred = starred
  }

  func run(_ result: inout WalkResult) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, kind, value, articleID, batch, repeats, walk, state FROM outbox
        WHERE account = ? AND kind IN (\(OutboxKind.ofMarks))
          AND state >= \(OutboxState.sent.rawValue) AND walk < ? ORDER BY id
        """, arguments: [account.rawValue, walk.number])
    for row in rows {
      let id: Int64 = row[0]
      if try isSuperseded(id) {
        try remove(id)
        continue
      }
      let found = try find(row)
      guard row[7] as Int == OutboxState.sent.rawValue else {
        if try found == .kept || !isWanted(row) { try remove(id) }
        continue
      }
      switch found {
      case .kept:
        result.confirmed += 1
        try remove(id)
      case .missing(let count): try settle(row, missing: count, &result)
      case .unknown where walk.number - (row[6] as Int64) >= Self.patience: try release(row)
      case .unknown: break
      }
    }
  }

  private func remove(_ id: Int64) throws {
    try db.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?").execute(arguments: [id])
  }

  /// Whether the user has said something else of the same mark since, which counts instead.
  private func isSuperseded(_ id: Int64) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (
              SELECT 1 FROM outbox AS later
              WHERE later.articleID IS outbox.articleID AND later.kind = outbox.kind
                AND later.batch IS outbox.batch AND later.account = outbox.account
                AND later.id > outbox.id)
            OR outbox.kind = 'read' AND EXISTS (
              SELECT 1 FROM articleStatus JOIN outbox AS later
                ON later.batch = abs(articleStatus.batch)
              WHERE articleStatus.articleID = outbox.articleID AND later.id > outbox.id
                AND later.account = outbox.account)
          FROM outbox WHERE id = ?
          """), arguments: [id]) ?? false
  }

  // MARK: - What the walk shows

  private func find(_ row: Row) throws -> Finding {
    let value: Bool = row[2]
    let isStar = row[1] as String == "starred"
    let (set, belongs) = isStar ? (starred, value) : (unread, !value)
    var (missing, unknown) = (0, 0)
    // An article that the server has no longer keeps nothing more.
    for key in try keys(of: row) {
      if set.keys.contains(key) {
        if !belongs { missing += 1 }
      } else if !set.isWhole {
        unknown += 1
      } else if belongs {
        missing += 1
      }
    }
    return missing > 0 ? .missing(missing) : unknown > 0 ? .unknown : .kept
  }

  /// What the server knows the articles of a change by.
  private func keys(of row: Row) throws -> [ItemKey] {
    if let batch = row[4] as Int64? {
      return try edit.view.itemKeys(ofBatch: batch, sentBy: row[0], of: account)
    }
    return try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT key FROM item WHERE articleID = ? AND account = ?"),
      arguments: [row[3] as Int64?, account.rawValue]
    ).map(ItemKey.init(stored:))
  }

  // MARK: - What comes of it

  private func settle(_ row: Row, missing: Int, _ result: inout WalkResult) throws {
    let id: Int64 = row[0]
    if (row[5] as Int) + 1 < Self.attempts {
      result.repeated += missing
      try db.execute(
        sql: """
          UPDATE outbox SET state = \(OutboxState.tried.rawValue), repeats = repeats + 1
          WHERE id = ?
          """, arguments: [id])
      return
    }
    result.ignored += missing
    let base = try String.fetchOne(
      db, sql: "SELECT base FROM account WHERE id = ?", arguments: [account.rawValue])
    let what = row[4] as Int64? == nil ? "this mark" : "\(missing) of these marks"
    let error = SourceError(
      .notKept, stage: .fetch, subject: base ?? "",
      message: "the server says that it takes \(what), and does not keep what it was sent")
    try db.execute(
      sql: """
        UPDATE outbox SET state = \(OutboxState.ignored.rawValue), attempts = attempts + 1, error = ?
        WHERE id = ?
        """, arguments: [StoredError.encode(error), id])
  }

  /// Takes the server at its word, as no walk can say otherwise: what a later one shows is a change there.
  private func release(_ row: Row) throws {
    let (value, isStar) = (row[2] as Bool, row[1] as String == "starred")
    let update = try db.cachedStatement(
      sql: """
        UPDATE item SET \(isStar ? "isStarred" : "isUnread") = ? WHERE account = ? AND key = ?
        """)
    for key in try keys(of: row) {
      try update.execute(arguments: [isStar ? value : !value, account.rawValue, key.rawValue])
    }
    try remove(row[0])
  }

  /// Whether any article of a change that the server ignores is still marked so here.
  private func isWanted(_ row: Row) throws -> Bool {
    let column = row[1] as String == "starred" ? "isStarred" : "isRead"
    return try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM articleStatus WHERE \(column) = ?1 AND articleID = ?2)
          OR EXISTS (SELECT 1 FROM articleStatus WHERE \(column) = ?1 AND batch IN (?3, -?3))
        """, arguments: [row[2] as Bool, row[3] as Int64?, row[4] as Int64?]) ?? false
  }
}

extension StoreView {
  /// What the server of an account knows the articles of a batch of marks by.
  ///
  /// The order is prescribed: without statistics SQLite would go through all items of the account.
  ///
  /// - Parameter row: of the batch in the outbox.
  func itemKeys(
    ofBatch batch: Int64, sentBy row: Int64, of account: AccountID
  ) throws -> [ItemKey] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT item.key FROM articleStatus INDEXED BY statusByBatch
          CROSS JOIN item ON item.articleID = articleStatus.articleID AND item.account = ?
        WHERE articleStatus.batch IN (?, ?) AND \(OutboxMark.standsForBatch)
        """, arguments: [account.rawValue, batch, -batch, row]
    ).map(ItemKey.init(stored:))
  }
}
