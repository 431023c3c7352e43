package import News
internal import Store

/// The outbox as the user sees it: changes to send again or to drop.
extension FeedRepository {
  /// The changes in the outbox, now and after each change.
  package func outboxes() -> Snapshots<OutboxSnapshot> {
    Snapshots(store: store) { [store] _ in
      try await store.view { try $0.outbox.snapshot() }
    }
  }

  /// What waits to be played, now and after each change.
  package func playQueues() -> Snapshots<[QueuedFile]> {
    Snapshots(store: store) { [store] _ in try await store.view { try $0.playback.queue() } }
  }

  /// The changes of comments that wait for the user's decision, now and after each change.
  package func conflicts() -> Snapshots<[WaitingChange]> {
    Snapshots(store: store) { [store] _ in try await store.view { try $0.outbox.conflicts() } }
  }

  /// Sends all waiting changes now, those that were refused included.
  ///
  /// - Returns: how many changes still wait.
  package func sendWaiting() async throws -> Int {
    // The user asks: a server that is left alone after failures is asked, too.
    context.sources.reopenAll()
    try await deliverOutbox(isAsked: true)
    return try await store.view { try $0.outbox.snapshot(limit: 0).total }
  }

  /// Tries to send what waits for the server of an account whose user is about to sign out.
  ///
  /// - Parameter limit: how long that may take.
  /// - Returns: how many changes of the account still wait, those included that the server has refused.
  /// - Throws: `CancellationError`, or what keeps the store from being read; no failure of the server.
  package func sendWaiting(of account: AccountID, within limit: Duration) async throws -> Int {
    guard try await store.view({ try $0.outbox.waitingCount(of: account) }) > 0 else { return 0 }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await self.deliverOutbox() }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
    try Task.checkCancellation()
    return try await store.view { try $0.outbox.waitingCount(of: account) }
  }

  /// Drops changes from the outbox without sending them.
  ///
  /// Dropped marks stay in the store, but a state from the server may overwrite them from now on. Later
  /// marks of the same articles are sent as usual. Dropped comments are deleted.
  ///
  /// - Returns: the number of changes that were still waiting; the others have been sent meanwhile.
  @discardableResult
  package func drop(_ changes: [WaitingChange.ID]) async throws -> Int {
    try await store.edit { try $0.outbox.drop(changes) }
  }
}
