internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Feeds that move between accounts: the real repository, outbox and store on disk, over servers in memory.
@Suite(.timeLimit(.minutes(10)))
struct FeedTransferTests {
  private typealias Client = ItemSyncTests.Client

  private static let url = "https://example.org/news"

  /// An article as the feed itself has it.
  private static func entry(_ name: String, at time: Double, link: String? = nil) -> Entry {
    Entry(
      id: "guid-\(name)", url: "https://example.org/\(link ?? name)", title: name,
      published: Date(timeIntervalSince1970: time), contentHTML: "<p>\(name) there</p>")
  }

  private static func time(of name: String) -> Double {
    1_000_003 - Double(["a", "b", "c", "old"].firstIndex(of: name) ?? -1) * 100
  }

  private static func page(_ entries: [Entry]) -> PreparedPage {
    PreparedPage(Page(entries: entries))
  }

  /// A local feed with articles "a" (read), "b" (starred), "c" and "old" (read), which no server has.
  private static func localFeed(of client: borrowing Client) async throws -> FeedID {
    let now = client.reader.clock.now
    return try await client.reader.store.edit { edit in
      let feed = try edit.feeds.subscribe(
        url: url, title: "Mine", folders: ["Work"], isUserEntered: true, now: now
      ).feed
      let entries = ["a", "b", "c", "old"].map { entry($0, at: time(of: $0)) }
      try edit.articles.merge(page(entries), into: feed, at: .newest, now: now)
      let rows = try edit.view.timeline.slice(TimelineQuery(.feed(feed))).rows
      for row in rows {
        guard case .article(let article) = row else { continue }
        if ["a", "old"].contains(article.title) {
          try edit.marks.set(.read(true), of: [article.id], now: now)
        }
        if article.title == "b" { try edit.marks.set(.starred(true), of: [article.id], now: now) }
      }
      return feed
    }
  }

  /// The server has the articles under ids of its own, with other bodies.
  private static func publish(_ names: [String], at server: ItemServer, in feed: String) -> [String]
  {
    names.map { name in
      let id = server.publish(name, in: feed, at: Date(timeIntervalSince1970: time(of: name)))
      server.state.withLock { $0.items[id]?.item.entry.url = "https://example.org/\(name)" }
      return id
    }
  }

  private static func titles(
    _ client: borrowing Client, _ feed: FeedID
  ) async throws -> [String: [Bool]] {
    let rows = try await client.reader.store.view {
      try $0.timeline.slice(TimelineQuery(.feed(feed))).rows
    }
    var titles: [String: [Bool]] = [:]
    for row in rows {
      guard case .article(let article) = row else { continue }
      #expect(titles[article.title] == nil, "twice: \(article.title)")
      titles[article.title] = [article.status.isRead, article.status.isStarred]
    }
    return titles
  }

