internal import FeedServer
internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Marks on their way to a server that lists articles by id: what it refuses, what it does not keep, and what
/// the user says meanwhile.
@Suite(.timeLimit(.minutes(10)))
struct MarkDeliveryTests {
  private typealias Client = ItemSyncTests.Client

  private static let news = Subscription(url: "https://example.org/news", id: "feed/1")

  private func server(_ count: Int = 10) -> (ItemServer, [String]) {
    let server = ItemServer()
    server.state.withLock { state in
      state.subscriptions = [Self.news]
      state.pageSize = 1_000
      state.limit = 100
    }
    let start = TestClock().now
    let ids = (0..<count).map {
      server.publish("Article \($0)", in: "feed/1", at: start.addingTimeInterval(Double($0 - 100)))
    }
    return (server, ids)
  }

  /// A reader that has all articles of a server.
  private func client(at server: ItemServer) async throws -> Client {
    let client = try await Client.make(at: server)
    try await client.repository.synchronize(client.account)
    server.state.withLock { $0.calls = [] }
    return client
  }

  private func sends(_ server: ItemServer) -> Int {
    server.state.withLock { $0.calls.count { $0 == "send" } }
  }

  private func outbox(_ client: borrowing Client) async throws -> [WaitingChange] {
    try await client.reader.store.view { try $0.outbox.snapshot().changes }
  }

  // MARK: - Marks of a batch that are made again

  /// What has become of the batch when one of its articles is marked again.
  enum Batch: CaseIterable {
    case waits
    /// It has arrived, and nobody knows.
    case isTried
    case isSent
  }

