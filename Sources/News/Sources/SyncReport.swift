/// Outcome of a sync.
package struct SyncReport: Hashable, Sendable {
  package var account: Account
  /// New articles.
  package var inserted = 0
  package var updated = 0
  /// Marks from elsewhere.
  package var marked = 0
  /// Articles that are not yet fetched.
  package var missing = 0
  package var feeds = 0
  package var warnings: [String] = []
  /// Whether another process did the sync, so that the numbers are unknown.
  package var isByAnother = false
  /// Nil where everything was sent.
  package var unsent: UnsentChanges?
  /// The failure that ended it early.
  package var error: SourceError?

  package init(account: Account) { self.account = account }
}

/// Changes of the user that are still unsent after an attempt.
package struct UnsentChanges: Hashable, Sendable {
  package let count: Int
  /// The failure of the first of them.
  package let error: SourceError

  package init(count: Int, error: SourceError) {
    self.count = count
    self.error = error
  }

  package var line: String {
    let changes = count == 1 ? "1 change waits" : "\(count) changes wait"
    return "\(changes) to be sent: \(error.line)"
  }
}
