internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// Articles from other readers, and their databases.
@Suite struct ImportTests {
  private func take(
    _ articles: [ImportedArticle], into feed: FeedID, _ test: borrowing TestStore,
    now: Date = noon
  ) async throws -> ArticleImportCounts {
    let prepared = PreparedImport(articles)
    return try await test.store.edit { try $0.articles.add(prepared, into: feed, now: now) }
  }

  @Test func `Articles come with their marks and tags, and a second time nothing changes`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let articles = [
      ImportedArticle(entry("a", title: "A", at: 0), isRead: true, tags: ["one", "two"]),
      ImportedArticle(entry("b", title: "B", at: -1), isStarred: true),
      ImportedArticle(entry("c", title: "C", at: -2), isDeleted: true),
    ]
    let counts = try await take(articles, into: feed, test)
    #expect(counts.inserted == 2 && counts.known == 0 && counts.deleted == 1)
    #expect(counts.starred == 1 && counts.tagged == 2 && counts.read == 0)
    let stored = try await test.articles(feed)
    #expect(stored.map(\.entry.title) == ["A", "B"])
    #expect(
      stored.map(\.status.isRead) == [true, false]
        && stored.map(\.status.isStarred) == [false, true])
    #expect(Set(stored[0].tags) == ["one", "two"])
    let again = try await take(articles, into: feed, test)
    var nothing = ArticleImportCounts()
    nothing.known = 2
    #expect(again == nothing)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Of articles that are here the marks of both count, and the text stays`() async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      [entry("a", title: "A"), entry("b", title: "B"), entry("c", title: "C")], into: feed)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { try $0.marks.set(.read(true), of: [ids[1]], now: noon) }
    let counts = try await take(
      [
        ImportedArticle(entry("a", title: "Another text"), isRead: true),
        ImportedArticle(entry("b", title: "Another text")),
        ImportedArticle(entry("c", title: "C"), isDeleted: true),
      ], into: feed, test)
    #expect(counts.known == 2 && counts.read == 1 && counts.deleted == 0 && counts.inserted == 0)
    let stored = try await test.articles(feed)
    #expect(stored.map(\.entry.title) == ["A", "B", "C"])
    #expect(stored.map(\.status.isRead) == [true, true, false])
  }

  @Test func `An article that is found under another id gets the marks`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func entry(_ id: String) -> Entry {
      Entry(
        id: id, url: "https://e.org/1", title: "The title of one", published: noon,
        contentHTML: "<p>The same text, long enough to be told from any other text.</p>")
    }
    try await test.merge([entry("https://e.org/1")], into: feed)
    let counts = try await take([ImportedArticle(entry("other"), isRead: true)], into: feed, test)
    #expect(counts.known == 1 && counts.inserted == 0 && counts.read == 1)
    let stored = try await test.articles(feed)
    #expect(stored.map(\.status.isRead) == [true] && stored.map(\.entry.id) == ["https://e.org/1"])
  }

  @Test func `What was deleted stays away while its feed lists it, and ninety days longer`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    _ = try await take([ImportedArticle(entry("gone"), isDeleted: true)], into: feed, test)
    let day = 86_400.0
    for after in [0, 60, 120] as [Double] {
      let now = noon + after * day
      let merged = try await test.merge([entry("gone"), entry("here")], into: feed, now: now)
      #expect(merged.inserted == (after == 0 ? 1 : 0))
      #expect(try await test.titles(feed).count == 1)
    }
    // For 89 days it is not listed; then it is, and stays away still.
    try await test.merge([entry("here")], into: feed, now: noon + 209 * day)
    try await test.merge([entry("gone"), entry("here")], into: feed, now: noon + 209 * day)
    #expect(try await test.titles(feed).count == 1)
    try await test.merge([entry("here")], into: feed, now: noon + 301 * day)
    try await test.merge([entry("gone"), entry("here")], into: feed, now: noon + 301 * day)
    #expect(try await test.titles(feed).count == 2)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What was deleted is no gap`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    _ = try await take([ImportedArticle(entry("gone", at: 0), isDeleted: true)], into: feed, test)
    try await test.merge([entry("old", at: -5)], into: feed)
    let page = [entry("new", at: 5), entry("gone", at: 0)]
    let merged = try await test.merge(page, next: "more", into: feed)
    #expect(merged.inserted == 1 && merged.known == 1)
    let rows = try await test.rows(TimelineQuery(.feed(feed)))
    #expect(rows.count == 2)
  }
}

