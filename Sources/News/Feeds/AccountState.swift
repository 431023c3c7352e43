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
  /// Those of them that the server has refused, which are sent again only when the user says so.
  package var refused: Int
  /// Articles that the server has listed and that are still to be fetched.
  package var missing: Int
  package var counts: ArticleCounts
  /// Number of unread articles by the server's own count at the last sync; nil where it does not count.
  package var unreadThere: Int?
  package var feeds: Int
  /// What the last sync found odd about the server's list of subscriptions, in words.
  package var warning: String?

  package init(
    account: Account, lastAttempt: Date? = nil, lastSuccess: Date? = nil,
    error: SourceError? = nil, failures: Int = 0, nextAttempt: Date? = nil, waiting: Int = 0,
    refused: Int = 0, missing: Int = 0, counts: ArticleCounts = ArticleCounts(),
    unreadThere: Int? = nil,
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

  /// Why the server counts another number of unread articles than there is here; nil where it counts the same,
  /// or not at all.
  package var unreadDifference: UnreadDifference? {
    guard let unreadThere, unreadThere != counts.unread else { return nil }
    if waiting > 0 { return .waiting }
    if missing > 0 { return .missing }
    return unreadThere > counts.unread ? .unlisted : .uncounted
  }

  /// A reason for two numbers of unread articles.
  package enum UnreadDifference: String, Sendable {
    /// Marks that the server is still to be sent.
    case waiting
    /// Articles that are still to be fetched from the server.
    case missing
    /// The server counts articles that it does not list.
    case unlisted
    /// The server lists articles as unread that it does not count.
    case uncounted
  }
}

/// How an account stands, in short.
package struct AccountSummary: Hashable, Sendable, Identifiable {
  package var account: Account
  /// Why it was not brought in line the last time; nil where it was.
  package var error: SourceError?
  /// The time before which its server does not want to be asked again.
  package var nextAttempt: Date?
  /// Changes that wait to be sent.
  package var waiting: Int
  /// Those of them that the server has refused, which are sent again only when the user says so.
  package var refused: Int
  /// Whether it was never brought in line, and can be.
  package var isNew: Bool
  /// How far its first sync has come; nil while none is under way.
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

  /// Progress of the first sync of an account.
  package struct FirstSync: Hashable, Sendable {
    /// Articles that have come.
    package var articles: Int
    /// Articles that its server has listed by now, those included; nil where it lists none by their ids.
    package var total: Int?

    package init(articles: Int, total: Int? = nil) {
      self.articles = articles
      self.total = total
    }
  }
}
