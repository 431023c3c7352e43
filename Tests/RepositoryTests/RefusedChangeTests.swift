internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import Testing

@testable internal import Repository

/// Tags and articles to be read later that a server refuses: one, all of them, or the account.
@Suite(.timeLimit(.minutes(10)))
struct RefusedChangeTests {
  private typealias Client = ItemSyncTests.Client

  /// What is sent by itself, one article at a time in the end.
  enum Kind: CaseIterable { case tag, later }

  private func server(_ count: Int) -> (ItemServer, [String]) {
    let server = ItemServer()
    let start = TestClock().now
    server.state.withLock {
      $0.subscriptions = [
        Subscription(url: "https://example.org/news", id: "feed/1", title: "News")
      ]
      $0.limit = 100
      $0.pageSize = 1_000
    }
    let ids = (0..<count).map {
      server.publish("Article \($0)", in: "feed/1", at: start.addingTimeInterval(Double($0 - 900)))
    }
    return (server, ids)
  }

  /// A reader with changes of all articles that wait.
  private func client(at server: ItemServer, _ kind: Kind, _ ids: [String]) async throws -> Client {
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    for id in ids {
      switch kind {
      case .tag: try await client.tag(id, "work")
      case .later:
        let article = try #require(try await client.article(id)).id
        let now = client.reader.clock.now
        _ = try await client.reader.store.edit { try $0.outbox.saveForLater(article, now: now) }
      }
    }
    server.state.withLock { $0.calls = [] }
    return client
  }

  private func taken(_ server: ItemServer, _ kind: Kind) -> [String] {
    server.state.withLock { kind == .tag ? ($0.labels["work"] ?? []).sorted() : $0.later.sorted() }
  }

  private func waiting(_ client: borrowing Client) async throws -> [WaitingChange] {
    try await client.reader.store.view { try $0.outbox.snapshot().changes }
  }

  @Test(arguments: Kind.allCases, [1, 6])
  func `Where the list is refused as well, no change is to blame`(
    _ kind: Kind, _ count: Int
  ) async throws {
    let (server, ids) = server(count)
    let client = try await client(at: server, kind, ids)
    server.state.withLock { $0.faults.refusesAll = true }
    for _ in 0..<3 { try await client.repository.deliverOutbox() }
    let left = try await waiting(client)
    #expect(left.count == count && left.allSatisfy { !$0.isRefused })
    #expect(server.state.withLock { $0.calls.count } <= 6)
    let account = client.account
    let states = try await client.reader.store.view { try $0.sync.states() }
    #expect(states.first { $0.id == account }?.error?.status == 403)
    server.state.withLock { $0.faults.refusesAll = false }
    try await client.repository.deliverOutbox()
    #expect(taken(server, kind) == ids)
    #expect(try await waiting(client) == [])
  }

  @Test(arguments: Kind.allCases)
  func `A server that refuses every change is asked a bounded number of times`(
    _ kind: Kind
  ) async throws {
    let (server, ids) = server(50)
    let client = try await client(at: server, kind, ids)
    server.state.withLock { $0.faults.refusedIDs = Set(ids) }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.calls.count } <= 24)
    let left = try await waiting(client)
    #expect(left.count == 50 && left.allSatisfy { !$0.isRefused })
    #expect(left.first?.error != nil && left.map(\.attempts).reduce(0, +) == 1)
    server.state.withLock { $0.faults.refusedIDs = [] }
    try await client.repository.deliverOutbox()
    #expect(taken(server, kind) == ids)
    #expect(Set(taken(server, kind)).count == taken(server, kind).count)
  }

  @Test(arguments: Kind.allCases)
  func `Old changes that are all refused do not keep a new one`(_ kind: Kind) async throws {
    let (server, ids) = server(12)
    let client = try await client(at: server, kind, ids)
    server.state.withLock { $0.faults.refusedIDs = Set(ids.prefix(10)) }
    try await client.repository.deliverOutbox()
    #expect(taken(server, kind) == Array(ids.suffix(2)))
    let left = try await waiting(client)
    #expect(left.count == 10 && left.allSatisfy { $0.isRefused && $0.attempts == 1 })
    server.state.withLock { $0.calls = [] }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.calls } == [])
    server.state.withLock { $0.faults.refusedIDs = [] }
    _ = try await client.repository.sendWaiting()
    #expect(taken(server, kind) == ids)
  }

  @Test(arguments: Kind.allCases)
  func `A few that are refused are to blame, though nothing else is sent`(_ kind: Kind) async throws
  {
    let (server, ids) = server(3)
    let client = try await client(at: server, kind, ids)
    server.state.withLock { $0.faults.refusedIDs = Set(ids) }
    try await client.repository.deliverOutbox()
    let left = try await waiting(client)
    #expect(left.count == 3 && left.allSatisfy(\.isRefused))
  }

  @Test(arguments: Kind.allCases)
  func `What fails after a refusal leaves the refused one with its reason`(_ kind: Kind)
    async throws
  {
    let (server, ids) = server(3)
    server.state.withLock { $0.limit = 1 }
    let client = try await client(at: server, kind, ids)
    server.state.withLock {
      $0.faults.refusedIDs = [ids[0]]
      // After the refused one and the list.
      $0.faults.failsAfter = 2
    }
    try await client.repository.deliverOutbox()
    let left = try await waiting(client)
    #expect(left.map(\.isRefused) == [true, false, false] && left.map(\.attempts) == [1, 1, 0])
  }

  @Test func `Many labels of which one is refused take few calls`() async throws {
    let (server, ids) = server(64)
    let client = try await client(at: server, .tag, ids)
    server.state.withLock { $0.faults.refusedIDs = [ids[40]] }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.calls.count { $0 == "set work" } } <= 13)
    #expect(taken(server, .tag).count == 63)
  }
}
