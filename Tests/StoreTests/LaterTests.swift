internal import Foundation
internal import GRDB
internal import News
internal import Testing

@testable internal import Store

@Suite struct LaterTests {
  // SQLite compares due times with the time of this machine.
  private static let coming = Date(timeIntervalSinceNow: 86_400)
  private static let past = Date(timeIntervalSinceNow: -60)

  /// A store with a feed of three articles.
  private func withArticles(
    _ body: (borrowing TestStore, _ feed: FeedID, _ articles: [ArticleID]) async throws -> Void
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b"), entry("c")], into: feed)
    let ids = try await test.articles(feed).map(\.id).sorted { $0.rawValue < $1.rawValue }
    try await body(test, feed, ids)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @discardableResult
  private func set(
    _ articles: [ArticleID], _ isAdded: Bool?, until due: Date? = nil, in test: borrowing TestStore
  ) async throws -> Later.Change {
    try await test.store.edit {
      try $0.actions.setLater(articles, isAdded, until: due, now: noon)
    }
  }

  private func ids(_ timeline: Timeline, in test: borrowing TestStore) async throws -> [ArticleID] {
    try await test.rows(TimelineQuery(timeline)).compactMap {
      if case .article(let row) = $0 { row.id } else { nil }
    }.sorted { $0.rawValue < $1.rawValue }
  }

  private func tags(_ test: borrowing TestStore) throws -> [String] {
    try RawDatabase(test.folder).strings(
      """
      SELECT articleID || ' ' || name FROM articleTag JOIN tag ON tag.id = tag
      ORDER BY articleID, name
      """)
  }

  @Test func `An article waits for its time, and is in Later and in Due afterwards`() async throws {
    try await withArticles { test, _, ids in
      try await set([ids[0]], true, in: test)
      try await set([ids[1]], true, until: Self.coming, in: test)
      try await set([ids[2]], true, until: Self.past, in: test)
      #expect(try await self.ids(.later, in: test) == [ids[0], ids[2]])
      #expect(try await self.ids(.due, in: test) == [ids[2]])
      let all = try #require(ArticleQuery.tag(named: "later"))
      #expect(try await self.ids(.matching(all, in: .all), in: test) == ids)
      try await test.store.view { view throws in
        #expect(try view.timeline.counts(of: .later, isMerged: true).total == 2)
        #expect(try view.timeline.counts(of: .due, isMerged: true).total == 1)
        #expect(try view.tags.names() == ["later"])
        #expect(try view.tags.summaries().map(\.name) == ["later"])
        let waiting = try view.articles.article(ids[1])
        #expect(waiting?.tags == ["later"])
        #expect(waiting?.laterUntil.map(Later.dueTag) == Later.dueTag(Self.coming))
        #expect(try view.tags.hasBecomeDue(after: Self.past - 1, until: Self.past))
        #expect(try !view.tags.hasBecomeDue(after: Self.past, until: Self.coming - 1))
      }
      // In time it comes back by itself.
      try RawDatabase(test.folder).execute(
        "UPDATE tag SET name = ? WHERE name = ?",
        [Later.dueTag(Self.past - 60), Later.dueTag(Self.coming)])
      #expect(try await self.ids(.due, in: test) == [ids[1], ids[2]])
    }
  }

  @Test func `Each change is one step of undo, and removing leaves no tag behind`() async throws {
    try await withArticles { test, _, ids in
      let steps: [(isAdded: Bool?, due: Date?, summary: String)] = [
        (true, nil, "added “a” to Later"), (true, Self.coming, "added “a” to Later"),
        (true, Self.coming + 60, "added “a” to Later"), (true, nil, "added “a” to Later"),
        (true, Self.past, "added “a” to Later"), (nil, nil, "removed “a” from Later"),
        (nil, Self.coming, "added “a” to Later"), (false, nil, "removed “a” from Later"),
      ]
      let title = try await test.store.view { try $0.articles.article(ids[0])?.entry.title ?? "" }
      var states = [try tags(test)]
      for step in steps {
        let change = try await set([ids[0]], step.isAdded, until: step.due, in: test)
        #expect(change.articles == [ids[0]] && change.atServers == 0)
        let last = try await test.store.view { try $0.journal.entries(limit: 1).first }
        #expect(last?.summary == step.summary.replacing("“a”", with: "“\(title)”"))
        states.append(try tags(test))
      }
      #expect(states.last == [] && states[2].count == 2)
      #expect(try RawDatabase(test.folder).strings("SELECT name FROM tag") == ["later"])
      // What is so already is no step.
      #expect(try await set([ids[0]], false, in: test).articles == [])
      for state in states.dropLast().reversed() {
        #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .tag)
        #expect(try tags(test) == state)
      }
      for state in states.dropFirst() {
        #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.kind == .tag)
        #expect(try tags(test) == state)
      }
    }
  }

  @Test func `Several are removed where all are in Later, whatever the case of the tag`()
    async throws
  {
    try await withArticles { test, _, ids in
      _ = try await test.store.edit { try $0.actions.tag([ids[0]], "Later", true, now: noon) }
      #expect(
        try await set(ids, nil, in: test)
          == Later.Change(isAdded: true, articles: [ids[1], ids[2]]))
      #expect(try await self.ids(.later, in: test) == ids)
      #expect(try await set(ids, nil, in: test) == Later.Change(isAdded: false, articles: ids))
      #expect(try tags(test) == [])
    }
  }

