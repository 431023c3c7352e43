internal import FeedServer
internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Machines with stores of their own that share a folder on the disk.
@Suite(.timeLimit(.minutes(5)))
struct FolderAccountTests {
  /// One machine of the user: a reader with a store, and an account at the shared folder.
  struct Machine: ~Copyable {
    let reader: TestReader
    let account: Account

    static func join(_ folder: borrowing SharedFolder) async throws -> Machine {
      try await join(try TestReader(), folder)
    }

    private static func join(
      _ reader: consuming TestReader, _ folder: borrowing SharedFolder
    ) async throws -> Machine {
      let (base, now) = (try folder.address, reader.clock.now)
      try await FolderAddress.prepare(base)
      let account = try await reader.store.edit { edit in
        let id = try edit.save(.folder, base: base, user: FolderAddress.user, now: now)
        return try #require(try edit.view.account(id))
      }
      let machine = Machine(reader: reader, account: account)
      try await machine.sync()
      return machine
    }

    @discardableResult
    func sync() async throws -> SyncReport {
      reader.clock.advance(1)
      return try await reader.repository.synchronize(account.id)
    }

    func add(_ url: String, title: String? = nil, folders: [String] = []) async throws -> Feed {
      reader.clock.advance(1)
      return try await reader.repository.subscribe(
        to: url, in: account.id, title: title, folders: folders
      ).feed
    }

    func feeds() async throws -> [Feed] {
      try await reader.store.view { try $0.feeds() }.filter { $0.account.id == account.id }
    }

    func article(_ title: String) async throws -> ArticleRow {
      let rows = try await reader.store.view { view in
        try view.slice(TimelineQuery(.all, olderCount: 1_000)).rows
      }
      return try #require(
        rows.lazy.compactMap { row in
          if case .article(let article) = row, article.title == title { article } else { nil }
        }.first)
    }

    func mark(_ title: String, read: Bool? = nil, starred: Bool? = nil) async throws {
      reader.clock.advance(1)
      let id = try await article(title).id
      if let read { try await reader.repository.apply(.setRead([id], read)) }
      if let starred { try await reader.repository.apply(.setStarred([id], starred)) }
    }

    /// What is read, and what is starred with a star behind it.
    func marks() async throws -> [String] {
      let rows = try await reader.store.view { view in
        try view.slice(TimelineQuery(.all, olderCount: 1_000)).rows
      }
      return rows.compactMap { row in
        guard case .article(let article) = row, article.status.isRead || article.status.isStarred
        else {
          return nil
        }
        return article.title + (article.status.isRead ? "" : " unread")
          + (article.status.isStarred ? "*" : "")
      }.sorted()
    }

