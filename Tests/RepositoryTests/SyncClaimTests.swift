internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Syncs of one account by several processes.
@Suite(.timeLimit(.minutes(10)))
struct SyncClaimTests {
  private typealias Client = ItemSyncTests.Client

  private static func server() -> (ItemServer, [String]) {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [Subscription(url: "https://example.org/news", id: "feed/1")]
    }
    let ids = (0..<10).map {
      server.publish("Article \($0)", in: "feed/1", at: Date(timeIntervalSince1970: 1_000_000))
    }
    return (server, ids)
  }

  @Test(arguments: ["subscriptions", "all", "unread", "starred", "items"])
  func `A walk that another sync has overtaken writes nothing more`(_ call: String) async throws {
    let (server, ids) = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    server.mark(ids[0], read: true)
    server.mark(ids[1], starred: true)
    server.publish("New", in: "feed/1", at: client.reader.clock.now)
    server.state.withLock { $0.subscriptions[0].title = "Renamed" }
    let (store, clock, account) = (client.reader.store, client.reader.clock, client.account)
    let other = await store.claimant(program: "other")
    server.meanwhile.withLock {
      $0 = (
        call,
        {
          // The process was stopped meanwhile, longer than its claim holds.
          clock.advance(7_200)
          let now = clock.now
          try await store.edit { edit in
            #expect(
              try edit.sync.claim(
                of: account, by: other.name, until: now.addingTimeInterval(600), now: now))
            _ = try edit.sync.beginWalk(of: account, by: other.name)
          }
        }
      )
    }
    let failure = await #expect(throws: SourceError.self) { try await client.sync() }
    let error = try #require(failure)
    #expect(error.kind == .store && error.message.contains("other"))
    if call == "subscriptions" {
      #expect(try await client.feeds().first?.displayTitle != "Renamed")
    }
    let hasMarks = call == "items"
    #expect(try await client.marks(ids[0]) == [hasMarks, false])
    #expect(try await client.marks(ids[1]) == [false, hasMarks])
    #expect(try await client.feeds().first?.counts.total == 10)
    let claim = try await store.view { try $0.sync.claimant(of: account) }
    #expect(claim == other.name)
    let state = try await store.view { try $0.sync.states().first { $0.id == account } }
    #expect(state?.error == nil)
  }

  @Test(arguments: ["subscriptions", "all", "unread", "starred"])
  func `A walk that a later one of the same process has replaced writes nothing more`(
    _ call: String
  ) async throws {
    let (server, ids) = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    server.mark(ids[0], read: true)
    server.state.withLock { $0.subscriptions[0].title = "Renamed" }
    let (store, account) = (client.reader.store, client.account)
    server.meanwhile.withLock {
      $0 = (
        call,
        {
          try await store.edit { edit in
            let holder = try #require(try edit.view.sync.claimant(of: account))
            _ = try edit.sync.beginWalk(of: account, by: holder)
          }
        }
      )
    }
    await #expect(throws: SourceError.self) { try await client.sync() }
    if call == "subscriptions" {
      #expect(try await client.feeds().first?.displayTitle != "Renamed")
    }
    #expect(try await client.marks(ids[0]) == [false, false])
  }

  @Test func `A sync that takes long keeps its account`() async throws {
    let (server, _) = Self.server()
    let client = try await Client.make(at: server) { $0.syncClaimTime = 3 }
    let (store, clock, account) = (client.reader.store, client.reader.clock, client.account)
    server.meanwhile.withLock {
      $0 = (
        "unread",
        {
          clock.advance(60)
          let now = clock.now
          let isRenewed = try await eventually {
            try await store.view {
              try $0.sync.isSyncing(
                account, byOthersThan: "", at: now, horizon: .distantFuture)
            }
          }
          #expect(isRenewed)
        }
      )
    }
    try await client.sync()
    #expect(try await client.feeds().first?.counts.total == 10)
  }

  @Test func `An account that is removed while it is brought in line ends its sync`() async throws {
    let (server, _) = Self.server()
    let client = try await Client.make(at: server)
    let (store, account) = (client.reader.store, client.account)
    server.meanwhile.withLock {
      $0 = ("all", { try await store.edit { try $0.accounts.remove(account) } })
    }
    await #expect(throws: SourceError.self) { try await client.sync() }
    #expect(try await store.view { try $0.accounts.account(account) } == nil)
    #expect(try await store.view { try $0.feeds.all().map(\.counts.total) } == [0])
  }
}
