internal import Foundation
internal import News
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Lists of subscriptions that lack some: what ends here, and what does not.
@Suite(.timeLimit(.minutes(10)))
struct SubscriptionListTests {
  private typealias Client = ItemSyncTests.Client

  private static func subscriptions(_ count: Int) -> [Subscription] {
    (1...count).map { Subscription(url: "https://example.org/\($0)", id: "feed/\($0)") }
  }

  private static func server(_ count: Int) -> ItemServer {
    let server = ItemServer()
    list(subscriptions(count), at: server)
    for feed in 1...count {
      server.publish("Of \(feed)", in: "feed/\(feed)", at: Date(timeIntervalSince1970: 1_000_000))
    }
    return server
  }

  private static func list(_ subscriptions: [Subscription], at server: ItemServer) {
    server.state.withLock { $0.subscriptions = subscriptions }
  }

  /// The last part of the addresses of the feeds that there are.
  private func feeds(_ client: borrowing Client) async throws -> [String] {
    try await client.feeds().map { String($0.url.split(separator: "/").last ?? "") }.sorted()
  }

  @Test func `A feed ends when two syncs have missed it, and no other with it`() async throws {
    let server = Self.server(4)
    let client = try await Client.make(at: server)
    try await client.sync()
    let all = Self.subscriptions(4)
    Self.list([all[0], all[1], all[2]], at: server)
    try await client.sync()
    #expect(try await feeds(client) == ["1", "2", "3", "4"])
    // One that is missed for the first time stays.
    Self.list([all[1], all[2]], at: server)
    try await client.sync()
    #expect(try await feeds(client) == ["1", "2", "3"])
    // One that has come back begins anew.
    Self.list([all[0], all[1], all[2]], at: server)
    try await client.sync()
    Self.list([all[1], all[2]], at: server)
    try await client.sync()
    #expect(try await feeds(client) == ["1", "2", "3"])
    try await client.sync()
    #expect(try await feeds(client) == ["2", "3"])
  }

  @Test func `An empty list ends nothing, however often it comes`() async throws {
    let server = Self.server(2)
    let client = try await Client.make(at: server)
    try await client.sync()
    Self.list([], at: server)
    for _ in 0..<3 {
      let report = try await client.repository.synchronize(client.account)
      #expect(report.warnings.count == 1)
    }
    #expect(try await feeds(client) == ["1", "2"])
  }

  @Test func `A list without a third of the feeds ends none of them`() async throws {
    let server = Self.server(10)
    let client = try await Client.make(at: server)
    try await client.sync()
    let all = Self.subscriptions(10)
    Self.list(Array(all.dropLast(4)), at: server)
    for _ in 0..<3 { try await client.sync() }
    #expect(try await feeds(client).count == 10)
    // A few are believed.
    Self.list(Array(all.dropLast(3)), at: server)
    for _ in 0..<2 { try await client.sync() }
    #expect(try await feeds(client).count == 7)
  }

  @Test func `A feed about which something waits to be sent stays until it is sent or dropped`()
    async throws
  {
    let server = Self.server(4)
    let client = try await Client.make(at: server)
    try await client.sync()
    Self.list(Array(Self.subscriptions(4).dropLast()), at: server)
    try await client.sync()
    let feed = try #require(try await client.feeds().first { $0.url.hasSuffix("/4") }).id
    let article = try #require(
      try await client.reader.store.view {
        try $0.timeline.slice(TimelineQuery(.feed(feed))).rows.first.map {
          ArticleID($0.position.id)
        }
      })
    // A server that refuses the mark.
    try await client.repository.apply(.mark([article], .starred(true)))
    let waiting = try await client.reader.store.view { try $0.outbox.items() }
    try await client.reader.store.edit { edit in
      for item in waiting {
        try edit.outbox.recordFailure(
          item, SourceError(.status, stage: .fetch, subject: "x", message: "no", status: 400))
      }
    }
    let report = try await client.repository.synchronize(client.account)
    #expect(report.unsent?.error.status == 400)
    #expect(report.warnings.count == 1)
    #expect(try await feeds(client).count == 4)
    #expect(try await client.waiting() == 1)
    _ = try await client.reader.store.edit { edit in
      try edit.outbox.drop(waiting.map(\.id))
    }
    try await client.sync()
    #expect(try await feeds(client).count == 3)
  }
}
