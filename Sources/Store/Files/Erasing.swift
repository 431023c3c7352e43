internal import GRDB

extension StoreEdit {
  /// What is taken away in this transaction is to leave the files too: see `Store.erase`.
  func noteErasure() throws {
    try db.execute(sql: "INSERT OR IGNORE INTO upkeep (task) VALUES ('erase')")
  }
}

extension Store {
  /// Pages of the index that are merged in one transaction, which takes a fifteenth of a second.
  private static let mergedAtOnce = 500

  /// Whether something was removed whose text is still in the files.
  package func hasToErase() async throws -> Bool {
    try await reading { db in
      try Row.fetchOne(db, sql: "SELECT 1 FROM upkeep WHERE task = 'erase'") != nil
    }
  }

  /// Takes what was removed out of the files: the search index, the free pages, the log.
  ///
  /// The index only notes that a text is gone until its segments are merged, whatever `secure_delete`
  /// says; all of them are, in steps between which others can write. Then the database is written anew,
  /// for pages keep copies of rows that have moved to others, and the log is cut. Where there are
  /// 100,000 articles, each of the two takes three seconds; to build the index anew takes twenty.
  /// What is to be done stays noted until it is: a kill leaves it to the next one who calls.
  ///
  /// - Throws: `SourceError`, or `CancellationError`.
  package func erase() async throws {
    guard try await hasToErase() else { return }
    // A negative number says that all segments are to become one, and begins with it.
    try await writing { db in
      try db.execute(
        sql: "INSERT INTO search (search, rank) VALUES ('merge', ?)",
        arguments: [-Self.mergedAtOnce])
    }
    var isMerged = false
    while !isMerged {
      isMerged = try await writing { db in
        let before = db.totalChangesCount
        try db.execute(
          sql: "INSERT INTO search (search, rank) VALUES ('merge', ?)",
          arguments: [Self.mergedAtOnce])
        // By the documentation of FTS5, fewer than two changes say that nothing was left to merge.
        return db.totalChangesCount - before < 2
      }
    }
    let path = path
    try await writing { db in
      // Not in memory, where `temp_store` puts it otherwise: it is as large as the database.
      try db.execute(sql: "PRAGMA temp_store = FILE")
      defer { try? db.execute(sql: "PRAGMA temp_store = MEMORY") }
      try db.execute(sql: "VACUUM")
      _ = try db.checkpoint(.truncate)
      SchemaCopy.keep(of: db, beside: path)
      try db.execute(sql: "DELETE FROM upkeep WHERE task = 'erase'")
    }
  }
}
