internal import GRDB
internal import News

/// Maps errors of SQLite to `SourceError`.
func mapStoreErrors<Value>(_ subject: String, _ body: () throws -> Value) throws -> Value {
  do { return try body() } catch { throw storeError(error, subject: subject) }
}

func mapStoreErrors<Value>(
  _ subject: String, _ body: () async throws -> Value
) async throws -> Value {
  do { return try await body() } catch { throw storeError(error, subject: subject) }
}

func storeError(_ error: any Error, subject: String) -> any Error {
  if error is SourceError || error is CancellationError || error is WalkOvertaken { return error }
  guard let error = error as? DatabaseError else {
    return SourceError(.store, stage: .store, subject: subject, message: "\(error)")
  }
  let (message, next): (String, String) =
    switch error.resultCode {
    case .SQLITE_FULL: ("the disk is full; nothing was changed", "make room and try again")
    case .SQLITE_READONLY: ("the store cannot be written", "check the permissions of the folder")
    case .SQLITE_CANTOPEN:
      ("the store cannot be opened", "check that the folder exists and is yours")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      (
        "\(LockHolder.writer(of: subject + "/telex.sqlite") ?? "another Telex") has been writing for "
          + "too long", "try again when it is done, or end it"
      )
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      (
        "the database is damaged",
        "telex doctor --repair saves what can be read; where that does not help, check the disk"
      )
    case .SQLITE_IOERR: ("the disk could not be read or written", "check the disk and try again")
    case .SQLITE_INTERRUPT, .SQLITE_ABORT: ("the work was interrupted", "try again")
    default:
      // GRDB's own description would carry the arguments; SQLite's message does not.
      (error.message ?? "SQLite error \(error.resultCode.rawValue)", "try again")
    }
  return SourceError(.store, stage: .store, subject: subject, message: message, next: next)
}

extension DatabaseError {
  /// Whether the file itself is not, or no longer, a database.
  var isDamage: Bool {
    resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB || isUnreadable
      || isOfIndexAtCommit
  }

  /// The disk does not give a page back.
  private var isUnreadable: Bool {
    [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS]
      .contains(extendedResultCode)
  }

  /// The search index is written at the end of a transaction. Only a damaged one refuses a key
  /// there.
  private var isOfIndexAtCommit: Bool {
    extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY && sql?.hasPrefix("COMMIT") == true
  }
}
