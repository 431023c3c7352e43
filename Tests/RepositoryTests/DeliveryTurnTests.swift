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
    _ client: borrowing Client, at server: ItemServer, waits: Bool = false,
    within limit: Duration = .zero
  ) throws -> FeedRepository {
    var settings = RefreshSettings()
    if !waits { settings.deadline = .now + limit }
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
    let (store, account) = (client.reader.store, client.account)
    let other = try other(client, at: server, waits: true)
    let turn = try #require(await store.deliveryTurn(of: account))
    #expect(await store.deliveryTurn(of: account) == nil)
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
    let path = client.reader.folder + "/delivery-\(client.account.rawValue).lock"
    let isSentTwice = try await sentTwice(client, at: server, ids[0]) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: path)
    }
    #expect(isSentTwice)
  }

  @Test func `A sync whose time another process has used up is no failure of its account`()
    async throws
  {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let (store, account) = (client.reader.store, client.account)
    let before = try await store.view { try $0.sync.states() }
    let feeds = try await client.feeds().map(\.state)
    client.reader.clock.advance(60)
    try await client.setStarred(ids[0])
    let calls = server.state.withLock { $0.calls.count }
    let turn = try #require(await store.deliveryTurn(of: account))
    let report = try await other(client, at: server).refresh(.all)
    _ = consume turn
    #expect(
      report.syncs.map(\.error?.message) == ["Another Telex is still sending; not asked."])
    #expect(server.state.withLock { $0.calls.count } == calls)
    let after = try await store.view { try $0.sync.states() }
    #expect(after.map(\.error) == before.map(\.error))
    #expect(after.map(\.lastAttempt) == before.map(\.lastAttempt))
    #expect(after.map(\.failures) == before.map(\.failures))
    #expect(try await client.feeds().map(\.state) == feeds)
  }

  @Test func `A sync that another process has left too little time is no failure of its account`()
    async throws
  {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let (store, account) = (client.reader.store, client.account)
    try await client.setStarred(ids[0])
    let other = try other(client, at: server, within: .seconds(6))
    // What a request finds whose time is over.
    server.meanwhile.withLock {
      $0 = (
        "send",
        {
          _ = await eventually { other.context.settings.isTimeUp }
          server.state.withLock {
            $0.faults.failure = SourceError(
              .timeout, stage: .fetch, subject: "memory", message: "too long")
          }
        }
      )
    }
    let turn = Mutex(await store.deliveryTurn(of: account))
    async let refresh = other.refresh(.all)
    #expect(await eventually { await other.outbox.waiting == [account] })
    turn.withLock { $0 = nil }
    let report = try await refresh
    #expect(report.syncs.first?.error?.message.contains("Another Telex was sending") == true)
    #expect(try await store.view { try $0.sync.error(of: account) } == nil)
    #expect(try await client.feeds().allSatisfy { $0.state.error == nil })
  }
}