/// The copy of another program's database.
@Suite struct ForeignDatabaseTests {
  private struct Foreign: ~Copyable {
    let folder: String
    var path: String { folder + "/foreign.db" }

    init() throws { folder = try temporaryFolder() }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func open(_ mode: String) throws -> DatabaseQueue {
      var configuration = Configuration()
      configuration.prepareDatabase {
        _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = \(mode)")
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write {
        try $0.execute(sql: "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, name TEXT)")
      }
      return queue
    }

    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
  }

  private func names(_ database: ForeignDatabase) throws -> [String?] {
    try database.rows("SELECT name FROM item ORDER BY id").map { $0[0].text }
  }

  @Test(arguments: ["delete", "wal"])
  func `A program that has the database open is neither waited for nor disturbed`(
    mode: String
  ) throws {
    let foreign = try Foreign()
    let writer = try foreign.open(mode)
    try writer.write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('one')") }
    try writer.inTransaction(.exclusive) { db in
      try db.execute(sql: "INSERT INTO item (name) VALUES ('half')")
      let before = try foreign.files()
      let copy = try ForeignDatabase(copying: foreign.path, into: foreign.folder)
      #expect(try names(copy) == ["one"])
      #expect(try copy.columns(of: "item") == ["id", "name"])
      #expect(try copy.columns(of: "none") == [])
      #expect(throws: SourceError.self) { try copy.rows("DELETE FROM item") }
      _ = consume copy
      #expect(try foreign.files() == before)
      try db.execute(sql: "INSERT INTO item (name) VALUES ('two')")
      return .commit
    }
    try writer.close()
    let copy = try ForeignDatabase(copying: foreign.path, into: foreign.folder)
    #expect(try names(copy) == ["one", "half", "two"])
  }

  @Test func `The journal of a program that was killed is played back in the copy only`() throws {
    let foreign = try Foreign()
    do {
      let writer = try foreign.open("delete")
      try writer.write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('one')") }
      try writer.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA cache_size = 1; BEGIN IMMEDIATE")
        for number in 0..<2_000 {
          try db.execute(
            sql: "INSERT INTO item (name) VALUES (?)",
            arguments: [String(repeating: "\(number)", count: 100)])
        }
        // As a kill leaves it: written in part, with the journal beside it.
        let journal = try Data(contentsOf: URL(filePath: foreign.path + "-journal"))
        let half = try Data(contentsOf: URL(filePath: foreign.path))
        try db.execute(sql: "ROLLBACK")
        try half.write(to: URL(filePath: foreign.path + ".half"))
        try journal.write(to: URL(filePath: foreign.path + ".half-journal"))
      }
      try writer.close()
    }
    let half = foreign.path + ".half"
    let before = try Data(contentsOf: URL(filePath: half))
    let copy = try ForeignDatabase(copying: half, into: foreign.folder)
    #expect(try names(copy) == ["one"])
    #expect(try Data(contentsOf: URL(filePath: half)) == before)
    #expect(FileManager.default.fileExists(atPath: half + "-journal"))
  }

  @Test func `What is no database is told by its path`() throws {
    let foreign = try Foreign()
    try Data("no database, and longer than a header".utf8).write(to: URL(filePath: foreign.path))
    for path in [foreign.path, foreign.folder + "/none.db"] {
      let error = #expect(throws: SourceError.self) {
        try ForeignDatabase(copying: path, into: foreign.folder)
      }
      #expect(error?.subject == path)
    }
    #expect(try foreign.files() == ["foreign.db"])
  }
}
