internal import Foundation
internal import News
internal import Store
internal import Synchronization

/// Performs the syncs of accounts: one at a time for each account, in this process and among all.
///
/// A wish that comes while its account is being brought in line waits for that and takes its report.
actor AccountSyncer {
  private let context: RepositoryContext
  private let outbox: OutboxDelivery
  private let network: NetworkState
  /// Those who wait for a sync that is under way.
  private var waiters: [AccountID: [CheckedContinuation<SyncReport, Never>]] = [:]
  /// Accounts that are being brought in line, now.
  nonisolated let active = Mutex<[AccountID]>([])

  init(_ context: RepositoryContext, outbox: OutboxDelivery, network: NetworkState) {
    self.context = context
    self.outbox = outbox
    self.network = network
  }

  private var store: Store { context.store }

  /// Brings an account in line with its server. What kept it from that is in the report, and stored.
  func sync(_ account: Account, with refresher: Refresher) async -> SyncReport {
    if waiters[account.id] != nil {
      return await withCheckedContinuation { waiters[account.id, default: []].append($0) }
    }
    waiters[account.id] = []
    active.withLock { $0.append(account.id) }
    store.announce()
    let report = await perform(account, refresher)
    active.withLock { active in active.removeAll { $0 == account.id } }
    store.announce()
    for waiter in waiters.removeValue(forKey: account.id) ?? [] { waiter.resume(returning: report) }
    return report
  }

  private func perform(_ account: Account, _ refresher: Refresher) async -> SyncReport {
    var report = SyncReport(account: account)
    let claimant = await store.claimant(program: context.settings.program)
    do {
      let (now, claimTime) = (context.now(), claimTime)
      let isFree = try await store.edit {
        try $0.claimSync(
          of: account.id, by: claimant.name, until: now.addingTimeInterval(claimTime), now: now)
      }
      guard isFree else {
        report.error = try await held(account)
        return report
      }
      let sync = AccountSync(
        context: context, refresher: refresher, outbox: outbox, account: account,
        claimant: claimant.name)
      try await renewing(account.id, claimant) { try await sync.run(&report) }
    } catch is WalkOvertaken {
      // Neither the outcome nor the account is this sync's any more.
      let isThere = (try? await store.view { try $0.account(account.id) }) != nil
      report.error = (isThere ? try? await held(account) : nil) ?? Self.removed(account)
      return report
    } catch let error as CancellationError {
      report.error = SourceError.describing(error, subject: account.base)
    } catch {
      report.error = SourceError.describing(error, subject: account.base)
    }
    let (end, error) = (context.now(), report.error)
    // Whoever ends it has not failed: when it is due stays as it was.
    try? await store.finish { edit in
      if error?.kind != .cancelled { try edit.recordSync(of: account.id, error: error, now: end) }
      try edit.releaseAccounts(claimedBy: claimant.name)
    }
    report.feeds = (try? await store.view { try $0.subscribedFeeds(of: account.id).count }) ?? 0
    return report
  }

  /// How long a claim on an account holds that nobody renews.
  private var claimTime: Double { context.settings.claimTime }

  /// Runs a sync and renews its claim before it expires.
  private func renewing(
    _ account: AccountID, _ claimant: Claimant, _ body: () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [context, claimTime] in
        while (try? await Task.sleep(for: .seconds(claimTime / 3))) != nil {
          let until = context.now().addingTimeInterval(claimTime)
          try? await context.store.finish {
            try $0.renewSync(of: account, by: claimant.name, until: until)
          }
        }
      }
      defer { group.cancelAll() }
      try await body()
    }
  }

  private static func removed(_ account: Account) -> SourceError {
    SourceError(
      .store, stage: .store, subject: account.base, message: "the account was removed meanwhile")
  }

  private func held(_ account: Account) async throws -> SourceError {
    let holder = try await store.view { try $0.claimant(of: account.id) }
      .map(store.holder(ofClaimsBy:))
    return SourceError(
      .store, stage: .fetch, subject: account.base,
      message: "\(holder ?? "another Telex") is bringing it in line already",
      next: "wait for it, or end it")
  }
}
