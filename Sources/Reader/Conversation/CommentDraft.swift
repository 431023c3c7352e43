package import News

package struct CommentDraft: Hashable, Sendable {
  package var article: ArticleID
  /// The id of the comment that it answers; nil where it answers the article.
  package var parent: String?
  /// The comment that waits to be sent, and gets another text; nil for a new one.
  package var waiting: WaitingText?
  /// The comment of the user's that its server has, and that gets another text; nil for a new one.
  package var changed: Comment?
  /// The comment or article that is answered, shown while the user writes.
  package var subject: String
  package var quoted: String

  package init(
    article: ArticleID, parent: String? = nil, waiting: WaitingText? = nil,
    changed: Comment? = nil, subject: String = "", quoted: String = ""
  ) {
    self.article = article
    self.parent = parent
    self.waiting = waiting
    self.changed = changed
    self.subject = subject
    self.quoted = quoted
  }
}

package enum CommentFate: Hashable, Sendable {
  case empty
  case sent
  /// It waits in the outbox; the reason where the server could not be reached or refused it.
  case waits(SourceError?)
  /// It could not be kept for sending; the text is in a file.
  case failed(SourceError)
}

extension ReaderState {
  mutating func notify(_ fate: CommentFate) -> [Effect] {
    switch fate {
    case .empty: notify(ConversationStrings.emptyComment)
    case .sent: notify(ConversationStrings.sent)
    case .waits(let error?) where error.isRefusal: notify(error)
    case .waits: notify(ConversationStrings.waits)
    case .failed(let error): notify(error)
    }
  }
}