  @Test(arguments: Batch.allCases, [[true], [false], [false, true], [false, true, false]])
  func `An article of a batch that is marked again has a row of its own`(
    _ batch: Batch, _ wishes: [Bool]
  ) async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
    switch batch {
    case .waits: break
    case .isTried:
      server.wire.begin(.losesAnswer(0))
      try await client.repository.deliverOutbox()
      server.wire.begin(nil)
    case .isSent: try await client.repository.deliverOutbox()
    }
    for wish in wishes { try await client.setRead(ids[3], wish) }
    var last = wishes.last == true
    for _ in 0..<2 {
      try await client.repository.synchronize(client.account)
      #expect(server.state.withLock { !$0.unread.contains(ids[3]) } == last)
      #expect(server.state.withLock { $0.unread.subtracting([ids[3]]) } == [])
      #expect(try await client.marks(ids[3]) == [last, false])
    }
    #expect(try await client.waiting() == 0)
    if wishes.suffix(2) == [false, true] {
      // That it was read again is what was done last.
      try await client.repository.apply(.undo)
      last = false
    }
    // And it is no part of what is taken back.
    try await client.repository.apply(.undo)
    try await client.repository.synchronize(client.account)
    #expect(server.state.withLock { !$0.unread.contains(ids[3]) } == last)
    #expect(server.state.withLock { $0.unread.union([ids[3]]) } == Set(ids))
  }

  @Test func `A wish that was refused is not sent after a newer one`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = [ids[1]] }
    try await client.setRead(ids[1])
    try await client.repository.deliverOutbox()
    server.state.withLock { $0.faults.refusedIDs = [] }
    try await client.setRead(ids[1], false)
    try await client.repository.deliverOutbox()
    _ = try await client.repository.sendWaiting()
    #expect(server.state.withLock { $0.unread.contains(ids[1]) })
  }

  // MARK: - Calls that were never made

  @Test(arguments: [SourceError.Kind.paused, .offline, .secret])
  func `A delivery that has asked nobody is no attempt`(_ kind: SourceError.Kind) async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    let unasked = SourceError(kind, stage: .fetch, subject: "memory", message: "not asked")
    func fail(_ error: SourceError) { server.state.withLock { $0.faults.failure = error } }
    try await client.setStarred(ids[1])
    fail(unasked)
    for _ in 0..<2 { try await client.repository.deliverOutbox() }
    #expect(try await outbox(client).map(\.attempts) == [0])
    #expect(try await outbox(client).first?.error == unasked)
    fail(ItemServer.refusal(503))
    try await client.repository.deliverOutbox()
    fail(unasked)
    try await client.repository.deliverOutbox()
    #expect(try await outbox(client).map(\.attempts) == [1])
    // Why it was not sent the last time that it was tried.
    #expect(try await outbox(client).first?.error?.status == 503)
  }

  // MARK: - Refused calls

  @Test func `Of a call that is refused only the mark that is refused is told of`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = [ids[6]] }
    for id in ids { try await client.setStarred(id) }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.starred } == Set(ids).subtracting([ids[6]]))
    let refused = try await outbox(client)
    #expect(refused.map(\.title) == ["Article 6"])
    #expect(refused.first?.isRefused == true && refused.first?.attempts == 1)
    #expect(sends(server) <= 9)
    // It is not sent by itself, and does not keep what follows.
    server.state.withLock { $0.calls = [] }
    try await client.setRead(ids[0])
    try await client.repository.deliverOutbox()
    #expect(sends(server) == 1 && server.state.withLock { !$0.unread.contains(ids[0]) })
  }

  @Test func `Of a batch that is refused only the article that is refused stands alone`()
    async throws
  {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = [ids[2], ids[9]] }
    try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.unread } == [ids[2], ids[9]])
    let refused = try await outbox(client)
    #expect(Set(refused.map(\.title)) == ["Article 2", "Article 9"])
    #expect(refused.allSatisfy { $0.kind == .mark(.read(true)) && $0.isRefused })
    try await client.repository.synchronize(client.account)
    #expect(try await outbox(client).count == 2)
    #expect(try await client.marks(ids[2]) == [true, false])
    // They are taken back with their batch.
    server.state.withLock { $0.faults.refusedIDs = [] }
    try await client.repository.apply(.undo)
    for _ in 0..<2 { try await client.repository.synchronize(client.account) }
    #expect(server.state.withLock { $0.unread } == Set(ids))
    #expect(try await client.marks(ids[2]) == [false, false])
    #expect(try await outbox(client) == [])
  }

  @Test func `What was refused is told with each sync, and of the account`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = [ids[6]] }
    for id in ids { try await client.setStarred(id) }
    for _ in 0..<2 {
      let report = try await client.repository.refresh(.all)
      let unsent = try #require(report.syncs.first?.unsent)
      #expect(unsent.count == 1 && unsent.error.isRefusal)
      #expect(unsent.error.next?.hasPrefix("telex outbox lists it") == true)
      let (states, summaries) = try await client.reader.store.view {
        (try $0.sync.states(), try $0.sync.summaries())
      }
      #expect(states.first { $0.id == client.account }?.refused == 1)
      #expect(states.first { $0.id == client.account }?.error == unsent.error)
      #expect(summaries.first { $0.id == client.account }?.refused == 1)
    }
  }

  @Test func `Of many that were marked at once those that were refused are told at once`()
    async throws
  {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = [ids[6]] }
    try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
    let unsent = try #require(try await client.repository.refresh(.all).syncs.first?.unsent)
    #expect(unsent.count == 1 && unsent.error.isRefusal)
  }

  @Test func `Once the last change has arrived the account tells of no failure`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = [ids[6]] }
    for id in ids { try await client.setStarred(id) }
    _ = try await client.repository.refresh(.all)
    func error() async throws -> SourceError? {
      try await client.reader.store.view { try $0.sync.error(of: client.account) }
    }
    #expect(try await error() != nil)
    server.state.withLock { $0.faults.refusedIDs = [] }
    try await client.repository.deliverOutbox(isAsked: true)
    #expect(try await outbox(client) == [])
    #expect(try await error() == nil)
  }

  @Test func `A call that is too large is halved, and nothing of it is refused`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.largestCall = 3 }
    try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.unread } == [])
    #expect(try await outbox(client) == [] && sends(server) <= 8)
    #expect(try await client.marks(ids[0]) == [true, false])
  }

  @Test func `Where the list is refused as well, no mark is to blame`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusesAll = true }
    for id in ids { try await client.setStarred(id) }
    try await client.repository.deliverOutbox()
    let waiting = try await outbox(client)
    #expect(waiting.count == 10 && waiting.allSatisfy { !$0.isRefused })
    let account = client.account
    let state = try await client.reader.store.view { try $0.sync.states() }
      .first { $0.id == account }
    #expect(state?.error?.status == 403)
    #expect(server.state.withLock { $0.calls.count } <= 8)
    server.state.withLock { $0.faults.refusesAll = false }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.starred } == Set(ids))
  }

  @Test func `A server that refuses every mark is asked a bounded number of times`() async throws {
    let (server, ids) = server(200)
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = Set(ids) }
    for id in ids { try await client.setStarred(id) }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.calls.count } <= 40)
    // Nobody is to blame alone, and the user sees why.
    let waiting = try await outbox(client)
    #expect(waiting.count == 200 && waiting.allSatisfy { !$0.isRefused })
    #expect(waiting.first?.error != nil)
    server.state.withLock { $0.faults.refusedIDs = [] }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.starred } == Set(ids))
  }

  /// The places of refused marks among three hundred.
  @Test(arguments: [
    [3, 60, 111, 190, 191, 299], Array(stride(from: 0, to: 300, by: 5)), Array(0..<200),
    Array(100..<299),
  ])
  func
    `Each delivery of a batch finds more of its refused articles, and asks a bounded number of times`(
      _ places: [Int]
    ) async throws
  {
    let (server, ids) = server(300)
    let client = try await client(at: server)
    let refused = Set(places.map { ids[$0] })
    server.state.withLock { $0.faults.refusedIDs = refused }
    try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
    try await client.setStarred(try #require(ids.first { !refused.contains($0) }))
    var found = 0
    while found < refused.count {
      server.state.withLock { $0.calls = [] }
      try await client.repository.deliverOutbox()
      #expect(sends(server) <= 210)
      let now = try await outbox(client).count { $0.isRefused }
      try #require(now > found)
      found = now
    }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.unread } == refused)
    #expect(server.state.withLock { $0.starred.count } == 1)
    #expect(try await outbox(client).count == refused.count)
  }

  @Test func `A batch that is looked through in parts says why it waits`() async throws {
    let (server, ids) = server(300)
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = Set(ids.prefix(200)) }
    try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
    try await client.repository.deliverOutbox()
    let all = try await outbox(client)
    let batch = try #require(all.first)
    // Those that were refused have rows of their own.
    #expect(batch.kind == .batch(isRead: true, count: 301 - all.count) && batch.attempts == 1)
    #expect(batch.error?.message.contains("refuses many") == true && !batch.isRefused)
  }

  @Test func `Old marks that are all refused do not keep a new one`() async throws {
    let (server, ids) = server(40)
    server.state.withLock { $0.marksPerCall = 1 }
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = Set(ids.prefix(39)) }
    for id in ids { try await client.setStarred(id) }
    try await client.repository.deliverOutbox()
    #expect(server.state.withLock { $0.starred } == [ids[39]])
    #expect(try await outbox(client).count { $0.isRefused } == 39)
  }

  @Test func `A new mark that is refused like the old ones does not keep those between`()
    async throws
  {
    let (server, ids) = server(40)
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = Set(ids).subtracting([ids[17]]) }
    for id in ids { try await client.setStarred(id) }
    var deliveries = 0
    while server.state.withLock({ $0.starred.isEmpty }), deliveries < 40 {
      deliveries += 1
      try await client.repository.deliverOutbox()
    }
    #expect(server.state.withLock { $0.starred } == [ids[17]])
  }

  @Test func `What is found refused when the user asks is not sent twice`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = [ids[9]] }
    try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
    _ = try await client.repository.sendWaiting()
    // Ten are halved to five, three, two and one.
    #expect(sends(server) <= 9)
    #expect(try await outbox(client).map(\.attempts) == [1])
    server.state.withLock { $0.faults.refusedIDs = [] }
    _ = try await client.repository.sendWaiting()
    #expect(server.state.withLock { $0.unread } == [])
  }

  @Test func `An article of a batch that is marked otherwise on its way is not refused`()
    async throws
  {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.refusedIDs = [ids[4]] }
    try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
    let (repository, store, account) = (client.repository, client.reader.store, client.account)
    server.meanwhile.withLock {
      $0 = (
        "send",
        {
          let article = try await store.view { try $0.articles(of: account)[ids[4]] }
          try await repository.apply(.mark([try #require(article).id], .read(false)))
        }
      )
    }
    try await client.repository.deliverOutbox()
    server.state.withLock { $0.faults.refusedIDs = [] }
    for _ in 0..<2 { _ = try await client.repository.sendWaiting() }
    #expect(server.state.withLock { $0.unread } == [ids[4]])
  }

  @Test func `Ten thousand marks of a batch take at most twenty requests`() async throws {
    var random = SplitMix(seed: 1)
    var world = CourseWorld(.googleReader, &random)
    // FreshRSS.
    world.dialect = 0
    let clock = TestClock()
    let server = WireCourseServer(world, clock)
    let start = Int64(clock.now.timeIntervalSince1970)
    server.server.change("ada") { library in
      guard let feed = library.feeds.first?.stream else { return }
      library.insert(
        (Int64(0)..<10_000).map { number in
          let crawled = start * 1_000_000 + number
          return GoogleReaderModel.Item(
            id: crawled, feed: feed, title: "\(number)", published: start, crawled: crawled)
        })
    }
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let reader = try await CourseReader("0", in: folder, at: server, clock)
    try await reader.repository.synchronize(reader.account)
    try await reader.repository.apply(.markAllRead(.all, notNewerThan: nil))
    server.begin(nil)
    try await reader.repository.deliverOutbox()
    #expect(server.server.library(of: "ada").unread == [])
    #expect(server.wire.calls <= 20)
    #expect(try await reader.waiting().count == 0)
  }

  // MARK: - What the server is found to have

  @Test func `What a set that is not whole shows proves a mark`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    for id in ids { server.mark(id, read: true) }
    try await client.repository.synchronize(client.account)
    for id in ids { try await client.setRead(id, false) }
    // The newest five.
    server.state.withLock { $0.faults.cap = 5 }
    try await client.repository.synchronize(client.account)
    server.state.withLock { $0.faults.cap = nil }
    // Another client reads them again: what is proven holds nothing back.
    for id in ids { server.mark(id, read: true) }
    try await client.repository.synchronize(client.account)
    #expect(try await client.marks(ids[9]) == [true, false])
  }

  @Test func `Sets that are never whole do not hold a mark for ever`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.cap = 5 }
    try await client.setRead(ids[0])
    for _ in 0..<4 { try await client.repository.synchronize(client.account) }
    #expect(sends(server) == 1)
    server.state.withLock { $0.faults.cap = nil }
    server.mark(ids[0], read: false)
    try await client.repository.synchronize(client.account)
    #expect(try await client.marks(ids[0]) == [false, false])
    #expect(try await outbox(client) == [])
  }

  // MARK: - A mark that was sent is done

  /// How a change reaches the server.
  enum Way: CaseIterable {
    case delivery, asked, sync, sending, end
  }

  @Test(arguments: Way.allCases, [1, 10])
  func `A later mark of another device stays, and nothing is sent again`(
    _ way: Way, marked: Int
  ) async throws {
    let (server, ids) = server()
    let client = try await Client.make(at: server) { $0.outboxCalm = .milliseconds(1) }
    try await client.sync()
    let read = ids.suffix(marked)
    if marked == 1 {
      try await client.setRead(ids[9])
      try await client.setStarred(ids[9])
    } else {
      try await client.repository.apply(.markAllRead(.all, notNewerThan: nil))
      try await client.setStarred(ids[9])
    }
    switch way {
    case .delivery: try await client.repository.deliverOutbox()
    case .asked: #expect(try await client.repository.sendWaiting() == 0)
    case .sync: try await client.sync()
    case .sending:
      let following = Task { [sending = client.repository.sending] in await sending.follow() }
      #expect(
        await eventually { server.state.withLock { $0.unread.isDisjoint(with: read) } })
      #expect(await eventually { (try? await client.hasOutbox()) == false })
      following.cancel()
      await following.value
    case .end: await client.repository.sending.finish(within: .seconds(60))
    }
    #expect(server.state.withLock { $0.unread.isDisjoint(with: read) && $0.starred == [ids[9]] })
    #expect(try await !client.hasOutbox())
    for id in read { server.mark(id, read: false, starred: false) }
    server.state.withLock { $0.calls = [] }
    for _ in 0..<3 {
      try await client.sync()
      for id in read { #expect(try await client.marks(id) == [false, false]) }
    }
    #expect(sends(server) == 0)
    #expect(server.state.withLock { $0.unread.isSuperset(of: read) && $0.starred == [] })
  }

  @Test(arguments: [1, 10])
  func `A mark that is sent while the account is walked is not taken back by older lists`(
    marked: Int
  ) async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    let (repository, id) = (client.repository, try #require(try await client.article(ids[9])).id)
    // After the list of unread articles was asked for; another device takes one back at once.
    server.meanwhile.withLock {
      $0 = (
        "starred",
        {
          try await repository.apply(
            marked == 1 ? .mark([id], .read(true)) : .markAllRead(.all, notNewerThan: nil))
          try await repository.deliverOutbox()
          if marked > 1 { server.mark(ids[2], read: false) }
        }
      )
    }
    try await client.sync()
    #expect(try await client.marks(ids[9]) == [true, false])
    #expect(try await !client.hasOutbox())
    server.state.withLock { $0.calls = [] }
    try await client.sync()
    #expect(try await client.marks(ids[9]) == [true, false])
    #expect(try await client.marks(ids[2]) == [false, false])
    #expect(sends(server) == 0)
  }

  @Test func `A change without an answer is repeated, and its taking back is one change`()
    async throws
  {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.wire.begin(.losesAnswer(0))
    try await client.setRead(ids[1])
    try await client.repository.deliverOutbox()
    server.wire.begin(nil)
    #expect(server.state.withLock { !$0.unread.contains(ids[1]) })
    for isRead in [false, true, false] { try await client.setRead(ids[1], isRead) }
    #expect(try await outbox(client).map(\.kind) == [.mark(.read(false))])
    server.state.withLock { $0.calls = [] }
    try await client.sync()
    #expect(server.state.withLock { $0.unread.contains(ids[1]) })
    #expect(sends(server) == 1)
    #expect(try await client.marks(ids[1]) == [false, false])
  }

  @Test func `A server that does not keep a mark is told once, and counts`() async throws {
    let (server, ids) = server()
    let client = try await client(at: server)
    server.state.withLock { $0.faults.forgetsMarks = true }
    try await client.setRead(ids[1])
    for _ in 0..<3 { try await client.sync() }
    #expect(sends(server) == 1)
    #expect(try await client.marks(ids[1]) == [false, false])
    #expect(try await outbox(client) == [])
  }

  // MARK: - Marks that could not be sent

  @Test(arguments: [401, 502, 503, 429])
  func `A sync that could not send says how many changes wait, and why`(_ status: Int)
    async throws
  {
    let (server, ids) = server()
    let client = try await client(at: server)
    for id in ids.prefix(3) { try await client.setRead(id) }
    server.state.withLock { $0.failures["send"] = ItemServer.refusal(status) }
    for _ in 0..<2 {
      let report = try await client.repository.synchronize(client.account)
      #expect(report.unsent?.count == 3 && report.unsent?.error.status == status)
      #expect(report.error == nil && report.unsent?.line.hasPrefix("3 changes wait") == true)
      let state = try #require(
        try await client.reader.store.view { try $0.sync.states() }.last)
      #expect(state.error?.status == status && !state.account.needsSignIn)
      #expect(state.waiting == 3 && state.lastSuccess != nil)
    }
    server.state.withLock { $0.failures = [:] }
    let report = try await client.repository.synchronize(client.account)
    #expect(report.unsent == nil)
    let state = try await client.reader.store.view { try $0.sync.states() }.last
    #expect(state?.error == nil && state?.waiting == 0)
  }

  @Test func `Articles of a feed that goes while they are on their way end the sync`() async throws
  {
    let (server, _) = server(1)
    let client = try await client(at: server)
    server.publish("New", in: "feed/1", at: client.reader.clock.now)
    let feed = try #require(try await client.feeds().first).id
    let store = client.reader.store
    server.meanwhile.withLock {
      $0 = ("items", { try await store.edit { try $0.feeds.unsubscribe(feed) } })
    }
    _ = try? await client.repository.synchronize(client.account)
    #expect(server.state.withLock { $0.calls.count { $0 == "items" } } <= 3)
  }
}

