internal import News
internal import Screen

extension Command {
  static let showChanges = Command("show-changes")
}

extension KeyBinding {
  static let showChanges = KeyBinding(
    .showChanges, [.character("W")], "what its feed has changed, or the article again", .read)
}

extension ArticleTexts {
  static func showChanges(in state: inout ReaderState) -> [Effect] {
    guard let article = state.article, let page = article.page else {
      return state.notify("no article is open")
    }
    if page.other?.isDifference == true {
      return [.article(.open(article.id, width: state.articleWidth))]
    }
    guard page.article.changed != nil || article.row?.isChanged == true else {
      return state.notify(
        "no former text of this article is kept; a feed that is set to update changed keeps it")
    }
    return [.article(.showChanges(article.id, width: state.articleWidth))]
  }
}
