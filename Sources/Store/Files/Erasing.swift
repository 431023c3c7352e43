internal import GRDB

extension StoreEdit {
  /// Notes that this transaction deletes data, which `Store.erase` then erases from the files.
  func noteErasure() throws {
    try db.execute(sql: "INSERT OR IGNORE INTO upkeep (task) VALUES ('erase')")
  }
}

extension Store {
  /// Pages of the search index that one transaction merges, which takes a fifteenth of a second.
  private static let mergedAtOnce = 500

  package func hasToErase() async throws -> Bool {
    try await reading { db in
      try Row.fetchOne(db, sql: "SELECT 1 FROM upkeep WHERE task = 'erase'") != nil
    }
  }

  /// Erases deleted data from the files: the search index, free pages and the log.
  ///
  /// FTS5 keeps deleted texts until its segments are merged, even with `secure_delete`: they are
  /// merged in steps, between which others can write. Then `VACUUM` drops copies of moved rows, and
  /// the log is truncated. Merging and `VACUUM` take three seconds each for 100,000 articles;
  /// rebuilding the index would take twenty. The rest is done by the next call after a kill.
  ///
  /// - Throws: `SourceError`, or `CancellationError`.
  package func erase() async throws {
    guard try await hasToErase() else { return }
    try await compact()
  }

  /// Gives free space of the database back to the disk, and erases deleted data. Lists can be read
  /// meanwhile; changes wait for a part of it.
  ///
  /// - Throws: `SourceError`, or `CancellationError`.
  package func compact() async throws {
    // A negative number starts a merge of all segments into one.
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
