import Foundation
import GRDB
import News
import Testing

@testable import Store

/// What is left in the files of what was removed.
struct ErasingTests {
  /// In no text of the other feed, nor as the beginning of any word of it.
  private static let term = "zyzzyvaquux"

  private func entries(_ name: String, _ count: Int, word: String) -> [Entry] {
    (0..<count).map { index in
      let words = (0..<60).map { "\(word) \(name)word\(index * 60 + $0)" }
      return Entry(
        id: "\(name)-\(index)", url: "https://example.org/\(name)/\(index)",
        title: "Title \(index) of \(name)\(word)",
        published: noon.addingTimeInterval(Double(index)),
        contentHTML: "<p>" + words.joined(separator: "</p><p>") + "</p>")
    }
  }

  private func isInFiles(_ bytes: Data, _ test: borrowing TestStore) throws -> Bool {
    try ["", "-wal"].contains { suffix in
      let path = URL(filePath: test.folder + "/telex.sqlite" + suffix)
      return try Data(contentsOf: path).range(of: bytes) != nil
    }
  }

  /// A piece of each stored body of a feed, as it is compressed.
  private func bodies(_ feed: FeedID, _ test: borrowing TestStore) async throws -> [Data] {
    try await test.store.view { view in
      try Data.fetchAll(
        view.db,
        sql: """
          SELECT substr(content, 40, 32) FROM articleBody JOIN article ON article.id = articleID
          WHERE feedID = ?
          """, arguments: [feed.rawValue])
    }
  }

  @Test func `What was removed is in no file any more`() async throws {
    let test = try TestStore()
    let gone = try await test.subscribe("gone")
    let kept = try await test.subscribe("kept")
    // In several transactions, so that the index has segments to merge.
    for part in 0..<4 {
      try await test.merge(
        entries("gone\(part)x", 20, word: Self.term), into: gone, at: .older)
      try await test.merge(entries("kept\(part)x", 20, word: "plain"), into: kept, at: .older)
    }
    let bodies = try await bodies(gone, test)
    #expect(bodies.count == 80)
    // Without its first letter: the index leaves out what a word shares with the one before.
    let term = Data(Self.term.dropFirst().utf8)
    #expect(try isInFiles(term, test))
    for body in bodies { #expect(try isInFiles(body, test)) }

    try await test.store.edit { try $0.feeds.unsubscribe(gone) }
    // Removed, and yet there.
    #expect(try isInFiles(term, test))
    #expect(try await test.store.hasToErase())

    try await test.store.erase()
    #expect(try !isInFiles(term, test))
    #expect(try !isInFiles(Data("gone1xword".utf8), test))
    for body in bodies { #expect(try !isInFiles(body, test)) }
    #expect(try await !test.store.hasToErase())

    // The other feed has lost nothing.
    #expect(try await test.titles(kept).count == 80)
    let found = try await test.rows(TimelineQuery(.search("plain"), olderCount: 100))
    #expect(found.count == 80)
    try await test.store.writing { db in
      try db.execute(sql: "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
    }
  }

  @Test func `A store that was closed before it was done does it after the next refresh`()
    async throws
  {
    let test = try TestStore()
    let gone = try await test.subscribe("gone")
    try await test.merge(entries("gone", 20, word: Self.term), into: gone)
    try await test.store.edit { try $0.feeds.unsubscribe(gone) }
    let term = Data(Self.term.dropFirst().utf8)
    #expect(try isInFiles(term, test))
    let again = try Store(folder: test.folder)
    #expect(try await again.hasToErase())
    try await again.tidy()
    #expect(try !isInFiles(term, test))
  }

  @Test func `What was signed out is in no file any more`() async throws {
    let test = try TestStore()
    let account = SignIn(origin: "https://example.org", user: Self.term, scheme: .basic)
    try await test.store.edit { try $0.signIns.save(account, now: noon) }
    #expect(try isInFiles(Data(Self.term.utf8), test))
    try await test.store.edit { try $0.signIns.remove(at: account.origin) }
    try await test.store.erase()
    #expect(try !isInFiles(Data(Self.term.utf8), test))
  }
}
