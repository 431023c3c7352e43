package import News
internal import Store

/// What waits to be sent, for the user to look at and to decide about.
extension FeedRepository {
  /// What waits to be sent, now and whenever it has changed.
  package func outboxes() -> Snapshots<OutboxSnapshot> {
    Snapshots(store: store) { [store] _ in
      try await store.view { try $0.outboxSnapshot() }
    }
  }

  /// Tries now to send all that waits, what was refused included.
  ///
  /// - Returns: how many changes still wait.
  package func sendWaiting() async throws -> Int {
    try await deliverOutbox(isAsked: true)
    return try await store.view { try $0.outboxSnapshot(limit: 0).total }
  }

  /// Gives changes up that have not been sent: no server is told of them.
  ///
  /// The marks that they made stay as they are here. They are the user's own, and what the server says
  /// of the same article counts again from now on, since nothing waits any longer that it must not
  /// overwrite. A later mark of the same article is sent like any other. A comment is gone.
  ///
  /// - Returns: how many were still waiting; the others have been sent meanwhile.
  @discardableResult
  package func drop(_ changes: [WaitingChange.ID]) async throws -> Int {
    try await store.edit { try $0.dropFromOutbox(changes) }
  }
}
