internal import Foundation
internal import News
internal import Store
internal import Synchronization

/// Performs refreshes: does what a `RefreshRun` says, and tells it what came of that.
///
/// One run at a time; a wish that comes meanwhile joins it. What is under way is known to observers
/// through `status`.
actor Refresher {
  /// What observers see of a refresh.
  struct Status: Sendable {
    var activity = Activity.idle
    /// The process that fetches what is waited for here.
    var waitingFor: String?
    /// Feeds whose last attempt failed and whose next one follows.
    var waits: [FeedID: RetryWait] = [:]
  }

  /// What belongs to one run besides its state.
  private struct Running {
    let id = UUID()
    var run: RefreshRun
    /// What was asked for since the loop looked last.
    var inbox: [RefreshRun.Event] = []
    /// Tells the loop that something lies in the inbox.
    let bell: AsyncStream<Void>.Continuation
    let rings: AsyncStream<Void>
    /// Owns this run's claims, once there are any.
    var claimant: Claimant?
    /// Those who wait for the end besides the one who began.
    var waiters: [CheckedContinuation<RefreshReport, Never>] = []

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
  private let secrets: FeedSecrets
  private let outbox: OutboxDelivery

  nonisolated let status = Mutex(Status())
  private var running: Running?

  init(
    _ context: RepositoryContext, network: NetworkState, pages: OlderPageLoader,
    secrets: FeedSecrets, outbox: OutboxDelivery
  ) {
    self.context = context
    self.network = network
    self.pages = pages
    self.secrets = secrets
    self.outbox = outbox
  }

  private var store: Store { context.store }
  private var settings: RefreshSettings { context.settings }

  var isRunning: Bool { running != nil }

  /// Fetches the newest page of each feed in `scope` (`FeedRepository.refresh`).
  func refresh(_ scope: RefreshScope) async throws -> RefreshReport {
    var feeds = try await feeds(in: scope)
    if scope == .due || scope == .unreachable, network.isOffline {
      let far = feeds.filter { $0.needsNetwork(loopbackToo: settings.isLoopbackRemote) }
      let near = feeds.filter { !$0.needsNetwork(loopbackToo: settings.isLoopbackRemote) }
      if !far.isEmpty {
        if !near.isEmpty { _ = try await refresh(near, scope) }
        await network.wait(atMost: settings.networkPatience)
        try Task.checkCancellation()
        // Somebody may have asked meanwhile.
        feeds = try await self.feeds(in: scope)
      }
    }
    return try await refresh(feeds, scope)
  }

  /// A feed's address has changed: the run under way has asked the old one, and may ask the new one
  /// as well.
  func forget(_ feed: FeedID) { running?.post(.moved(feed)) }

  private func feeds(in scope: RefreshScope) async throws -> [Feed] {
    let (time, interval) = (context.now(), settings.interval)
    return try await store.view { try $0.feeds(in: scope, at: time, interval: interval) }
  }

  private func refresh(_ feeds: [Feed], _ scope: RefreshScope) async throws -> RefreshReport {
    if scope.isUsersWish { context.sources.reopen(feeds) }
    var report = RefreshReport()
    var rest = feeds
    while !rest.isEmpty {
      guard running != nil else {
        let own = await begin(rest, scope.wish)
        report.outcomes += own.outcomes
        report.isCut = own.isCut
        return report
      }
      let joined = await join(rest, scope.wish)
      report.outcomes += joined.outcomes
      report.isCut = joined.isCut
      // A run that was cancelled has left something over.
      let done = Set(joined.outcomes.map(\.feed.id))
      rest = joined.isCut && !Task.isCancelled ? rest.filter { !done.contains($0.id) } : []
    }
    return report
  }

  private func join(_ feeds: [Feed], _ wish: RefreshRun.Wish) async -> RefreshReport {
    running?.post(.asked(feeds, wish))
    return await withCheckedContinuation { waiter in
      guard running != nil else {
        var nothing = RefreshReport()
        nothing.isCut = true
        return waiter.resume(returning: nothing)
      }
      running?.waiters.append(waiter)
    }
  }

  private func begin(_ feeds: [Feed], _ wish: RefreshRun.Wish) async -> RefreshReport {
    running = Running(settings)
    running?.post(.asked(feeds, wish))
    announceProgress()
    await perform()

    // A cancelled refresh gives its feeds back as well.
    if let claimant = running?.claimant {
      try? await store.finish { try $0.releaseClaims(of: claimant.name) }
    }
    var report = running?.run.report ?? RefreshReport()
    // A feed may have moved away from the server that knows its password.
    await secrets.forgetDiscarded()
    // Without news too: what was removed may still have to leave the files.
    if report.inserted > 0 { try? await store.tidy() } else { try? await store.erase() }
    let total = (try? await store.view { try $0.feeds().count { $0.isOnNetwork } }) ?? 0
    let ended = running
    running = nil
    // Those who came too late begin anew with what is left over.
    if ended?.run.isDone == false || ended?.inbox.isEmpty == false { report.isCut = true }
    ended?.bell.finish()
    status.withLock { status in
      status.activity = .idle
      status.waitingFor = nil
    }
    network.note(report, of: total)
    store.announce()
    for waiter in ended?.waiters ?? [] { waiter.resume(returning: report) }
    // A server has answered: what waits may go.
    if report.outcomes.contains(where: { $0.error == nil }) { try? await outbox.deliver() }
    return report
  }

  // MARK: - The loop

  /// What came of an action; nil where there is nothing to tell.
  private typealias Answer = RefreshRun.Event?

  /// Performs the actions of the run until it is over.
  ///
  /// Each action is a task of one group, and its answer is an event. In a cancelled task the group is
  /// asked on until nothing of it is under way: what has come is stored.
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
          tell(of: event)
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
    case .claim(let feeds, let wish):
      group.addTask { .claimed(feeds, free: await self.claim(feeds), wish) }
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

  /// Lets observers see what an event has changed.
  private func tell(of event: RefreshRun.Event) {
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
    status.withLock { $0.activity = activity }
    store.announce()
  }

  // MARK: - Claims

  /// Claims feeds for fetching.
  ///
  /// - Returns: those that no other process has claimed.
  private func claim(_ feeds: [Feed]) async -> Set<FeedID> {
    let time = context.now()
    guard let claimant = await claimant() else { return [] }
    let claimed = try? await store.edit { [claimTime = settings.claimTime] edit in
      try edit.claim(
        feeds.map(\.id), by: claimant.name, until: time.addingTimeInterval(claimTime), now: time)
    }
    // A store that cannot be written says so with the first page; until then nothing is lost.
    return claimed ?? Set(feeds.map(\.id))
  }

  /// The owner of this run's claims; nil where the run has ended meanwhile.
  private func claimant() async -> Claimant? {
    if let claimant = running?.claimant { return claimant }
    guard let id = running?.id else { return nil }
    let new = await store.claimant(program: settings.program)
    guard running?.id == id else { return nil }
    // A wish that came at the same moment may have been quicker.
    if running?.claimant == nil { running?.claimant = new }
    return running?.claimant
  }

  /// Keeps the claims of a long refresh, until the task is cancelled.
  private func renewClaims() async {
    let time = settings.claimTime
    while (try? await Task.sleep(for: .seconds(time / 3))) != nil {
      guard let claimant = running?.claimant else { continue }
      let until = context.now().addingTimeInterval(time)
      try? await store.finish { try $0.renewClaims(of: claimant.name, until: until) }
    }
  }

  // MARK: - Feeds that another process is fetching

  /// Waits until one of the claims has ended: by its outcome, with its process, or by running out;
  /// and at most until the deadline.
  private func waitForClaims(on feeds: [Feed]) async -> RefreshRun.Event {
    defer { tell(isWaitingFor: nil) }
    // The claims run out by the time of day, which may be set back, or lie in a store that cannot be
    // read any more.
    let end = ContinuousClock.now + .seconds(settings.claimTime)
    while !Task.isCancelled {
      let time = context.now()
      let horizon = time.addingTimeInterval(settings.claimTime)
      let name = running?.claimant?.name ?? ""
      let looked = try? await store.view { view in
        let claimed = try view.claimed(
          feeds.map(\.id), byOthersThan: name, at: time, horizon: horizon)
        let free = try feeds.map(\.id).filter { !claimed.contains($0) }
          .map { ($0, try view.feed($0)) }
        return (free, try claimed.min().flatMap(view.claimant))
      }
      if let (free, other) = looked {
        if !free.isEmpty {
          // One that was unsubscribed meanwhile has nothing left to wait for.
          let removed = free.filter { $0.1 == nil }.map(\.0)
          return .released(free.compactMap(\.1), removed: removed)
        }
        tell(isWaitingFor: other.map(store.holder))
      }
      if let deadline = settings.deadline, ContinuousClock.now >= deadline {
        return .gaveUp(holders: await holders())
      }
      if ContinuousClock.now > end { return .released(feeds, removed: []) }
      // What other processes write is found by asking only.
      let next = ContinuousClock.now + .milliseconds(200)
      try? await Task.sleep(until: min(next, settings.deadline ?? next))
    }
    return .released([], removed: [])
  }

  private nonisolated func tell(isWaitingFor holder: String?) {
    let isNews = status.withLock { status in
      defer { status.waitingFor = holder }
      return status.waitingFor != holder
    }
    if isNews { context.store.announce() }
  }

  /// Who fetches what is still waited for.
  private func holders() async -> [FeedID: String] {
    let ids = running?.run.claimedByOthers.map(\.id) ?? []
    let claimants = try? await store.view { view in
      try ids.reduce(into: [:]) { $0[$1] = try view.claimant(of: $1) }
    }
    return claimants?.mapValues(store.holder) ?? [:]
  }
}
