internal import Foundation
internal import News
internal import Store
internal import Synchronization

/// Performs the syncs of accounts: one at a time for each account, in this process and among all. A
/// request for an account that is being synchronised waits for that sync and gets its report.
actor AccountSyncer {
  struct Status: Sendable {
    /// Accounts that are being synchronised.
    var active: Set<AccountID> = []
    /// Accounts that have ended, and failed, since none was active.
    var done = 0
    var failed = 0
    /// The other process that a sync waits for.
    var waitingFor: String?
  }

  private let context: RepositoryContext
  private let outbox: OutboxDelivery
  private let network: NetworkState
  /// Calls that wait for a sync of this process, by their tickets.
  private var waiters: [AccountID: [Int: CheckedContinuation<SyncReport, Never>]] = [:]
  private var tickets = 0
  nonisolated let status = Mutex(Status())

  init(_ context: RepositoryContext, outbox: OutboxDelivery, network: NetworkState) {
    self.context = context
    self.outbox = outbox
    self.network = network
  }

  private var store: Store { context.store }

  nonisolated func isSyncing(_ account: AccountID) -> Bool {
    status.withLock { $0.active.contains(account) }
  }

  /// The progress of all syncs, each account as one.
  nonisolated var activity: Activity {
    status.withLock { status in
      status.active.isEmpty
        ? .idle
        : .refreshing(
          done: status.done, total: status.done + status.active.count, failed: status.failed)
    }
  }

  /// Synchronises an account with its server. Failures are in the report, and stored.
  ///
  /// Cancelling the call that has begun a sync ends it; calls that wait for it then begin one of
  /// their own. Cancelling a call that waits ends its wait alone.
  ///
  /// - Parameter waitsForOthers: whether to wait for another process that synchronises it.
  /// - Returns: nil where another process does, and is not waited for.
  func sync(
    _ account: Account, with refresher: Refresher, waitsForOthers: Bool = true
  ) async -> SyncReport? {
    let request = Request(
      account: account, refresher: refresher, waitsForOthers: waitsForOthers)
    return await perform(request) { sync, hasWaited, report in
      try await sync.run(&report, hasWaited: hasWaited)
    }
  }

  /// Fetches the subscriptions of an account from its server, without their articles.
  func takeSubscriptions(
    of account: Account, from source: any SubscriptionSource, with refresher: Refresher
  ) async -> SyncReport {
    let request = Request(account: account, refresher: refresher, isPart: true)
    let report = await perform(request) { sync, _, _ in
      try await sync.takeSubscriptions(from: source)
    }
    return report ?? SyncReport(account: account)
  }

  private struct Request: Sendable {
    let account: Account
    let refresher: Refresher
    var waitsForOthers = true
    /// Whether the articles are still to come after it.
    var isPart = false
  }

  /// Gets whether another process was waited for.
  private typealias Work = @Sendable (AccountSync, Bool, inout SyncReport) async throws -> Void

  private func perform(_ request: Request, _ work: Work) async -> SyncReport? {
    let account = request.account
    while waiters[account.id] != nil {
      let report = await join(account)
      guard report.error?.kind == .cancelled, !Task.isCancelled else { return report }
    }
    waiters[account.id] = [:]
    note { $0.active.insert(account.id) }
    let report = await performClaimed(request, work)
    note { status in
      status.active.remove(account.id)
      status.done += 1
      if report?.error != nil { status.failed += 1 }
      if status.active.isEmpty { (status.done, status.failed) = (0, 0) }
    }
    let answer = report ?? SyncReport(account: account)
    for waiter in (waiters.removeValue(forKey: account.id) ?? [:]).values {
      waiter.resume(returning: answer)
    }
    return report
  }

  private nonisolated func note(_ change: (inout Status) -> Void) {
    status.withLock { change(&$0) }
    context.store.announce()
  }

  // MARK: - Waiting for another call

  private func join(_ account: Account) async -> SyncReport {
    tickets += 1
    let ticket = tickets
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if Task.isCancelled || waiters[account.id] == nil {
          waiter.resume(returning: .cancelled(account))
        } else {
          waiters[account.id]?[ticket] = waiter
        }
      }
    } onCancel: {
      Task { await self.leave(account, ticket) }
    }
  }

  /// Number of calls that wait for the sync of an account.
  func waitingCalls(for account: AccountID) -> Int { waiters[account]?.count ?? 0 }

  private func leave(_ account: Account, _ ticket: Int) {
    waiters[account.id]?.removeValue(forKey: ticket)?.resume(returning: .cancelled(account))
  }

  // MARK: - One sync

  private func performClaimed(_ request: Request, _ work: Work) async -> SyncReport? {
    let account = request.account
    var report = SyncReport(account: account)
    let claimant = await store.claimant(program: context.settings.program)
    let claim = SyncClaim(of: account.id, by: claimant.name)
    let sync = AccountSync(
      context: context, refresher: request.refresher, outbox: outbox, account: account,
      claim: claim)
    var mayRecord = true
    var hasWaited = false
    do {
      switch try await awaitTurn(of: claim, request.waitsForOthers) {
      case .free(let isLate): hasWaited = isLate
      case .done(let state):
        report.adopt(state)
        return report
      case .busy(let holder):
        guard request.waitsForOthers else { return nil }
        report.error = Self.busy(account, holder)
        return report
      }
      if let refusal = try await refusal(of: account) {
        mayRecord = account.isSignedOut
        throw refusal
      }
      let time = context.settings.syncClaimTime
      try await repeating(every: .seconds(time / 3)) { [context] in
        let until = context.now().addingTimeInterval(time)
        try? await context.store.finish {
          try $0.sync.renew(claimedBy: claim.claimant, until: until)
        }
      } during: { [hasWaited] in
        try await work(sync, hasWaited, &report)
      }
      noteAnswer(of: account)
    } catch is WalkOvertaken {
      // Neither the outcome nor the account is this sync's any more.
      report.error = ClaimedStore.ended(account)
      mayRecord = false
    } catch let other as AnotherIsSending {
      report.error = other.error(of: account)
      mayRecord = false
    } catch {
      report.error = SourceError.describing(error, subject: account.base)
    }
    let (end, error, unsent) = (context.now(), report.error, report.unsent?.error)
    // Whoever ends it has not failed: when it is due stays as it was. What belongs to a session that has ended
    // says nothing of the one that there is now.
    let recorded = try? await store.finish { [mayRecord] edit in
      var recorded = error
      if mayRecord, error?.kind != .cancelled, error != nil || !request.isPart,
        try edit.view.sync.holds(claim)
      {
        recorded = try edit.sync.record(of: account.id, error: error, unsent: unsent, now: end)
      }
      try edit.sync.release(claimedBy: claim.claimant)
      return recorded
    }
    report.error = recorded ?? error
    report.feeds =
      (try? await store.view { try $0.items.subscribedFeeds(of: account.id).count }) ?? 0
    return report
  }

  /// The reason not to ask the server of an account, in its current state: the user may have signed
  /// in or out since the request.
  private func refusal(of account: Account) async throws -> SourceError? {
    let now = context.now()
    let (found, error, isPaused) = try await store.view { view in
      (
        try view.accounts.account(account.id), try view.sync.error(of: account.id),
        try view.sync.isSignInPaused(of: account.id, at: now)
      )
    }
    guard let found else {
      return SourceError(
        .store, stage: .fetch, subject: account.base, message: "the account was removed meanwhile")
    }
    guard found.isSignedOut || found.needsSignIn || isPaused else { return nil }
    if !found.isSignedOut, let error, error.status == 401 { return error }
    return SourceError(
      .status, stage: .fetch, subject: account.base,
      message: "you are signed out of \(account.displayName)", next: account.wayIn,
      status: 401)
  }

  /// Notes that a server has answered; one of this machine says nothing of the network.
  private func noteAnswer(of account: Account) {
    let isLoopbackRemote = context.settings.isLoopbackRemote || !network.isOffline
    if account.needsNetwork(loopbackToo: isLoopbackRemote) { network.noteAnswer() }
  }

  // MARK: - Other processes

  private enum Turn {
    case free(hasWaited: Bool)
    case done(AccountState)
    /// Gets the name of the other process.
    case busy(String?)
  }

  /// Claims an account. Waits for another process that holds it: until it has finished, has ended,
  /// or its claim has expired, at most until the deadline.
  private func awaitTurn(of claim: SyncClaim, _ waitsForOthers: Bool) async throws -> Turn {
    defer { note { $0.waitingFor = nil } }
    let time = context.settings.syncClaimTime
    // Claims expire by the time of day, which may be set back: this clock ends the wait in any case.
    let end = ContinuousClock.now + .seconds(time)
    let before = try await store.view { try $0.sync.lastSync(of: claim.account) }
    var hasWaited = false
    while true {
      let now = context.now()
      let until = now.addingTimeInterval(time)
      // Read first, so that waiting writes nothing.
      let other = try await store.view { view in
        try view.sync.isSyncing(
          claim.account, byOthersThan: claim.claimant, at: now, horizon: until)
          ? view.sync.claimant(of: claim.account) : nil
      }
      if other == nil,
        try await store.edit({
          try $0.sync.claim(of: claim.account, by: claim.claimant, until: until, now: now)
        })
      {
        let state = try await store.view { view in
          try view.sync.lastSync(of: claim.account) == before
            ? nil : view.sync.states().first { $0.id == claim.account }
        }
        guard let state else { return .free(hasWaited: hasWaited) }
        try await store.finish { try $0.sync.release(claimedBy: claim.claimant) }
        return .done(state)
      }
      hasWaited = true
      let name = other.map(store.holder(ofClaimsBy:))
      guard waitsForOthers, ContinuousClock.now < min(end, context.settings.deadline ?? end) else {
        return .busy(name)
      }
      if status.withLock({ $0.waitingFor }) != name { note { $0.waitingFor = name } }
      // Other processes do not announce what they write: the store has to be polled.
      let next = ContinuousClock.now + .milliseconds(200)
      try await Task.sleep(until: min(next, context.settings.deadline ?? next))
    }
  }

  private static func busy(_ account: Account, _ holder: String?) -> SourceError {
    SourceError(
      .store, stage: .fetch, subject: account.base,
      message: "\(holder ?? "another Telex") is bringing it in line already",
      next: "wait for it, or end it")
  }
}

/// Runs `work`, and `action` meanwhile after each interval.
func repeating(
  every interval: Duration, _ action: @escaping @Sendable () async -> Void,
  isolation: isolated (any Actor)? = #isolation, during work: () async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      while (try? await Task.sleep(for: interval)) != nil { await action() }
    }
    defer { group.cancelAll() }
    try await work()
  }
}

extension SyncReport {
  fileprivate static func cancelled(_ account: Account) -> SyncReport {
    var report = SyncReport(account: account)
    report.error = .describing(CancellationError(), subject: account.base)
    return report
  }

  /// Adopts the result of another process.
  fileprivate mutating func adopt(_ state: AccountState) {
    isByAnother = true
    error = state.error
    missing = state.missing
    feeds = state.feeds
  }
}
