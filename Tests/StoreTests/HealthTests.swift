internal import Foundation
internal import News
internal import Store
internal import TestSupport
internal import Testing

/// A look at a store that changes nothing of it.
@Suite struct HealthTests {
  @Test func `A store in use is sound`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("one"), entry("two")], into: feed)
    let health = await Store.health(of: test.folder, limit: .seconds(60))
    #expect(health.error == nil && health.damage == [])
    #expect(health.isChecked && health.isIndexChecked)
    #expect(health.schema == StoreHealth.currentSchema)
    #expect(health.databaseMode == 0o600)
    #expect(health.isWritable && health.isOwn && health.hasDatabase)
    #expect(health.bytesOnDisk > 0 && (health.bytesFree ?? 0) > 0)
    #expect(health.setAside == [])
    #expect(try await test.titles(feed).count == 2)
  }

  @Test func `Where there is no store, none is made`() async throws {
    let folder = try temporaryFolder()
    try FileManager.default.removeItem(atPath: folder)
    let nothing = await Store.health(of: folder, limit: .seconds(60))
    #expect(nothing.folderMode == nil && !nothing.hasDatabase && nothing.error == nil)
    #expect(!FileManager.default.fileExists(atPath: folder))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let empty = await Store.health(of: folder, limit: .seconds(60))
    #expect(empty.folderMode != nil && !empty.hasDatabase && empty.error == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func `An empty file is told, and the log beside it stays`() async throws {
    let test = try TestStore()
    try await test.merge([entry("one")], into: try await test.subscribe())
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/telex.sqlite"
    try Data().write(to: URL(filePath: path))
    let empty = await Store.health(of: folder, limit: .seconds(60))
    #expect(empty.hasDatabase && empty.isEmpty && empty.bytesOnDisk == 0)
    try FileManager.default.copyItem(
      atPath: test.folder + "/telex.sqlite-wal", toPath: path + "-wal")
    let emptied = await Store.health(of: folder, limit: .seconds(60))
    #expect(emptied.isEmpty && emptied.bytesOnDisk > 32)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(await !Store.health(of: test.folder, limit: .seconds(60)).isEmpty)
  }

  @Test func `What is no database is an error, and stays where it is`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/telex.sqlite"
    let noise = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919) })
    try noise.write(to: URL(filePath: path))
    let health = await Store.health(of: folder, limit: .seconds(60))
    #expect(health.error?.message == "The database is damaged.")
    #expect(FileManager.default.contents(atPath: path) == noise)
  }

  @Test func `A page that is broken is found`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let long = String(repeating: "x y z ", count: 3_000)
    try await test.merge((1...50).map { entry("entry-\($0)", content: long) }, into: feed)
    try await test.store.tidy()
    let path = test.folder + "/telex.sqlite"
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    let size = try handle.seekToEnd()
    // From the second page on to the last: the first says that it is a database.
    for start in stride(from: UInt64(16_384 * 2), to: size, by: 16_384) {
      try handle.seek(toOffset: start)
      try handle.write(contentsOf: Data(repeating: 0xA5, count: 64))
    }
    try handle.close()
    let health = await Store.health(of: test.folder, limit: .seconds(60))
    #expect(health.error != nil || !health.damage.isEmpty)
  }

  @Test func `A row that belongs to nothing is found`() async throws {
    let test = try TestStore()
    let raw = try RawDatabase(test.folder, checksForeignKeys: false)
    try raw.execute("INSERT INTO feedFolder (feedID, folder) VALUES (4711, 'lost')")
    let health = await Store.health(of: test.folder, limit: .seconds(60))
    #expect(health.damage == ["a row of feedFolder belongs to nothing"])
  }

  @Test func `A search index that lost a part is found`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("one"), entry("two")], into: feed)
    try RawDatabase(test.folder).execute("UPDATE search_data SET block = x'00' WHERE id > 10")
    let health = await Store.health(of: test.folder, limit: .seconds(60))
    #expect(health.damage == ["the search index does not fit together"])
  }

  @Test func `A store of a newer Telex is told from a damaged one`() async throws {
    let test = try TestStore()
    try RawDatabase(test.folder).execute("PRAGMA user_version = 99")
    let health = await Store.health(of: test.folder, limit: .seconds(60))
    #expect(health.schema == 99 && health.error == nil && health.damage == [])
    #expect(!health.isIndexChecked)
  }

  @Test func `What was set aside is named once`() async throws {
    let test = try TestStore()
    for suffix in ["", "-wal", "-shm"] {
      let path = test.folder + "/telex.sqlite.damaged-1700000000" + suffix
      try Data().write(to: URL(filePath: path))
    }
    let health = await Store.health(of: test.folder, limit: .seconds(60))
    #expect(health.setAside == [test.folder + "/telex.sqlite.damaged-1700000000"])
  }
}
