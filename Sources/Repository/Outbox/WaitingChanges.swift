package import News
internal import Store

extension FeedRepository {
  /// Sends all waiting changes now, refused ones included.
  ///
  /// - Returns: the number of changes that still wait.
  package func sendWaiting() async throws -> Int {
    // The user asks: a server that is left alone after failures is asked, too.
    context.sources.reopenAll()
    try await deliverOutbox(isAsked: true)
    return try await store.view { try $0.outbox.snapshot(limit: 0).total }
  }

  /// Sends the changes for the server of an account before its user signs out.
  ///
  /// - Returns: the number of changes of the account that still wait, refused ones included.
  /// - Throws: `CancellationError`, errors of the store; no failure of the server.
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
}
