internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Accounts whose servers list articles by id: the real repository, outbox and store on disk, over a server
/// in memory.
@Suite(.timeLimit(.minutes(10)))
struct ItemSyncTests {
  private static let news = Subscription(
    url: "https://example.org/news", id: "feed/1", title: "News", folders: ["Work"])

  /// A reader with an account at a server.
  struct Client: ~Copyable {
    let reader: TestReader
    let repository: FeedRepository
    let account: AccountID

    private init(
      _ reader: consuming TestReader, _ repository: FeedRepository, _ account: AccountID
    ) {
      self.reader = reader
      self.repository = repository
      self.account = account
    }

    /// - Parameter further: servers at which other accounts of the reader may be, by their addresses.
    static func make(
      at server: ItemServer, and further: [String: ItemServer] = [:],
      _ change: (inout RefreshSettings) -> Void = { _ in }
    ) async throws -> Client {
      let reader = try TestReader()
      let clock = reader.clock
      var settings = RefreshSettings()
      change(&settings)
      let repository = FeedRepository(
        store: reader.store,
        sources: ItemSources(others: makeSources(), server: server, further: further),
        settings: settings, now: { clock.now })
      let now = clock.now
      let account = try await reader.store.edit { edit in
        try edit.accounts.save(
          ItemAccount(server: server).service, base: ItemAccount.base, user: "ada", now: now)
      }
      return Client(reader, repository, account)
    }

    func sync() async throws { try await repository.synchronize(account) }

    func article(_ id: String) async throws -> Article? {
      let account = account
      return try await reader.store.view { try $0.articles(of: account)[id] }
    }

    func marks(_ id: String) async throws -> [Bool] {
      let article = try #require(try await article(id))
      return [article.status.isRead, article.status.isStarred]
    }

    func setRead(_ id: String, _ isRead: Bool = true) async throws {
      guard let article = try await article(id) else { return }
      try await repository.apply(.mark([article.id], .read(isRead)))
    }

    func setStarred(_ id: String, _ isStarred: Bool = true) async throws {
      guard let article = try await article(id) else { return }
      try await repository.apply(.mark([article.id], .starred(isStarred)))
    }

    func waiting() async throws -> Int {
      let account = account
      return try await reader.store.view {
        try $0.sync.states().first { $0.id == account }?.waiting ?? 0
      }
    }

    func feeds() async throws -> [Feed] {
      let account = account
      return try await reader.store.view { try $0.feeds.all().filter { $0.account.id == account } }
    }
  }

  private func server(_ count: Int = 10) -> (ItemServer, [String]) {
    let server = ItemServer()
    server.state.withLock { $0.subscriptions = [Self.news] }
    let start = TestClock().now
    let ids = (0..<count).map {
      server.publish("Article \($0)", in: "feed/1", at: start.addingTimeInterval(Double($0 - 100)))
    }
    return (server, ids)
  }

  @Test func `The first sync brings subscriptions, articles and their marks`() async throws {
    let (server, ids) = server()
    server.mark(ids[3], read: true)
    server.mark(ids[4], starred: true)
    let client = try await Client.make(at: server)
    let report = try await client.repository.synchronize(client.account)
    #expect(report.inserted == 10 && report.missing == 0 && report.warnings == [])
    let feed = try #require(try await client.feeds().first)
    #expect(feed.displayTitle == "News" && feed.folders == ["Work"] && feed.url == Self.news.url)
    #expect(feed.counts == ArticleCounts(total: 10, unread: 9, starred: 1))
    #expect(feed.state.lastSuccess == client.reader.clock.now && feed.state.error == nil)
    #expect(try await client.marks(ids[3]) == [true, false])
    #expect(try await client.marks(ids[4]) == [false, true])
  }