/// The halving of calls alone, against servers that refuse any call that has one of some marks.
@Suite struct MarkParcelTests {
  @Test(arguments: 0..<50)
  func `All but the refused marks are sent once, in order`(_ seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let count = Int.random(in: 0...300, using: &random)
    let refused = Set(
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Int.random(in: 0...300, using: &random)
      }
    ).filter { $0 < count }
    let limit = Int.random(in: 1...100, using: &random)
    var parcel = MarkParcel(count: count)
    var sent: [Int] = []
    var calls = 0
    while let range = parcel.next(atMost: limit), calls < 10_000 {
      calls += 1
      #expect(range.count <= limit)
      if range.contains(where: refused.contains) {
        #expect(parcel.refuse(range) == (range.count == 1))
      } else {
        sent += range
      }
    }
    #expect(sent == (0..<count).filter { !refused.contains($0) })
    #expect(parcel.refused == refused.sorted() && parcel.left == [])
    #expect(calls <= (count + limit - 1) / limit + refused.count * 14)
  }
}

/// The choice of marks to try alone.
@Suite struct RefusalSampleTests {
  @Test(arguments: [1, 2, 5, 40, 1_000])
  func `The newest is always tried, and any other in its turn`(_ count: Int) {
    var seen: Set<Int> = []
    for round in 0..<count * 2 {
      let places = RefusalSample.places(of: count, round: round)
      #expect(places.first == count - 1 && Set(places).count == places.count)
      #expect(places.allSatisfy { (0..<count).contains($0) } && places.count <= 4)
      seen.formUnion(places)
    }
    #expect(seen.count == count)
    #expect(RefusalSample.places(of: 0, round: 3) == [])
  }
}
