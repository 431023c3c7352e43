internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import News

/// Repair of a damaged database: in its place where its rows are whole, else by copying readable
/// rows into a new one. Runs with the folder's lock held.
struct Healing {
  let path: String
  let configuration: Configuration
  let waitLimit: WaitLimit

  /// - Throws: where nothing can be done now, as without room on the disk. Nothing is changed then.
  func heal() throws -> StoreRecovery {
    if StoreFile(path) == .noDatabase, try !repairFront(dryRun: true), !StoreFile.hasTrees(path) {
      return try begin(as: .foreign)
    }
    do {
      if StoreFile(path) == .database, try rebuild() { return StoreRecovery(outcome: .rebuilt) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      // Changes by another process must not be lost.
      throw error
    } catch is DatabaseError {}
    return try carry()
  }

  // MARK: - In its place

  /// Rebuilds the indexes, in a transaction that is kept only if everything fits and no row is
  /// missing: a broken index may lead into the pages of a table.
  private func rebuild() throws -> Bool {
    let database = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? database.close() }
    return try database.inDatabase { db in
      guard try Int.fetchOne(db, sql: "PRAGMA user_version") == Schema.version else { return false }
      var isWhole = false
      try db.inTransaction(.immediate) {
        let before = try rowCounts(db)
        try Schema.renewSearchIndex(in: db)
        try db.execute(sql: "REINDEX")
        try SearchIndexing.rebuild(in: db)
        let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(1)")
        let strays = try Row.fetchOne(db, sql: "SELECT 1 FROM pragma_foreign_key_check")
        isWhole = try problems == ["ok"] && strays == nil && rowCounts(db) == before
        return isWhole ? .commit : .rollback
      }
      return isWhole
    }
  }

