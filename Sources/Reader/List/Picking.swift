import News
import Screen

extension ListState {
  /// Selects the present article, or deselects it, and moves on to the next one.
  mutating func pickSelected() -> [Effect] {
    guard let row = selectedArticle else { return [] }
    keepStatus(of: [row])
    picked.toggle([row.id], of: row.id)
    return move(by: 1)
  }

  /// Selects the articles from the one that was selected last to the present one; without one, the present one alone.
  ///
  /// - Returns: false where the one that was selected last is out of reach.
  mutating func pickRange() -> Bool {
    guard let index = selectedIndex else { return true }
    let range = picked.range(to: index) { last in
      rows.firstIndex { if case .article(let row) = $0 { row.id == last } else { false } }
    }
    guard let range else { return false }
    let more = range.compactMap { index -> ArticleRow? in
      if case .article(let row) = rows[index] { row } else { nil }
    }
    keepStatus(of: more)
    for row in more { picked.add([row.id], of: row.id) }
    return true
  }

  private mutating func keepStatus(of rows: [ArticleRow]) {
    if picked.isEmpty { pickedStatus = [:] }
    for row in rows where !picked.contains(row.id) { pickedStatus[row.id] = row.status }
  }

  func status(of id: ArticleID) -> ArticleStatus? {
    row(of: id)?.status ?? pickedStatus[id]
  }
}
