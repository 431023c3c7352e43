internal import FeedServer
internal import Foundation
internal import News
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// What is written here and waits for its server.
@Suite struct OutboxTests {
  @Test func `A delivery that is under way is the only one, and takes along what comes meanwhile`()
    async throws
  {
    let gate = Gate()
    let isFirst = Mutex(true)
    try await withAnswers({ request in
      // The second of two at once would not have to wait.
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if waits { gate.wait() }
      return .reply(
        WireReply(status: 201, type: "application/json", text: #"{"id": "1", "text": "text"}"#))
    }) { base, server in
      let reader = try TestReader()
      let article = try await article(in: reader.store, base, reader.clock.now)
      let repository = reader.repository
      async let first: Void = repository.comment("first", on: article)
      #expect(await eventually { server.requests.count == 1 })
      try await repository.comment("second", on: article)
      try await repository.deliverOutbox()
      gate.open()
      try await first
      let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
      #expect(bodies.count == 2)
      #expect(bodies.first?.contains("first") == true && bodies.last?.contains("second") == true)
      #expect(try await reader.store.view { try $0.outbox() } == [])
    }
  }

  /// Of a feed whose server takes comments.
  private func article(in store: Store, _ base: String, _ now: Date) async throws -> ArticleID {
    try await store.edit { edit in
      let feed = try edit.subscribe(url: base + "/api", isUserEntered: true, now: now).feed
      let page = Page.api([Entry(id: "a", title: "a")])
      try edit.merge(PreparedPage(page), into: feed, at: .newest, now: now)
      let rows = try edit.view.slice(TimelineQuery(.feed(feed))).rows
      return try #require(
        rows.compactMap { if case .article(let row) = $0 { row.id } else { nil } }.first)
    }
  }
}
