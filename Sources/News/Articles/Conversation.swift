package import struct Foundation.Date

/// The comments on an article as they are stored, with what the user has written and its server does not have yet.
package struct Conversation: Hashable, Sendable {
  /// The most comments that are kept of an article.
  package static let mostComments = 10_000
  /// The most characters of one comment that are kept.
  package static let longestText = 50_000

  /// Where the comments come from.
  package enum Source: Hashable, Sendable {
    /// The server of the feed, which takes answers.
    case server
    /// A feed of the comments.
    case feed
    /// Nothing that can be read here.
    case none
  }

  package let article: ArticleID
  /// The title of the article.
  package var title: String
  package var source: Source
  /// The page with the comments; nil for none.
  package var page: String?
  /// How many comments there are, as the feed of the article says; nil where it does not.
  package var announced: Int?
  /// What was stored of them, and the user's own that wait.
  package var thread: CommentThread
  /// For each comment the number of the fetch that has brought it first; 0 for the user's own.
  package var arrivals: [String: Int]
  /// Comments of the user's that wait to be sent, and new texts of those that were, by the ids that they have in the
  /// thread.
  package var waiting: [String: WaitingText]
  package var record: ConversationRecord

  package init(
    article: ArticleID, title: String, source: Source, page: String? = nil, announced: Int? = nil,
    comments: [Comment] = [], arrivals: [String: Int] = [:], waiting: [WaitingText] = [],
    record: ConversationRecord = ConversationRecord()
  ) {
    self.article = article
    self.title = title
    self.source = source
    self.page = page
    self.announced = announced
    self.arrivals = arrivals
    self.record = record
    let texts = Dictionary(waiting.map { ($0.commentID, $0) }) { first, _ in first }
    self.waiting = texts
    let known = comments.map { comment in
      guard let text = texts[comment.id]?.text else { return comment }
      var changed = comment
      changed.text = text
      return changed
    }
    thread = CommentThread(known + waiting.filter { $0.changed == nil }.map(\.comment))
  }

  /// Whether the user has sent a comment from here, and its server lets it be changed.
  package func canChange(_ comment: Comment) -> Bool {
    source == .server && arrivals[comment.id] == 0 && comment.version != nil
  }
}

/// What is known of the fetches of the comments on an article.
package struct ConversationRecord: Hashable, Sendable {
  /// When all of them were fetched last; nil where they never were.
  package var fetched: Date?
  /// The number of the last fetch that has brought new ones; 0 before the first.
  package var arrival: Int
  /// That number when the user looked at them last; nil where nobody has.
  package var seen: Int?
  /// Whether there are more than are kept.
  package var isCut: Bool
  /// Why the last fetch failed; nil where it did not.
  package var error: SourceError?

  package init(
    fetched: Date? = nil, arrival: Int = 0, seen: Int? = nil, isCut: Bool = false,
    error: SourceError? = nil
  ) {
    self.fetched = fetched
    self.arrival = arrival
    self.seen = seen
    self.isCut = isCut
    self.error = error
  }
}

/// Comment by the user that its server does not have yet, or a new text of one that it has.
package struct WaitingText: Hashable, Sendable {
  /// The number of the change in the outbox.
  package var id: WaitingChange.ID
  /// The id of the comment whose text it is to be; nil for a new comment.
  package var changed: String?
  /// The id of the comment that it answers; nil where it answers the article.
  package var parent: String?
  package var text: String
  package var created: Date
  /// Why the last attempt to send it failed; nil where none did.
  package var error: SourceError?

  package init(
    id: WaitingChange.ID, changed: String? = nil, parent: String?, text: String, created: Date,
    error: SourceError? = nil
  ) {
    self.id = id
    self.changed = changed
    self.parent = parent
    self.text = text
    self.created = created
    self.error = error
  }

  /// Its id in the thread. That of a new comment is none that a server gives: it has a control character.
  package var commentID: String { changed ?? "\u{1}\(id)" }

  /// Whether the server has refused it, so that it is not sent again by itself.
  package var isRefused: Bool { error?.isRefusal ?? false }

  fileprivate var comment: Comment {
    Comment(id: commentID, parent: parent, published: created, text: text)
  }
}
