package import News

extension Action {
  /// Ends of `Effect.apply`.
  package enum Marks: Hashable, Sendable {
    /// The oldest pending mark of these articles is stored.
    case ended([ArticleID])
    /// A change of a tag of these articles is stored.
    case tagged([ArticleID])
    /// An article is in the outbox to be saved for later.
    case savedForLater
    /// A change that the store could not write.
    case notKept(Intent, SourceError)
    case markedAllRead(Int)
    case turned(JournalEntry?, isUndone: Bool)
    /// So many of these articles are gone.
    case deleted([ArticleID], gone: Int)
  }
}

extension ReaderState {
  mutating func receive(_ action: Action.Marks) -> [Effect] {
    switch action {
    case .ended(let articles):
      pendingMarks.end(articles, shownBy: list.query)
      return []
    case .tagged(let articles): return readAgain(articles)
    case .savedForLater:
      return notify("goes to the service for reading later with the next refresh")
    case .notKept(let intent, let error):
      revert(intent)
      return notify(error)
    case .markedAllRead(let count):
      return notify(
        count == 0
          ? "nothing was unread"
          : "\(count) article\(count == 1 ? "" : "s") marked read; \(key(.undo)) takes it back")
    case .turned(let entry, let isUndone):
      return (offer(.marks(action)) ?? []) + notifyTurned(entry, isUndone: isUndone)
    case .deleted(let articles, let gone): return notifyDeleted(articles, gone: gone)
    }
  }
}
