/// What bringing an account in line with its server came to.
package struct SyncReport: Hashable, Sendable {
  package var account: Account
  /// Articles that are new here.
  package var inserted = 0
  package var updated = 0
  /// Marks that were changed elsewhere.
  package var marked = 0
  /// Articles that are still to be fetched.
  package var missing = 0
  /// Feeds that the account has.
  package var feeds = 0
  package var warnings: [String] = []
  /// Whether another process has brought it in line; how much was new is not known here.
  package var isByAnother = false
  /// Changes of the user that could not be sent to the server; the rest may have worked.
  package var unsent: UnsentChanges?
  /// Why it ended before its end.
  package var error: SourceError?

  package init(account: Account) { self.account = account }
}

/// Changes of the user that still wait after an attempt to send them.
package struct UnsentChanges: Hashable, Sendable {
  package let count: Int
  /// Why the first of them was not sent.
  package let error: SourceError

  package init(count: Int, error: SourceError) {
    self.count = count
    self.error = error
  }

  /// As a sentence.
  package var line: String {
    let changes = count == 1 ? "1 change waits" : "\(count) changes wait"
    return "\(changes) to be sent: \(error.line)"
  }
}
