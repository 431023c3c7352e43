package import Foundation
internal import GRDB
package import News

/// One look at all that the server of an account has: a walk through its sets of ids.
package struct SyncWalk: Hashable, Sendable {
  /// Counts the walks of the account.
  package let number: Int64
  /// The moment up to which an earlier walk has seen all articles; nil where none has.
  package let walkedUpTo: Date?

  /// How much nearer to the front ids come whose articles are unread or starred.
  static let urgency = Int64(1) << 60
  /// How many syncs ask for the article of an id that the server lists and does not hand out.
  static let tries = 3

  /// The place in the line of what is fetched, lowest first: a later walk comes before an earlier one, and
  /// within a walk the order of the server counts.
  func rank(at index: Int) -> Int64 { -(number << 32) + Int64(index) }
}

/// A set of ids as a walk has found it.
package struct WalkedSet: Sendable {
  package var keys: Set<ItemKey>
  /// Whether nothing is missing: only then what is not in it is known not to belong to the set.
  package var isWhole: Bool

  package init(keys: Set<ItemKey> = [], isWhole: Bool = true) {
    self.keys = keys
    self.isWhole = isWhole
  }
}

/// What applying the sets of a walk came to.
package struct WalkResult: Hashable, Sendable {
  /// Marks that have changed here.
  package var changed = 0
  /// Marks that were sent, and that the server has now.
  package var confirmed = 0
  /// Marks that were sent and that the server has not kept: they are sent once more.
  package var repeated = 0
  /// Marks that the server did not keep however often they were sent. They stay here, and with the reason
  /// in the outbox.
  package var ignored = 0

  package init() {}
}

extension StoreEdit {
  /// Begins a walk.
  package func beginWalk(of account: AccountID) throws -> SyncWalk {
    try db.execute(
      sql: "UPDATE account SET walk = walk + 1 WHERE id = ?", arguments: [account.rawValue])
    let row = try Row.fetchOne(
      db, sql: "SELECT walk, walkedUpTo FROM account WHERE id = ?", arguments: [account.rawValue])
    return SyncWalk(
      number: row?[0] ?? 0,
      walkedUpTo: (row?[1] as Int64?).map { Date(timeIntervalSince1970: Double($0)) })
  }

  /// Notes up to which moment all articles have been seen.
  package func setWalkedUpTo(_ moment: Date, of account: AccountID) throws {
    try db.execute(
      sql: "UPDATE account SET walkedUpTo = ? WHERE id = ?",
      arguments: [seconds(moment), account.rawValue])
  }

  /// Applies the unread and the starred articles of an account as a walk has found them.
  ///
  /// Only what has changed since the server was last known changes here: a mark that the server never had
  /// stays as the user made it. A mark in the outbox is not overwritten, sent or not; one that was sent
  /// before the walk began leaves it when the server is found to have it.
  ///
  /// - Parameter walk: the walk that found the sets.
  package func applyWalk(
    unread: WalkedSet, starred: WalkedSet, of account: AccountID, in walk: SyncWalk
  ) throws -> WalkResult {
    var result = WalkResult()
    let waiting = try WaitingMarks(db, of: account)
    result.changed += try applySet(unread, .unread, of: account) { article, batch in
      waiting.holdRead(of: article, in: batch)
    }
    result.changed += try applySet(starred, .starred, of: account) { article, _ in
      waiting.starred.contains(article)
    }
    try hurry(unread.keys, of: account)
    try hurry(starred.keys, of: account)
    try Confirmation(
      edit: self, account: account, walk: walk, unread: unread, starred: starred
    ).run(&result)
    return result
  }

  private enum Column: String { case unread = "isUnread", starred = "isStarred" }

  private func applySet(
    _ set: WalkedSet, _ column: Column, of account: AccountID,
    isHeld: (_ article: Int64, _ batch: Int64?) -> Bool
  ) throws -> Int {
    let name = column.rawValue
    let update = try db.cachedStatement(
      sql: "UPDATE item SET \(name) = ? WHERE account = ? AND key = ?")
    let mark = try db.cachedStatement(
      sql: column == .unread
        ? "UPDATE articleStatus SET isRead = ?2, batch = NULL WHERE articleID = ?1 AND isRead <> ?2"
        : "UPDATE articleStatus SET isStarred = ?2 WHERE articleID = ?1 AND isStarred <> ?2")
    var changed = 0
    func apply(_ row: Row, _ isIn: Bool) throws {
      try update.execute(arguments: [isIn, account.rawValue, row[0] as Int64])
      guard let article = row[1] as Int64?, !isHeld(article, row[2]) else { return }
      try mark.execute(arguments: [article, column == .unread ? !isIn : isIn])
      changed += db.changesCount
    }
    for row in try rows(column, "IS NOT 0", of: account) {
      let (isIn, was) = (set.keys.contains(ItemKey(stored: row[0])), row[3] as Bool?)
      // What a set that is not whole leaves out may belong to it.
      if isIn ? was != true : set.isWhole { try apply(row, isIn) }
    }
    let others = try db.cachedStatement(
      sql: """
        SELECT item.key, item.articleID, articleStatus.batch, item.\(name) FROM item
          LEFT JOIN articleStatus ON articleStatus.articleID = item.articleID
        WHERE item.account = ? AND item.key = ? AND item.\(name) = 0
        """)
    for key in set.keys {
      if let row = try Row.fetchOne(others, arguments: [account.rawValue, key.rawValue]) {
        try apply(row, true)
      }
    }
    return changed
  }

  /// The items that were not known to be outside of a set. Read as a whole: they are written meanwhile.
  private func rows(_ column: Column, _ condition: String, of account: AccountID) throws -> [Row] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT item.key, item.articleID, articleStatus.batch, item.\(column.rawValue)
          FROM item LEFT JOIN articleStatus ON articleStatus.articleID = item.articleID
          WHERE item.account = ? AND item.\(column.rawValue) \(condition)
          """), arguments: [account.rawValue])
  }
}

extension ItemKey {
  init(stored: Int64) { rawValue = stored }
}
