import News
import Screen

/// Deleting articles, and Undo.
extension Marking {
  static func deleteArticle(in state: inout ReaderState) -> [Effect] {
    guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
    return delete([id], in: &state)
  }

  static func delete(_ ids: [ArticleID], in state: inout ReaderState) -> [Effect] {
    var effects: [Effect] = []
    if state.focus == .article {
      effects += state.leaveArticle()
      state.focus = .list
    }
    if let id = state.article?.id, ids.contains(id) {
      state.article = nil
      effects += [.cancel(.article(.page))] + ArticleTexts.cancelFullText(in: &state)
    }
    state.list.noteDeleted(ids)
    return effects + [state.apply(.delete(ids))]
  }

  static func notifyTurned(
    _ entry: JournalEntry?, isUndone: Bool, in state: inout ReaderState
  ) -> [Effect] {
    guard let entry else {
      return state.notify(isUndone ? MarksStrings.noUndo : MarksStrings.noRedo)
    }
    switch entry.refusal {
    case .cannotBeTakenBack:
      return state.notify(MarksStrings.cannotUndo(entry.summary, undo: state.key(.undo)))
    case .needsConsent:
      state.ask(
        .question(
          MarksStrings.undoSubscription(of: entry.subject, count: entry.feeds.count),
          [.apply(.undoAsking(agreedTo: entry.id))]))
      return []
    case nil: break
    }
    let isRestored = isUndone && entry.kind == .deleteArticles && state.focus != .article
    let selected = isRestored ? state.list.selectRestored(entry) : []
    guard isUndone else { return state.notify(MarksStrings.redone(entry.outcome)) }
    // More than a mark is gone, perhaps by a key that was meant for something else.
    return selected
      + state.notify(
        entry.kind == .addFeed
          ? MarksStrings.undoneSubscription(entry.outcome, redo: state.key(.redo))
          : MarksStrings.undone(entry.outcome))
  }
}
