extension ReaderState {
  /// Whether the rows of the list or the text of the article are being read from the store. A drawing now would be blank
  /// where the next one is not.
  package var awaitsStore: Bool {
    guard isLoaded else { return false }
    if let article { return article.page == nil && article.error == nil }
    return list.snapshot == nil
  }
}
