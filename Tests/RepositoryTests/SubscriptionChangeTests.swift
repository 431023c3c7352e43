internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Changes of subscriptions: the real repository, outbox and store on disk, over a server in memory.
@Suite(.timeLimit(.minutes(10)))
struct SubscriptionChangeTests {
  private typealias Client = ItemSyncTests.Client

  private static let news = Subscription(
    url: "https://example.org/news", id: "feed/1", title: "News", folders: ["Work"])
  private static let added = "https://example.org/new"

  private static func server() -> ItemServer {
    let server = ItemServer()
    server.state.withLock { $0.subscriptions = [news] }
    return server
  }

  private static func listed(_ server: ItemServer) -> [Subscription] {
    server.state.withLock { $0.subscriptions }
  }

  @Test func `A feed that is added without a network is there, and the server is told later`()
    async throws
  {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    server.state.withLock { $0.faults.failsAfter = 0 }
    let feed = try await client.repository.subscribe(
      to: Self.added, in: client.account, title: "Mine", folders: ["A", "B"]
    ).feed
    #expect(feed.displayTitle == "Mine" && Set(feed.folders) == ["A", "B"])
    try await client.repository.deliverOutbox()
    #expect(Self.listed(server).count == 1)
    let waiting = try await client.reader.store.view { try $0.outbox.snapshot() }
    #expect(waiting.changes.map(\.attempts) == [1, 0, 0] && waiting.total == 3)

    try await client.sync()
    let there = try #require(Self.listed(server).first { $0.url == Self.added })
    #expect(there.title == "Mine" && Set(there.folders) == ["A", "B"])
    server.publish("First", in: there.id, at: Date(timeIntervalSince1970: 1_000))
    try await client.sync()
    let feeds = try await client.reader.store.view { try $0.feeds.all() }
    #expect(feeds.count == 2)
    #expect(feeds.first { $0.id == feed.id }?.counts.total == 1)
    #expect(try await client.reader.store.view { try $0.outbox.snapshot() }.total == 0)
  }

  @Test func `A server's list undoes nothing that waits`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    server.state.withLock {
      $0.subscriptions.append(Subscription(url: "https://example.org/b", id: "feed/2", title: "B"))
    }
    try await client.sync()
    let feeds = try await client.reader.store.view { try $0.feeds.all() }
    let (news, other) = (
      try #require(feeds.first { $0.url == Self.news.url }),
      try #require(feeds.first { $0.url == "https://example.org/b" })
    )
    #expect(try await client.repository.rename(news.id, to: "Called by me"))
    try await client.repository.file(news.id, into: ["Home"])
    try await client.repository.unsubscribe(other.id)
    _ = try await client.repository.subscribe(to: Self.added, in: client.account)
    let listed = Self.listed(server)
    try await client.reader.store.edit { [account = client.account] edit in
      for _ in 0..<2 {
        _ = try edit.sync.claim(of: account, by: "test", until: .distantFuture, now: Date())
        let walk = try edit.sync.beginWalk(of: account, by: "test")
        _ = try edit.subscriptions.apply(listed, of: account, in: walk, now: Date())
      }
    }
    let after = try await client.reader.store.view { try $0.feeds.all() }
    #expect(Set(after.map(\.url)) == [Self.news.url, Self.added])
    #expect(after.first { $0.id == news.id }?.displayTitle == "Called by me")
    #expect(after.first { $0.id == news.id }?.folders == ["Home"])

