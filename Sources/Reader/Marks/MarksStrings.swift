enum MarksStrings {
  static func undo(_ key: String) -> String { "\(key) undoes this." }
  static let noUnreadHere = "No unread articles in this list."
  static let noUnreadInSelectedFeeds = "No unread articles in the selected feeds."
  static let noUnread = "No unread articles in any feed."
  static let allReadAlready = "All articles were read already."
  static func marked(_ count: Int, isRead: Bool, undo key: String) -> String {
    "Marked \(quantity(count, "article")) as \(isRead ? "read" : "unread"). \(undo(key))"
  }
  static func starred(_ count: Int, isStarred: Bool, undo key: String) -> String {
    "\(isStarred ? "Starred" : "Unstarred") \(quantity(count, "article")). \(undo(key))"
  }
  static func tooManyToOpen(_ count: Int, most: Int) -> String {
    "\(count) articles are selected, but at most \(most) open at once. Select fewer."
  }
  static func noSides(order: String, sort key: String) -> String {
    "Cannot mark the articles above or below: this list is sorted \(order). \(key) sorts by date."
  }
  static func tagged(_ count: Int, _ changes: String) -> String {
    "Changed the tags of \(quantity(count, "article")): \(changes)."
  }
  static func deleted(_ count: Int, undo key: String) -> String {
    "Deleted \(quantity(count, "article")). \(undo(key))"
  }
  static func deleted(_ count: Int, kept: Int, undo key: String) -> String {
    "Deleted \(quantity(count, "article")), but not \(kept) of accounts: their servers would send them again. \(undo(key))"
  }
  static func many(_ count: Int) -> String { count == 1 ? "" : "\(count) articles " }
  static let noUndo = "There is no change to undo."
  static let noRedo = "There is no change to redo."
  static func cannotUndo(_ change: String, undo key: String) -> String {
    "Cannot undo this change: \(change). \(key) again undoes the one before."
  }
  static func undoSubscription(of feed: String?, count: Int) -> String {
    count > 1
      ? "Undo: unsubscribe from \(count) feeds and delete their articles"
      : "Undo: unsubscribe from \(feed ?? SubscriptionsStrings.theFeed) and delete its articles"
  }
  static func undone(_ change: String) -> String { "Undone: \(change)." }
  static func undoneSubscription(_ change: String, redo key: String) -> String {
    "\(undone(change)) \(key) subscribes again."
  }
  static func redone(_ change: String) -> String { "Redone: \(change)." }
}

extension Marking {
  static func notifyDeleted(
    _ articles: [ArticleID], gone: Int, in state: inout ReaderState
  ) -> [Effect] {
    let (kept, key) = (articles.count - gone, state.key(.undo))
    guard kept > 0 else { return state.notify(MarksStrings.deleted(gone, undo: key)) }
    return state.notify(
      articles.count > 1
        ? MarksStrings.deleted(gone, kept: kept, undo: key)
        : "This article was not deleted: the server of its account would send it again.")
  }

  static func notify(_ change: Later.Change, in state: inout ReaderState) -> [Effect] {
    let count = change.articles.count
    guard count > 0 else { return [] }
    guard change.isAdded else {
      return state.notify(
        "Removed \(MarksStrings.many(count))from Later. \(MarksStrings.undo(state.key(.undo)))")
    }
    return state.notify(
      change.atServers > 0
        ? "Added \(MarksStrings.many(count))to Later and to the server’s reading list. Undo does not change the reading list."
        : "Added \(MarksStrings.many(count))to Later. \(MarksStrings.undo(state.key(.undo)))")
  }
}
