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

/// Names of tags with semicolons between them, a minus before those that are to be taken off.
struct TypedTags {
  private(set) var added: [String] = []
  private(set) var removed: [String] = []

  init(_ typed: String) {
    for part in typed.split(separator: ";") {
      let name = PlainText.sanitized(String(part))
      let isRemoved = name.hasPrefix("-")
      let bare = isRemoved ? PlainText.sanitized(String(name.dropFirst())) : name
      guard !bare.isEmpty, !added.contains(bare), !removed.contains(bare) else { continue }
      if isRemoved { removed.append(bare) } else { added.append(bare) }
    }
  }

  /// As in `+swift −old`.
  var summary: String {
    (added.map { "+" + $0 } + removed.map { "−" + $0 }).joined(separator: " ")
  }
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
    let gone = former.filter { !wanted.contains($0) }.map { apply(.setTag([id], $0, false)) }
    var new: [String] = []
    for name in wanted where !former.contains(name) && !new.contains(name) { new.append(name) }
    return gone + new.map { apply(.setTag([id], $0, true)) }
  }

  /// Reads the open article once more where its tags have changed.
  func takeTagged(_ articles: [ArticleID]) -> [Effect] {
    guard let article, articles.contains(article.id) else { return [] }
    return [.open(article.id, width: articleWidth)]
  }
}
