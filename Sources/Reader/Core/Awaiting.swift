extension ReaderState {
  /// Whether the rows of the list or the text of the article are being read from the store. A drawing now would be blank
  /// where the next one is not.
  package var awaitsStore: Bool {
    guard isLoaded else { return false }
    if let article { return article.page == nil && article.error == nil }
    return list.snapshot == nil
  }

  /// Whether a key would be lost because its rows or its text have not come from the store yet.
  package var holdsKeys: Bool {
    guard isLoaded, stack.top == nil else { return false }
    return switch focus {
    case .list: list.snapshot == nil
    case .article: article.map { $0.page == nil && $0.error == nil } ?? false
    case .sidebar: false
    }
  }
}