  @Test func `Nothing new asks for no contents`() async throws {
    let (server, _) = server()
    server.state.withLock { $0.pageSize = 100 }
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    server.state.withLock { $0.calls = [] }
    let report = try await client.repository.synchronize(client.account)
    #expect(report.inserted == 0 && report.marked == 0)
    #expect(
      server.state.withLock { $0.calls } == [
        "subscriptions", "all", "unread", "starred", "labels",
      ])
  }

  @Test func `The server's own count of unread articles is kept, and why it differs`() async throws
  {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    func state() async throws -> AccountState? {
      try await client.reader.store.view { try $0.sync.states() }.first {
        $0.id == client.account
      }
    }
    for (count, difference) in [
      (nil, nil), (10, nil), (12, .unlisted), (7, .uncounted),
    ] as [(Int?, AccountState.UnreadDifference?)] {
      server.state.withLock { $0.count = count }
      try await client.repository.synchronize(client.account)
      #expect(try await state()?.unreadThere == count)
      #expect(try await state()?.unreadDifference == difference)
    }
    // Articles that are listed and cannot be had.
    server.state.withLock { $0.count = 11 }
    let ghost = server.publish("Ghost", in: "feed/1", at: client.reader.clock.now)
    server.state.withLock { $0.faults.ghosts = [ghost] }
    try await client.repository.synchronize(client.account)
    #expect(try await state()?.unreadDifference == .missing)
    server.state.withLock { $0.faults.ghosts = [] }
    try await client.repository.synchronize(client.account)
    #expect(try await state()?.unreadDifference == nil)
    // A mark that waits, and a server that fails to count: the sync works all the same.
    try await client.setRead(ids[0])
    #expect(try await state()?.unreadDifference == .waiting)
    server.state.withLock { $0.countFailure = ItemServer.failure }
    let report = try await client.repository.synchronize(client.account)
    #expect(report.error == nil)
    #expect(try await state()?.unreadThere == nil)
  }

  @Test func `What was marked and published elsewhere arrives`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    server.mark(ids[0], read: true)
    server.mark(ids[1], starred: true)
    let new = server.publish("New", in: "feed/1", at: client.reader.clock.now)
    let report = try await client.repository.synchronize(client.account)
    #expect(report.inserted == 1 && report.marked == 2)
    #expect(try await client.marks(ids[0]) == [true, false])
    #expect(try await client.marks(ids[1]) == [false, true])
    #expect(try await client.marks(new) == [false, false])
    server.mark(ids[0], read: false)
    try await client.repository.synchronize(client.account)
    #expect(try await client.marks(ids[0]) == [false, false])
  }

  @Test
  func `A mark is sent before anything is asked for, and leaves the outbox when it is found there`()
    async throws
  {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    try await client.setRead(ids[2])
    try await client.setStarred(ids[2])
    #expect(try await client.waiting() == 2)
    server.state.withLock { $0.calls = [] }
    try await client.repository.synchronize(client.account)
    #expect(server.state.withLock { $0.calls.first } == "send")
    #expect(server.state.withLock { !$0.unread.contains(ids[2]) && $0.starred.contains(ids[2]) })
    #expect(try await client.waiting() == 0)
    #expect(try await client.marks(ids[2]) == [true, true])
    // Another client takes both back: nothing here holds on to them.
    server.mark(ids[2], read: false, starred: false)
    try await client.repository.synchronize(client.account)
    #expect(try await client.marks(ids[2]) == [false, false])
  }

  @Test(arguments: [true, false])
  func `A mark that is made while ids are on their way is not overwritten`(_ isSent: Bool)
    async throws
  {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    let article = try #require(try await client.article(ids[5]))
    let repository = client.repository
    server.meanwhile.withLock {
      $0 = (
        "unread",
        {
          try await repository.apply(.mark([article.id], .read(true)))
          if isSent { try await repository.deliverOutbox() }
        }
      )
    }
    try await client.repository.synchronize(client.account)
    #expect(try await client.marks(ids[5]) == [true, false])
    try await client.repository.synchronize(client.account)
    #expect(try await client.marks(ids[5]) == [true, false])
    #expect(server.state.withLock { !$0.unread.contains(ids[5]) })
    #expect(try await client.waiting() == 0)
  }

  @Test func `A set that is not whole takes nothing for read`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    server.state.withLock { $0.faults.cap = 2 }
    let report = try await client.repository.synchronize(client.account)
    #expect(report.marked == 0 && report.warnings.count == 1)
    #expect(try await client.feeds().first?.counts.unread == 10)
    // Nor does one that leads round in circles.
    server.state.withLock {
      $0.faults.cap = nil
      $0.faults.circles = true
    }
    server.mark(ids[0], read: true)
    try await client.repository.synchronize(client.account)
    #expect(try await client.marks(ids[0]) == [false, false])
  }

  @Test func `A new account has something to read before its ids are walked`() async throws {
    let (server, ids) = server()
    server.mark(ids[9], read: true, starred: true)
    let client = try await Client.make(at: server)
    // Subscriptions, a page of all, a batch; then the second page.
    server.state.withLock { $0.faults.failsAfter = 3 }
    await #expect(throws: ItemServer.failure) { try await client.sync() }
    #expect(server.state.withLock { $0.calls } == ["subscriptions", "all", "items", "all"])
    #expect(
      try await client.feeds().first?.counts == ArticleCounts(total: 3, unread: 2, starred: 1))
    #expect(try await client.marks(ids[9]) == [true, true])
    // Not where the marks are not told with the articles.
    let (silent, _) = self.server()
    silent.state.withLock { $0.tellsMarks = false }
    let other = try await Client.make(at: silent)
    silent.state.withLock { $0.faults.failsAfter = 3 }
    await #expect(throws: ItemServer.failure) { try await other.sync() }
    #expect(try await other.feeds().first?.counts.total == 0)
    #expect(try await other.repository.synchronize(other.account).inserted == 10)
  }

  @Test func `What was fetched before an interruption is not fetched again`() async throws {
    let (server, _) = server()
    let client = try await Client.make(at: server)
    // Subscriptions, a page of all, a batch, two pages of all, three and three of unread, one of starred, and
    // a batch.
    server.state.withLock { $0.faults.failsAfter = 13 }
    await #expect(throws: ItemServer.failure) {
      try await client.repository.synchronize(client.account)
    }
    let first = try await client.feeds().first
    #expect(first?.counts.total ?? 0 > 0 && first?.counts.total ?? 10 < 10)
    #expect(first?.state.error?.kind == .refused)
    let stored = first?.counts.total ?? 0
    server.state.withLock { $0.calls = [] }
    let report = try await client.repository.synchronize(client.account)
    #expect(report.inserted == 10 - stored)
    #expect(server.state.withLock { $0.calls.count { $0 == "items" } } == (10 - stored + 2) / 3)
    #expect(try await client.feeds().first?.state.error == nil)
  }

  @Test
  func
    `An id that is listed and never handed out is asked for a few times, and keeps nothing back`()
    async throws
  {
    let (server, ids) = server()
    server.state.withLock { $0.faults.ghosts = ["9", "8"] }
    let client = try await Client.make(at: server)
    for _ in 0..<5 { try await client.repository.synchronize(client.account) }
    #expect(try await client.feeds().first?.counts.total == ids.count)
    server.state.withLock { $0.calls = [] }
    try await client.repository.synchronize(client.account)
    #expect(server.state.withLock { !$0.calls.contains("items") })
  }

  @Test func `What is taken back before it was sent is never sent, and what was sent is reversed`()
    async throws
  {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.sync()
    let article = try #require(try await client.article(ids[3])).id
    let intents: [Intent] = [
      .mark([article], .read(true), isUndoable: true),
      .mark([article], .starred(true), isUndoable: true),
      .markAllRead(.all, notNewerThan: nil),
    ]
    let before = server.state.withLock { ($0.unread, $0.starred) }
    for intent in intents {
      try await client.repository.apply(intent)
      #expect(try await client.waiting() == 1)
      #expect(try await client.repository.apply(.undo).count > 0 || intent != intents[2])
      #expect(try await client.waiting() == 0, "\(intent)")
    }
    for intent in intents {
      try await client.repository.apply(intent)
      try await client.repository.deliverOutbox()
      #expect(server.state.withLock { ($0.unread, $0.starred) } != before)
      try await client.repository.apply(.undo)
      try await client.sync()
      #expect(server.state.withLock { ($0.unread, $0.starred) } == before, "\(intent)")
      #expect(try await client.marks(ids[3]) == [false, false])
    }
  }

  @Test func `An id that was given up on is asked for again on another day`() async throws {
    let (server, ids) = server()
    server.state.withLock { $0.faults.ghosts = [ids[4]] }
    let client = try await Client.make(at: server)
    for _ in 0..<5 { try await client.sync() }
    #expect(try await client.article(ids[4]) == nil)
    server.state.withLock { $0.faults.ghosts = [] }
    try await client.sync()
    #expect(try await client.article(ids[4]) == nil)
    client.reader.clock.advance(90_000)
    for _ in 0..<2 { try await client.sync() }
    #expect(try await client.article(ids[4]) != nil)
  }

  @Test func `Said and taken back before it was sent, a mark is not sent`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    try await client.setRead(ids[0])
    try await client.setRead(ids[0], false)
    #expect(try await client.waiting() == 0)
    // One that was tried may be there: its reverse is sent.
    server.state.withLock { $0.faults = ItemServer.Faults(failsAfter: 0, losesAnswers: true) }
    try await client.setRead(ids[1])
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { !$0.unread.contains(ids[1]) })
    try await client.setRead(ids[1], false)
    #expect(try await client.waiting() == 1)
    try await client.repository.synchronize(client.account)
    #expect(server.state.withLock { $0.unread.contains(ids[1]) })
    #expect(try await client.marks(ids[1]) == [false, false])
  }

  @Test func `A list of subscriptions that is empty by mistake ends none`() async throws {
    let (server, _) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    server.state.withLock { $0.faults.forgetsSubscriptionsOnce = true }
    try await client.repository.synchronize(client.account)
    #expect(try await client.feeds().first?.counts.total == 10)
    let other = Subscription(url: "https://example.org/other", id: "feed/2")
    server.state.withLock { $0.subscriptions = [other] }
    for _ in 0..<2 { try await client.sync() }
    #expect(try await client.feeds().map(\.url) == [other.url])
  }

  @Test func `A refresh of everything brings accounts in line, and one of a feed its account`()
    async throws
  {
    let (server, _) = server()
    let client = try await Client.make(at: server)
    let all = try await client.repository.refresh(.all)
    #expect(all.inserted == 10 && all.syncs.count == 1 && all.outcomes == [])
    server.publish("New", in: "feed/1", at: client.reader.clock.now)
    let feed = try #require(try await client.feeds().first)
    #expect(try await client.repository.refresh(.feeds([feed.id])).inserted == 1)
  }

  @Test func `Marking all is sent as ids, and what comes meanwhile stays unread`() async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    let new = server.publish("New", in: "feed/1", at: client.reader.clock.now)
    try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
    try await client.repository.synchronize(client.account)
    #expect(server.state.withLock { $0.unread } == [new])
    #expect(try await client.marks(new) == [false, false])
    #expect(try await client.waiting() == 0)
    try await client.repository.apply(.undo)
    try await client.repository.synchronize(client.account)
    #expect(server.state.withLock { $0.unread } == Set(ids + [new]))
  }
}

extension StoreView {
  /// The articles of an account by the ids that its server gives them.
  func articles(of account: AccountID) throws -> [String: Article] {
    var found: [String: Article] = [:]
    for feed in try items.subscribedFeeds(of: account).values {
      try articles.forEach(of: feed) { found[$0.entry.id] = $0 }
    }
    return found
  }
}
