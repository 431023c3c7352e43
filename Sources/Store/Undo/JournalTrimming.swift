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

  /// SQL for done actions beyond the last `?1` numbers, except the last that can be undone, and one
  /// at which `undo` stops before it.
  fileprivate static let doneBeyond = """
    id <= (SELECT max(id) FROM userAction) - ?1 AND isUndone = 0
      AND (\(isNoStep("userAction")) OR EXISTS (
        SELECT 1 FROM userAction AS later WHERE later.id > userAction.id AND later.isUndone = 0
          AND NOT \(isNoStep("later"))
          AND (\(isToldOthers("userAction")) OR NOT \(isToldOthers("later")))))
      AND \(isNotNeeded)
    """

  /// SQL for undone actions, except the first `?1` that can be redone.
  fileprivate static let undoneBeyond = """
    isUndone AND (\(isNoStep("userAction"))
        OR id >= (SELECT min(id) FROM userAction WHERE isUndone) + max(?1, 1))
      AND \(isNotNeeded)
    """

  /// Whether `undo` has no use for an action: with a bound of 0 nothing is kept of what was read.
  private static func isNoStep(_ table: String) -> String {
    "(\(isPassed(table)) OR (?1 = 0 AND \(table).kind IS '\(UserActionKind.opened.rawValue)'))"
  }

  /// A removal is restored by its row, and the outbox shows the count of a batch.
  private static let isNotNeeded = """
    NOT EXISTS (SELECT 1 FROM removal WHERE action = userAction.id)
      AND NOT EXISTS (SELECT 1 FROM outbox WHERE batch = userAction.id)
    """

  /// Trims the journal. The next actions of undo and redo stay, and so do removals that can be
  /// undone.
  package func trim() throws {
    for condition in [Self.doneBeyond, Self.undoneBeyond] {
      try db.run("DELETE FROM userAction WHERE \(condition)", [edit.journalKeeping.limit])
    }
  }

  /// Trims the journal at the end of a transaction that has noted an action: only then it is known
  /// whether that is kept.
  func keepBound() throws {
    if edit.journalKeeping.hasGrown { try trim() }
  }
}
