package import struct Foundation.Date

/// Source of one account.
///
/// Each capability of the service is a part with a protocol of its own, which is nil where the service does
/// not have it. `service.capabilities` lists them as a value.
package protocol AccountSource: Sendable {
  var service: AccountService { get }

  /// - Parameter report: called from any thread while a page is fetched.
  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource

  /// The comments on the articles of a feed; nil where it has none.
  func discussion(of feed: Feed) -> (any DiscussionSource)?

  /// The live events of a feed; nil where it has none.
  func live(of feed: Feed) -> (any LiveSource)?

  /// The articles of all feeds together; where there is this, `pages` is not asked.
  var items: (any ItemSource)? { get }
  var marks: (any MarkSink)? { get }
  var subscriptions: (any SubscriptionSource)? { get }
  /// The labels of articles, of a source that has `items`.
  var labels: (any LabelSource)? { get }
  /// Nil where the server hands no articles on for reading later.
  var later: (any LaterService)? { get }
  /// The logs through which machines keep marks and subscriptions in step; where there are these, `marks`
  /// and `subscriptions` are not asked.
  var logs: (any LogSource)? { get }
}

extension AccountSource {
  package func discussion(of feed: Feed) -> (any DiscussionSource)? { nil }
  package func live(of feed: Feed) -> (any LiveSource)? { nil }
  package var items: (any ItemSource)? { nil }
  package var marks: (any MarkSink)? { nil }
  package var subscriptions: (any SubscriptionSource)? { nil }
  package var labels: (any LabelSource)? { nil }
  package var later: (any LaterService)? { nil }
  package var logs: (any LogSource)? { nil }

  /// The changes of subscriptions that can be made; nil where none are kept but here.
  package var edits: SubscriptionEdits? { logs == nil ? subscriptions?.edits : .all }
}

/// Pages of articles of a feed.
///
/// Conformers of this and the following protocols throw `SourceError` or `CancellationError`, close their
/// connection when the task is cancelled, and retry by their own rules before they throw.
package protocol PageSource: Sendable {
  /// The page that begins at `cursor`, or the newest page for nil.
  ///
  /// - Parameter known: what is stored of that page; used for the newest page only.
  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer
}

/// Comments on the articles of a feed.
package protocol DiscussionSource: Sendable {
  /// Whether it takes comments by the user.
  var takesComments: Bool { get }

  /// A page of comments; nil where the first page is the one that is known.
  func comments(
    on entry: String, after cursor: Cursor?, known: KnownPage
  ) async throws -> CommentPage?

  /// A comment as it is now.
  func comment(_ id: String, on entry: String) async throws -> Comment

  /// - Parameters:
  ///   - parent: the id of the comment that is answered; nil for a comment on the article itself.
  ///   - key: the idempotency key, the same for every attempt to send this comment, so that the
  ///     server keeps it once.
  /// - Returns: a conflict where the server keeps another text under the key.
  func post(
    _ text: String, answering parent: String?, on entry: String, key: String
  ) async throws -> CommentAnswer

  /// Gives a comment of the user's another text, if the server has that version of it. Idempotent: a
  /// change that was made already is kept.
  func edit(
    _ id: String, on entry: String, to text: String, from version: String
  ) async throws -> CommentAnswer
}

extension DiscussionSource {
  package var takesComments: Bool { true }
}

/// Live events of a feed.
package protocol LiveSource: Sendable {
  /// The events after `eventID`, for as long as the stream is read.
  func news(after eventID: String) -> AsyncThrowingStream<LiveNews, any Error>

  /// The current state of an entry at its server.
  func entry(_ id: String) async throws -> Entry
}

/// Server that accepts the marks of the user.
package protocol MarkSink: Sendable {
  /// The largest number of marks in the next call. It may change from call to call with how long the
  /// server takes.
  var limit: Int { get }

  /// Sends marks in order. Idempotent: sending them again changes nothing. Returns when the server has
  /// accepted all of them.
  func send(_ marks: [EntryMark]) async throws
}

/// Server that keeps the list of subscriptions.
package protocol SubscriptionSource: Sendable {
  /// The changes that it can make.
  var edits: SubscriptionEdits { get }

  func subscriptions() async throws -> [Subscription]

  /// Makes a change of a kind that is among `edits`. What the server has as it is wanted already is no
  /// error, as far as its answer tells; else its list does.
  ///
  /// - Parameter subject: the subscription as the server listed it last; nil where it did not.
  func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws
}

/// Server that hands articles on to a service for reading later, which its user has set up there.
///
/// Throws as `PageSource` does.
package protocol LaterService: Sendable {
  /// Hands an article on. Sent twice, it may be there twice: that is up to the service.
  func saveForLater(_ id: String) async throws
}

/// State or event of a live connection.
package enum LiveNews: Hashable, Sendable {
  /// Connected: events from now on are delivered.
  case opened
  /// An event. `eventID` resumes the stream after it.
  case changed(LiveChange, eventID: String)
  /// Not connected; the next attempt is at that moment.
  case waiting(until: Date, attempt: Int)
  /// The stream has ended: the server offers no events, or refuses them.
  case ended(SourceError?)
}

/// Change of an entry at its server.
package enum LiveChange: Hashable, Sendable {
  case added(entry: String)
  case updated(entry: String)
  case removed(entry: String)
  case commented(entry: String)
  /// The server no longer has all events: the newest page has to be fetched.
  case missed
}
