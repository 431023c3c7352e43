import News
import Screen

/// Articles of a list that are picked, so that the next command is about all of them.
struct PickedArticles: Hashable, Sendable {
  private(set) var ids: [ArticleID] = []
  /// Their marks as they were then: their rows may be out of reach by now.
  private(set) var status: [ArticleID: ArticleStatus] = [:]
  /// The one that was picked last, from which a range goes.
  private(set) var last: ArticleID?

  var isEmpty: Bool { ids.isEmpty }

  func contains(_ id: ArticleID) -> Bool { ids.contains(id) }

  mutating func toggle(_ row: ArticleRow) {
    let id = row.id
    status[id] = row.status
    if let index = ids.firstIndex(of: id) {
      ids.remove(at: index)
      last = ids.last
    } else {
      ids.append(id)
      last = id
    }
  }

  mutating func add(_ more: [ArticleRow]) {
    let known = Set(ids)
    for row in more where !known.contains(row.id) {
      ids.append(row.id)
      status[row.id] = row.status
    }
    last = more.last?.id ?? last
  }
}

extension ListState {
  /// Picks the selected article, or lets it go, and moves on to the next one.
  mutating func pickSelected() -> [Effect] {
    guard let row = selectedArticle else { return [] }
    picked.toggle(row)
    return move(by: 1)
  }

  /// Picks the articles from the one that was picked last to the selected one; without one, the selected one alone.
  ///
  /// - Returns: false where the one that was picked last is out of reach.
  mutating func pickRange() -> Bool {
    guard let index = selectedIndex else { return true }
    let from = picked.last.flatMap { last in
      rows.firstIndex { if case .article(let row) = $0 { row.id == last } else { false } }
    }
    if picked.last != nil, from == nil { return false }
    let range = min(from ?? index, index)...max(from ?? index, index)
    let more = rows[range].compactMap { row -> ArticleRow? in
      if case .article(let row) = row { row } else { nil }
    }
    picked.add(from.map { $0 > index } == true ? more.reversed() : more)
    return true
  }

  func status(of id: ArticleID) -> ArticleStatus? {
    row(of: id)?.status ?? picked.status[id]
  }
}