  @Test func `Taking off the tag takes off the due time`() async throws {
    try await withArticles { test, _, ids in
      try await set([ids[0]], true, until: Self.coming, in: test)
      let before = try tags(test)
      let count = try await test.store.edit { edit in
        try edit.actions.tag([ids[0]], adding: ["work"], removing: ["later"], now: noon)
      }
      #expect(try count == 1 && tags(test) == ["\(ids[0].rawValue) work"])
      let undone = try await test.store.edit { try $0.journal.undo(now: noon) }
      #expect(undone?.detail == "−later, work")
      #expect(try tags(test) == before)
    }
  }

  @Test func `A due time survives trimming, and the removal and return of its feed`() async throws {
    try await withArticles { test, feed, ids in
      try await set([ids[0]], true, until: Self.coming, in: test)
      let before = try tags(test)
      try await test.store.edit { edit in
        try edit.marks.set(.read(true), of: ids, now: noon)
        let retention = Retention(age: 1)
        let (later, found) = (noon + 86_400, edit.view.retention)
        _ = try edit.retention.trim(
          found.articles(beyond: retention, now: later), beyond: retention, now: later)
      }
      #expect(try await test.articles(feed).map(\.id) == [ids[0]])
      #expect(try tags(test) == before)
      try await test.store.edit { try $0.actions.remove(feed, isTold: false, now: noon) }
      #expect(try tags(test) == [])
      _ = try await test.store.edit { try $0.journal.undo(now: noon) }
      #expect(try tags(test).map { $0.drop { $0 != " " } } == before.map { $0.drop { $0 != " " } })
      #expect(try await self.ids(.later, in: test) == [])
    }
  }

  @Test func `A server with a reading list gets an article once`() async throws {
    try await withArticles { test, _, ids in
      try await test.account(at: "http://example.org", [.pages, .takesMarks, .later])
      let store = test.store
      func waiting() async throws -> Int { try await store.view { try $0.outbox.items().count } }
      #expect(try await set([ids[0]], true, in: test).atServers == 1)
      #expect(try await set([ids[0]], true, until: Self.coming, in: test).atServers == 0)
      #expect(try await waiting() == 1)
      // Undo and redo ask the server for nothing.
      for _ in 0..<2 { _ = try await test.store.edit { try $0.journal.undo(now: noon) } }
      #expect(try await waiting() == 1)
      _ = try await test.store.edit { try $0.journal.redo(now: noon) }
      #expect(try await waiting() == 1)
      // What was not sent yet is not sent.
      try await set([ids[0]], false, in: test)
      #expect(try await waiting() == 0)
    }
  }

  @Test func `A saved page is in Later, and undo takes back both at once`() async throws {
    let test = try TestStore()
    let store = test.store
    func save(until due: Date? = nil) async throws -> ArticleID {
      try await store.edit {
        try $0.savedPages.save(
          "https://example.org/page", title: "page", isTyped: true, until: due, now: noon
        ).article
      }
    }
    let page = try await save(until: Self.coming)
    #expect(try tags(test).count == 2)
    #expect(try await save() == page)
    #expect(try await ids(.later, in: test) == [page])
    let kinds = try await test.store.view { try $0.journal.entries(limit: 9).map(\.kind) }
    #expect(kinds == [.tag, .savePage])
    for _ in kinds { _ = try await test.store.edit { try $0.journal.undo(now: noon) } }
    #expect(try await test.store.view { try $0.articles.article(page) } == nil)
    _ = try await test.store.edit { try $0.journal.redo(now: noon) }
    #expect(try tags(test).count == 2)
  }
}
