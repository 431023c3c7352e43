import News
import Screen

extension Command {
  static let redo = Command("redo")
  static let deleteArticle = Command("delete-article")
}

extension KeyBinding {
  static let redo = KeyBinding(
    .redo, [.control("r")], "do again what was taken back", .read)
  static let deleteArticle = KeyBinding(
    .deleteArticle, [.delete, .character("Z")], "delete the article", .read)
}

/// Deleting articles, and taking back what was done.
extension ReaderState {
  mutating func deleteArticle() -> [Effect] {
    guard let (id, _) = current else { return notify("no article is selected") }
    return delete([id])
  }

  mutating func delete(_ ids: [ArticleID]) -> [Effect] {
    var effects: [Effect] = []
    if focus == .article {
      effects += leaveArticle()
      focus = .list
    }
    if let id = article?.id, ids.contains(id) {
      article = nil
      effects += [.cancel(.article(.page))] + cancelFullText()
    }
    list.noteDeleted(ids)
    return effects + [apply(.delete(ids))]
  }

  mutating func notifyDeleted(_ articles: [ArticleID], gone: Int) -> [Effect] {
    if articles.count > 1 {
      let left = articles.count - gone
      return notify(
        "\(gone) deleted; \(key(.undo)) brings them back"
          + (left > 0 ? "; \(left) of accounts are left, their servers would bring them again" : "")
      )
    }
    if gone < articles.count {
      return notify("its server would bring it again: an article of an account is not deleted")
    }
    return notify("deleted; \(key(.undo)) brings it back")
  }

  mutating func notifyTurned(_ entry: JournalEntry?, isUndone: Bool) -> [Effect] {
    guard let entry else {
      return notify(isUndone ? "nothing to take back" : "nothing to do again")
    }
    switch entry.refusal {
    case .cannotBeTakenBack:
      return notify(
        "cannot be taken back, \(key(.undo)) again goes past it: \(entry.summary)")
    case .needsConsent:
      let feeds =
        entry.feeds.count > 1
        ? "\(entry.feeds.count) feeds and their articles"
        : "\(entry.subject ?? "the feed") and its articles"
      ask(
        .question(
          "Take back: remove \(feeds)",
          [.apply(.undoAsking(agreedTo: entry.id))]))
      return []
    case nil: break
    }
    let isRestored = isUndone && entry.kind == .deleteArticles && focus != .article
    let selected = isRestored ? list.selectRestored(entry) : []
    let outcome = "\(isUndone ? "taken back" : "done again"): \(entry.outcome)"
    // More than a mark is gone, perhaps by a key that was meant for something else.
    let isRemoval = isUndone && entry.kind == .addFeed
    return selected
      + notify(isRemoval ? "\(outcome); \(key(.redo)) subscribes again" : outcome)
  }
}
