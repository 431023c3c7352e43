internal import News

enum FindingStrings {
  static let notAQuery = "the text is not a query"
  static let unreadHidesRead = "Unread never shows read articles. Open All to see them."
  static let unreadOnly = "Only unread articles are shown."
  static let readToo = "Read articles are shown, too."
  static let unreadFeedsOnly = "Only feeds with unread articles are shown."
  static let allFeeds = "All feeds are shown."
  static func findFirst(_ find: String) -> String {
    "No words to find again. Press \(find) to find words in the article."
  }
  static func missing(_ words: String) -> String { "“\(words)” is not in this article." }
  static func noFilter(filter: String, search: String) -> String {
    "This list has no filter to save. Press \(filter) to filter the list, or \(search) to find articles."
  }
  static func nameTaken(_ name: String, change: String) -> String {
    "The smart feed “\(name)” already exists. Press \(change) on it in the sidebar to change its query."
  }
  static func known(_ name: String) -> String { "The smart feed “\(name)” already has this query." }
  static func kept(_ name: String) -> String { "Saved as the smart feed “\(name)”." }
  static func unknownOrder(_ name: String, known: [String]) -> String {
    "This list cannot be sorted by “\(name)”. Choose one of \(known.joined(separator: ", "))."
  }
  static func sorted(_ order: ListOrder) -> String { "Sorted \(order.name), from now on." }
}

extension ListOrder {
  /// In words, for a message and the heading of a list.
  var name: String {
    switch self {
    case .newest: "newest first"
    case .oldest: "oldest first"
    case .feed: "by feed"
    case .title: "by title"
    case .score: "highest score first"
    case .opened: "last opened first"
    case .relevance: "best match first"
    }
  }
}

extension Ordering {
  static func groupsNote(in state: ReaderState) -> String {
    guard state.list.isGrouped else { return "Articles are not grouped." }
    guard ListState.hasGroups(state.list.query.order) else {
      return "Groups appear once the list is sorted by date or by feed."
    }
    return state.list.query.order == .feed
      ? "Articles are grouped by feed." : "Articles are grouped by day."
  }
}
