internal import FeedServer
internal import Foundation
internal import News
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// The outbox as the user sees it, and what the user decides about it.
@Suite struct WaitingChangesTests {
  @Test func `What was refused waits, is sent when the user asks, and is gone then`() async throws {
    let status = Mutex(422)
    try await withAnswers({ _ in
      let status = status.withLock { $0 }
      return .reply(
        WireReply(
          status: status, type: "application/json", text: #"{"id": "1", "text": "text"}"#))
    }) { base, server in
      let reader = try TestReader()
      let article = try await article(in: reader.store, base, reader.clock.now)
      var snapshots = Snapshots(of: reader.store) { try $0.outbox.snapshot() }.makeAsyncIterator()
      #expect(try await snapshots.next() == OutboxSnapshot())
      try await reader.repository.threads.comment("a word", on: article)
      var waiting = try #require(try await snapshots.next())
      while waiting.changes.first?.error == nil, let next = try await snapshots.next() {
        waiting = next
      }
      #expect(waiting.counts == [OutboxSnapshot.Count(origin: base, count: 1)])
      #expect(waiting.changes.map(\.kind) == [.comment("a word")])
      #expect(waiting.changes.first?.isRefused == true && waiting.changes.first?.attempts == 1)
      // By itself it is not sent again.
      try await reader.repository.deliverOutbox()
      #expect(server.requests.count == 1)
      status.withLock { $0 = 201 }
      // What comes next waits for it.
      try #require(try await reader.repository.sendWaiting() == 0)
      #expect(server.requests.count == 2)
      #expect(Set(server.requests.map { $0.header("Idempotency-Key") }).count == 1)
      #expect(try await snapshots.next() == OutboxSnapshot())
    }
  }

  @Test func `What the user asks for during a delivery is not forgotten`() async throws {
    let gate = Gate()
    let refuses = Mutex(true)
    try await withAnswers({ _ in
      if refuses.withLock({ $0 }) { return .reply(WireReply(status: 422)) }
      gate.wait()
      return .reply(
        WireReply(status: 201, type: "application/json", text: #"{"id": "1", "text": "text"}"#))
    }) { base, server in
      let reader = try TestReader()
      let article = try await article(in: reader.store, base, reader.clock.now)
      let repository = reader.repository
      try await repository.threads.comment("refused", on: article)
      #expect(server.requests.count == 1)
      refuses.withLock { $0 = false }
      async let second: Void = repository.threads.comment("second", on: article)
      #expect(await eventually { server.requests.count == 2 })
      #expect(try await repository.sendWaiting() == 2)
      // A delivery that nobody asked for does not take the place of one that the user did.
      try await repository.deliverOutbox()
      gate.open()
      try await second
      #expect(try await reader.store.view { try $0.outbox.snapshot() } == OutboxSnapshot())
      #expect(server.requests.count == 3)
    }
  }

  @Test func `What is dropped is not sent, not even when all of it is`() async throws {
    try await withAnswers({ _ in .reply(WireReply(status: 503)) }) { base, server in
      let reader = try TestReader()
      let article = try await article(in: reader.store, base, reader.clock.now)
      try await reader.repository.threads.comment("a word", on: article)
      let waiting = try await reader.store.view { try $0.outbox.snapshot().changes.map(\.id) }
      #expect(try await reader.store.edit { try $0.outbox.drop(waiting) } == 1)
      #expect(try await reader.store.edit { try $0.outbox.drop(waiting) } == 0)
      server.forgetRequests()
      #expect(try await reader.repository.sendWaiting() == 0)
      #expect(server.requests.isEmpty)
    }
  }

  /// Of a feed whose server takes comments.
  private func article(in store: Store, _ base: String, _ now: Date) async throws -> ArticleID {
    try await store.edit { edit in
      let feed = try edit.feeds.subscribe(url: base + "/api", isUserEntered: true, now: now).feed
      let page = Page.api([Entry(id: "a", title: "a")])
      try edit.articles.merge(PreparedPage(page), into: feed, at: .newest, now: now)
      return try #require(
        try edit.view.timeline.slice(TimelineQuery(.feed(feed))).rows.first?.article)
    }
  }
}

extension TimelineRow {
  fileprivate var article: ArticleID? { if case .article(let row) = self { row.id } else { nil } }
}
