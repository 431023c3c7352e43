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
}
