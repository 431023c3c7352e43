internal import Foundation
internal import GRDB
internal import News
internal import Testing

@testable internal import Store

/// The bound of the journal, and what undo needs of it.
@Suite struct JournalTests {
  /// A store over the same files that keeps so many actions.
  private func store(_ test: borrowing TestStore, keeping limit: Int) throws -> Store {
    try Store(folder: test.folder, journalLimit: limit)
  }

  private func articles(_ test: borrowing TestStore, _ count: Int) async throws -> [ArticleID] {
    let feed = try await test.subscribe()
    try await test.merge((0..<count).map { entry("\($0)", at: -$0) }, into: feed)
    return try await test.articles(feed).map(\.id)
  }

  private func starred(_ test: borrowing TestStore) async throws -> [ArticleID] {
    let raw = try RawDatabase(test.folder)
    return try raw.strings(
      "SELECT articleID FROM articleStatus WHERE isStarred ORDER BY sortDate DESC"
    ).compactMap { Int64($0).map { ArticleID($0) } }
  }

  private func kinds(_ store: Store) async throws -> [UserActionKind] {
    try await store.view { try $0.journal.entries(limit: 100).map(\.kind) }
  }

  @Test(arguments: [
    (5, [UserActionKind.opened, .starred, .opened, .starred, .opened]),
    (2, [.opened, .starred]),
    // What can be taken back first is the last article that was opened.
    (1, [.opened]),
    // No article is noted that was opened.
    (0, [.starred]),
  ])
  func `The bound holds with every action`(limit: Int, left: [UserActionKind]) async throws {
    let test = try TestStore()
    let ids = try await articles(test, 12)
    let bounded = try store(test, keeping: limit)
    for id in ids {
      try await bounded.edit { edit in
        try edit.marks.setByKey(.starred(true), of: [id], now: noon)
        try edit.marks.markOpened([id], now: noon)
      }
    }
    #expect(try await kinds(bounded) == left)
    #expect(try await bounded.view { try $0.journal.hasOpenedArticles() } == (limit > 0))
    #expect(try await starred(test) == ids)
  }

