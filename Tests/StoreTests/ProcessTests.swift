internal import ChildProcess
internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// The store among processes: killed in the middle, competing, and seeing each other's work.
@Suite(.serialized) struct ProcessTests {
  @Test func `A kill at any moment leaves whole pages with their cursors, and nothing else`()
    async throws
  {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var random = SplitMix(seed: UInt64(getpid()))
    for round in 1...8 {
      let child = try Child(folder, "write")
      // From before its first commit to well after it.
      try await child.waitForLines(round == 1 ? 0 : Int.random(in: 1...6, using: &random))
      child.kill()
      guard FileManager.default.fileExists(atPath: folder + "/telex.sqlite") else { continue }
      let store = try Store(folder: folder)
      #expect(store.untoldRecovery == nil)
      let raw = try RawDatabase(folder)
      #expect(try raw.problems() == [], "round \(round)")
      let pages = try raw.strings(
        "SELECT count(*) FROM article GROUP BY substr(entryID, 1, instr(entryID, '/'))")
      #expect(pages.allSatisfy { $0 == "10" })
      // The cursor names the page that was written last.
      let newest = try raw.strings("SELECT entryID FROM article ORDER BY id DESC LIMIT 1")
      let cursor = try raw.strings("SELECT cursor FROM feedState WHERE cursor IS NOT NULL")
      #expect(newest.map { $0.split(separator: "/")[0] } == cursor.map { $0[...] })
    }
    let articles = try RawDatabase(folder).strings("SELECT count(*) FROM article")
    #expect((Int(articles[0]) ?? 0) >= 70)
  }

  @Test func `Two writers and a reader never find the database locked`() async throws {
    let test = try TestStore()
    let writer = try Child(test.folder, "write")
    try await writer.waitForLines(3)
    let marker = try Child(test.folder, "mark")
    var reads = 0
    while marker.isRunning {
      let (rows, counts) = try await test.store.view { view in
        (try view.timeline.slice(TimelineQuery(.unread)).rows.count, try view.articles.counts())
      }
      #expect(rows == min(100, counts.unread))
      try await test.subscribe("\(reads)")
      reads += 1
    }
    #expect(marker.ending == .exited(0), "\(marker.output)")
    #expect(reads > 0)
    #expect(writer.isRunning)
    writer.kill()
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Several processes can make the same store at once`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let children = try (0..<4).map { _ in try Child(folder, "once") }
    for child in children {
      #expect(await eventually { !child.isRunning })
      #expect(child.ending == .exited(0), "\(child.output)")
    }
    let raw = try RawDatabase(folder)
    #expect(try raw.strings("SELECT count(*) FROM article") == ["10"])
    #expect(try raw.problems() == [])
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!files.contains { $0.contains("damaged") })
  }

  @Test func `What another process commits is seen`() async throws {
    let test = try TestStore()
    test.store.watchOtherProcesses()
    let changes = test.store.changes()
    let store = test.store
    // The first look of the watcher counts as a change; what matters is the one after the write.
    let seen = Task {
      for await _ in changes {
        if try await store.view({ try $0.articles.counts().total }) == 10 { return true }
      }
      return false
    }
    let child = try Child(test.folder, "once")
    #expect(await eventually { !child.isRunning })
    let deadline = Task {
      try await Task.sleep(for: .seconds(60))
      seen.cancel()
    }
    #expect(try await seen.value)
    deadline.cancel()
  }

  @Test func `A commit of this process is told to all who listen, and to nobody who left`()
    async throws
  {
    let test = try TestStore()
    do {
      var first = test.store.changes().makeAsyncIterator()
      var second = test.store.changes().makeAsyncIterator()
      #expect(test.store.listenerCount == 2)
      try await test.subscribe()
      #expect(await first.next() != nil)
      #expect(await second.next() != nil)
    }
    #expect(test.store.listenerCount == 0)
    let store = test.store
    let listening = Task { for await _ in store.changes() {} }
    #expect(await eventually { store.listenerCount == 1 })
    listening.cancel()
    await listening.value
    #expect(store.listenerCount == 0)
  }
}

/// The program `store-writer`, running.
private final class Child {
  private let process: ChildProcess

  init(_ folder: String, _ mode: String) throws {
    process = try ChildProcess(BuiltProduct.path(of: "store-writer"), [folder, mode])
  }

  var isRunning: Bool { process.isRunning }
  var ending: ProcessEnding? { process.ending }
  var output: String { process.output + process.errors }

  /// Waits until it has printed so many lines.
  func waitForLines(_ count: Int) async throws {
    let isThere = await eventually { lineCount >= count || !isRunning }
    try #require(isThere && lineCount >= count, "\(output)")
  }

  func kill() { process.kill() }

  private var lineCount: Int { process.output.utf8.count(where: { $0 == UInt8(ascii: "\n") }) }
}
