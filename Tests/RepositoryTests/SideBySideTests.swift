internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Accounts at several servers, one of which hangs.
@Suite(.timeLimit(.minutes(10)))
struct SideBySideTests {
  private typealias Client = ItemSyncTests.Client

  private static let otherBase = "https://other.example"

  /// A reader with an account at a server that will hang, and with one at another.
  private struct Readers: ~Copyable {
    let client: Client
    let hanging: ItemServer
    let healthy: ItemServer
    let other: AccountID
    let hangingIDs: [String]
    let healthyIDs: [String]

    var repository: FeedRepository { client.repository }

    func star(_ id: String, at account: AccountID) async throws {
      let article = try #require(
        try await client.reader.store.view { try $0.articles(of: account)[id] })
      try await repository.apply(.mark([article.id], .starred(true)))
    }

    func hang() { hanging.state.withLock { $0.hangsAtMarks = true } }
  }

  /// Articles that no other feed has: marks of the same article would be for both servers.
  private func server(from number: Int) -> (ItemServer, [String]) {
    let server = ItemServer()
    server.state.withLock {
      $0.number = number
      $0.subscriptions = [Subscription(url: "https://example.org/\(number)", id: "feed/1")]
    }
    let ids = (0..<4).map {
      server.publish("\(number)-\($0)", in: "feed/1", at: Date(timeIntervalSince1970: 1_000_000))
    }
    return (server, ids)
  }

  private func readers(calm: Duration = .seconds(3)) async throws -> Readers {
    let (hanging, hangingIDs) = server(from: 0)
    let (healthy, healthyIDs) = server(from: 100)
    let client = try await Client.make(at: hanging, and: [Self.otherBase: healthy]) {
      $0.outboxCalm = calm
    }
    let now = client.reader.clock.now
    let other = try await client.reader.store.edit { edit in
      try edit.accounts.save(
        ItemAccount(server: healthy).service, base: Self.otherBase, user: "ada", now: now)
    }
    try await client.sync()
    try await client.repository.synchronize(other)
    return Readers(
      client: client, hanging: hanging, healthy: healthy, other: other, hangingIDs: hangingIDs,
      healthyIDs: healthyIDs)
  }

  @Test func `A server that hangs holds up no delivery to another`() async throws {
    let readers = try await readers()
    readers.hang()
    try await readers.star(readers.hangingIDs[0], at: readers.client.account)
    try await readers.star(readers.healthyIDs[0], at: readers.other)
    let delivery = Task { [repository = readers.repository] in
      try await repository.deliverOutbox()
    }
    let healthy = readers.healthy
    let ids = readers.healthyIDs
    #expect(await eventually { healthy.state.withLock { $0.starred == [ids[0]] } })
    // What is changed while the other hangs is not held up either, nor is a sync.
    try await readers.star(readers.healthyIDs[1], at: readers.other)
    try await readers.repository.synchronize(readers.other)
    #expect(healthy.state.withLock { $0.starred.contains(ids[1]) })
    delivery.cancel()
    _ = await delivery.result
  }

  @Test func `A sync waits for the delivery to its own server only`() async throws {
    let readers = try await readers()
    readers.hang()
    try await readers.star(readers.hangingIDs[0], at: readers.client.account)
    try await readers.star(readers.healthyIDs[0], at: readers.other)
    try await readers.repository.synchronize(readers.other)
    let starred = readers.healthy.state.withLock { $0.starred }
    #expect(starred == [readers.healthyIDs[0]])
    #expect(readers.hanging.state.withLock { $0.starred == [] })
    #expect(try await readers.client.waiting() == 1)
  }

  @Test func `What an open reader changes is sent while another server hangs`() async throws {
    let readers = try await readers(calm: .milliseconds(20))
    readers.hang()
    let following = Task { [sending = readers.repository.sending] in await sending.follow() }
    try await readers.star(readers.hangingIDs[0], at: readers.client.account)
    let (healthy, ids) = (readers.healthy, readers.healthyIDs)
    for id in ids {
      try await readers.star(id, at: readers.other)
      #expect(await eventually { healthy.state.withLock { $0.starred.contains(id) } })
    }
    following.cancel()
    await following.value
  }

  @Test func `A server that fails makes no other one wait for its next try`() async throws {
    let readers = try await readers(calm: .milliseconds(20))
    readers.hanging.state.withLock { $0.faults.failure = ItemServer.failure }
    let following = Task { [sending = readers.repository.sending] in await sending.follow() }
    try await readers.star(readers.hangingIDs[0], at: readers.client.account)
    let (hanging, healthy, ids) = (readers.hanging, readers.healthy, readers.healthyIDs)
    #expect(await eventually { hanging.state.withLock { $0.calls.last == "send" } })
    for id in ids {
      try await readers.star(id, at: readers.other)
      #expect(await eventually { healthy.state.withLock { $0.starred.contains(id) } })
    }
    following.cancel()
    await following.value
  }

  @Test func `A program that ends sends to those that answer`() async throws {
    let readers = try await readers(calm: .seconds(1_000))
    readers.hang()
    try await readers.star(readers.hangingIDs[0], at: readers.client.account)
    try await readers.star(readers.healthyIDs[0], at: readers.other)
    let end = Task { [sending = readers.repository.sending] in
      await sending.finish(within: .seconds(600))
    }
    let (healthy, ids) = (readers.healthy, readers.healthyIDs)
    #expect(await eventually { healthy.state.withLock { $0.starred == [ids[0]] } })
    end.cancel()
    await end.value
    #expect(try await readers.client.waiting() == 1)
  }
}
