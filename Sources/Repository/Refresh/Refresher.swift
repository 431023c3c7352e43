internal import Foundation
internal import News
internal import Store
internal import Synchronization

/// Performer of refreshes: carries out the actions of a `RefreshRun` and reports their results. One
/// run at a time; a call during a run joins it.
actor Refresher {
  struct Status: Sendable {
    var activity = Activity.idle
    /// Feeds that are being fetched, or wait for it.
    var unfinished: Set<FeedID> = []
    /// The other process that fetches the feeds which this run waits for.
    var waitingFor: String?
    /// Feeds that wait to be requested again after a failed attempt.
    var waits: [FeedID: RetryWait] = [:]
  }

  /// A run with its claims, its waiting callers and its unhandled events.
  private struct Running {
    let id = UUID()
    var run: RefreshRun
    /// Events that the loop has not taken yet.
    var inbox: [RefreshRun.Event] = []
    let bell: AsyncStream<Void>.Continuation
    let rings: AsyncStream<Void>
    /// The owner of this run's claims; nil until the first claim.
    var claimant: Claimant?
    /// The calls that have joined the run and wait for its end, by their tickets.
    var waiters: [Int: CheckedContinuation<RefreshReport, Never>] = [:]

    init(_ settings: RefreshSettings) {
      run = RefreshRun(concurrent: settings.concurrent, perHost: settings.perHost)
      (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    mutating func post(_ event: RefreshRun.Event) {
      inbox.append(event)
      bell.yield()
    }

    mutating func takeInbox() -> [RefreshRun.Event] {
      defer { inbox = [] }
      return inbox
    }

    var isOver: Bool { run.isOver && inbox.isEmpty }
  }

  private let context: RepositoryContext
  private let network: NetworkState
  private let pages: OlderPageLoader
  private let secrets: FeedCredentials
  private let outbox: OutboxDelivery
  private let syncer: AccountSyncer

  nonisolated let status = Mutex(Status())
  private var running: Running?
  private var tickets = 0

  init(
    _ context: RepositoryContext, network: NetworkState, pages: OlderPageLoader,
    secrets: FeedCredentials, outbox: OutboxDelivery, syncer: AccountSyncer
  ) {
    self.context = context
    self.network = network
    self.pages = pages
    self.secrets = secrets
    self.outbox = outbox
    self.syncer = syncer
  }

  private var store: Store { context.store }
  private var settings: RefreshSettings { context.settings }

  var isRunning: Bool { running != nil }

  /// Fetches the newest page of each feed in `scope` (`FeedRepository.refresh`). Feeds of accounts
  /// whose servers list articles by id come with a sync of the account.
  func refresh(_ scope: RefreshScope) async throws -> RefreshReport {
    if network.isOfflineByChoice {
      guard scope.isUsersWish else { return RefreshReport() }
      throw SourceError.offlineByChoice(subject: "")
    }
    let time = context.now()
    let resting = try await store.view { try $0.restingFeeds(in: scope, at: time) }
    var report = try await refreshAll(scope)
    report.resting = resting
    return report
  }

  private func refreshAll(_ scope: RefreshScope) async throws -> RefreshReport {
    let accounts = try await accounts(in: scope)
    guard !accounts.isEmpty else { return try await refreshFeeds(scope) }
    return try await withThrowingTaskGroup(of: RefreshReport.self) { group in
      group.addTask { try await self.refreshFeeds(scope) }
      for account in accounts {
        group.addTask { try await self.sync(account, scope) }
      }
      var report = RefreshReport()
      for try await part in group {
        report.outcomes += part.outcomes
        report.syncs += part.syncs
        report.isCut = report.isCut || part.isCut
      }
      // The run of feeds that are fetched one by one, where there are any, may have ended before the syncs.
      await clean(after: report.syncs.contains { $0.error == nil })
      return report
    }
  }

  /// Deletes unused passwords, and erases removed articles from the files.
  ///
  /// - Parameter hasStored: whether much may have been written: planner statistics may be old and
  ///   the log long.
  private func clean(after hasStored: Bool) async {
    await secrets.forgetDiscarded()
    if hasStored { try? await store.tidy() } else { try? await store.erase() }
  }

  /// Accounts that are synchronised as a whole. `.due` does not wait for a sync under way.
  private func accounts(in scope: RefreshScope) async throws -> [Account] {
    // Feeds of a server come together, and none of them alone.
    if savesData(in: scope), settings.metered == .nothing { return [] }
    let (time, interval) = (context.now(), settings.interval)
    let accounts = try await store.view {
      try $0.accounts(in: scope, at: time, interval: interval)
    }
    return scope == .due ? accounts.filter { !syncer.isSyncing($0.id) } : accounts
  }

  private func sync(_ account: Account, _ scope: RefreshScope) async throws -> RefreshReport {
    var report = RefreshReport()
    if scope.isUsersWish { context.sources.reopen([account.base]) }
    if scope.waitsForNetwork, network.isOffline,
      account.needsNetwork(loopbackToo: settings.isLoopbackRemote)
    {
      await network.wait(atMost: settings.networkPatience)
      try Task.checkCancellation()
      // It may have been brought in line meanwhile.
      guard try await accounts(in: scope).contains(where: { $0.id == account.id }) else {
        return report
      }
    }
    guard let sync = await syncer.sync(account, with: self, waitsForOthers: scope != .due) else {
      return report
    }
    report.isCut = sync.error?.kind == .cancelled
    report.syncs = [sync]
    return report
  }

  /// Fetches the feeds of a scope that are fetched one by one.
  func refreshFeeds(_ scope: RefreshScope) async throws -> RefreshReport {
    var feeds = try await feeds(in: scope)
    if scope.waitsForNetwork, network.isOffline {
      let far = feeds.filter { $0.needsNetwork(loopbackToo: settings.isLoopbackRemote) }
      let near = feeds.filter { !$0.needsNetwork(loopbackToo: settings.isLoopbackRemote) }
      if !far.isEmpty {
        if !near.isEmpty { _ = try await refresh(near, scope) }
        await network.wait(atMost: settings.networkPatience)
        try Task.checkCancellation()
        // Some of them may have been fetched meanwhile.
        feeds = try await self.feeds(in: scope)
      }
    }
    return try await refresh(feeds, scope)
  }

  /// Lets the current run fetch a feed again after its address has changed.
  func forget(_ feed: FeedID) { running?.post(.moved(feed)) }

  private func feeds(in scope: RefreshScope) async throws -> [Feed] {
    let (time, interval) = (context.now(), settings.interval)
    let (savesData, metered) = (savesData(in: scope), settings.metered)
    return try await store.view { view in
      try view.feeds(in: scope, at: time, interval: interval).filter {
        !$0.account.capabilities.contains(.items)
          && !(savesData && ($0.settings.metered ?? metered) == .nothing)
      }
    }
  }

  private func savesData(in scope: RefreshScope) -> Bool { !scope.isUsersWish && network.savesData }

  private func refresh(_ feeds: [Feed], _ scope: RefreshScope) async throws -> RefreshReport {
    if scope.isUsersWish { context.sources.reopen(feeds.map(\.url)) }
    var report = RefreshReport()
    var rest = feeds
    while !rest.isEmpty {
      guard running != nil else {
        let own = await begin(rest, scope.request)
        report.outcomes += own.outcomes
        report.isCut = own.isCut
        return report
      }
      let joined = await join(rest, scope.request)
      report.outcomes += joined.outcomes
      report.isCut = joined.isCut
      // A run that was cancelled by its owner may not have reached all feeds.
      let done = Set(joined.outcomes.map(\.feed.id))
      rest = joined.isCut && !Task.isCancelled ? rest.filter { !done.contains($0.id) } : []
    }
    return report
  }

  /// Adds feeds to the run of another call. Cancelling this call ends its wait alone.
  private func join(_ feeds: [Feed], _ request: RefreshRun.Request) async -> RefreshReport {
    running?.post(.asked(feeds, request))
    tickets += 1
    let ticket = tickets
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if Task.isCancelled || running == nil {
          waiter.resume(returning: .cut)
        } else {
          running?.waiters[ticket] = waiter
        }
      }
    } onCancel: {
      Task { await self.leave(ticket) }
    }
  }

  private func leave(_ ticket: Int) {
    running?.waiters.removeValue(forKey: ticket)?.resume(returning: .cut)
  }

  var waitingCalls: Int { running?.waiters.count ?? 0 }

  private func begin(_ feeds: [Feed], _ request: RefreshRun.Request) async -> RefreshReport {
    running = Running(settings)
    running?.post(.asked(feeds, request))
    announceProgress()
    await perform()

    // Also after a cancellation: other processes may fetch the feeds then.
    if let claimant = running?.claimant {
      try? await store.finish { try $0.claims.release(of: claimant.name) }
    }
    var report = running?.run.report ?? RefreshReport()
    // Also without new articles: a feed that has moved to another server no longer needs its password, and removed
    // articles may not have been erased from the files yet.
    await clean(after: report.inserted > 0)
    let total = (try? await store.view { try $0.feeds.all().count { $0.isOnNetwork } }) ?? 0
    let ended = running
    running = nil
    // Calls that came too late to be served begin a run of their own with the remaining feeds.
    if ended?.run.isDone == false || ended?.inbox.isEmpty == false { report.isCut = true }
    ended?.bell.finish()
    status.withLock { status in
      status.activity = .idle
      status.unfinished = []
      status.waitingFor = nil
    }
    network.note(report, of: total)
    store.announce()
    for waiter in (ended?.waiters ?? [:]).values { waiter.resume(returning: report) }
    // A server has answered: what waits for it can be delivered. Other accounts are not waited for.
    let answered = Set(report.outcomes.filter { $0.error == nil }.map(\.feed.account.id))
    try? await outbox.deliver(to: answered)
    return report
  }

  // MARK: - The loop

  /// The event that results from an action; nil for none.
  private typealias Answer = RefreshRun.Event?

  /// Performs the actions of the run, each as a task whose result is an event, until it is over.
  /// After a cancellation the loop goes on until no task is left, so that fetched feeds are stored.
  private func perform() async {
    guard let rings = running?.rings else { return }
    await withTaskGroup(of: Answer.self) { group in
      @Sendable func ring() async -> Answer {
        for await _ in rings { break }
        return nil
      }
      group.addTask {
        await self.renewClaims()
        return nil
      }
      group.addTask(operation: ring)
      var isCancelled = false
      var events: [RefreshRun.Event] = []
      repeat {
        if Task.isCancelled, !isCancelled {
          isCancelled = true
          events.insert(.cancelled, at: 0)
        }
        events += running?.takeInbox() ?? []
        for event in events {
          for action in running?.run.handle(event) ?? [] { await begin(action, in: &group) }
          updateStatus(after: event)
        }
        events = []
        guard running?.isOver == false else { break }
        guard let answer = await group.next() else { break }
        if let answer { events = [answer] } else if !isCancelled { group.addTask(operation: ring) }
      } while true
      group.cancelAll()
    }
  }

  private func begin(_ action: RefreshRun.Action, in group: inout TaskGroup<Answer>) async {
    let context = context
    switch action {
    case .overtakePaging(let feeds):
      await pages.overtake(feeds.map(\.id))
    case .claim(let feeds, let request):
      group.addTask { .claimed(feeds, free: await self.claim(feeds), request) }
    case .fetch(let feed):
      group.addTask(priority: .utility) {
        let fetched = await fetch(
          feed, from: context.sources, into: context.store, now: context.now
        ) { wait in
          self.note(wait, of: feed.id)
        }
        self.note(nil, of: feed.id)
        return .fetched(feed, fetched)
      }
    case .store(let feeds):
      group.addTask { .stored(await context.store.store(feeds)) }
    case .timeBatch(let number):
      group.addTask {
        try? await Task.sleep(for: FetchedBatch.patience)
        return .batchGrewOld(number)
      }
    case .awaitOthers(let feeds):
      group.addTask { await self.waitForClaims(on: feeds) }
    }
  }

  private func updateStatus(after event: RefreshRun.Event) {
    switch event {
    case .stored:
      if let report = running?.run.report { network.note(report) }
      announceProgress()
    case .claimed, .released, .gaveUp: announceProgress()
    case .asked, .fetched, .batchGrewOld, .moved, .cancelled: break
    }
  }

  /// - Parameter wait: nil when the feed waits no longer.
  private nonisolated func note(_ wait: RetryWait?, of feed: FeedID) {
    let isNews = status.withLock { status in
      defer { status.waits[feed] = wait }
      return status.waits[feed] != wait
    }
    if isNews { context.store.announce() }
  }

  private func announceProgress() {
    guard let run = running?.run else { return }
    let activity = Activity.refreshing(
      done: run.report.outcomes.count, total: run.members.count, failed: run.report.failed.count)
    status.withLock { status in
      status.activity = activity
      status.unfinished = run.unfinished
    }
    store.announce()
  }

  // MARK: - Claims

  /// - Returns: the feeds that no other process has claimed.
  private func claim(_ feeds: [Feed]) async -> Set<FeedID> {
    let time = context.now()
    guard let claimant = await claimant() else { return [] }
    let claimed = try? await store.edit { [claimTime = settings.claimTime] edit in
      try edit.claims.claim(
        feeds.map(\.id), by: claimant.name, until: time.addingTimeInterval(claimTime), now: time)
    }
    // Where the store cannot be written, storing the first page reports it.
    return claimed ?? Set(feeds.map(\.id))
  }

  /// The owner of this run's claims; nil where the run has ended meanwhile.
  private func claimant() async -> Claimant? {
    if let claimant = running?.claimant { return claimant }
    guard let id = running?.id else { return nil }
    let new = await store.claimant(program: settings.program)
    guard running?.id == id else { return nil }
    // Another call may have set it during the suspension.
    if running?.claimant == nil { running?.claimant = new }
    return running?.claimant
  }

  private func renewClaims() async {
    let time = settings.claimTime
    while (try? await Task.sleep(for: .seconds(time / 3))) != nil {
      guard let claimant = running?.claimant else { continue }
      let until = context.now().addingTimeInterval(time)
      try? await store.finish { try $0.claims.renew(of: claimant.name, until: until) }
    }
  }

  // MARK: - Feeds that another process is fetching

  /// Waits until a claim has ended: the feed was fetched, its process ended or the claim expired;
  /// at most until the deadline.
  private func waitForClaims(on feeds: [Feed]) async -> RefreshRun.Event {
    defer { noteWait(for: nil) }
    // Claims expire by the time of day, which may be set back, and the store may have become
    // unreadable: this clock ends the wait in either case.
    let end = ContinuousClock.now + .seconds(settings.claimTime)
    while !Task.isCancelled {
      let time = context.now()
      let horizon = time.addingTimeInterval(settings.claimTime)
      let name = running?.claimant?.name ?? ""
      let looked = try? await store.view { view in
        let claimed = try view.claims.claimed(
          feeds.map(\.id), byOthersThan: name, at: time, horizon: horizon)
        let free = try feeds.map(\.id).filter { !claimed.contains($0) }
          .map { ($0, try view.feeds.feed($0)) }
        return (free, try claimed.min().flatMap(view.claims.claimant))
      }
      if let (free, other) = looked {
        if !free.isEmpty {
          // A feed that was unsubscribed meanwhile is not waited for.
          let removed = free.filter { $0.1 == nil }.map(\.0)
          return .released(free.compactMap(\.1), removed: removed)
        }
        noteWait(for: other.map(store.holder))
      }
      if let deadline = settings.deadline, ContinuousClock.now >= deadline {
        return .gaveUp(holders: await holders())
      }
      if ContinuousClock.now > end { return .released(feeds, removed: []) }
      // Other processes do not announce what they write: the store has to be polled.
      let next = ContinuousClock.now + .milliseconds(200)
      try? await Task.sleep(until: min(next, settings.deadline ?? next))
    }
    return .released([], removed: [])
  }

  private nonisolated func noteWait(for holder: String?) {
    let isNews = status.withLock { status in
      defer { status.waitingFor = holder }
      return status.waitingFor != holder
    }
    if isNews { context.store.announce() }
  }

  /// The processes that fetch the feeds of the wait.
  private func holders() async -> [FeedID: String] {
    let ids = running?.run.claimedByOthers.map(\.id) ?? []
    let claimants = try? await store.view { view in
      try ids.reduce(into: [:]) { $0[$1] = try view.claims.claimant(of: $1) }
    }
    return claimants?.mapValues(store.holder) ?? [:]
  }
}

extension RefreshReport {
  /// The report of a call whose wait was ended.
  fileprivate static var cut: RefreshReport {
    var report = RefreshReport()
    report.isCut = true
    return report
  }
}
