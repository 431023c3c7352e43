internal import Foundation
internal import News
internal import Store

/// Synchronisation of an account with a server that keeps subscriptions or articles.
struct AccountSync {
  let context: RepositoryContext
  let refresher: Refresher
  let outbox: OutboxDelivery
  let account: Account
  let claim: SyncClaim

  private var store: ClaimedStore { ClaimedStore(store: context.store, claim: claim) }

  /// - Parameter hasWaited: whether time was spent on waiting for another process.
  /// - Throws: `AnotherIsSending`, `SourceError`, `WalkOvertaken`, `CancellationError`.
  func run(_ report: inout SyncReport, hasWaited: Bool = false) async throws {
    let newest = try await context.store.view { try $0.outbox.lastNumber() }
    let turn = try await outbox.deliver(to: account.id)
    if turn == .taken, context.settings.isTimeUp { throw AnotherIsSending.still }
    if turn != .taken {
      let (changes, failure) = try await context.store.view { [account] view in
        (
          // A refusal divides a change that stands for many: the parts are newer.
          try view.outbox.unsentChanges(of: account.id, upTo: .max)
            .filter { $0.id <= newest || $0.error != nil },
          try view.sync.error(of: account.id)
        )
      }
      if let first = changes.first(where: { $0.error != nil }) ?? changes.first,
        var error = first.error ?? failure
      {
        if first.isRefused {
          error.next = "telex outbox lists it, --retry sends it again and --drop gives it up"
        }
        report.unsent = UnsentChanges(count: changes.count, error: error)
      }
    }
    do { try await synchronize(&report) } catch let error as SourceError
      where error.kind == .timeout && (hasWaited || turn != .free)
      && context.settings.isTimeUp
    {
      throw AnotherIsSending.tooLong
    }
  }

  private func synchronize(_ report: inout SyncReport) async throws {
    let source = context.sources.source(of: account)
    if let logs = source.logs {
      let added = try await LogSync(
        context: context, account: account, logs: logs, claim: claim
      ).run(&report)
      if !added.isEmpty {
        report.inserted += try await refresher.refreshFeeds(.feeds(added)).inserted
      }
      return
    }
    let capabilities = source.service.capabilities
    let walk = try await store.edit { [account, claim] in
      try $0.accounts.setCapabilities(capabilities, of: account.id)
      return try $0.sync.beginWalk(of: account.id, by: claim.claimant)
    }
    if let subscriptions = source.subscriptions,
      let warning = try await takeSubscriptions(from: subscriptions, in: walk)
    {
      report.warnings.append(warning)
    }
    if let items = source.items {
      try await ItemSync(
        context: context, account: account, source: items, labels: source.labels, walk: walk,
        claim: claim
      ).run(&report)
    } else {
      let feeds = try await store.view { try $0.feeds.all() }.filter { $0.account.id == account.id }
      let refresh = try await refresher.refresh(.feeds(feeds.map(\.id)))
      report.inserted += refresh.inserted
    }
  }

  /// Replaces the feeds of the account by the server's list. A list from before a change that the
  /// user made meanwhile would undo it: the list is asked for again.
  ///
  /// - Parameter walk: nil outside a sync.
  /// - Returns: the reason for feeds that were left out.
  @discardableResult
  func takeSubscriptions(
    from source: any SubscriptionSource, in walk: SyncWalk? = nil
  ) async throws -> String? {
    for _ in 1...Self.attempts {
      let number = try await store.view { try $0.outbox.lastNumber() }
      let (listed, now) = (try await source.subscriptions(), context.now())
      let changes = try await store.edit { [account] edit in
        try edit.view.outbox.lastNumber() == number
          ? edit.subscriptions.apply(listed, of: account.id, in: walk, now: now) : nil
      }
      if let changes { return changes.warning }
    }
    return nil
  }

  /// Attempts at a list, while the user changes something during each.
  private static let attempts = 5
}

/// Another process sent to an account until the time limit, which says nothing of its server.
enum AnotherIsSending: Error {
  case still
  case tooLong

  func error(of account: Account) -> SourceError {
    SourceError(
      .store, stage: .fetch, subject: account.base,
      message: self == .still
        ? "another Telex is still sending; not asked"
        : "another Telex was sending for too long; there was no time left",
      next: "allow more time with --timeout, or wait for it")
  }
}