  @Test func `With a bound of none the last action is taken back and done again after a restart`()
    async throws
  {
    let test = try TestStore()
    let ids = try await articles(test, 3)
    for id in ids {
      try await store(test, keeping: 0).edit { edit in
        try edit.marks.setByKey(.starred(true), of: [id], now: noon)
      }
    }
    #expect(
      try await store(test, keeping: 0).edit { try $0.journal.undo(now: noon) }?.article == ids[2])
    #expect(try await starred(test) == Array(ids[..<2]))
    #expect(
      try await store(test, keeping: 0).edit { try $0.journal.redo(now: noon) }?.article == ids[2])
    #expect(try await starred(test) == ids)
    let last = try store(test, keeping: 0)
    #expect(try await last.edit { try $0.journal.undo(now: noon) } != nil)
    // The one before is no longer known.
    #expect(try await last.edit { try $0.journal.undo(now: noon) } == nil)
    #expect(try await starred(test) == Array(ids[..<2]))
  }

  @Test(arguments: [0, 1])
  func `What cannot be taken back stays only in front of what can`(limit: Int) async throws {
    let test = try TestStore()
    let ids = try await articles(test, 3)
    let bounded = try store(test, keeping: limit)
    for id in ids[..<2] {
      try await bounded.edit { edit in
        try edit.marks.setByKey(.starred(true), of: [id], now: noon)
        try edit.journal.note(.comment, of: [id], now: noon)
      }
    }
    #expect(try await kinds(bounded) == [.comment, .starred])
    #expect(
      try await bounded.edit { try $0.journal.undo(now: noon) }?.refusal == .cannotBeTakenBack)
    let second = try await bounded.edit { try $0.journal.undo(now: noon) }
    #expect(second?.article == ids[1] && second?.refusal == nil)
    #expect(try await starred(test) == [ids[0]])
    #expect(try await bounded.edit { try $0.journal.undo(now: noon) } == nil)
  }

  @Test func `What nothing came of takes no place of the last action`() async throws {
    let test = try TestStore()
    let ids = try await articles(test, 2)
    let bounded = try store(test, keeping: 0)
    try await bounded.edit { edit in
      _ = try edit.marks.markAllRead(.all, notNewerThan: nil, now: noon)
    }
    let count = try await bounded.edit { edit in
      try edit.marks.markAllRead(.all, notNewerThan: nil, now: noon)
    }
    let gone = try await bounded.edit { try $0.actions.delete([ArticleID(99)], now: noon) }
    #expect(count == 0 && gone == [])
    #expect(try await bounded.edit { try $0.journal.undo(now: noon) }?.count == ids.count)
    #expect(try await test.store.view { try $0.articles.counts().unread } == ids.count)
  }

  @Test(arguments: [(3, 3, 2), (1, 1, 1), (0, 1, 1)])
  func `A lower bound trims what is there, and leaves what comes next`(
    limit: Int, done: Int, undone: Int
  ) async throws {
    let test = try TestStore()
    let ids = try await articles(test, 10)
    try await test.store.edit { edit in
      for id in ids { try edit.marks.markOpened([id], now: noon) }
      for id in ids { try edit.marks.setByKey(.starred(true), of: [id], now: noon) }
    }
    // A bound that holds writes nothing.
    #expect(try await !test.store.view { try $0.journal.hasMore(beyond: 20) })
    let bounded = try store(test, keeping: limit)
    #expect(try await bounded.view { try $0.journal.hasMore(beyond: limit) })
    try await bounded.edit { try $0.journal.trim() }
    #expect(try await kinds(bounded) == Array(repeating: .starred, count: done))
    #expect(try await !bounded.view { try $0.journal.hasMore(beyond: limit) })

    // Two that were taken back are done again in their order.
    try await test.store.edit { edit in
      try edit.journal.clear()
      for id in ids[..<3] { try edit.marks.setByKey(.starred(false), of: [id], now: noon) }
      for _ in 1...2 { _ = try edit.journal.undo(now: noon) }
    }
    try await bounded.edit { try $0.journal.trim() }
    let journal = try await bounded.view { try $0.journal.entries(limit: 100) }
    #expect(journal.count { $0.isUndone } == undone && journal.count { !$0.isUndone } == 1)
    for index in 1...undone {
      #expect(try await bounded.edit { try $0.journal.redo(now: noon) }?.article == ids[index])
    }
    #expect(try await bounded.edit { try $0.journal.redo(now: noon) } == nil)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What was removed comes back in its time, and the outbox keeps its count`()
    async throws
  {
    let test = try TestStore()
    let ids = try await articles(test, 2)
    let other = try await test.subscribe("b")
    try await test.takeMarks(of: "http://example.org")
    let bounded = try store(test, keeping: 0)
    try await bounded.edit { edit in
      try edit.actions.remove(other, isTold: false, now: noon)
      _ = try edit.marks.markAllRead(.all, notNewerThan: nil, now: noon)
      try edit.marks.setByKey(.starred(true), of: [ids[0]], now: noon)
    }
    #expect(try await kinds(bounded) == [.starred, .readAll, .removeFeed])
    // What the server has is forgotten with the next action.
    try RawDatabase(test.folder).execute("DELETE FROM outbox")
    try await bounded.edit { try $0.marks.setByKey(.starred(true), of: [ids[1]], now: noon) }
    #expect(try await kinds(bounded) == [.starred, .removeFeed])
    for _ in 1...2 { #expect(try await bounded.edit { try $0.journal.undo(now: noon) } != nil) }
    #expect(try await bounded.view { try $0.feeds.contains(other) })
    #expect(try RawDatabase(test.folder).problems() == [])
  }
}
