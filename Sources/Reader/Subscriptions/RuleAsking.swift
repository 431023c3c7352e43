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

extension ReaderState {
  /// Offers the verb with the feed of the selected article, or what the list shows; the rest is typed.
  ///
  /// - Parameter query: the articles in the place of those.
  mutating func askForRule(about query: String? = nil) -> [Effect] {
    var scope = subscriptions.queryText(of: shownTimeline.unlimited)
    if focus != .sidebar, let row = list.selectedArticle {
      scope = subscriptions.queryText(of: .feed(row.feedID))
    }
    if focus == .article, let article = article?.page?.article {
      scope = subscriptions.queryText(of: .feed(article.feedID))
    }
    let words = (query ?? scope).map { TypedWords.quoted("(\($0))") + " " } ?? ""
    return openCommandLine(with: "rules add --hide \(words)title:")
  }
}
