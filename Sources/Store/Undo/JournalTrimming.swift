internal import GRDB
internal import News

// The bound of the journal. Undo needs its rows, so that some stay whatever the bound is.

/// How many actions a transaction keeps in the journal, and whether it has noted one.
final class JournalKeeping {
  /// 0 for none but those that `undo` and `redo` need next; then no opened article is noted either.
  let limit: Int
  var hasGrown = false

  init(limit: Int) { self.limit = limit }
}

extension JournalView {
  /// Whether the journal has more than a bound allows.
  ///
  /// - Parameter limit: as of `trim`.
  package func hasMore(beyond limit: Int) throws -> Bool {
    try [JournalEdit.doneBeyond, JournalEdit.undoneBeyond].contains { condition in
      try db.exists("SELECT 1 FROM userAction WHERE \(condition) LIMIT 1", [limit])
    }
  }
}

extension JournalEdit {
  /// How many actions are kept where nothing is set; of what was removed, as long as it can come back.
  package static let defaultLimit = 10_000

  /// The rows of actions that have not been taken back, but for those of the last `?1` numbers, for the last that can
  /// be taken back, and for one at which `undo` stops before that.
  fileprivate static let doneBeyond = """
    id <= (SELECT max(id) FROM userAction) - ?1 AND isUndone = 0
      AND (\(isNoStep("userAction")) OR EXISTS (
        SELECT 1 FROM userAction AS later WHERE later.id > userAction.id AND later.isUndone = 0
          AND NOT \(isNoStep("later"))
          AND (\(isToldOthers("userAction")) OR NOT \(isToldOthers("later")))))
      AND \(isNotNeeded)
    """

  /// The rows of actions that have been taken back, but for the first `?1` that can be done again, and the very first.
  fileprivate static let undoneBeyond = """
    isUndone AND (\(isNoStep("userAction"))
        OR id >= (SELECT min(id) FROM userAction WHERE isUndone) + max(?1, 1))
      AND \(isNotNeeded)
    """

  /// Whether `undo` has no use for an action: with a bound of 0 nothing is kept of what was read.
  private static func isNoStep(_ table: String) -> String {
    "(\(isPassed(table)) OR (?1 = 0 AND \(table).kind IS '\(UserActionKind.opened.rawValue)'))"
  }

  /// What was removed comes back by the row, and the outbox tells its count.
  private static let isNotNeeded = """
    NOT EXISTS (SELECT 1 FROM removal WHERE action = userAction.id)
      AND NOT EXISTS (SELECT 1 FROM outbox WHERE batch = userAction.id)
    """

  /// Deletes what is beyond the bound of the journal. The last action that can be taken back and the first that can be
  /// done again stay, and so does what was removed and can come back.
  package func trim() throws {
    for condition in [Self.doneBeyond, Self.undoneBeyond] {
      try db.run("DELETE FROM userAction WHERE \(condition)", [edit.journalKeeping.limit])
    }
  }

  /// Keeps the bound where this transaction has noted something: only at its end is it known whether anything came of
  /// an action, so that the one before is no longer the last.
  func keepBound() throws {
    if edit.journalKeeping.hasGrown { try trim() }
  }
}
