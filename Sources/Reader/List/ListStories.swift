internal import News
internal import Screen

/// Stories that several feeds tell: each is one row, and unfolds into one a feed.
extension ListState {
  /// The other articles of the story that a row stands for; none where they have rows of their own.
  func folded(behind id: ArticleID) -> [ArticleID] {
    query.unfolded.contains(id) ? [] : row(of: id)?.tellings ?? []
  }

  /// Unfolds the story of the selected row, or folds it again, and with it selects its first article.
  ///
  /// - Returns: nil where the row stands for itself alone.
  mutating func toggleStory() -> [Effect]? {
    guard let row = selectedArticle else { return nil }
    let first = row.isUnfolded ? firstArticle(above: selectedIndex) ?? row.id : row.id
    guard row.isUnfolded || !row.tellings.isEmpty else { return nil }
    if query.unfolded.remove(first) == nil { query.unfolded.insert(first) }
    if row.isUnfolded, let index = rows.firstIndex(where: { $0.selectionID == .article(first) }) {
      select(index)
    }
    return [observeAround()]
  }

  /// The article that a row stands below, where its story is unfolded.
  private func firstArticle(above index: Int?) -> ArticleID? {
    guard let index else { return nil }
    for case .article(let row) in rows[..<index].reversed() where !row.isUnfolded { return row.id }
    return nil
  }
}

extension ReaderState {
  mutating func toggleStory() -> [Effect] { list.toggleStory() ?? notify(ListStrings.noStory) }
}
