internal import News
internal import Store

/// Sends what the user changes soon after it was changed, for as long as the program is open. What was taken back
/// meanwhile is never sent.
package actor OutboxSending {
  private let context: RepositoryContext
  private let outbox: OutboxDelivery
  private let network: NetworkState
  private let calm: Duration
  /// The number of the newest change that was sent, or tried in vain.
  private var done: Int64 = 0
  private var isSending = false
  /// Where the last delivery has left something that should have been sent: not before then again by itself.
  private var rest: ContinuousClock.Instant?

  /// The longest that changes wait for calm.
  private static let longestWait = Duration.seconds(30)
  /// The wait after a delivery in vain. Refreshes and the return of the network do not wait for it.
  private static let restTime = Duration.seconds(120)

  /// - Parameter calm: how long no further change has to come before the last one is sent.
  init(
    _ context: RepositoryContext, _ outbox: OutboxDelivery, _ network: NetworkState, calm: Duration
  ) {
    self.context = context
    self.outbox = outbox
    self.network = network
    self.calm = calm
  }

  /// Follows the changes, also those of other processes, until the task is cancelled. What waits from before is sent
  /// first.
  package func follow() async {
    // Before the first look, so that nothing comes between.
    var changes = context.store.changes().makeAsyncIterator()
    while !Task.isCancelled {
      if let newest = await pending() {
        guard (try? await settle(newest)) != nil else { return }
        await send()
      } else if await changes.next() == nil {
        return
      }
    }
  }

  /// Sends what has not been sent, for a program that ends.
  ///
  /// - Parameter limit: how long that may take. What is on its way then is sent again by the next program.
  package func finish(within limit: Duration) async {
    guard rest == nil, await pending() != nil else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while await self.isSending {
          guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
        }
        if await self.pending() != nil { await self.send() }
      }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }

  /// The number of the newest change; nil where all have been tried.
  private func pending() async -> Int64? {
    let found = try? await context.store.view { view in
      (number: try view.lastOutboxNumber(), isWaiting: try view.hasOutbox())
    }
    guard let found, found.number > done else { return nil }
    guard found.isWaiting else {
      done = found.number
      return nil
    }
    return found.number
  }

  /// Waits until no further change comes.
  private func settle(_ newest: Int64) async throws {
    let end = ContinuousClock.now + Self.longestWait
    var newest = newest
    while true {
      try await Task.sleep(for: calm)
      guard ContinuousClock.now < end, let next = await pending(), next > newest else { break }
      newest = next
    }
    if let rest { try await Task.sleep(until: rest) }
  }

  private func send() async {
    isSending = true
    defer { isSending = false }
    let number = (try? await context.store.view { try $0.lastOutboxNumber() }) ?? done
    // Without a network nothing is tried: its return sends all.
    if !network.isOffline { try? await outbox.deliver() }
    guard !Task.isCancelled else { return }
    done = max(done, number)
    let isLeft = try? await context.store.view { try $0.hasUnsentChanges(upTo: number) }
    rest = isLeft == true ? .now + Self.restTime : nil
  }
}
