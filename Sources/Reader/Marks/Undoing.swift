import News
import Screen

/// Deleting articles, and taking back what was done.
extension Marking {
  static func deleteArticle(in state: inout ReaderState) -> [Effect] {
    guard let (id, _) = state.current else { return state.notify("no article is selected") }
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

  static func notifyDeleted(
    _ articles: [ArticleID], gone: Int, in state: inout ReaderState
  ) -> [Effect] {
    if articles.count > 1 {
      let left = articles.count - gone
      return state.notify(
        "\(gone) deleted; \(state.key(.undo)) brings them back"
          + (left > 0 ? "; \(left) of accounts are left, their servers would bring them again" : "")
      )
    }
    if gone < articles.count {
      return state.notify(
        "its server would bring it again: an article of an account is not deleted")
    }
    return state.notify("deleted; \(state.key(.undo)) brings it back")
  }

  static func notify(_ change: Later.Change, in state: inout ReaderState) -> [Effect] {
    let count = change.articles.count
    guard count > 0 else { return [] }
    let articles = count == 1 ? "" : " \(count) articles"
    guard change.isAdded else {
      return state.notify("Removed\(articles) from Later; \(state.key(.undo)) undoes it")
    }
    return state.notify(
      change.atServers > 0
        ? "Added\(articles) to Later, and to the server's reading list, which undo does not reach"
        : "Added\(articles) to Later; \(state.key(.undo)) undoes it")
  }

  static func notifyTurned(
    _ entry: JournalEntry?, isUndone: Bool, in state: inout ReaderState
  ) -> [Effect] {
    guard let entry else {
      return state.notify(isUndone ? "nothing to take back" : "nothing to do again")
    }
    switch entry.refusal {
    case .cannotBeTakenBack:
      return state.notify(
        "cannot be taken back, \(state.key(.undo)) again goes past it: \(entry.summary)")
    case .needsConsent:
      let feeds =
        entry.feeds.count > 1
        ? "\(entry.feeds.count) feeds and their articles"
        : "\(entry.subject ?? "the feed") and its articles"
      state.ask(
        .question(
          "Take back: remove \(feeds)",
          [.apply(.undoAsking(agreedTo: entry.id))]))
      return []
    case nil: break
    }
    let isRestored = isUndone && entry.kind == .deleteArticles && state.focus != .article
    let selected = isRestored ? state.list.selectRestored(entry) : []
    let outcome = "\(isUndone ? "taken back" : "done again"): \(entry.outcome)"
    // More than a mark is gone, perhaps by a key that was meant for something else.
    let isRemoval = isUndone && entry.kind == .addFeed
    return selected
      + state.notify(isRemoval ? "\(outcome); \(state.key(.redo)) subscribes again" : outcome)
  }
}