  @Test func `What is tagged before the new server has the article is labelled once it has`()
    async throws
  {
    let server = ItemServer()
    let client = try await Client.make(at: server)
    try await client.sync()
    let feed = try await Self.localFeed(of: client)
    _ = try await client.repository.transfer(feed, to: client.account)
    let rows = try await client.reader.store.view {
      try $0.timeline.slice(TimelineQuery(.feed(feed))).rows
    }
    let article = try #require(
      rows.compactMap { row -> ArticleID? in
        guard case .article(let article) = row, article.title == "b" else { return nil }
        return article.id
      }.first)
    try await client.repository.apply(.setTag([article], "home", true))
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.labels } == [:])
    let there = try #require(server.state.withLock { $0.subscriptions.first })
    let ids = Self.publish(["a", "b", "c"], at: server, in: there.id)
    for _ in 1...2 { try await client.sync() }
    #expect(server.state.withLock { $0.labels } == ["home": [ids[1]]])
    #expect(try await client.tags(ids[1]) == ["home"])
  }

  @Test func `A local feed moves to a server with its marks, and no article is there twice`()
    async throws
  {
    let server = ItemServer()
    let client = try await Client.make(at: server)
    try await client.sync()
    let feed = try await Self.localFeed(of: client)
    let moved = try await client.repository.transfer(feed, to: client.account)
    #expect(moved.id == feed && moved.account.id == client.account)
    #expect(moved.folders == ["Work"] && moved.displayTitle == "Mine")
    let before = try await Self.titles(client, feed)
    #expect(before.count == 4)

    // The server adds it, and reads the articles from the site by itself.
    try await client.repository.deliverOutbox()
    let there = try #require(server.state.withLock { $0.subscriptions.first })
    #expect(there.url == Self.url && there.title == "Mine" && there.folders == ["Work"])
    let ids = Self.publish(["a", "b", "c", "new"], at: server, in: there.id)
    try await client.sync()
    #expect(
      try await Self.titles(client, feed) == before.merging(["new": [false, false]]) { $1 })
    // And gets the marks.
    try await client.sync()
    server.state.withLock { state in
      #expect(state.unread == Set(ids[1...]))
      #expect(state.starred == [ids[1]])
    }
    #expect(try await client.waiting() == 0)
    // What is marked there afterwards comes here.
    server.mark(ids[2], read: true)
    server.mark(ids[0], read: false)
    try await client.sync()
    #expect(
      try await Self.titles(client, feed) == [
        "a": [false, false], "b": [false, true], "c": [true, false], "new": [false, false],
        "old": [true, false],
      ])
  }

  @Test func `A new picture at the address of an old one is a new article after a move`()
    async throws
  {
    let server = ItemServer()
    let client = try await Client.make(at: server)
    let now = client.reader.clock.now
    let feed = try await client.reader.store.edit { edit in
      let feed = try edit.feeds.subscribe(url: Self.url, isUserEntered: true, now: now).feed
      let old = Self.entry("Picture of the day", at: 900_001, link: "picture")
      try edit.articles.merge(Self.page([old]), into: feed, at: .newest, now: now)
      return feed
    }
    _ = try await client.repository.transfer(feed, to: client.account)
    try await client.repository.deliverOutbox()
    let there = try #require(server.state.withLock { $0.subscriptions.first })
    let id = server.publish(
      "Picture of the day", in: there.id, at: Date(timeIntervalSince1970: 1_000_003))
    server.state.withLock { $0.items[id]?.item.entry.url = "https://example.org/picture" }
    try await client.sync()
    #expect(try await client.feeds().first?.counts.total == 2)
  }

  @Test func `What was read there is read here after a move`() async throws {
    let server = ItemServer()
    let client = try await Client.make(at: server)
    let feed = try await Self.localFeed(of: client)
    _ = try await client.repository.transfer(feed, to: client.account)
    try await client.repository.deliverOutbox()
    let there = try #require(server.state.withLock { $0.subscriptions.first })
    let ids = Self.publish(["c"], at: server, in: there.id)
    server.mark(ids[0], read: true, starred: true)
    try await client.sync()
    #expect(try await Self.titles(client, feed)["c"] == [true, true])
    try await client.sync()
    #expect(server.state.withLock { $0.unread.isEmpty && $0.starred == Set(ids) })
  }

  @Test func `Where the account has the feed already, both become one with the marks of either`()
    async throws
  {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [Subscription(url: Self.url, id: "feed/1", title: "News", folders: [])]
    }
    let ids = Self.publish(["a", "b", "c", "new"], at: server, in: "feed/1")
    server.mark(ids[2], read: true)
    let client = try await Client.make(at: server)
    let feed = try await Self.localFeed(of: client)
    try await client.sync()
    let moved = try await client.repository.transfer(feed, to: client.account)
    #expect(moved.id != feed)
    let marks = [
      "a": [true, false], "b": [false, true], "c": [true, false], "new": [false, false],
      "old": [true, false],
    ]
    #expect(try await Self.titles(client, moved.id) == marks)
    try await client.sync()
    try await client.sync()
    #expect(try await Self.titles(client, moved.id) == marks)
    server.state.withLock { state in
      #expect(state.unread == [ids[1], ids[3]] && state.starred == [ids[1]])
      #expect(state.subscriptions.count == 1)
    }
    #expect(try await client.feeds().count == 1)
  }

  @Test func `A feed moves out of an account, whose server ends it`() async throws {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [
        Subscription(url: Self.url, id: "feed/1", title: "News", folders: ["Work"])
      ]
    }
    let ids = Self.publish(["a", "b"], at: server, in: "feed/1")
    server.mark(ids[0], starred: true)
    let client = try await Client.make(at: server)
    try await client.sync()
    let feed = try #require(try await client.feeds().first)
    // A mark that was made offline goes with the feed.
    try await client.setRead(ids[1])
    let moved = try await client.repository.transfer(feed.id, to: .local)
    #expect(moved.id == feed.id && moved.account.id == .local && moved.folders == ["Work"])
    try await client.sync()
    #expect(server.state.withLock { $0.subscriptions.isEmpty })
    #expect(try await client.waiting() == 0)
    let marks = ["a": [false, true], "b": [true, false]]
    #expect(try await Self.titles(client, feed.id) == marks)
    // It is fetched from its own address from now on, where the articles have other ids.
    let now = client.reader.clock.now
    #expect(try await client.reader.feed(moved).isDue(at: now, interval: .fixed(3_600)))
    _ = try await client.reader.store.edit { edit in
      try edit.articles.merge(
        Self.page(["a", "b"].map { Self.entry($0, at: Self.time(of: $0)) }), into: feed.id,
        at: .newest,
        now: now)
    }
    #expect(try await Self.titles(client, feed.id) == marks)
  }

  @Test func `The answer to an addition that is under way says nothing of a feed that has moved`()
    async throws
  {
    let server = ItemServer()
    let client = try await Client.make(at: server)
    let feed = try await Self.localFeed(of: client)
    _ = try await client.repository.transfer(feed, to: client.account)
    let repository = client.repository
    server.meanwhile.withLock {
      $0 = ("add", { _ = try await repository.transfer(feed, to: .local) })
    }
    try await client.repository.deliverOutbox()
    let moved = try #require(try await client.reader.store.view { try $0.feeds.feed(feed) })
    #expect(moved.account.id == .local && moved.displayTitle == "Mine")
    // It was added there, and is removed again.
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.subscriptions.isEmpty })
    try await client.sync()
    #expect(try await client.feeds().isEmpty)
  }

  // MARK: - What is not the same

  @Test func `An id of the server is not the article that had that id in the feed`() async throws {
    let server = ItemServer()
    let client = try await Client.make(at: server)
    let now = client.reader.clock.now
    let feed = try await client.reader.store.edit { edit in
      let feed = try edit.feeds.subscribe(url: Self.url, isUserEntered: true, now: now).feed
      var old = Self.entry("mine", at: 900_001)
      // The first id that the server gives.
      old.id = "1001"
      try edit.articles.merge(Self.page([old]), into: feed, at: .newest, now: now)
      return feed
    }
    _ = try await client.repository.transfer(feed, to: client.account)
    let rows = try await client.reader.store.view {
      try $0.timeline.slice(TimelineQuery(.all)).rows
    }
    let mine = ArticleID(try #require(rows.first).position.id)
    try await client.repository.apply(.mark([mine], .starred(true)))
    try await client.repository.deliverOutbox()
    let there = try #require(server.state.withLock { $0.subscriptions.first })
    #expect(Self.publish(["other"], at: server, in: there.id) == ["1001"])
    for _ in 0..<2 { try await client.sync() }
    #expect(
      try await Self.titles(client, feed) == ["mine": [false, true], "other": [false, false]])
    #expect(server.state.withLock { $0.starred.isEmpty })
    #expect(try await client.waiting() == 0)
    // Back to where it came from, it is known by its own id again.
    _ = try await client.repository.transfer(feed, to: .local)
    try await client.reader.store.edit { edit in
      var again = Self.entry("mine, corrected", at: 900_001, link: "elsewhere")
      again.id = "1001"
      try edit.articles.merge(Self.page([again]), into: feed, at: .newest, now: now)
    }
    #expect(
      try await Self.titles(client, feed) == [
        "mine, corrected": [false, true], "other": [false, false],
      ])
  }

  @Test func `A feed that its server keeps under another address stays with its articles`()
    async throws
  {
    let server = ItemServer()
    let other = "https://example.org/moved"
    server.state.withLock {
      $0.subscriptions = [Subscription(url: other, id: "feed/1", title: "News", folders: [])]
      $0.leadsTo[Self.url] = other
    }
    let client = try await Client.make(at: server)
    let now = client.reader.clock.now
    let feed = try await client.reader.store.edit { edit in
      let feed = try edit.feeds.subscribe(url: Self.url, isUserEntered: true, now: now).feed
      try edit.articles.merge(
        Self.page([Self.entry("a", at: 900_001)]), into: feed, at: .newest, now: now)
      return feed
    }
    _ = try await client.repository.transfer(feed, to: client.account)
    for _ in 0..<3 { try await client.sync() }
    #expect(try await client.reader.store.view { try $0.outbox.snapshot() }.total == 0)
    #expect(try await Self.titles(client, feed).count == 1)
  }

  @Test func `A sync that is under way writes nothing into a feed that has left its account`()
    async throws
  {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [Subscription(url: Self.url, id: "feed/1", title: "News", folders: [])]
      $0.pageSize = 100
    }
    for number in 0..<13 {
      server.publish(
        "\(number)", in: "feed/1", at: Date(timeIntervalSince1970: 900_000 + Double(number)))
    }
    let client = try await Client.make(at: server)
    let (repository, store) = (client.repository, client.reader.store)
    @Sendable func count() async throws -> Int {
      try await store.view { try $0.feeds.all() }.first?.counts.total ?? 0
    }
    // When the first batch after the ids is stored, the sync knows which feeds the account has.
    server.meanwhile.withLock {
      $0 = (
        "starred",
        {
          server.meanwhile.withLock {
            $0 = (
              "items",
              {
                server.meanwhile.withLock {
                  $0 = (
                    "items",
                    {
                      #expect(try await eventually { try await count() == 6 })
                      let feed = try #require(try await store.view { try $0.feeds.all() }.first)
                      _ = try await repository.transfer(feed.id, to: .local)
                    }
                  )
                }
              }
            )
          }
        }
      )
    }
    _ = try? await client.sync()
    let feed = try #require(try await store.view { try $0.feeds.all() }.first)
    #expect(feed.account.id == .local && feed.counts.total == 6)
  }

  @Test func `Bulletins under one link stay apart after a move out of an account`() async throws {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [Subscription(url: Self.url, id: "feed/1", title: "News", folders: [])]
    }
    let id = server.publish("Bulletin", in: "feed/1", at: Date(timeIntervalSince1970: 900_001))
    server.state.withLock { $0.items[id]?.item.entry.url = "https://example.org/bulletin" }
    let client = try await Client.make(at: server)
    try await client.sync()
    let feed = try #require(try await client.feeds().first)
    _ = try await client.repository.transfer(feed.id, to: .local)
    let now = client.reader.clock.now
    for number in 1...3 {
      var bulletin = Self.entry("Bulletin", at: 0, link: "bulletin")
      bulletin.published = nil
      bulletin.id = "bulletin-\(number)"
      bulletin.contentHTML = "<p>Number \(number)</p>"
      try await client.reader.store.edit { [bulletin] edit in
        try edit.articles.merge(Self.page([bulletin]), into: feed.id, at: .newest, now: now)
      }
    }
    // The first of them is taken for the one that was there.
    #expect(try await client.reader.feed(feed).counts.total == 3)
  }

  @Test func `Pictures of two days at one address stay two where feeds become one`() async throws {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [Subscription(url: Self.url, id: "feed/1", title: "News", folders: [])]
    }
    let id = server.publish("Picture", in: "feed/1", at: Date(timeIntervalSince1970: 1_000_003))
    server.state.withLock { $0.items[id]?.item.entry.url = "https://example.org/picture" }
    let client = try await Client.make(at: server)
    try await client.sync()
    let now = client.reader.clock.now
    let feed = try await client.reader.store.edit { edit in
      let feed = try edit.feeds.subscribe(url: Self.url, isUserEntered: true, now: now).feed
      let old = Self.entry("Picture", at: 900_001, link: "picture")
      try edit.articles.merge(Self.page([old]), into: feed, at: .newest, now: now)
      return feed
    }
    let moved = try await client.repository.transfer(feed, to: client.account)
    #expect(moved.counts.total == 2)
  }

  @Test func `A feed that comes back before its server was told stays there as it was`()
    async throws
  {
    let server = ItemServer()
    server.state.withLock {
      $0.subscriptions = [Subscription(url: Self.url, id: "feed/1", title: "News", folders: [])]
    }
    let ids = Self.publish(["a", "b"], at: server, in: "feed/1")
    server.mark(ids[0], starred: true)
    let client = try await Client.make(at: server)
    try await client.sync()
    let feed = try #require(try await client.feeds().first)
    _ = try await client.repository.transfer(feed.id, to: .local)
    _ = try await client.repository.transfer(feed.id, to: client.account)
    for _ in 0..<3 { try await client.sync() }
    server.state.withLock { state in
      #expect(state.subscriptions.map(\.id) == ["feed/1"] && state.starred == [ids[0]])
    }
    #expect(try await Self.titles(client, feed.id) == ["a": [false, true], "b": [false, false]])
    #expect(try await client.waiting() == 0)
  }

  @Test func `Machines that share a folder mark a feed that moves there with each other`()
    async throws
  {
    let client = try await Client.make(at: ItemServer())
    let feed = try await Self.localFeed(of: client)
    let now = client.reader.clock.now
    try await client.reader.store.edit { edit in
      let id = try edit.accounts.save(
        .folder, base: "file:///folder", user: FolderAddress.user, now: now)
      let account = try #require(try edit.view.accounts.account(id))
      for (kind, name, value) in [
        (LogRegister.star, "c", "1"), (LogRegister.read, "a", "0"), (LogRegister.read, "b", "1"),
      ] {
        let register = LogRegister(kind, feed: Self.url, article: "guid-\(name)")
        _ = try edit.logs.merge([LogRecord(register, value, stamp: 5, machine: "aa")], of: id)
      }
      let local = try #require(try edit.view.accounts.account(.local))
      _ = try edit.feeds.queueTransfer(
        of: feed, from: local, to: account, tellsFormer: false,
        TransferredFeed(title: nil, folders: []),
        now: now)
    }
    // What was marked here goes there, and what was marked there comes here.
    #expect(
      try await Self.titles(client, feed) == [
        "a": [true, false], "b": [true, true], "c": [false, true], "old": [true, false],
      ])
    let waiting = try await client.reader.store.view { try $0.outbox.items() }
    #expect(waiting.count { $0.change.isMark } == 3 && waiting.count == 4)
  }

  @Test func `A feed stays where it is when an account cannot do its part`() async throws {
    let server = ItemServer()
    let client = try await Client.make(at: server)
    let feed = try await Self.localFeed(of: client)
    await #expect(throws: SourceError.self) {
      try await client.repository.transfer(feed, to: .local)
    }
    let signIn = FeedSignIn(origin: "https://example.org", user: "ada", key: "k")
    try await client.reader.store.edit { try $0.signIns.set(signIn, of: feed) }
    await #expect(throws: SourceError.self) {
      _ = try await client.repository.transfer(feed, to: client.account)
    }
    let known = try #require(try await client.reader.store.view { try $0.feeds.feed(feed) })
    #expect(known.account.id == .local)
    #expect(try await client.reader.store.view { try $0.outbox.snapshot() }.total == 0)
  }
}
