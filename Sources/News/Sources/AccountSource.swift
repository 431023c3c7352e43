/// The service behind one account.
///
/// What it can do is what it hands out: each part is a capability with a protocol of its own, and nil
/// where the service has no such thing. `service.capabilities` says the same as a value.
package protocol AccountSource: Sendable {
  var service: AccountService { get }

  /// - Parameter report: called from any thread while a page is fetched.
  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource

  /// What stands under the articles of a feed.
  func discussion(of feed: Feed) -> (any DiscussionSource)?

  /// What the server tells of a feed by itself.
  func live(of feed: Feed) -> (any LiveSource)?

  var marks: (any MarkSink)? { get }
  var states: (any StateSource)? { get }
  var subscriptions: (any SubscriptionSource)? { get }
  var catalogue: (any FeedCatalogue)? { get }
}

extension AccountSource {
  package func pages(of feed: Feed) -> any PageSource { pages(of: feed) { _ in } }

  package func discussion(of feed: Feed) -> (any DiscussionSource)? { nil }
  package func live(of feed: Feed) -> (any LiveSource)? { nil }
  package var marks: (any MarkSink)? { nil }
  package var states: (any StateSource)? { nil }
  package var subscriptions: (any SubscriptionSource)? { nil }
  package var catalogue: (any FeedCatalogue)? { nil }
}

/// The articles of a feed, page by page.
///
/// Conformers, like those of the protocols below, throw `SourceError` or `CancellationError`, close their
/// connection when the task is cancelled, and retry by their own rules before they throw.
package protocol PageSource: Sendable {
  /// The page that begins at `cursor`, or the newest page for nil.
  ///
  /// - Parameter known: what is stored of that page; used for the newest page only.
  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer
}

/// The comments under the articles of a feed.
package protocol DiscussionSource: Sendable {
  func comments(on entry: String, after cursor: Cursor?) async throws -> CommentPage

  /// - Parameter key: one for each comment, however often it is sent, so that the server keeps it
  ///   once.
  func post(_ text: String, on entry: String, key: String) async throws -> Comment
}

/// What happens in a feed, told by its server.
package protocol LiveSource: Sendable {
  /// What happens from `eventID` on, told as long as somebody listens.
  func news(after eventID: String) -> AsyncThrowingStream<LiveNews, any Error>

  /// One entry as the server has it now.
  func entry(_ id: String) async throws -> Entry
}

/// A server that takes the marks of the user.
package protocol MarkSink: Sendable {
  /// How many marks one call takes.
  var limit: Int { get }

  /// Tells the server of marks, in order. Absolute: to send them again changes nothing. Returns when the
  /// server has all of them.
  func send(_ marks: [EntryMark]) async throws
}

/// A server that tells how articles are marked.
package protocol StateSource: Sendable {
  /// The states that have changed since `cursor`, or all that the server has for nil.
  func states(after cursor: Cursor?) async throws -> StatePage
}

/// A server that keeps the list of subscriptions.
package protocol SubscriptionSource: Sendable {
  func subscriptions() async throws -> [Subscription]

  /// Subscribing to what is subscribed already is no error.
  func subscribe(to url: String) async throws
  /// Neither is the end of a subscription that there is not.
  func unsubscribe(from url: String) async throws
}

/// A server that looks for feeds by words.
package protocol FeedCatalogue: Sendable {
  /// Best first.
  func feeds(matching words: String) async throws -> [FeedLink]
}
