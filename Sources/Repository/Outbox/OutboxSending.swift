internal import News
internal import Store

/// Sends changes by the user soon after they were made, as long as the program is open, to each
/// account by itself. A change that was undone meanwhile is never sent.
package actor OutboxSending {
  private let context: RepositoryContext
  private let outbox: OutboxDelivery
  private let network: NetworkState
  private let calm: Duration
  private var progress: [AccountID: Progress] = [:]

  /// Delivery state of one account.
  private struct Progress {
    /// The number of the newest change that was sent, or tried in vain; below zero before the first delivery.
    var done: Int64 = -1
    var isFollowed = false
    /// Whether something was changed since the account is followed.
    var isToBeLookedAt = false
    var isSending = false
    /// The time before which nothing is sent automatically, after a delivery that left changes.
    var rest: ContinuousClock.Instant?
  }

  /// The longest wait for quiet.
  private static let longestWait = Duration.seconds(30)
  /// The wait after a failed delivery. Refreshes and the return of the network do not wait for it.
  private static let restTime = Duration.seconds(120)

  /// - Parameter calm: the quiet time before changes are sent.
  init(
    _ context: RepositoryContext, _ outbox: OutboxDelivery, _ network: NetworkState, calm: Duration
  ) {
    self.context = context
    self.outbox = outbox
    self.network = network
    self.calm = calm
  }

  /// Follows changes, also of other processes, until the task is cancelled. Changes from before are
  /// sent first.
  package func follow() async {
    // Before the first look, so that nothing comes between.
    let changes = context.store.changes()
    await withDiscardingTaskGroup { group in
      for account in await begin() { group.addTask { await self.follow(account) } }
      for await _ in changes {
        for account in await begin() { group.addTask { await self.follow(account) } }
      }
      group.cancelAll()
    }
  }

  /// - Returns: the accounts with changes that are not followed yet; they count as followed from
  ///   now on.
  private func begin() async -> [AccountID] {
    await pending().keys.filter { account in
      let isFollowed = progress[account]?.isFollowed == true
      progress[account, default: Progress()].isFollowed = true
      if isFollowed { progress[account]?.isToBeLookedAt = true }
      return !isFollowed
    }
  }

  /// Sends what has not been sent, before the program ends.
  ///
  /// - Parameter limit: the time for it. The next program sends the rest.
  package func finish(within limit: Duration) async {
    let accounts = await pending().keys.filter { progress[$0]?.rest == nil }
    guard !accounts.isEmpty else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await withDiscardingTaskGroup { group in
          for account in accounts { group.addTask { await self.finish(account) } }
        }
      }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }

  private func finish(_ account: AccountID) async {
    while progress[account]?.isSending == true {
      guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
    }
    if await pending(account) != nil { await send(account) }
  }

  /// Sends the changes of one account until there are no more.
  private func follow(_ account: AccountID) async {
    repeat {
      progress[account]?.isToBeLookedAt = false
      while let newest = await pending(account), !Task.isCancelled {
        guard (try? await settle(account, newest)) != nil else { break }
        await send(account)
      }
    } while progress[account]?.isToBeLookedAt == true && !Task.isCancelled
    progress[account]?.isFollowed = false
  }

  /// The accounts with changes that were not tried, with the numbers of the newest ones.
  private func pending() async -> [AccountID: Int64] {
    let numbers = try? await context.store.view { view in
      try view.outbox.hasItems() ? view.outbox.waitingNumbers() : [:]
    }
    return (numbers ?? [:]).filter { $1 > progress[$0]?.done ?? -1 }
  }

  private func pending(_ account: AccountID) async -> Int64? { await pending()[account] }

  /// Waits until no further change comes.
  private func settle(_ account: AccountID, _ newest: Int64) async throws {
    let end = ContinuousClock.now + Self.longestWait
    var newest = newest
    while true {
      try await Task.sleep(for: calm)
      guard ContinuousClock.now < end, let next = await pending(account), next > newest else {
        break
      }
      newest = next
    }
    if let rest = progress[account]?.rest { try await Task.sleep(until: rest) }
  }

  private func send(_ account: AccountID) async {
    progress[account, default: Progress()].isSending = true
    defer { progress[account]?.isSending = false }
    // What is changed while it is sent has its turn after that.
    guard let number = await pending(account) else { return }
    // Without a network nothing is tried: its return sends all. Where a sign-in was refused, the next sync tries it
    // again.
    let refusal = try? await context.store.view { try $0.sync.error(of: account) }
    if !network.isOffline, refusal?.status != 401 { _ = try? await outbox.deliver(to: account) }
    guard !Task.isCancelled else { return }
    progress[account]?.done = number
    let isLeft = try? await context.store.view {
      try $0.outbox.unsentChanges(of: account, upTo: number).contains { !$0.isRefused }
    }
    progress[account]?.rest = isLeft == true ? .now + Self.restTime : nil
  }
}
