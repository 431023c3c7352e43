internal import News
internal import Screen
internal import Text

extension Command {
  static let tagArticle = Command("tag")
}

extension KeyBinding {
  static let tagArticle = KeyBinding(
    .tagArticle, [.character("t")], "change its tags", .read)
}

/// Tags of the open article, typed as a list.
extension ReaderState {
  mutating func askForTags() -> [Effect] {
    guard let article = article?.page?.article else { return tell("no article is open") }
    // What is there ends with a separator, so that another one can be typed at once.
    let tags = article.tags.map { $0 + "; " }.joined()
    ask(.tags(article.id, LineEditor(tags), had: article.tags))
    return []
  }

  /// - Parameter former: those that the article had when it was asked.
  mutating func tag(_ id: ArticleID, _ typed: String, insteadOf former: [String]) -> [Effect] {
    let wanted = typed.split(separator: ";").map { PlainText.sanitized(String($0)) }
      .filter { !$0.isEmpty }
    let gone = former.filter { !wanted.contains($0) }
    var new: [String] = []
    for name in wanted where !former.contains(name) && !new.contains(name) { new.append(name) }
    return gone.isEmpty && new.isEmpty
      ? [] : [apply(.changeTags([id], added: new, removed: gone))]
  }

  /// Reads the open article once more where it is one of those that have changed.
  func readAgain(_ articles: [ArticleID]) -> [Effect] {
    guard let article, articles.contains(article.id) else { return [] }
    return [.open(article.id, width: articleWidth)]
  }
}
