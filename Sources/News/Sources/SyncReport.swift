/// What bringing an account in line with its server came to.
package struct SyncReport: Hashable, Sendable {
  package var account: Account
  /// Articles that are new here.
  package var inserted = 0
  package var updated = 0
  /// Marks that were changed elsewhere.
  package var marked = 0
  /// Marks that were sent and that the server does not keep; they stay here.
  package var ignored = 0
  /// Articles that are still to be fetched.
  package var missing = 0
  /// Feeds that the account has.
  package var feeds = 0
  package var warnings: [String] = []
  /// Whether another process has brought it in line; how much was new is not known here.
  package var isByAnother = false
  /// Why it ended before its end.
  package var error: SourceError?

  package init(account: Account) { self.account = account }
}
