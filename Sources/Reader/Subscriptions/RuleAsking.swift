internal import News
internal import Screen

extension Command {
  static let addRule = Command("add-rule")
}

extension KeyBinding {
  static let addRule = KeyBinding(
    .addRule, [.character("X")], "begin a rule: read, star, tag, hide or rewrite what is new",
    .feeds)
}

enum CommandDrafts {
  /// Offers the verb with the feed of the selected article, or what the list shows; the rest is typed.
  ///
  /// - Parameter query: the articles in the place of those.
  static func askForRule(about query: String? = nil, in state: inout ReaderState) -> [Effect] {
    var scope = state.subscriptions.queryText(of: state.shownTimeline.unlimited)
    if state.focus != .sidebar, let row = state.list.selectedArticle {
      scope = state.subscriptions.queryText(of: .feed(row.feedID))
    }
    if state.focus == .article, let article = state.article?.page?.article {
      scope = state.subscriptions.queryText(of: .feed(article.feedID))
    }
    let words = (query ?? scope).map { TypedWords.quoted("(\($0))") + " " } ?? ""
    return state.openCommandLine(with: "rules add --hide \(words)title:")
  }
}
