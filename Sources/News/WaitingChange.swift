package import struct Foundation.Date

/// A change by the user that waits to be sent to a server.
package struct WaitingChange: Hashable, Sendable, Identifiable {
  package enum Kind: Hashable, Sendable {
    case read(Bool)
    case starred(Bool)
    /// Many articles that were marked at once; how many, as long as the store knows.
    case batch(isRead: Bool, count: Int?)
    case comment(String)
  }

  /// Its number in the outbox.
  package var id: Int64
  package var kind: Kind
  /// Scheme, host and port of the server; nil where it may be several.
  package var origin: String?
  /// The user whose account the server is told for; nil where nobody is signed in there.
  package var user: String?
  /// What the change is about; nil for a batch.
  package var article: ArticleID?
  /// Of the article; nil for a batch, and for an article that is gone.
  package var title: String?
  package var feedTitle: String?
  package var created: Date
  /// How often it has been sent in vain.
  package var attempts: Int
  /// Why it could not be sent last time; says also when it may be tried again.
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

  /// Whether the server has refused it: it is sent again only when the user asks for that.
  package var isRefused: Bool { error?.isRefusal ?? false }
}

/// What waits to be sent to servers, as it is now.
package struct OutboxSnapshot: Hashable, Sendable {
  /// How many changes wait for a server.
  package struct Count: Hashable, Sendable {
    /// Nil for those that may go to several.
    package var origin: String?
    package var count: Int

    package init(origin: String?, count: Int) {
      self.origin = origin
      self.count = count
    }
  }

  /// In the order in which they were made; where many wait, the first of them.
  package var changes: [WaitingChange]
  /// Of all that waits, the server with the most first.
  package var counts: [Count]

  package init(changes: [WaitingChange] = [], counts: [Count] = []) {
    self.changes = changes
    self.counts = counts
  }

  package var total: Int { counts.reduce(0) { $0 + $1.count } }
}

extension SourceError {
  /// Whether the server will not take the same request another time: most answers from 400 to 499.
  package var isRefusal: Bool {
    guard let status else { return false }
    return (400..<500).contains(status) && ![401, 408, 429].contains(status)
  }
}
