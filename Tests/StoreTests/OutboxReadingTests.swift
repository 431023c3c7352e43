internal import Foundation
internal import News
internal import Testing

@testable internal import Store

/// What waits to be sent, as the user sees it.
@Suite struct OutboxReadingTests {
  @Test func `A change is named by its article, its feed and its server`() async throws {
    let test = try TestStore()
    let feed = try await test.store.edit {
      try $0.feeds.subscribe(
        url: "http://ada@example.org:81/a?x=1", title: "Mine", isUserEntered: true, now: noon
      ).feed
    }
    try await test.merge([entry("a"), entry("b")], into: feed)
    try await test.takeMarks(of: "http://example.org:81")
    let articles = try await test.articles(feed)
    let error = SourceError(
      .status, stage: .fetch, subject: "example.org", message: "no", status: 503,
      retryAfter: noon.addingTimeInterval(90))
    try await test.store.edit { edit in
      try edit.marks.set(.starred(true), of: [articles[0].id], now: noon)
      try edit.outbox.queueComment(
        "a \u{1B}word", on: articles[1].id, now: noon.addingTimeInterval(1))
      let comment = try #require(try edit.view.outbox.items().last)
      try edit.outbox.recordFailure(comment, error)
    }
    let snapshot = try await test.store.view { try $0.outbox.snapshot() }
    #expect(snapshot.counts == [OutboxSnapshot.Count(origin: "http://example.org:81", count: 2)])
    #expect(
      snapshot.changes == [
        WaitingChange(
          id: 1, kind: .mark(.starred(true)), origin: "http://example.org:81", user: "taker",
          article: articles[0].id,
          title: articles[0].entry.title, feedTitle: "Mine", created: noon),
        WaitingChange(
          id: 2, kind: .comment("a word"), origin: "http://example.org:81", user: "taker",
          article: articles[1].id,
          title: articles[1].entry.title, feedTitle: "Mine", created: noon.addingTimeInterval(1),
          attempts: 1, error: error),
      ])
    #expect(snapshot.changes[1].error?.nextAttempt == noon.addingTimeInterval(90))
    #expect(!snapshot.changes[1].isRefused)
  }

  @Test func `A batch tells how many it marked, and what waits is counted beyond the limit`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b"), entry("c")], into: feed)
    try await test.takeMarks(of: "http://example.org")
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.markAllRead(.all, notNewerThan: nil, now: noon)
      try edit.marks.set(.starred(true), of: ids, now: noon)
    }
    let snapshot = try await test.store.view { try $0.outbox.snapshot(limit: 2) }
    #expect(
      snapshot.changes.map(\.kind) == [.batch(isRead: true, count: 3), .mark(.starred(true))])
    #expect(snapshot.changes[0].title == nil && snapshot.changes[0].article == nil)
    #expect(snapshot.changes[0].origin == "http://example.org")
    #expect(snapshot.counts == [OutboxSnapshot.Count(origin: "http://example.org", count: 4)])
  }

  @Test func `A batch of one article is named by it, and another counts what its server gets`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b"), entry("c")], into: feed)
    try await test.takeMarks(of: "http://example.org")
    let articles = try await test.articles(feed)
    let mark = { (query: String) in
      let query = try ArticleQuery(query)
      try await test.store.edit {
        _ = try $0.marks.markAllRead(.matching(query, in: .all), notNewerThan: nil, now: noon)
      }
    }
    try await mark("title:\(try #require(articles[0].entry.title))")
    try await mark("is:unread")
    let changes = try await test.store.view { try $0.outbox.snapshot().changes }
    #expect(changes.map(\.kind) == [.mark(.read(true)), .batch(isRead: true, count: 2)])
    #expect(changes[0].article == articles[0].id && changes[0].title == articles[0].entry.title)
    #expect(changes[0].feedTitle != nil)
    // One of the batch goes on by itself.
    try await test.store.edit { try $0.marks.set(.read(false), of: [articles[1].id], now: noon) }
    let others = try await test.store.view { try $0.outbox.snapshot().changes }
    #expect(others.dropFirst().first?.article == articles[2].id)
  }

  @Test func `A change waits for the server of its account, wherever the feed lies`() async throws {
    let test = try TestStore()
    let service = AccountService(AccountKind(rawValue: "test"), [.pages, .takesMarks])
    let feed = try await test.store.edit { edit in
      let account = try edit.accounts.save(
        service, base: "https://sync.org/api", user: "ada", now: noon)
      return try edit.feeds.subscribe(
        url: "http://example.org/a", of: account, isUserEntered: false, now: noon
      ).feed
    }
    try await test.merge([entry("a")], into: feed)
    let article = try await test.articles(feed)[0].id
    try await test.store.edit { try $0.marks.set(.read(true), of: [article], now: noon) }
    let snapshot = try await test.store.view { try $0.outbox.snapshot() }
    #expect(snapshot.changes.map(\.origin) == ["https://sync.org"])
    #expect(snapshot.changes.map(\.user) == ["ada"])
    #expect(snapshot.counts == [OutboxSnapshot.Count(origin: "https://sync.org", count: 1)])
  }

  @Test func `What is dropped is not sent, stays marked here, and can be marked again`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b")], into: feed)
    try await test.takeMarks(of: "http://example.org")
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { try $0.marks.set(.read(true), of: ids, now: noon) }
    let waiting = try await test.store.view { try $0.outbox.snapshot().changes.map(\.id) }
    // One that has gone meanwhile is nothing to drop.
    #expect(try await test.store.edit { try $0.outbox.drop([waiting[0], 99]) } == 1)
    #expect(try await test.articles(feed).map(\.status.isRead) == [true, true])
    #expect(try await test.store.view { try $0.outbox.items().map(\.id) } == [waiting[1]])
    let dropped = ids[0]
    try await test.store.edit { try $0.marks.set(.read(false), of: [dropped], now: noon) }
    #expect(
      try await test.store.view { try $0.outbox.items().map(\.change) }
        == [.mark(ids[1], .read(true)), .mark(dropped, .read(false))])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test(
    arguments: [
      (422, true), (400, true), (401, false), (408, false), (429, false), (500, false),
      (nil, false),
    ] as [(Int?, Bool)])
  func `What a server refuses is not sent again by itself`(_ status: Int?, _ isRefused: Bool) {
    let error = SourceError(
      .status, stage: .fetch, subject: "e.org", message: "no", status: status)
    let change = WaitingChange(id: 1, kind: .mark(.read(true)), created: noon, error: error)
    #expect(change.isRefused == isRefused)
  }
}
