internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

@Suite struct OpeningTests {
  @Test func `An empty folder becomes a store, and opening it again changes nothing`() async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("one")], into: feed)
    let raw = try RawDatabase(test.folder)
    #expect(try raw.strings("PRAGMA user_version") == ["\(Schema.version)"])
    let tables = try raw.strings("SELECT sql FROM sqlite_master ORDER BY name")
    #expect(tables.count > 20)

    let again = try Store(folder: test.folder)
    #expect(again.untoldRecovery == nil)
    #expect(try await again.view { try $0.articles.counts().total } == 1)
    #expect(try raw.strings("SELECT sql FROM sqlite_master ORDER BY name") == tables)
    #expect(try raw.problems() == [])
  }

  @Test func `A migration that a kill cut off before its version was noted is taken up again`()
    async throws
  {
    let test = try TestStore()
    try await test.subscribe()
    try RawDatabase(test.folder).execute("PRAGMA user_version = 0")
    let again = try Store(folder: test.folder)
    #expect(try await again.view { try $0.feeds.all().count } == 1)
    #expect(try RawDatabase(test.folder).strings("PRAGMA user_version") == ["\(Schema.version)"])
  }

  /// A database that was used while the health of feeds was new has no place for the last event.
  @Test func `A database of a newer Telex is refused, not touched`() throws {
    let test = try TestStore()
    try RawDatabase(test.folder).execute("PRAGMA user_version = 99")
    let error = try #require(throws: SourceError.self) { try Store(folder: test.folder) }
    #expect(error.kind == .store)
    #expect(error.message.contains("99"))
    #expect(error.next != nil)
    #expect(try RawDatabase(test.folder).strings("PRAGMA user_version") == ["99"])
  }

  @Test func `Tidying cuts the log, and leaves the version of a newer Telex as it is`() async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge((0..<200).map { entry("\($0)", content: "text \($0)") }, into: feed)
    let raw = try RawDatabase(test.folder)
    try raw.execute("PRAGMA user_version = 99")
    try await test.store.tidy()
    #expect(try raw.strings("PRAGMA user_version") == ["99"])
    let log = try FileManager.default.attributesOfItem(atPath: test.folder + "/telex.sqlite-wal")
    let size = try #require(log[.size] as? Int)
    #expect(size > 0 && size < 64 << 10)
    #expect(try await test.store.view { try $0.articles.counts().total } == 200)
  }

  @Test func `Tidying waits for nobody`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let other = try Store(folder: test.folder)
    // A reader in the middle of something, for as long as the tidying and a mark take.
    try await test.merge([entry("a")], into: feed)
    let isReading = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    // On a thread of its own: waiting must not take one from the tasks.
    let reading = Thread {
      try? other.viewNow { view in
        _ = try view.articles.counts()
        isReading.signal()
        isDone.wait()
      }
    }
    reading.start()
    try await withCheckedThrowingContinuation { (begun: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        isReading.wait()
        begun.resume()
      }
    }
    _ = try await test.store.edit {
      try $0.feeds.subscribe(url: "c", isUserEntered: true, now: noon)
    }
    try await test.store.tidy()
    _ = try await test.store.edit {
      try $0.feeds.subscribe(url: "d", isUserEntered: true, now: noon)
    }
    isDone.signal()
    #expect(try await test.store.view { try $0.feeds.all().count } == 3)
  }

  @Test(arguments: ["This is no database, and it is longer than a header of SQLite is: 100 bytes. "]
  )
  func `A damaged file is set aside and a new one is begun`(text: String) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bytes = Data(String(repeating: text, count: 20).utf8)
    try bytes.write(to: URL(filePath: folder + "/telex.sqlite"))
    let store = try Store(folder: folder)
    let setAside = try #require(store.untoldRecovery?.setAside)
    #expect(try Data(contentsOf: URL(filePath: setAside)) == bytes)
    #expect(try await store.view { try $0.feeds.all() } == [])

    // A second damage does not overwrite what the first has saved.
    let other = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: other) }
    try bytes.write(to: URL(filePath: other + "/telex.sqlite"))
    let (first, time) = (Data("saved".utf8), Int(Date().timeIntervalSince1970))
    // Whatever second of the next minute it gets its name from.
    let taken = (time...time + 60).map { URL(filePath: other + "/telex.sqlite.damaged-\($0)") }
    for file in taken { try first.write(to: file) }
    let second = try #require(try Store(folder: other).untoldRecovery?.setAside)
    #expect(try Data(contentsOf: URL(filePath: second)) == bytes)
    #expect(try taken.allSatisfy { try Data(contentsOf: $0) == first })
  }

  @Test func `A torn schema page is damage as well`() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let store = try Store(folder: folder)
      #expect(store.untoldRecovery == nil)
    }
    let path = folder + "/telex.sqlite"
    var bytes = try Data(contentsOf: URL(filePath: path))
    for index in 100..<min(bytes.count, 4096) { bytes[index] = 0xA5 }
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try bytes.write(to: URL(filePath: path))
    #expect(try Store(folder: folder).untoldRecovery?.setAside != nil)
  }

  @Test func `The folder is the user's alone, and so are its files`() async throws {
    let parent = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: parent) }
    let folder = parent + "/inner/telex"
    let store = try Store(folder: folder)
    try await store.edit {
      try $0.feeds.subscribe(url: "http://example.org", isUserEntered: true, now: noon)
    }
    func permissions(_ path: String) throws -> Int? {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
    #expect(try permissions(folder) == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(
      files == ["telex.sqlite", "telex.sqlite-shm", "telex.sqlite-wal", "telex.sqlite.schema"])
    for file in files { #expect(try permissions(folder + "/" + file) == 0o600, "\(file)") }
    #expect(store.bytesOnDisk > 4096)
  }

  @Test func `A folder that cannot be made says so`() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data().write(to: URL(filePath: folder + "/file"))
    let error = try #require(throws: SourceError.self) { try Store(folder: folder + "/file/x") }
    #expect(error.kind == .store)
    #expect(error.next?.contains("--store") == true)
  }
}