    try await client.sync()
    let there = Self.listed(server)
    #expect(Set(there.map(\.url)) == [Self.news.url, Self.added])
    #expect(there.first { $0.id == "feed/1" }?.title == "Called by me")
    #expect(there.first { $0.id == "feed/1" }?.folders == ["Home"])
  }

  @Test func `A lost answer to an addition adds nothing twice`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    _ = try await client.repository.subscribe(to: Self.added, in: client.account)
    // After the list: the addition itself.
    server.state.withLock { ($0.faults.failsAfter, $0.faults.losesAnswers) = (1, true) }
    try await client.repository.deliverOutbox()
    try await client.repository.deliverOutbox()
    #expect(Self.listed(server).count(where: { $0.url == Self.added }) == 1)
    #expect(try await client.reader.store.view { try $0.outbox.snapshot() }.total == 0)
    #expect(try await client.reader.store.view { try $0.feeds.all().count } == 2)
  }

  @Test func `A feed that the server keeps at another address stays one feed`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    server.state.withLock { $0.leadsTo[Self.added] = "https://example.org/led-to" }
    let feed = try await client.repository.subscribe(to: Self.added, in: client.account).feed
    try await client.sync()
    let feeds = try await client.reader.store.view { try $0.feeds.all() }
    #expect(feeds.first { $0.id == feed.id }?.url == "https://example.org/led-to")
    #expect(feeds.count == 2)
  }

  @Test func `One that it keeps at the address of another feed is that feed`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    _ = try await client.repository.subscribe(to: Self.added, in: client.account)
    // The server has it, under the address of the other.
    server.state.withLock { $0.leadsTo[Self.added] = Self.news.url }
    for _ in 1...3 { try await client.sync() }
    let urls = try await client.reader.store.view { try $0.feeds.all().map(\.url) }
    #expect(urls == [Self.news.url])
  }

  @Test func `What was never sent is not said at all`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let feed = try await client.repository.subscribe(to: Self.added, in: client.account).feed
    try await client.repository.rename(feed.id, to: "One")
    try await client.repository.rename(feed.id, to: "Two")
    #expect(try await client.reader.store.view { try $0.outbox.snapshot() }.total == 2)
    try await client.repository.unsubscribe(feed.id)
    #expect(try await client.reader.store.view { try $0.outbox.snapshot() }.total == 0)
    // Ended and wanted again: the server has not heard of either.
    let news = try #require(try await client.reader.store.view { try $0.feeds.all().first })
    try await client.repository.unsubscribe(news.id)
    _ = try await client.repository.subscribe(to: Self.news.url, in: client.account)
    let waiting = try await client.reader.store.view { try $0.outbox.snapshot() }
    #expect(
      waiting.changes.map(\.kind) == [.subscription(SubscriptionChange(.add, url: Self.news.url))])
    server.state.withLock { $0.calls = [] }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.calls } == ["subscriptions"])
  }

  @Test func `A refused change stays with its reason, and the others are made`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let news = try #require(try await client.reader.store.view { try $0.feeds.all().first })
    let feed = try await client.repository.subscribe(to: Self.added, in: client.account).feed
    try await client.repository.rename(news.id, to: "Other")
    server.state.withLock { $0.refusedAddresses = [Self.added] }
    try await client.repository.deliverOutbox()
    #expect(Self.listed(server).map(\.title) == ["Other"])
    let waiting = try await client.reader.store.view { try $0.outbox.snapshot() }
    #expect(waiting.changes.map(\.isRefused) == [true])
    // Nobody will ever fill it.
    let dropped = try await client.reader.store.edit {
      try $0.outbox.drop(waiting.changes.map(\.id))
    }
    #expect(dropped == 1)
    #expect(try await client.reader.store.view { try $0.feeds.feed(feed.id) } == nil)
  }

  // MARK: - Feeds that the server does not add

  /// The addresses in the outbox, with what is said of them and whether it was refused.
  private static func waiting(_ client: borrowing Client) async throws -> [WaitingChange] {
    try await client.reader.store.view { try $0.outbox.snapshot().changes }
  }

  private static func fail(_ server: ItemServer, _ call: String, with error: SourceError?) {
    server.state.withLock { $0.failures[call] = error }
  }

  @Test func `What is said of a feed that the server refuses to add keeps no other feed`()
    async throws
  {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let news = try #require(try await client.reader.store.view { try $0.feeds.all().first })
    server.state.withLock { $0.refusedAddresses = [Self.added] }
    _ = try await client.repository.subscribe(
      to: Self.added, in: client.account, title: "Mine", folders: ["A"])
    try await client.repository.rename(news.id, to: "Other")
    try await client.repository.file(news.id, into: ["Home"])
    for _ in 0..<3 { try await client.repository.deliverOutbox() }
    #expect(Self.listed(server).map(\.title) == ["Other"])
    #expect(Self.listed(server).map(\.folders) == [["Home"]])
    let left = try await Self.waiting(client)
    #expect(left.map(\.isRefused) == [true, false, false] && left.map(\.attempts) == [1, 0, 0])
    // Once it is added, the rest follows.
    server.state.withLock { $0.refusedAddresses = [] }
    _ = try await client.repository.sendWaiting()
    #expect(Self.listed(server).last?.title == "Mine")
    #expect(Self.listed(server).last?.folders == ["A"])
    #expect(try await Self.waiting(client) == [])
  }

  @Test func `An addition at which the server fails keeps no other feed`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let news = try #require(try await client.reader.store.view { try $0.feeds.all().first })
    Self.fail(server, "add", with: ItemServer.refusal(500))
    _ = try await client.repository.subscribe(to: Self.added, in: client.account, title: "Mine")
    try await client.repository.rename(news.id, to: "Other")
    try await client.repository.deliverOutbox()
    #expect(Self.listed(server).map(\.title) == ["Other"])
    #expect(try await Self.waiting(client).map(\.attempts) == [1, 0])
    Self.fail(server, "add", with: nil)
    try await client.repository.deliverOutbox()
    #expect(Self.listed(server).map(\.title) == ["Other", "Mine"])
  }

  @Test func `Many additions at which the server fails take turns`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    Self.fail(server, "add", with: ItemServer.refusal(500))
    for number in 0..<12 {
      _ = try await client.repository.subscribe(to: Self.added + "\(number)", in: client.account)
    }
    for delivery in 1...3 {
      server.state.withLock { $0.calls = [] }
      try await client.repository.deliverOutbox()
      #expect(server.state.withLock { $0.calls.count { $0 == "add" } } == 5)
      let attempts = try await Self.waiting(client).map(\.attempts)
      #expect(attempts.reduce(0, +) == delivery * 5 && attempts.allSatisfy { $0 <= 2 })
    }
  }

  @Test(arguments: [401, 429])
  func `A change that tells of the whole account ends the delivery`(_ status: Int) async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    Self.fail(server, "add", with: ItemServer.refusal(status))
    for number in 0..<3 {
      _ = try await client.repository.subscribe(to: Self.added + "\(number)", in: client.account)
    }
    try await client.repository.deliverOutbox()
    #expect(try await Self.waiting(client).map(\.attempts) == [1, 0, 0])
  }

  @Test func `A feed that is added anew waits for its removal`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let news = try #require(try await client.reader.store.view { try $0.feeds.all().first })
    Self.fail(server, "remove", with: ItemServer.refusal(500))
    try await client.repository.unsubscribe(news.id)
    try await client.repository.deliverOutbox()
    _ = try await client.repository.subscribe(to: Self.news.url, in: client.account)
    try await client.repository.deliverOutbox()
    #expect(try await Self.waiting(client).count == 2)
    Self.fail(server, "remove", with: nil)
    try await client.repository.deliverOutbox()
    #expect(Self.listed(server).map(\.url) == [Self.news.url])
    #expect(try await Self.waiting(client) == [])
  }

  @Test func `A refused name is not sent after a newer one`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let news = try #require(try await client.reader.store.view { try $0.feeds.all().first })
    Self.fail(server, "rename", with: ItemServer.refusal(422))
    try await client.repository.rename(news.id, to: "One")
    try await client.repository.deliverOutbox()
    Self.fail(server, "rename", with: nil)
    try await client.repository.rename(news.id, to: "Two")
    try await client.repository.deliverOutbox()
    _ = try await client.repository.sendWaiting()
    #expect(Self.listed(server).map(\.title) == ["Two"])
    #expect(try await Self.waiting(client) == [])
  }

  // MARK: - Accounts that are refused

  /// When the whole account is refused.
  @Test(arguments: [false, true])
  func `Where the list is refused, no change is to blame`(_ isMidway: Bool) async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    for number in 0..<3 {
      _ = try await client.repository.subscribe(to: Self.added + "\(number)", in: client.account)
    }
    if isMidway {
      server.meanwhile.withLock {
        $0 = ("subscriptions", { server.state.withLock { $0.faults.refusesAll = true } })
      }
    } else {
      server.state.withLock { $0.faults.refusesAll = true }
    }
    for _ in 0..<4 { try await client.repository.deliverOutbox() }
    let waiting = try await Self.waiting(client)
    #expect(waiting.count == 3 && waiting.allSatisfy { !$0.isRefused })
    let account = client.account
    let states = try await client.reader.store.view { try $0.sync.states() }
    #expect(states.first { $0.id == account }?.error?.status == 403)
    server.state.withLock { $0.faults.refusesAll = false }
    try await client.repository.deliverOutbox()
    #expect(Self.listed(server).count == 4)
  }
}
