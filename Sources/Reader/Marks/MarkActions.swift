package import News

extension Action {
  /// Ends of `Effect.apply`.
  package enum Marks: Hashable, Sendable {
    /// The oldest pending mark of these articles is stored.
    case ended([ArticleID])
    /// A change of a tag of these articles is stored.
    case tagged([ArticleID])
    case changedLater(Later.Change)
    /// A change that the store could not write.
    case notKept(Intent, SourceError)
    case markedAllRead(Int)
    case turned(JournalEntry?, isUndone: Bool)
    /// So many of these articles are gone.
    case deleted([ArticleID], gone: Int)
  }
}

extension Action.Marks {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .ended(let articles):
      state.pendingMarks.end(articles, shownBy: state.list.query)
      return []
    case .tagged(let articles): return state.readAgain(articles)
    case .changedLater(let change):
      return state.readAgain(change.articles) + Marking.notify(change, in: &state)
    case .notKept(let intent, let error):
      state.revert(intent)
      return state.notify(error)
    case .markedAllRead(let count):
      return state.notify(
        count == 0
          ? MarksStrings.allReadAlready
          : MarksStrings.marked(count, isRead: true, undo: state.key(.undo)))
    case .turned(let entry, let isUndone):
      return (state.offer(.marks(self)) ?? [])
        + Marking.notifyTurned(entry, isUndone: isUndone, in: &state)
    case .deleted(let articles, let gone):
      return Marking.notifyDeleted(articles, gone: gone, in: &state)
    }
  }
}
