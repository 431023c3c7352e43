internal import News
internal import Screen

extension Command {
  static let showChanges = Command("show-changes")
}

extension KeyBinding {
  static let showChanges = KeyBinding(
    .showChanges, [.character("W")], "what its feed has changed, or the article again", .read)
}

/// What a feed has changed in the open article.
extension ReaderState {
  /// Shows the changes in the place of the article's text, or the text again.
  mutating func showChanges() -> [Effect] {
    guard let article, let page = article.page else { return notify("no article is open") }
    if page.other?.isDifference == true {
      return [.article(.open(article.id, width: articleWidth))]
    }
    guard page.article.changed != nil || article.row?.isChanged == true else {
      return notify(
        "no former text of this article is kept; a feed that is set to update changed keeps it")
    }
    return [.article(.showChanges(article.id, width: articleWidth))]
  }
}
