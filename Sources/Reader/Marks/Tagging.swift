internal import News
internal import Screen
internal import Text

/// Tags of the open article, typed as a list.
extension Marking {
  static func askForTags(in state: inout ReaderState) -> [Effect] {
    guard let article = state.article?.page?.article else {
      return state.notify(ReadingStrings.noArticleOpen)
    }
    // A separator at the end, so that another tag can be typed at once.
    let tags = article.tags.map { $0 + "; " }.joined()
    state.ask(.tags(article.id, had: article.tags), LineEditor(tags))
    return []
  }

  static func tag(
    _ id: ArticleID, _ typed: String, insteadOf former: [String], in state: inout ReaderState
  ) -> [Effect] {
    let wanted = Self.tags(in: typed, knowing: former)
    let gone = former.filter { !wanted.contains($0) }
    var new: [String] = []
    for name in wanted where !former.contains(name) && !new.contains(name) { new.append(name) }
    return gone.isEmpty && new.isEmpty
      ? [] : [state.apply(.changeTags([id], added: new, removed: gone))]
  }

  /// The names in a list, with `;` between them. A name that is known may hold one itself.
  private static func tags(in typed: String, knowing former: [String]) -> [String] {
    let known = former.filter { $0.contains(";") }.sorted { $0.count > $1.count }
    var names: [String] = []
    var rest = Substring(typed)
    while !rest.isEmpty {
      rest = rest.drop { $0 == " " || $0 == ";" }
      let whole = known.first { name in
        guard rest.hasPrefix(name) else { return false }
        let next = rest.dropFirst(name.count).first { $0 != " " }
        return next == nil || next == ";"
      }
      let name = whole ?? String(rest.prefix { $0 != ";" })
      rest = rest.dropFirst(name.count)
      names.append(PlainText.sanitized(name))
    }
    return names.filter { !$0.isEmpty }
  }
}

extension ReaderState {
  func readAgain(_ articles: [ArticleID]) -> [Effect] {
    guard let article, articles.contains(article.id) else { return [] }
    return [.article(.open(article.id, width: articleWidth))]
  }
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