  private func rowCounts(_ db: Database) throws -> [Int] {
    try StoreTable.all.filter(\.isCarried).map {
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0.name) NOT INDEXED") ?? 0
    }
  }

  // MARK: - Into a new one

  /// Rows may come before those they refer to, and one database is written from within the queue of
  /// the other.
  private var settings: Configuration {
    var settings = configuration
    settings.foreignKeysEnabled = false
    settings.writeTargetQueue = nil
    settings.prepareDatabase { db in
      // Rows come in the order of ids and scatter over the indexes: with a small cache, pages are
      // written many times.
      try db.execute(sql: "PRAGMA cache_size = -65536")
    }
    return settings
  }

  /// For the damaged one: errors of header and schema are ignored, so that a cut file can be read
  /// as far as it goes.
  private var damagedSettings: Configuration {
    var settings = Configuration()
    settings.busyMode = configuration.busyMode
    settings.foreignKeysEnabled = false
    // The lock on the damaged file is held between two reads.
    settings.allowsUnsafeTransactions = true
    settings.prepareDatabase { db in
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(sql: "PRAGMA cell_size_check = ON")
    }
    return settings
  }

  private func carry() throws -> StoreRecovery {
    try Replacement.finish(path)
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + Self.repaired + suffix) } }
    let source = try openDamaged()
    defer { try? source?.close() }
    // No other process may write from here on. A file too damaged for the lock cannot be written by
    // any.
    do {
      try source?.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw error
    } catch is DatabaseError {}
    defer {
      try? source?.inDatabase { if $0.isInsideTransaction { try $0.execute(sql: "ROLLBACK") } }
    }
    let draft = Replacement.draft(of: path)
    do {
      // Without `source` the database could not be opened.
      let carried = try write(draft, from: source, settings)
      let aside = try Replacement.replace(path)
      return StoreRecovery(outcome: .carried(carried), setAside: aside)
    } catch {
      Replacement.discardDraft(of: path)
      throw error
    }
  }

  /// A new database of the first schema with the rows of the damaged one, brought up to date as any other would be.
  private func write(
    _ draft: String, from source: DatabaseQueue?, _ settings: Configuration
  ) throws -> StoreRecovery.Carried {
    StoreFolder.begin(draft)
    let target = try DatabaseQueue(path: draft, configuration: settings)
    var carried = StoreRecovery.Carried()
    let schema = source.flatMap { source in
      try? source.inDatabase { try Schema.found(in: $0) }
    }
    if let schema, schema > Schema.version { throw Schema.newer(path, schema) }
    if let schema, schema < Schema.first { throw Schema.former(path, schema) }
    try Schema.create(in: target)
    if let source {
      carried = try source.inDatabase { source in
        try target.writeWithoutTransaction { db in
          var carried = StoreRecovery.Carried()
          try db.inTransaction {
            carried = try RowCarrier(
              source: DamagedDatabase(db: source), target: db, waitLimit: waitLimit
            ).carryAll()
            return .commit
          }
          return carried
        }
      }
    } else {
      carried.isUnreadable = true
    }
    try Schema.bringUpToDate(target, path: draft)
    let problems = try target.inDatabase { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
    try target.close()
    guard problems == ["ok"] else {
      throw SourceError(
        .store, stage: .store, subject: path,
        message: "the database is damaged, and so is the disk",
        next: "choose another folder with --store")
    }
    return carried
  }

  /// Nil where it cannot be opened at all, not even with a new first page.
  private func openDamaged() throws -> DatabaseQueue? {
    func opened(_ path: String) -> DatabaseQueue? {
      try? DatabaseQueue(path: path, configuration: damagedSettings)
    }
    // SQLite would delete the log of a file without a byte.
    if StoreFile(path) == .database, let database = opened(path) {
      if isComplete(database) { return database }
      try? database.close()
    }
    if try repairFront(dryRun: false) { return opened(path + Self.repaired) }
    return StoreFile(path) == .database ? opened(path) : nil
  }

  /// Whether all tables can be found.
  private func isComplete(_ database: DatabaseQueue) -> Bool {
    let tables = try? database.inDatabase { db in
      try Schema.found(in: db) == nil
        ? [] : String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    guard let tables, !tables.isEmpty else { return false }
    return Set(SchemaCopy(beside: path)?.tables ?? []).isSubset(of: tables)
  }

  // MARK: - The first page

  private static let repaired = ".repaired"

  /// Copies the file and its log, with a new header, else with a first page made of the known
  /// schema: damage there hides whole pages. Returns whether the copy is a database of Telex. A dry
  /// run removes it.
  private func repairFront(dryRun: Bool) throws -> Bool {
    let copy = path + Self.repaired
    defer { if dryRun { for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) } } }
    let size = Int(StoreFolder.size(of: path))
    var fronts = [16_384, 4_096].map { Self.header(pageSize: $0, pages: max(1, size / $0)) }
    if let schema = SchemaCopy(beside: path), var page = schema.firstPage(using: copy) {
      let header = Self.header(pageSize: schema.pageSize, pages: max(1, size / schema.pageSize))
      page.replaceSubrange(0..<44, with: header[0..<44])
      fronts.append(page)
    }
    for front in fronts {
      for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
      do {
        try StoreFile.copy(path, to: copy)
        if access(path + "-wal", F_OK) == 0 {
          try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
        }
        let file = try FileHandle(forWritingTo: URL(filePath: copy))
        if front.count > 100 {
          // The log may have the first page too, which would lie before the new one.
          try file.write(contentsOf: front.prefix(100))
          Self.moveLog(into: copy)
          try file.seek(toOffset: 0)
        }
        try file.write(contentsOf: front)
        // The log may have the missing part of the first page.
        if size < 4_096 { try file.truncate(atOffset: 16_384) }
        try file.close()
      } catch {
        throw SourceError(
          .store, stage: .store, subject: path,
          message: "the database is damaged, and there is no room to carry it into a new one",
          next: "make room and try again")
      }
      if let database = try? DatabaseQueue(path: copy, configuration: damagedSettings) {
        let isComplete = isComplete(database)
        try? database.close()
        if isComplete { return true }
      }
    }
    return false
  }

  /// Moves the log of a database into it, without looking at its tables. Where that fails the log stays.
  private static func moveLog(into path: String) {
    // SQLite moves no log into a file that has far fewer pages than the log tells of.
    if let bytes = bytes(withLogOf: path), bytes > StoreFolder.size(of: path) {
      truncate(path, off_t(bytes))
    }
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    // The log is opened by the first that is read.
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      sqlite3_exec(database, "PRAGMA user_version", nil, nil, nil) == SQLITE_OK
    else { return }
    sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  /// Bytes of the database with its log, by the last frame; nil without one. The fields are those
  /// of "The Write-Ahead Log" in SQLite's document on its file format.
  private static func bytes(withLogOf path: String) -> Int64? {
    guard let log = try? FileHandle(forReadingFrom: URL(filePath: path + "-wal")),
      let header = try? log.read(upToCount: 32), header.count == 32
    else { return nil }
    func number(_ data: Data, at place: Int) -> Int64 {
      data[place..<place + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
    let frame = 24 + number(header, at: 8)
    let count = (StoreFolder.size(of: path + "-wal") - 32) / frame
    guard count > 0, (try? log.seek(toOffset: UInt64(32 + (count - 1) * frame))) != nil,
      let last = try? log.read(upToCount: 8), last.count == 8
    else { return nil }
    // Damage in the log must not fill the disk: a file without bytes where it grew takes no room.
    return min(number(last, at: 4) * (frame - 24), 1 << 40)
  }

  /// The fields are those of "The Database Header" in SQLite's document on its file format.
  private static func header(pageSize: Int, pages: Int) -> Data {
    var header = Data(repeating: 0, count: 100)
    func put(_ value: Int, at place: Int, bytes: Int = 4) {
      for index in 0..<bytes {
        header[place + index] = UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - index)))
      }
    }
    header.replaceSubrange(0..<16, with: Data("SQLite format 3\u{0}".utf8))
    put(pageSize, at: 16, bytes: 2)
    // Written and read through a log; no bytes are left at the end of a page.
    header.replaceSubrange(18..<24, with: [2, 2, 0, 64, 32, 32])
    put(1, at: 24)
    put(pages, at: 28)
    put(1, at: 40)
    put(4, at: 44)
    put(1, at: 56)
    put(1, at: 92)
    put(3_040_001, at: 96)
    return header
  }

  // MARK: - Something else

  /// Sets aside what is no database of Telex's.
  private func begin(as outcome: StoreRecovery.Outcome) throws -> StoreRecovery {
    try Replacement.finish(path)
    _ = try write(Replacement.draft(of: path), from: nil, settings)
    return StoreRecovery(outcome: outcome, setAside: try Replacement.replace(path))
  }
}
