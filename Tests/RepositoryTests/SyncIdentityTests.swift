internal import Foundation
internal import News
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Articles of accounts and the ids by which their servers know them.
@Suite(.timeLimit(.minutes(10)))
struct SyncIdentityTests {
  private typealias Client = ItemSyncTests.Client

  private static func server() -> ItemServer {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [Subscription(url: "https://example.org/news", id: "feed/1")]
    }
    return server
  }

  @Test func `Two articles of a server that are alike but for their ids stay two`() async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    let now = client.reader.clock.now
    let first = server.publish("Same", in: "feed/1", at: now)
    try await client.sync()
    let second = server.publish("Same", in: "feed/1", at: now)
    // As of a post that was taken in twice.
    server.state.withLock { state in
      let url = state.items[first]?.item.entry.url
      state.items[second]?.item.entry.url = url
    }
    try await client.sync()
    let articles = try await [client.article(first), client.article(second)].compactMap(\.self)
    #expect(Set(articles.map(\.id)).count == 2)
    server.mark(first, read: true, starred: true)
    try await client.sync()
    #expect(try await client.marks(first) == [true, true])
    #expect(try await client.marks(second) == [false, false])
  }

  @Test(arguments: [true, false])
  func `An article that was stored before its id was listed gets the marks of the server`(
    _ isRead: Bool
  ) async throws {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let now = client.reader.clock.now
    let id = server.publish("Imported", in: "feed/1", at: now)
    server.mark(id, read: isRead, starred: isRead)
    let feed = try #require(try await client.feeds().first).id
    let page = PreparedPage(Page(entries: [Entry(id: id, title: "Imported", published: now)]))
    try await client.reader.store.edit { edit in
      _ = try edit.articles.merge(page, into: feed, at: .imported(areRead: !isRead), now: now)
    }
    try await client.sync()
    #expect(try await client.marks(id) == [isRead, isRead])
    #expect(try await client.waiting() == 0)
  }

  @Test func `What the user says of an article before its id is listed is not overwritten`()
    async throws
  {
    let server = Self.server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let now = client.reader.clock.now
    let id = server.publish("Imported", in: "feed/1", at: now)
    let feed = try #require(try await client.feeds().first).id
    let page = PreparedPage(Page(entries: [Entry(id: id, title: "Imported", published: now)]))
    try await client.reader.store.edit { edit in
      _ = try edit.articles.merge(page, into: feed, at: .imported(areRead: false), now: now)
    }
    let article = try await client.reader.store.view { view in
      try view.timeline.slice(TimelineQuery(.feed(feed))).rows.first.map {
        ArticleID($0.position.id)
      }
    }
    let repository = client.repository
    let imported = try #require(article)
    // Made and sent while the contents are on their way.
    server.meanwhile.withLock {
      $0 = (
        "items", { try await repository.apply(.mark([imported], .read(true))) }
      )
    }
    try await client.sync()
    #expect(try await client.marks(id) == [true, false])
    try await client.sync()
    #expect(try await client.marks(id) == [true, false])
    #expect(server.state.withLock { !$0.unread.contains(id) })
  }
}
