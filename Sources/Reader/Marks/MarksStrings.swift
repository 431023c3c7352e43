internal import News

enum MarksStrings {
  static func undo(_ key: String) -> String { "\(key) undoes this." }
  static let noUnreadHere = "No unread articles in this list."
  static let noUnreadInSelectedFeeds = "No unread articles in the selected feeds."
  static let noUnread = "No unread articles in any feed."
  static let allReadAlready = "All articles are already read."
  static func marked(_ count: Int, isRead: Bool, undo key: String) -> String {
    "Marked \(quantity(count, "article")) as \(isRead ? "read" : "unread"). \(undo(key))"
  }
  static func starred(_ count: Int, isStarred: Bool, undo key: String) -> String {
    "\(isStarred ? "Starred" : "Unstarred") \(quantity(count, "article")). \(undo(key))"
  }
  static func tooManyToOpen(_ count: Int, most: Int) -> String {
    "\(count) rows are selected, but at most \(most) pages open at once. Select fewer."
  }
  static func noSides(order: String, sort key: String) -> String {
    "Cannot mark the articles above or below: this list is sorted \(order). \(key) sorts by date."
  }
  static func tagged(_ count: Int, _ changes: String) -> String {
    "Changed the tags of \(quantity(count, "article")): \(changes)."
  }
  static func undone(_ change: String) -> String { "Undone: \(change)." }
}

extension Marking {
  static func notifyDeleted(
    _ articles: [ArticleID], gone: Int, in state: inout ReaderState
  ) -> [Effect] {
    let (kept, deleted) = (articles.count - gone, "Deleted \(quantity(gone, "article"))")
    let undo = MarksStrings.undo(state.key(.undo))
    guard kept > 0 else { return state.notify("\(deleted). \(undo)") }
    return state.notify(
      articles.count > 1
        ? "\(deleted), but kept \(kept) of accounts: their servers would send them again. \(undo)"
        : "This article was not deleted: the server of its account would send it again.")
  }

  static func notify(_ change: Later.Change, in state: inout ReaderState) -> [Effect] {
    let (count, undo) = (change.articles.count, MarksStrings.undo(state.key(.undo)))
    guard count > 0 else { return [] }
    let many = count == 1 ? "" : "\(count) articles "
    guard change.isAdded else { return state.notify("Removed \(many)from Later. \(undo)") }
    return state.notify(
      change.atServers > 0
        ? "Added \(many)to Later and to the server’s reading list. Undo does not change the reading list."
        : "Added \(many)to Later. \(undo)")
  }

  static func notifyTurned(
    _ entry: JournalEntry?, isUndone: Bool, in state: inout ReaderState
  ) -> [Effect] {
    guard let entry else {
      return state.notify(isUndone ? "No change to undo." : "No change to redo.")
    }
    switch entry.refusal {
    case .cannotBeTakenBack:
      return state.notify(
        "Cannot undo this change: \(entry.summary). \(state.key(.undo)) again undoes the one before."
      )
    case .needsConsent:
      state.ask(
        .question(
          entry.feeds.count > 1
            ? "Undo: unsubscribe from \(entry.feeds.count) feeds and delete their articles"
            : "Undo: unsubscribe from \(entry.subject ?? SubscriptionsStrings.theFeed) and delete its articles",
          [.apply(.undoAsking(agreedTo: entry.id))]))
      return []
    case nil: break
    }
    let isRestored = isUndone && entry.kind == .deleteArticles && state.focus != .article
    let selected = isRestored ? state.list.selectRestored(entry) : []
    guard isUndone else { return state.notify("Redone: \(entry.outcome).") }
    // More than a mark is gone, perhaps by a key that was meant for something else.
    return selected
      + state.notify(
        entry.kind == .addFeed
          ? "\(MarksStrings.undone(entry.outcome)) \(state.key(.redo)) subscribes again."
          : MarksStrings.undone(entry.outcome))
  }
}
