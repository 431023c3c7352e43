package import struct Foundation.Date

/// Change by the user in the outbox.
package struct WaitingChange: Hashable, Sendable, Identifiable {
  package enum Kind: Hashable, Sendable {
    case mark(Mark)
    /// Articles marked together; their number where the store knows it.
    case batch(isRead: Bool, count: Int?)
    case comment(String)
    /// Of a comment that the server has.
    case edit(CommentEdit)
    /// Tag by name, set or removed.
    case tag(String, Bool)
    /// To be saved with a reading service.
    case later
    case subscription(SubscriptionChange)
  }

  /// Its number in the outbox.
  package var id: Int64
  package var kind: Kind
  /// Scheme, host and port of the server; nil where it may be several.
  package var origin: String?
  /// The user of the account; nil where nobody is signed in.
  package var user: String?
  /// Nil for a batch.
  package var article: ArticleID?
  /// Of the article; nil for a batch and for a deleted article.
  package var title: String?
  package var feedTitle: String?
  package var created: Date
  package var attempts: Int
  /// The last failure, with the time of the next attempt.
  package var error: SourceError?

  package init(
    id: Int64, kind: Kind, origin: String? = nil, user: String? = nil, article: ArticleID? = nil,
    title: String? = nil, feedTitle: String? = nil, created: Date, attempts: Int = 0,
    error: SourceError? = nil
  ) {
    self.id = id
    self.kind = kind
    self.origin = origin
    self.user = user
    self.article = article
    self.title = title
    self.feedTitle = feedTitle
    self.created = created
    self.attempts = attempts
    self.error = error
  }

  package func isOfSubscription(at url: String) -> Bool {
    guard case .subscription(let change) = kind else { return false }
    return change.url == url
  }

  /// The newer state at the server; nil where the user has nothing to decide.
  package var conflict: CommentConflict? {
    if case .edit(let edit) = kind { edit.conflict } else { nil }
  }

  /// Whether the server has refused it, so that it is sent again only at the user's request.
  package var isRefused: Bool { error?.isRefusal ?? false }
}

package struct OutboxSnapshot: Hashable, Sendable {
  /// Changes for one server.
  package struct Count: Hashable, Sendable {
    /// Nil for changes that may go to several servers.
    package var origin: String?
    package var count: Int

    package init(origin: String?, count: Int) {
      self.origin = origin
      self.count = count
    }
  }

  /// The first changes, in the order they were made.
  package var changes: [WaitingChange]
  /// The counts of all changes, largest first.
  package var counts: [Count]

  package init(changes: [WaitingChange] = [], counts: [Count] = []) {
    self.changes = changes
    self.counts = counts
  }

  package var total: Int { counts.reduce(0) { $0 + $1.count } }
}

extension SourceError {
  /// Whether the server would refuse the same request again: most statuses from 400 to 499.
  package var isRefusal: Bool {
    guard let status else { return false }
    return (400..<500).contains(status) && ![401, 408, 429].contains(status)
  }

  /// Whether no server was asked: no network, a pause after failures, or an unreadable password.
  package var isUnasked: Bool { [.offline, .paused, .secret].contains(kind) }
}
