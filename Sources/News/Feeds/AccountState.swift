package import struct Foundation.Date

/// State of an account at its server.
package struct AccountState: Hashable, Sendable, Identifiable {
  package var account: Account
  /// The last sync, if any.
  package var lastAttempt: Date?
  /// The last successful sync.
  package var lastSuccess: Date?
  /// Nil after a successful sync.
  package var error: SourceError?
  /// Failed syncs since the last successful one.
  package var failures: Int
  /// The time before which the server refuses requests.
  package var nextAttempt: Date?
  /// Changes in the outbox.
  package var waiting: Int
  /// Changes that the server has refused, sent again only at the user's request.
  package var refused: Int
  /// Articles that the server has listed and that are not yet fetched.
  package var missing: Int
  package var counts: ArticleCounts
  /// The server's own count at the last sync; nil where it does not count.
  package var unreadThere: Int?
  package var feeds: Int
  /// Oddities of the server's list of subscriptions.
  package var warning: String?

  package init(
    account: Account, lastAttempt: Date? = nil, lastSuccess: Date? = nil, error: SourceError? = nil,
    failures: Int = 0, nextAttempt: Date? = nil, waiting: Int = 0, refused: Int = 0,
    missing: Int = 0, counts: ArticleCounts = ArticleCounts(), unreadThere: Int? = nil,
    feeds: Int = 0, warning: String? = nil
  ) {
    self.account = account
    self.lastAttempt = lastAttempt
    self.lastSuccess = lastSuccess
    self.error = error
    self.failures = failures
    self.nextAttempt = nextAttempt
    self.waiting = waiting
    self.refused = refused
    self.missing = missing
    self.counts = counts
    self.unreadThere = unreadThere
    self.feeds = feeds
    self.warning = warning
  }

  package var id: AccountID { account.id }

  /// The reason for different unread counts here and at the server; nil for none.
  package var unreadDifference: UnreadDifference? {
    guard let unreadThere, unreadThere != counts.unread else { return nil }
    if waiting > 0 { return .waiting }
    if missing > 0 { return .missing }
    return unreadThere > counts.unread ? .unlisted : .uncounted
  }

  package enum UnreadDifference: String, Sendable {
    /// Marks that are not yet sent.
    case waiting
    /// Articles that are not yet fetched.
    case missing
    /// The server counts articles that it does not list.
    case unlisted
    /// The server lists articles as unread that it does not count.
    case uncounted
  }
}

/// Summary of an account's state.
package struct AccountSummary: Hashable, Sendable, Identifiable {
  package var account: Account
  /// Nil after a successful sync.
  package var error: SourceError?
  /// The time before which the server refuses requests.
  package var nextAttempt: Date?
  /// Changes in the outbox.
  package var waiting: Int
  /// Changes that the server has refused, sent again only at the user's request.
  package var refused: Int
  /// Whether it was never synced and can be.
  package var isNew: Bool
  /// Nil while no first sync is under way.
  package var firstSync: FirstSync?

  package init(
    account: Account, error: SourceError? = nil, nextAttempt: Date? = nil, waiting: Int = 0,
    refused: Int = 0, isNew: Bool = false
  ) {
    self.account = account
    self.error = error
    self.nextAttempt = nextAttempt
    self.waiting = waiting
    self.refused = refused
    self.isNew = isNew
  }

  package var id: AccountID { account.id }

  package struct FirstSync: Hashable, Sendable {
    /// Stored articles.
    package var articles: Int
    /// Articles that the server has listed so far; nil where it lists no ids.
    package var total: Int?

    package init(articles: Int, total: Int? = nil) {
      self.articles = articles
      self.total = total
    }
  }
}
