package import News

extension Action {
  package enum Conversation: Hashable, Sendable {
    case arrived(News.Conversation)
    /// The comments on an article were fetched, or why they were not.
    case fetched(ArticleID, SourceError?)
    /// The editor for a comment has ended, and what has become of the comment.
    case written(CommentDraft, CommentFate)
  }
}

extension Effect {
  package enum Conversation: Hashable, Sendable {
    /// Send the comments on an article as they are stored, now and after each change of them.
    case follow(ArticleID)
    case fetch(ArticleID)
    /// The user has looked at the comments on an article, up to those of a fetch.
    case noteVisit(ArticleID, upTo: Int)
    /// Let the user write a comment in an editor, and send it. What was written before and not sent is in the editor.
    case write(CommentDraft)

    package enum ID: Hashable, Sendable { case thread, fetch }

    package var id: EffectID? {
      switch self {
      case .follow: .conversation(.thread)
      case .fetch: .conversation(.fetch)
      case .noteVisit, .write: nil
      }
    }
  }
}

extension Action.Conversation {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .arrived(let conversation):
      return state.offer(.conversation(self)) ?? state.open(conversation)
    case .fetched: return state.offer(.conversation(self)) ?? []
    case .written(let draft, let fate):
      // The head of the article counts the comments.
      let counted = fate == .sent ? state.readAgain([draft.article]) : []
      return (state.offer(.conversation(self)) ?? []) + counted + state.notify(fate)
    }
  }
}
