package import struct Foundation.Date

/// Stored comments on an article, with the user's own that are not yet at the server.
package struct Conversation: Hashable, Sendable {
  /// Comments that are kept of an article.
  package static let mostComments = 10_000
  /// Characters that are kept of a comment.
  package static let longestText = 50_000

  package enum Source: Hashable, Sendable {
    /// The server of the feed, which accepts answers.
    case server
    case feed
    /// No source that can be read here.
    case none
  }

  package let article: ArticleID
  package var title: String
  package var source: Source
  package var page: String?
  /// The number of comments by the feed of the article; nil where it states none.
  package var announced: Int?
  /// Stored comments and waiting ones.
  package var thread: CommentThread
  /// By comment, the number of the fetch that first returned it; 0 for the user's own.
  package var arrivals: [String: Int]
  /// Comments and edits in the outbox, by their ids in the thread.
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

  /// Whether the user has sent the comment from here and its server allows edits.
  package func canChange(_ comment: Comment) -> Bool {
    source == .server && arrivals[comment.id] == 0 && comment.version != nil
  }
}

/// State of fetching the comments on an article.
package struct ConversationRecord: Hashable, Sendable {
  /// The last complete fetch.
  package var fetched: Date?
  /// The number of the last fetch with new comments; 0 before the first.
  package var arrival: Int
  /// The number of that fetch when the user looked last; nil for never.
  package var seen: Int?
  /// Whether there are more than are kept.
  package var isCut: Bool
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

/// Comment in the outbox, or an edit of one that its server has.
package struct WaitingText: Hashable, Sendable {
  /// Its number in the outbox.
  package var id: WaitingChange.ID
  /// The id of the edited comment; nil for a new one.
  package var changed: String?
  /// The id of the answered comment; nil for an answer to the article.
  package var parent: String?
  package var text: String
  package var created: Date
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

  /// The id in the thread. That of a new comment has a control character, unlike any of a server.
  package var commentID: String { changed ?? "\u{1}\(id)" }

  /// Whether the server has refused it, so that it is not sent again by itself.
  package var isRefused: Bool { error?.isRefusal ?? false }

  fileprivate var comment: Comment {
    Comment(id: commentID, parent: parent, published: created, text: text)
  }
}
