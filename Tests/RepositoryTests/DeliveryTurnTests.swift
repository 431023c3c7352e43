internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Deliveries of one outbox by several processes.
@Suite(.timeLimit(.minutes(10)))
struct DeliveryTurnTests {
  private typealias Client = ItemSyncTests.Client

  private func server() -> (ItemServer, [String]) {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [Subscription(url: "https://example.org/news", id: "feed/1")]
    }
    let ids = (0..<4).map {
      server.publish("Article \($0)", in: "feed/1", at: Date(timeIntervalSince1970: 1_000_000))
    }
    return (server, ids)
  }

  private func sends(_ server: ItemServer) -> Int {
    server.state.withLock { $0.calls.count { $0 == "send" } }
  }

  /// The same store as another process has it, which does not wait for its turn.
  private func other(
    _ client: borrowing Client, at server: ItemServer, waits: Bool = false
  ) throws -> FeedRepository {
    var settings = RefreshSettings()
    if !waits { settings.deadline = .now }
    let clock = client.reader.clock
    return FeedRepository(
      store: try Store(folder: client.reader.folder),
      sources: ItemSources(others: makeSources(), server: server), settings: settings,
      now: { clock.now })
  }

  /// Whether another process has sent what was being sent already.
  private func sentTwice(
    _ client: borrowing Client, at server: ItemServer, _ article: String,
    before: @escaping @Sendable () throws -> Void = {}
  ) async throws -> Bool {
    let other = try other(client, at: server)
    server.meanwhile.withLock {
      $0 = (
        "send",
        {
          try before()
          try await other.deliverOutbox()
        }
      )
    }
    let earlier = sends(server)
    try await client.setStarred(article)
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.starred.contains(article) })
    return sends(server) - earlier > 1
  }

  @Test func `What one process is sending another does not send`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.sync()
    #expect(try await !sentTwice(client, at: server, ids[0]))
    // It has its turn as soon as the first has finished.
    try await client.setStarred(ids[1])
    try await other(client, at: server).deliverOutbox()
    #expect(server.state.withLock { $0.starred } == [ids[0], ids[1]])
  }

  @Test func `What comes while another process sends is sent once that has finished`()
    async throws
  {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let store = client.reader.store
    let other = try other(client, at: server, waits: true)
    let turn = try #require(await store.deliveryTurn())
    #expect(await store.deliveryTurn() == nil)
    try await client.setStarred(ids[0])
    async let delivery: Void = other.deliverOutbox()
    #expect(try await client.waiting() == 1 && sends(server) == 0)
    _ = consume turn
    try await delivery
    #expect(server.state.withLock { $0.starred } == [ids[0]])
  }

  @Test func `A process that was stopped in the middle holds nobody back`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let path = client.reader.folder + "/delivery.lock"
    let isSentTwice = try await sentTwice(client, at: server, ids[0]) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: path)
    }
    #expect(isSentTwice)
  }
}
