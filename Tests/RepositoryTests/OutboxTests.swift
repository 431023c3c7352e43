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
      async let first: Void = repository.threads.comment("first", on: article)
      #expect(await eventually { server.requests.count == 1 })
      try await repository.threads.comment("second", on: article)
      try await repository.deliverOutbox()
      gate.open()
      try await first
      let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
      #expect(bodies.count == 2)
      #expect(bodies.first?.contains("first") == true && bodies.last?.contains("second") == true)
      #expect(try await reader.store.view { try $0.outbox.items() } == [])
    }
  }

  /// The delivery is cancelled while it sends its own comment, or the one that has come meanwhile.
  @Test(arguments: [1, 2])
  func `What is written during a delivery that is cancelled is sent all the same`(
    atRequest number: Int
  ) async throws {
    let gates = [Gate(), Gate()]
    let count = Mutex(0)
    try await withAnswers({ request in
      let index = count.withLock { count in
        defer { count += 1 }
        return count
      }
      if index < number { gates[index].wait() }
      return .reply(
        WireReply(status: 201, type: "application/json", text: #"{"id": "1", "text": "text"}"#))
    }) { base, server in
      let reader = try TestReader()
      let article = try await article(in: reader.store, base, reader.clock.now)
      let (store, repository) = (reader.store, reader.repository)
      let first = Task { try await repository.threads.comment("first", on: article) }
      #expect(await eventually { server.requests.count == 1 })
      try await repository.threads.comment("second", on: article)
      if number == 2 {
        gates[0].open()
        #expect(await eventually { server.requests.count == 2 })
      }
      first.cancel()
      await #expect(throws: (any Error).self) { try await first.value }
      #expect(await eventually { (try? await store.view { try $0.outbox.items() }) == [] })
      for gate in gates { gate.open() }
      // The one whose answer was lost comes again, with its key.
      let keys = server.requests.compactMap { $0.header("Idempotency-Key") }
      #expect(keys.count == 3 && Set(keys).count == 2 && keys[number - 1] == keys[number])
    }
  }

  /// What a server, or somebody in between, says to a comment with a status of success in the end.
  enum Answer: CaseIterable {
    /// As the sign-in page of a network, or a page about maintenance.
    case page
    case redirectToPage, redirectToOtherServer, redirectToList, redirectToOtherComment
    case errorInJSON
    case nothing, noContent, otherJSON, redirectToComment

    var isAcceptance: Bool {
      switch self {
      case .page, .redirectToPage, .redirectToOtherServer, .redirectToList: false
      case .redirectToOtherComment, .errorInJSON: false
      case .nothing, .noContent, .otherJSON, .redirectToComment: true
      }
    }

    func reply(to request: WireRequest) -> WireReply {
      let page = WireReply(type: "text/html", text: "<h1>Sign in</h1>")
      switch (self, request.method) {
      case (.page, _), (.redirectToPage, "GET"), (.redirectToOtherServer, "GET"): return page
      case (.redirectToList, "GET"):
        return WireReply(type: "application/json", text: #"{"items": []}"#)
      case (.redirectToOtherComment, "GET"):
        return WireReply(type: "application/json", text: #"{"id": "1", "text": "another"}"#)
      case (.redirectToComment, "GET"):
        return WireReply(type: "application/json", text: #"{"id": "1", "text": "mine"}"#)
      case (.redirectToOtherServer, _):
        let port = request.header("Host")?.split(separator: ":").last ?? ""
        return Self.redirect(to: "http://localhost:\(port)/login")
      case (.redirectToPage, _), (.redirectToList, _), (.redirectToOtherComment, _),
        (.redirectToComment, _):
        return Self.redirect(to: "/elsewhere")
      case (.errorInJSON, _):
        return WireReply(type: "application/json", text: #"{"code": "maintenance"}"#)
      case (.nothing, _): return WireReply()
      case (.noContent, _): return WireReply(status: 204)
      case (.otherJSON, _):
        return WireReply(type: "application/json; charset=utf-8", text: #"{"ok": true}"#)
      }
    }

    private static func redirect(to url: String) -> WireReply {
      WireReply(status: 303, headers: [("Location", url)])
    }
  }

  @Test(arguments: Answer.allCases, [false, true])
  func `What the user wrote stays until its server says that it has it`(
    _ answer: Answer, isEdit: Bool
  ) async throws {
    try await withAnswers({ .reply(answer.reply(to: $0)) }) { base, server in
      let reader = try TestReader()
      let now = reader.clock.now
      let article = try await article(in: reader.store, base, now)
      if isEdit {
        let edit = CommentEdit(comment: "1", version: "1", text: "mine")
        try await reader.store.edit { try $0.outbox.queueEdit(edit, on: article, now: now) }
        try await reader.repository.deliverOutbox()
      } else {
        try await reader.repository.threads.comment("mine", on: article)
      }
      #expect(server.requests.first?.method == (isEdit ? "PUT" : "POST"))
      let waiting = try await reader.store.view { try $0.outbox.waitingComments() }
      if answer.isAcceptance {
        #expect(waiting == [])
      } else {
        #expect(waiting.map(\.change.text) == ["mine"])
        let error = try #require(waiting.first?.error)
        // The next delivery takes it along.
        #expect(!error.isRefusal)
      }
    }
  }

  /// Of a feed whose server takes comments.
  private func article(in store: Store, _ base: String, _ now: Date) async throws -> ArticleID {
    try await store.edit { edit in
      let feed = try edit.feeds.subscribe(url: base + "/api", isUserEntered: true, now: now).feed
      let page = Page.api([Entry(id: "a", title: "a")])
      try edit.articles.merge(PreparedPage(page), into: feed, at: .newest, now: now)
      let rows = try edit.view.timeline.slice(TimelineQuery(.feed(feed))).rows
      return try #require(
        rows.compactMap { if case .article(let row) = $0 { row.id } else { nil } }.first)
    }
  }
}
