package import struct Foundation.Date

/// An account as it stands with its server.
package struct AccountState: Hashable, Sendable, Identifiable {
  package var account: Account
  /// When it was last tried to bring it in line with its server; nil before the first time.
  package var lastAttempt: Date?
  /// When that last worked.
  package var lastSuccess: Date?
  /// Why it did not the last time; nil where it did.
  package var error: SourceError?
  /// How often it has failed since it last worked.
  package var failures: Int
  /// The time before which its server does not want to be asked again.
  package var nextAttempt: Date?
  /// Changes that wait to be sent.
  package var waiting: Int
  /// Articles that the server has listed and that are still to be fetched.
  package var missing: Int
  package var counts: ArticleCounts
  package var feeds: Int
  /// What the last sync found odd about the server's list of subscriptions, in words.
  package var warning: String?

  package init(
    account: Account, lastAttempt: Date? = nil, lastSuccess: Date? = nil,
    error: SourceError? = nil, failures: Int = 0, nextAttempt: Date? = nil, waiting: Int = 0,
    missing: Int = 0, counts: ArticleCounts = ArticleCounts(), feeds: Int = 0,
    warning: String? = nil
  ) {
    self.account = account
    self.lastAttempt = lastAttempt
    self.lastSuccess = lastSuccess
    self.error = error
    self.failures = failures
    self.nextAttempt = nextAttempt
    self.waiting = waiting
    self.missing = missing
    self.counts = counts
    self.feeds = feeds
    self.warning = warning
  }

  package var id: AccountID { account.id }
}
