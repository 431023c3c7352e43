internal import ChildProcess
internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// The schema of new stores, and of those that the program has written before (`Fixtures/stores`).
@Suite struct SchemaTests {
  @Test func `A store of the first release keeps what is in it`()
    async throws
  {
    let former = try FormerStore(28)
    let before = try former.contents()
    let store = try Store(folder: former.folder)
    #expect(store.untoldRecovery == nil)
    let raw = try RawDatabase(former.folder)
    #expect(try raw.strings("PRAGMA user_version") == ["\(Schema.version)"])
    #expect(try former.contents() == before)
    #expect(try raw.problems() == [])
    let feeds = try await store.view { try $0.feeds.all() }
    #expect(feeds.map(\.displayTitle) == ["My One", "Two", "Gone", "The Lamplight Review"])
    #expect(feeds.map(\.folders) == [["News"], ["News/Deep"], [], ["Work"]])
    #expect(try await store.view { try $0.outbox.items() }.map(\.change.isMark) == [false])
    let found = try await store.view {
      try $0.timeline.slice(TimelineQuery(.search("naive cafe"))).rows
    }
    #expect(found.count == 17)
    let undone = try await store.edit { edit in try edit.undone(now: noon) + edit.undone(now: noon)
    }
    #expect(undone == 7)
    #expect(try raw.problems() == [])
  }

  @Test func `A new store has the tables of one that went through all steps`() throws {
    let unpacked = try FormerStore(28)
    _ = try Store(folder: unpacked.folder)
    let former = try RawDatabase(unpacked.folder)
    let fresh = try TestStore()
    let columns = """
      SELECT sqlite_master.name, column.name, column.type, column.dflt_value, "notnull", pk
      FROM sqlite_master, pragma_table_info(sqlite_master.name) AS column
      WHERE sqlite_master.type = 'table' AND sqlite_master.name <> 'sqlite_stat1'
        AND (sqlite_master.name, column.name) NOT IN (('outbox', 'walk'), ('outbox', 'repeats'))
      ORDER BY 1, column.cid
      """
    #expect(try former.strings(columns) == (try RawDatabase(fresh.folder).strings(columns)))
    let objects = """
      SELECT type, name, tbl_name, replace(replace(sql, char(10), ''), ' ', '') FROM sqlite_master
      WHERE type <> 'table' ORDER BY 1, 2
      """
    #expect(try former.strings(objects) == (try RawDatabase(fresh.folder).strings(objects)))
  }

  @Test func `A store of an earlier schema is refused, and stays as it is`() throws {
    let former = try FormerStore(27)
    func bytes() -> [Data?] {
      ["", "-wal"].map {
        FileManager.default.contents(atPath: former.folder + "/telex.sqlite" + $0)
      }
    }
    let before = bytes()
    let error = #expect(throws: SourceError.self) { try Store(folder: former.folder) }
    #expect(error?.message.contains("schema 27") == true, "\(String(describing: error))")
    #expect(error?.next == Schema.adviceOnFormer)
    #expect(bytes() == before)
  }

  /// The kernel ends the process at a write: in the first page of the log, in each later one, and where the log is
  /// moved into the database.
  @Test func `A first start that is killed at any of its writes is made by the next one`()
    async throws
  {
    var kills = 0
    // The log's index takes the first 64 kB.
    for bytes in stride(from: 4_000, to: 1_200_000, by: 48_000) {
      let folder = try temporaryFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let child = try ChildProcess(
        BuiltProduct.path(of: "store-writer"), [folder, "open", "\(bytes)"])
      let ending = try #require(await child.end())
      guard ending != .exited(0) else { break }
      #expect(ending == .signaled(SIGXFSZ), "\(bytes): \(child.output)")
      kills += 1
      let store = try Store(folder: folder)
      #expect(store.untoldRecovery == nil, "killed at \(bytes)")
      let raw = try RawDatabase(folder)
      #expect(try raw.strings("PRAGMA user_version") == ["\(Schema.version)"])
      #expect(try raw.strings("SELECT count(*) FROM account") == ["1"])
      #expect(try raw.problems() == [], "killed at \(bytes)")
    }
    #expect(kills > 2)
  }

  // MARK: Later schemas

  private struct Stop: Error {}

  /// The schema, and a step that adds a column.
  private func later(fails: Bool = false) -> DatabaseMigrator {
    var migrator = Schema.migrator
    migrator.registerMigration("\(Schema.version + 1) a column") { db in
      try db.execute(sql: "ALTER TABLE feed ADD COLUMN later TEXT; DELETE FROM articleBody")
      if fails { throw Stop() }
    }
    return migrator
  }

  @Test
  func `The store is copied before its schema changes, and the copy goes with the next start`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("1")], into: feed)
    let path = test.folder + "/telex.sqlite"
    let copy = StoreCopy.path(of: path)
    let pool = try Connections.pool(path, WaitLimit(deadline: nil))
    #expect(throws: Stop.self) {
      try Schema.bringUpToDate(pool, path: path, by: later(fails: true))
    }
    #expect(access(copy, F_OK) == 0)
    #expect(try await test.articles(feed).count == 1)
    try Schema.bringUpToDate(pool, path: path, by: later())
    #expect(try RawDatabase(test.folder).strings("SELECT later IS NULL FROM feed") == ["1"])
    #expect(try RawDatabase(test.folder).strings("SELECT * FROM articleBody") == [])
    let kept = try DatabaseQueue(path: copy)
    let (version, bodies) = try await kept.read { db in
      (
        try Int.fetchOne(db, sql: "PRAGMA user_version"),
        try Int.fetchOne(db, sql: "SELECT count(*) FROM articleBody")
      )
    }
    try kept.close()
    #expect(version == Schema.version && bodies == 1)
    try Schema.bringUpToDate(pool, path: path, by: later())
    #expect(access(copy, F_OK) != 0)
  }
}

/// A store that an earlier build has left, unpacked; gone with the value.
struct FormerStore: ~Copyable {
  let folder: String

  init(_ schema: Int) throws {
    let folder = try temporaryFolder()
    let archive = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/stores/schema-\(schema).tar.gz").path
    let tar = try ChildProcess("tar", ["xzf", archive, "-C", folder])
    let end = ContinuousClock.now + .seconds(60)
    while tar.isRunning, ContinuousClock.now < end { usleep(1_000) }
    try #require(tar.ending == .exited(0), "\(tar.errors)")
    self.folder = folder
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Feeds, marks and texts, in the columns of the first release.
  func contents() throws -> [String] {
    let raw = try RawDatabase(folder)
    return try [
      "feed", "feedFolder", "feedCount", "feedState", "article", "articleBody", "articleStatus",
      "gap",
      "userAction", "outbox", "account", "folderOutline",
    ].flatMap { table in
      let columns = try raw.strings(
        """
        SELECT name FROM pragma_table_info('\(table)')
        WHERE name NOT IN ('medianGap', 'newestAt', 'skippedTimes')
        """)
      return try [table]
        + raw.strings("SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY 1, 2")
    }
  }
}
