internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// When accounts are brought in line, by whom, and whose answers count.
@Suite(.timeLimit(.minutes(10)))
struct AccountSyncerTests {
  private static let news = Subscription(
    url: "https://example.org/news", id: "feed/1", title: "News", folders: ["Work"])
  private static let refusal = SourceError(
    .status, stage: .fetch, subject: "memory", message: "wrong password", status: 401)

  private func server(articles: Int = 3) -> ItemServer {
    let server = ItemServer()
    server.state.withLock { $0.subscriptions = [Self.news] }
    for number in 0..<articles {
      server.publish("Article \(number)", in: "feed/1", at: TestClock().now)
    }
    return server
  }

  private func state(_ client: borrowing ItemSyncTests.Client) async throws -> AccountState {
    let account = client.account
    return try #require(
      try await client.reader.store.view { try $0.sync.states().first { $0.id == account } })
  }

  private func calls(_ server: ItemServer) -> Int { server.state.withLock { $0.calls.count } }

  private func fail(_ server: ItemServer, with error: SourceError?) {
    server.state.withLock { $0.faults.failure = error }
  }

  // MARK: - The network

  @Test func `Without a network nothing is tried or recorded, and all of it when it is back`()
    async throws
  {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let repository = client.repository
    let (states, monitor) = AsyncStream.makeStream(of: Connectivity.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await repository.follow(states) }
      monitor.yield(.offline)
      #expect(await eventually { repository.network.isOffline })
      let waiting = Task { try await repository.refresh(.due) }
      #expect(await eventually { await !repository.network.waiters.isEmpty })
      #expect(calls(server) == 0)
      #expect(try await state(client).lastAttempt == nil)
      monitor.yield(.online(isMetered: false))
      let report = try await waiting.value
      #expect(report.inserted == 3 && report.syncs.count == 1)
      group.cancelAll()
      monitor.finish()
    }
  }

  @Test func `A server that cannot be reached is asked more and more seldom`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let (repository, clock) = (client.repository, client.reader.clock)
    fail(server, with: ItemServer.failure)
    _ = try await repository.refresh(.due)
    #expect(calls(server) == 1)
    for (failures, wait) in zip(1..., [10.0, 20, 40, 80, 160, 320, 640, 900, 900]) {
      #expect(try await state(client).failures == failures)
      clock.advance(wait - 1)
      #expect(try await repository.refresh(.unreachable).syncs == [], "\(failures)")
      clock.advance(1)
      #expect(try await repository.refresh(.unreachable).syncs.count == 1, "\(failures)")
      #expect(calls(server) == failures + 1)
    }
    fail(server, with: nil)
    clock.advance(900)
    #expect(try await repository.refresh(.unreachable).inserted == 3)
    let state = try await self.state(client)
    #expect(state.failures == 0 && state.error == nil)
  }

  @Test func `A server that asks for a pause gets it`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let (repository, clock) = (client.repository, client.reader.clock)
    var busy = SourceError(
      .status, stage: .fetch, subject: "memory", message: "busy", status: 503)
    busy.retryAfter = clock.now.addingTimeInterval(7_200)
    fail(server, with: busy)
    _ = try await repository.refresh(.due)
    clock.advance(7_199)
    #expect(try await repository.refresh(.due).syncs == [])
    clock.advance(1)
    fail(server, with: nil)
    #expect(try await repository.refresh(.due).inserted == 3)
  }

  @Test func `What the user asks for is not left alone because its server has failed`() async throws
  {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    _ = try await client.repository.refresh(.due)
    #expect(server.state.withLock { $0.reopened } == [])
    _ = try await client.repository.refresh(.all)
    #expect(server.state.withLock { $0.reopened } == [ItemAccount.base])
  }

  // MARK: - The files

  @Test func `A refresh of accounts alone erases what was removed, and empties the log`()
    async throws
  {
    let server = self.server(articles: 200)
    let client = try await ItemSyncTests.Client.make(at: server)
    let (repository, store) = (client.repository, client.reader.store)
    #expect(try await repository.refresh(.all).inserted == 200)
    let log = store.folder + "/telex.sqlite-wal"
    // Two pages of 16 KiB tell the version of the schema.
    let most = 70_000
    func logSize() -> Int { FileManager.default.contents(atPath: log)?.count ?? 0 }
    #expect(logSize() < most)
    let feed = try #require(try await client.feeds().first)
    let now = client.reader.clock.now
    try await store.edit { edit in
      try edit.actions.remove(feed.id, isTold: false, now: now)
      _ = try edit.removals.expire(now: now.addingTimeInterval(40 * 86_400))
    }
    #expect(try await store.hasToErase())
    #expect(logSize() > most)
    #expect(try await repository.refresh(.all).syncs.count == 1)
    #expect(try await !store.hasToErase())
    #expect(logSize() < most)
  }

  // MARK: - A refused sign-in

  @Test func `After a refusal nothing is sent until the user has signed in`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let (repository, clock) = (client.repository, client.reader.clock)
    try await repository.synchronize(client.account)
    let article = try #require(try await client.article("1001"))
    fail(server, with: Self.refusal)
    let first = try await repository.refresh(.all).syncs
    #expect(first.first?.error?.next?.contains("telex login \(ItemAccount.base)") == true)
    let again = "tried again at \(clock.now.addingTimeInterval(60).timeOfDay)"
    #expect(first.first?.error?.next?.contains(again) == true)
    // Once may be a server that is starting; too soon after it nothing is asked.
    let sent = calls(server)
    for _ in 0..<2 {
      #expect(try await repository.refresh(.all).syncs.first?.error == first.first?.error)
    }
    #expect(calls(server) == sent)
    #expect(try await !state(client).account.needsSignIn)
    #expect(try await state(client).nextAttempt == clock.now.addingTimeInterval(60))
    clock.advance(61)
    let second = try await repository.refresh(.due).syncs.first?.error
    #expect(second?.status == 401)
    #expect(second?.next?.hasPrefix("nothing is asked there until you sign in") == true)
    #expect(try await state(client).account.needsSignIn)
    let feed = try #require(try await client.feeds().first)
    #expect(feed.state.error?.status == 401 && feed.account.needsSignIn)

    let before = calls(server)
    try await repository.apply(.mark([article.id], .read(true)))
    try await repository.deliverOutbox()
    clock.advance(1_000_000)
    for scope in [RefreshScope.due, .unreachable, .recovered] {
      #expect(try await repository.refresh(scope).syncs == [])
    }
    let asked = try await repository.refresh(.all).syncs
    #expect(asked.first?.error?.message == first.first?.error?.message)
    #expect(calls(server) == before && asked.count == 1)
    #expect(try await client.waiting() == 1)

    fail(server, with: nil)
    try await client.reader.store.edit { [account = client.account] edit in
      try edit.accounts.noteSignIn(to: account)
    }
    #expect(try await repository.refresh(.all).syncs.first?.error == nil)
    #expect(try await client.waiting() == 0)
    #expect(server.state.withLock { !$0.unread.contains("1001") })
    #expect(try await !state(client).account.needsSignIn)
    #expect(try await client.feeds().first?.state.error == nil)
  }

  @Test func `One refused sign-in is forgotten once the stored password is taken`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let (repository, clock) = (client.repository, client.reader.clock)
    for _ in 0..<2 {
      fail(server, with: Self.refusal)
      _ = try await repository.refresh(.all)
      clock.advance(61)
      fail(server, with: nil)
      #expect(try await repository.refresh(.all).syncs.first?.error == nil)
      #expect(try await state(client).error == nil)
    }
  }

  /// What the user has changed, which is sent before any sync.
  enum Change: CaseIterable { case mark, tag, later, subscription }

  @Test(arguments: Change.allCases)
  func `A refused sign-in that a change meets first shows at the account`(
    _ change: Change
  ) async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let repository = client.repository
    try await repository.synchronize(client.account)
    let article = try #require(try await client.article("1001"))
    fail(server, with: Self.refusal)
    switch change {
    case .mark: try await repository.apply(.mark([article.id], .starred(true)))
    case .tag: try await repository.apply(.setTag([article.id], "work", true))
    case .later: try await repository.apply(.setLater([article.id], true))
    case .subscription: try await repository.rename(article.feedID, to: "Mine")
    }
    try await repository.deliverOutbox()
    let state = try await state(client)
    #expect(!state.account.needsSignIn && state.error?.status == 401)
    #expect(state.error?.next?.contains("telex login \(ItemAccount.base)") == true)
    let before = calls(server)
    try await repository.deliverOutbox()
    #expect(calls(server) == before)
    fail(server, with: nil)
    try await client.reader.store.edit { [account = client.account] edit in
      try edit.accounts.noteSignIn(to: account)
    }
    _ = try await repository.refresh(.all)
    #expect(try await client.waiting() == 0)
  }

  // MARK: - Under way

  @Test func `What is under way shows, and is not begun again because it is due`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let repository = client.repository
    let seen = Mutex<[Activity]>([])
    let due = Mutex<Int?>(nil)
    server.meanwhile.withLock {
      $0 = (
        "unread",
        {
          for try await activity in repository.activities() {
            seen.withLock { $0.append(activity) }
            break
          }
          let sidebar = try await repository.sidebars().first { _ in true }
          seen.withLock { $0 += sidebar.map { [$0.activity] } ?? [] }
          let report = try await repository.refresh(.due)
          due.withLock { $0 = report.syncs.count }
        }
      )
    }
    #expect(try await repository.refresh(.all).inserted == 3)
    let running = Activity.refreshing(done: 0, total: 1, failed: 0)
    #expect(seen.withLock { $0 } == [running, running])
    #expect(due.withLock { $0 } == 0)
    let after = try await repository.activities().first { _ in true }
    #expect(after == .idle)
  }

  /// Begins a sync, and lets it go on only once the body has ended.
  private func withSync(
    _ server: ItemServer, _ client: borrowing ItemSyncTests.Client,
    _ body: (Task<SyncReport, Never>) async throws -> Void
  ) async throws -> SyncReport {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let isThere = Mutex(false)
    server.meanwhile.withLock {
      $0 = (
        "unread",
        {
          isThere.withLock { $0 = true }
          for await _ in gate {}
          try Task.checkCancellation()
        }
      )
    }
    let sync = try await wish(client)
    #expect(await eventually { isThere.withLock { $0 } })
    try await body(sync)
    opener.finish()
    return await sync.value
  }

  /// Asks for a sync.
  private func wish(
    _ client: borrowing ItemSyncTests.Client
  ) async throws -> Task<SyncReport, Never> {
    let (repository, id) = (client.repository, client.account)
    let account = try #require(
      try await client.reader.store.view { try $0.accounts.account(id) })
    return Task { await repository.sync(account) }
  }

  @Test func `Who waits for a sync of another and gives up waits no longer`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let report = try await withSync(server, client) { _ in
      let other = try await wish(client)
      let (syncer, account) = (client.repository.syncer, client.account)
      #expect(await eventually { await syncer.waitingCalls(for: account) == 1 })
      other.cancel()
      let given = await other.value
      #expect(given.error?.kind == .cancelled)
    }
    #expect(report.error == nil && report.inserted == 3)
  }

  @Test func `Who waits for a sync that is given up goes on with it`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    var other: Task<SyncReport, Never>?
    let report = try await withSync(server, client) { first in
      other = try await wish(client)
      first.cancel()
    }
    #expect(report.error?.kind == .cancelled)
    let second = await other?.value
    #expect(second?.error == nil && second?.missing == 0)
    // The first one stopped at the unread ones.
    #expect(server.state.withLock { $0.calls.count { $0 == "starred" } } == 1)
    #expect(try await client.feeds().first?.counts.total == 3)
    let state = try await self.state(client)
    #expect(state.error == nil && state.failures == 0)
  }

  @Test func `A long sync keeps its claim`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server) { $0.syncClaimTime = 0.05 }
    let (store, clock, account) = (client.reader.store, client.reader.clock, client.account)
    let report = try await withSync(server, client) { _ in
      clock.advance(1_000)
      let isKept = await eventually {
        (try? await store.view {
          try $0.sync.isSyncing(
            account, byOthersThan: "", at: clock.now, horizon: .distantFuture)
        }) == true
      }
      #expect(isKept)
    }
    #expect(report.error == nil)
  }

  // MARK: - Other processes

  /// Has another process bring the account in line while the body runs.
  private func withOther(
    _ client: borrowing ItemSyncTests.Client, _ body: () async throws -> Void
  ) async throws {
    let (store, account, now) = (client.reader.store, client.account, client.reader.clock.now)
    let other = await store.claimant(program: "telex refresh")
    let isClaimed = try await store.edit {
      try $0.sync.claim(
        of: account, by: other.name, until: now.addingTimeInterval(600), now: now)
    }
    #expect(isClaimed)
    try await body()
    try await store.finish { try $0.sync.release(claimedBy: other.name) }
  }

  @Test(arguments: [nil, refusal])
  func `A sync that another process does is waited for, and its outcome told`(
    _ error: SourceError?
  ) async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let (repository, store, account) = (client.repository, client.reader.store, client.account)
    var asked: Task<SyncReport, Never>?
    try await withOther(client) {
      // What is due anyway is left to it.
      #expect(try await repository.refresh(.due).syncs == [])
      asked = try await wish(client)
      let waited = try await repository.othersWaitedFor().first { $0 != nil }
      #expect(waited??.hasPrefix("telex refresh (process ") == true)
      client.reader.clock.advance(5)
      let now = client.reader.clock.now
      try await store.edit { try $0.sync.record(of: account, error: error, now: now) }
    }
    let report = try #require(await asked?.value)
    #expect(report.isByAnother && report.error?.status == error?.status)
    #expect(calls(server) == 0)
  }

  @Test func `A sync that another process has given up is done here`() async throws {
    let client = try await ItemSyncTests.Client.make(at: self.server())
    var asked: Task<SyncReport, Never>?
    try await withOther(client) {
      asked = try await wish(client)
      _ = try await client.repository.othersWaitedFor().first { $0 != nil }
    }
    let report = try #require(await asked?.value)
    #expect(!report.isByAnother && report.inserted == 3)
  }

  @Test func `A wait for another process has an end`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server) {
      $0.deadline = .now + .milliseconds(50)
    }
    try await withOther(client) {
      let report = try await wish(client).value
      #expect(report.error?.message.contains("telex refresh (process ") == true)
      let cancelled = try await wish(client)
      cancelled.cancel()
      let error = await cancelled.value.error
      #expect(error != nil)
    }
    #expect(calls(server) == 0)
    #expect(try await state(client).lastAttempt == nil)
  }

  // MARK: - Sessions

  @Test(arguments: [true, false], ["subscriptions", "all", "unread", "starred", "items"])
  func `What is answered to a session before is not applied`(
    _ isSignOut: Bool, _ call: String
  ) async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    try await client.repository.synchronize(client.account)
    let before = try await client.feeds()
    server.publish("New", in: "feed/1", at: client.reader.clock.now)
    server.mark("1001", read: true, starred: true)
    server.state.withLock {
      $0.subscriptions[0].title = "Renamed"
      $0.subscriptions[0].folders = []
    }
    let (store, account) = (client.reader.store, client.account)
    server.meanwhile.withLock {
      $0 = (
        call,
        {
          try await store.edit { edit in
            if isSignOut {
              try edit.accounts.signOut(account)
            } else {
              try edit.accounts.noteSignIn(to: account)
            }
          }
        }
      )
    }
    client.reader.clock.advance(60)
    let report = try await wish(client).value
    #expect(report.error?.message.contains("signed in or out") == true)
    let state = try await self.state(client)
    #expect(state.error == nil && state.failures == 0 && state.account.isSignedOut == isSignOut)
    let feed = try #require(try await client.feeds().first)
    if call == "subscriptions" { #expect(feed.title == before[0].title) }
    #expect(feed.counts.total == 3)
    if call != "items" {
      let marks = try await client.marks("1001")
      #expect(marks == [false, false])
    }
    #expect(feed.state.lastAttempt == before[0].state.lastAttempt)
  }

  @Test func `A list of feeds that is answered after signing out is not applied`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    try await client.repository.synchronize(client.account)
    let before = try await client.feeds()
    server.state.withLock { $0.subscriptions[0].title = "Renamed" }
    let (store, account) = (client.reader.store, client.account)
    server.meanwhile.withLock {
      $0 = ("subscriptions", { try await store.edit { try $0.accounts.signOut(account) } })
    }
    await #expect(throws: SourceError.self) {
      try await client.repository.takeSubscriptions(of: account)
    }
    #expect(try await client.feeds().map(\.title) == before.map(\.title))
  }

  @Test func `Feeds that were left at a sign-out are renamed and removed here alone`() async throws
  {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let (repository, store, account) = (client.repository, client.reader.store, client.account)
    try await repository.synchronize(account)
    let feed = try #require(try await client.feeds().first)
    try await store.edit { try $0.accounts.signOut(account) }
    #expect(try await !repository.rename(feed.id, to: "Mine"))
    let renamed = try await client.feeds().first
    #expect(renamed?.displayTitle == "Mine")
    try await repository.unsubscribe(feed.id)
    #expect(try await store.view { try $0.accounts.all() } == [.local])
    #expect(server.state.withLock { !$0.calls.contains { $0.hasPrefix("remove") } })
  }

  @Test func `Nothing is asked in the name of who has signed out`() async throws {
    let server = self.server()
    let client = try await ItemSyncTests.Client.make(at: server)
    let (repository, store, account) = (client.repository, client.reader.store, client.account)
    try await repository.synchronize(account)
    let article = try #require(try await client.article("1001"))
    try await store.edit { try $0.accounts.signOut(account) }
    let before = calls(server)
    client.reader.clock.advance(1_000_000)
    for scope in [RefreshScope.all, .due, .recovered] {
      #expect(try await repository.refresh(scope).syncs == [])
    }
    let feed = try #require(try await client.feeds().first)
    let asked = try await repository.refresh(.feeds([feed.id])).syncs
    #expect(asked.first?.error?.message.contains("signed out") == true)
    #expect(calls(server) == before)

    // The same user goes on where it was left.
    try await repository.apply(.mark([article.id], .starred(true)))
    let again = try await store.edit { [now = client.reader.clock.now] edit in
      let id = try edit.accounts.save(
        ItemAccount(server: server).service, base: ItemAccount.base, user: "ada", now: now)
      try edit.accounts.noteSignIn(to: id)
      return id
    }
    #expect(again == account)
    let report = try await wish(client).value
    #expect(report.error == nil && report.inserted == 0)
    #expect(try await client.feeds().map(\.id) == [feed.id])
  }
}