    var state: AccountState {
      get async throws {
        try #require(
          try await reader.repository.accountStates().first { $0.id == account.id })
      }
    }
  }

  /// Gone with the value.
  struct SharedFolder: ~Copyable {
    let path: String

    init() throws { path = try temporaryFolder() }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var address: String {
      get throws { try #require(try FolderAddress.normalized("file:" + path)) }
    }

    /// The log files, below the folder of the logs.
    var files: [String] {
      let root = path + "/telex"
      return (try? FileManager.default.subpathsOfDirectory(atPath: root))?
        .filter { $0.hasSuffix(".tsv") }.sorted() ?? []
    }

    func text(of file: String) throws -> String {
      try String(contentsOfFile: path + "/telex/" + file, encoding: .utf8)
    }

    func write(_ text: String, to file: String) throws {
      try text.write(toFile: path + "/telex/" + file, atomically: true, encoding: .utf8)
    }
  }

  private func withFeed(
    _ titles: [String] = ["one", "two", "three"],
    _ body: (_ url: String, _ titles: TitleList) async throws -> Void
  ) async throws {
    let list = TitleList(titles)
    try await withAnswers({ _ in .reply(.rss(list.titles)) }) { base, _ in
      try await body(base + "/feed", list)
    }
  }

  @Test func `Marks made on one machine show on the other, and its own there`() async throws {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await Machine.join(folder)
      let bob = try await Machine.join(folder)
      _ = try await ada.add(url)
      try await ada.mark("one", read: true)
      try await ada.mark("two", starred: true)
      try await ada.sync()
      let report = try await bob.sync()
      #expect(report.inserted == 3 && report.feeds == 1)
      #expect(try await bob.marks() == ["one", "two unread*"])
      try await bob.mark("three", read: true)
      try await bob.mark("two", starred: false)
      try await bob.sync()
      #expect(try await ada.sync().marked == 2)
      #expect(try await ada.marks() == ["one", "three"])
      #expect(try await bob.marks() == ["one", "three"])
      // Nothing is left to be said.
      let before = folder.files.map { try? folder.text(of: $0) }
      for report in [try await ada.sync(), try await bob.sync()] { #expect(report.marked == 0) }
      #expect(folder.files.map { try? folder.text(of: $0) } == before)
      #expect(folder.files.count == 2)
    }
  }

  @Test func `A mark of an article that comes in only later is kept for it`() async throws {
    try await withFeed { url, titles in
      let folder = try SharedFolder()
      let ada = try await Machine.join(folder)
      let bob = try await Machine.join(folder)
      let feed = try await ada.add(url)
      try await ada.sync()
      try await bob.sync()
      titles.insert("new")
      _ = try await ada.reader.repository.refresh(.feeds([feed.id]))
      try await ada.mark("new", read: true, starred: true)
      try await ada.sync()
      #expect(try await bob.sync().marked == 0)
      #expect(try await bob.marks() == [])
      _ = try await bob.reader.repository.refresh(.feeds(bob.feeds().map(\.id)))
      #expect(try await bob.marks() == ["new*"])
      // What it knows from the logs is not told again.
      #expect(try await bob.state.waiting == 0)
    }
  }

  @Test func `The last word counts, however wrong the clocks are`() async throws {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await Machine.join(folder)
      let bob = try await Machine.join(folder)
      // A clock that is years ahead.
      ada.reader.clock.advance(20 * 365 * 86_400)
      _ = try await ada.add(url)
      try await ada.mark("one", read: true)
      try await ada.sync()
      try await bob.sync()
      #expect(try await bob.marks() == ["one"])
      try await bob.mark("one", read: false)
      try await bob.mark("two", read: true)
      try await bob.sync()
      try await ada.sync()
      #expect(try await ada.marks() == ["two"])
      // What the wrong clock has not touched has the stamps of the right one.
      let records = try await bob.reader.store.view { try $0.records(of: bob.account.id) }
      let now = Int64(bob.reader.clock.now.timeIntervalSince1970) * 1_000_000
      #expect(records.first { $0.register.article == "two" }.map { $0.stamp <= now } == true)
      #expect(records.first { $0.register.article == "one" }.map { $0.stamp > now } == true)
    }
  }

  @Test func `What waits here wins until it is written, and nothing is lost without the folder`()
    async throws
  {
    try await withFeed { url, _ in
      let folder = try SharedFolder()
      let ada = try await Machine.join(folder)
      let bob = try await Machine.join(folder)
      _ = try await ada.add(url)
      try await ada.mark("one", read: true)
      try await ada.sync()
      try await bob.sync()
      let away = folder.path + ".away"
      try FileManager.default.moveItem(atPath: folder.path, toPath: away)
      try await bob.mark("one", read: false)
      try await bob.mark("two", read: true)
      await #expect(throws: SourceError.self) { try await bob.sync() }
      let state = try await bob.state
      #expect(state.waiting == 2 && state.error?.message.contains("is not there") == true)
      #expect(!FileManager.default.fileExists(atPath: folder.path))
      #expect(try await bob.marks() == ["two"])
      // A disk that is not mounted leaves an empty folder.
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: false)
      await #expect(throws: SourceError.self) { try await bob.sync() }
      #expect(try await bob.state.waiting == 2)
      try FileManager.default.removeItem(atPath: folder.path)
      try FileManager.default.moveItem(atPath: away, toPath: folder.path)
      try await bob.sync()
      #expect(try await bob.state.waiting == 0)
      #expect(try await bob.state.error == nil)
      try await ada.sync()
      #expect(try await ada.marks() == ["two"])
    }
  }

  @Test func `All that is read in one go is one write, and arrives as a whole`() async throws {
    try await withFeed((1...500).map { "story \($0)" }) { url, _ in
      let folder = try SharedFolder()
      let ada = try await Machine.join(folder)
      let bob = try await Machine.join(folder)
      _ = try await ada.add(url)
      try await ada.sync()
      try await bob.sync()
      ada.reader.clock.advance(1)
      #expect(
        try await ada.reader.repository.apply(.markAllRead(.all, notNewerThan: nil)) == 500)
      try await ada.sync()
      #expect(try await bob.sync().marked == 500)
      #expect(try await bob.marks().count == 500)
      ada.reader.clock.advance(1)
      try await ada.reader.repository.apply(.undo)
      try await ada.sync()
      #expect(try await bob.sync().marked == 500)
      #expect(try await bob.marks() == [])
    }
  }
}

/// Titles of the items of a feed that a test adds to.
final class TitleList: Sendable {
  private let list: Mutex<[String]>

  init(_ titles: [String]) { list = Mutex(titles) }

  var titles: [String] { list.withLock { $0 } }
  func insert(_ title: String) { list.withLock { $0.insert(title, at: 0) } }
}
