internal import GRDB
internal import News

/// Compares the marks that were sent with what the server is found to have.
struct Confirmation {
  /// How often a mark is sent that the server does not keep.
  static let attempts = 3

  let edit: StoreEdit
  let account: AccountID
  let walk: SyncWalk
  private var db: Database { edit.db }

  init(edit: StoreEdit, account: AccountID, walk: SyncWalk) {
    self.edit = edit
    self.account = account
    self.walk = walk
  }

  func run(isReadKnown: Bool, isStarKnown: Bool, _ result: inout WalkResult) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, kind, value, articleID, batch, repeats FROM outbox
        WHERE account = ? AND state = \(OutboxState.sent.rawValue) AND walk < ? ORDER BY id
        """, arguments: [account.rawValue, walk.number])
    for row in rows {
      if try isSuperseded(row[0]) {
        try db.execute(sql: "DELETE FROM outbox WHERE id = ?", arguments: [row[0] as Int64])
        continue
      }
      let missing: Int
      switch row[1] as String {
      case "read" where isReadKnown:
        missing = try isKept("isUnread", !(row[2] as Bool), row[3]) ? 0 : 1
      case "starred" where isStarKnown:
        missing = try isKept("isStarred", row[2], row[3]) ? 0 : 1
      case "readBatch" where isReadKnown: missing = try self.missing(ofBatch: row[4], row[2])
      default: continue
      }
      try settle(row[0], missing: missing, repeats: row[5], &result)
    }
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

  private func settle(
    _ id: Int64, missing: Int, repeats: Int, _ result: inout WalkResult
  ) throws {
    if missing == 0 {
      result.confirmed += 1
      try db.execute(sql: "DELETE FROM outbox WHERE id = ?", arguments: [id])
    } else if repeats + 1 < Self.attempts {
      result.repeated += missing
      try db.execute(
        sql: """
          UPDATE outbox SET state = \(OutboxState.tried.rawValue), repeats = repeats + 1
          WHERE id = ?
          """, arguments: [id])
    } else {
      result.ignored += missing
      try db.execute(sql: "DELETE FROM outbox WHERE id = ?", arguments: [id])
    }
  }

  /// An article that the server has no longer keeps nothing more.
  private func isKept(_ column: String, _ value: Bool, _ article: Int64?) throws -> Bool {
    let found = try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(column) FROM item WHERE articleID = ? AND account = ?"),
      arguments: [article, account.rawValue])
    return found.map { $0 == value } ?? true
  }

  private func missing(ofBatch batch: Int64?, _ isRead: Bool) throws -> Int {
    guard let batch else { return 0 }
    return try Int.fetchOne(
      db,
      sql: """
        SELECT count(*) FROM articleStatus
          JOIN item ON item.articleID = articleStatus.articleID AND item.account = ?
        WHERE articleStatus.batch IN (?, ?) AND item.isUnread = ?
        """, arguments: [account.rawValue, batch, -batch, isRead]) ?? 0
  }
}
