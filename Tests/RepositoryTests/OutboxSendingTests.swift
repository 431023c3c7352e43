internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Changes that are sent by themselves, soon after they were made.
@Suite(.timeLimit(.minutes(10)))
struct OutboxSendingTests {
  private typealias Client = ItemSyncTests.Client

  private func server(_ count: Int = 4) -> (ItemServer, [String]) {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [Subscription(url: "https://example.org/news", id: "feed/1")]
    }
    let start = TestClock().now
    let ids = (0..<count).map {
      server.publish("Article \($0)", in: "feed/1", at: start.addingTimeInterval(Double($0 - 100)))
    }
    return (server, ids)
  }

  private func client(at server: ItemServer, calm: Duration) async throws -> Client {
    let client = try await Client.make(at: server) { $0.outboxCalm = calm }
    try await client.sync()
    server.state.withLock { $0.calls = [] }
    return client
  }

  private func sends(_ server: ItemServer) -> Int {
    server.state.withLock { $0.calls.count { $0 == "send" } }
  }

  @Test func `A mark reaches the server without a refresh`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server, calm: .milliseconds(20))
    let following = Task { [sending = client.repository.sending] in await sending.follow() }
    try await client.setStarred(ids[1])
    #expect(await eventually { server.state.withLock { $0.starred == [ids[1]] } })
    try await client.setRead(ids[2])
    #expect(await eventually { server.state.withLock { !$0.unread.contains(ids[2]) } })
    #expect(try await client.waiting() == 0 || sends(server) == 2)
    following.cancel()
    await following.value
  }

  @Test func `What waits from before is sent, too`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server, calm: .milliseconds(20))
    try await client.setStarred(ids[1])
    let following = Task { [sending = client.repository.sending] in await sending.follow() }
    #expect(await eventually { server.state.withLock { $0.starred == [ids[1]] } })
    following.cancel()
    await following.value
  }

  @Test func `What is taken back at once is never sent`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server, calm: .seconds(1))
    let following = Task { [sending = client.repository.sending] in await sending.follow() }
    try await client.setStarred(ids[1])
    try await client.setStarred(ids[1], false)
    try await client.setRead(ids[2])
    #expect(await eventually { server.state.withLock { !$0.unread.contains(ids[2]) } })
    #expect(server.state.withLock { $0.starred == [] })
    #expect(sends(server) == 1)
    following.cancel()
    await following.value
  }

  @Test func `A removal that is taken back at once is never sent, and what waited before it is`()
    async throws
  {
    let (server, ids) = server()
    let client = try await client(at: server, calm: .seconds(1))
    let following = Task { [sending = client.repository.sending] in await sending.follow() }
    let feed = try #require(try await client.feeds().first)
    try await client.setStarred(ids[1])
    try await client.repository.apply(.markAllRead(.feed(feed.id), notNewerThan: nil))
    try await client.repository.rename(feed.id, to: "Called by me")
    try await client.repository.unsubscribe(feed.id)
    #expect(try await client.repository.apply(.undo).count == 1)
    #expect(
      await eventually {
        server.state.withLock {
          $0.starred == [ids[1]] && $0.unread.isEmpty
            && $0.subscriptions.map(\.title) == ["Called by me"]
        }
      })
    #expect(server.state.withLock { $0.subscriptions.map(\.id) == ["feed/1"] })
    following.cancel()
    await following.value
  }

  @Test func `After a delivery in vain the server is left alone`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server, calm: .milliseconds(20))
    server.state.withLock {
      $0.faults.failure = SourceError(
        .status, stage: .fetch, subject: "x", message: "", status: 500)
    }
    let following = Task { [sending = client.repository.sending] in await sending.follow() }
    try await client.setStarred(ids[1])
    #expect(await eventually { sends(server) > 0 })
    let tried = sends(server)
    // Far longer than the calm.
    for id in ids {
      try await client.setRead(id)
      try await Task.sleep(for: .milliseconds(60))
    }
    #expect(sends(server) == tried)
    await client.repository.sending.finish(within: .seconds(30))
    #expect(sends(server) == tried)
    following.cancel()
    await following.value
  }

  @Test
  func `A program that ends sends what was changed last, and leaves a server that hangs`()
    async throws
  {
    let (server, ids) = server()
    let client = try await client(at: server, calm: .seconds(1_000))
    let following = Task { [sending = client.repository.sending] in await sending.follow() }
    try await client.setStarred(ids[1])
    await client.repository.sending.finish(within: .seconds(60))
    #expect(server.state.withLock { $0.starred == [ids[1]] })
    #expect(try await client.waiting() == 0 || sends(server) == 1)
    let before = sends(server)
    await client.repository.sending.finish(within: .seconds(60))
    #expect(sends(server) == before)
    // The limit of this suite is shorter than the server hangs.
    server.state.withLock { $0.hangsAtMarks = true }
    try await client.setStarred(ids[2])
    await client.repository.sending.finish(within: .milliseconds(200))
    #expect(server.state.withLock { $0.starred == [ids[1]] })
    #expect(try await client.waiting() == 1)
    following.cancel()
    await following.value
  }
}
