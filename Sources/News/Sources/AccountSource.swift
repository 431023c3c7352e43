package import struct Foundation.Date

/// Source of one account.
///
/// Each capability of the service is a part with its own protocol, nil where the service lacks it.
/// `service.capabilities` lists them as a value.
package protocol AccountSource: Sendable {
  var service: AccountService { get }

  /// - Parameter report: called from any thread while a page is fetched.
  func pages(of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void) -> any PageSource

  func discussion(of feed: Feed) -> (any DiscussionSource)?

  func live(of feed: Feed) -> (any LiveSource)?

  /// The articles of all feeds together; `pages` is not asked then.
  var items: (any ItemSource)? { get }
  var marks: (any MarkSink)? { get }
  var subscriptions: (any SubscriptionSource)? { get }
  /// The labels of articles, of a source that has `items`.
  var labels: (any LabelSource)? { get }
  var later: (any LaterService)? { get }
  /// Logs that keep marks and subscriptions of several devices in step, instead of `marks` and
  /// `subscriptions`.
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

  /// The possible changes of subscriptions; nil where only this device keeps them.
  package var edits: SubscriptionEdits? { logs == nil ? subscriptions?.edits : .all }
}

/// Pages of articles of a feed.
///
/// Conformers of this and the following protocols throw `SourceError` or `CancellationError`, close
/// their connection when the task is cancelled, and retry by their own rules before they throw.
package protocol PageSource: Sendable {
  /// The page at `cursor`, or the newest for nil.
  ///
  /// - Parameter known: the stored state of that page; used for the newest page only.
  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer
}

package protocol DiscussionSource: Sendable {
  /// Whether the user can comment.
  var takesComments: Bool { get }

  /// Nil where the first page is unchanged.
  func comments(
    on entry: String, after cursor: Cursor?, known: KnownPage
  ) async throws -> CommentPage?

  /// The current state of a comment.
  func comment(_ id: String, on entry: String) async throws -> Comment

  /// - Parameters:
  ///   - parent: the id of the answered comment; nil for a comment on the article itself.
  ///   - key: the idempotency key, the same for every attempt to send this comment.
  /// - Returns: a conflict where the server keeps another text under the key.
  func post(
    _ text: String, answering parent: String?, on entry: String, key: String
  ) async throws -> CommentAnswer

  /// Edits a comment of the user, if the server has that version of it. Idempotent.
  func edit(
    _ id: String, on entry: String, to text: String, from version: String
  ) async throws -> CommentAnswer
}

extension DiscussionSource {
  package var takesComments: Bool { true }
}

package protocol LiveSource: Sendable {
  /// The events after `eventID`, for as long as the stream is read.
  func news(after eventID: String) -> AsyncThrowingStream<LiveNews, any Error>

  /// The current state of an entry at its server.
  func entry(_ id: String) async throws -> Entry
}

/// Server that keeps the marks of the user.
package protocol MarkSink: Sendable {
  /// The most marks in the next call, which may change with the server's speed.
  var limit: Int { get }

  /// Sends marks in order, idempotently. Returns when the server has accepted all of them.
  func send(_ marks: [EntryMark]) async throws
}

/// Server that keeps the list of subscriptions.
package protocol SubscriptionSource: Sendable {
  /// The possible changes.
  var edits: SubscriptionEdits { get }

  func subscriptions() async throws -> [Subscription]

  /// Makes a change that is among `edits`. A change that is already made is no error, as far as the
  /// server's answer or its list shows.
  ///
  /// - Parameter subject: the subscription as the server last listed it; nil for an unlisted one.
  func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws
}

/// Server that saves articles with a reading service which its user has set up there.
package protocol LaterService: Sendable {
  /// Not idempotent: a repetition may save the article twice.
  func saveForLater(_ id: String) async throws
}

/// State or event of a live connection.
package enum LiveNews: Hashable, Sendable {
  /// Connected: events from now on are delivered.
  case opened
  /// `eventID` resumes the stream after the event.
  case changed(LiveChange, eventID: String)
  /// Not connected, with the time of the next attempt.
  case waiting(until: Date, attempt: Int)
  /// The server offers no events, or refuses them.
  case ended(SourceError?)
}

package enum LiveChange: Hashable, Sendable {
  case added(entry: String)
  case updated(entry: String)
  case removed(entry: String)
  case commented(entry: String)
  /// The server no longer has all events: the newest page has to be fetched.
  case missed
}
