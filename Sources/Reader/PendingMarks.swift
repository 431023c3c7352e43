internal import News

/// Marks that show already and that the store is yet to confirm. What it read before it wrote them
/// does not take them back: a key that turns a mark over must turn over the one that shows.
struct PendingMarks: Hashable, Sendable {
  private struct Mark: Hashable {
    var isRead: Bool?
    var isStarred: Bool?
    /// Changes that are not written yet.
    var changes = 0
    /// Whether a snapshot has come after the last was written and said something else.
    var isOverdue = false

    func agrees(with status: ArticleStatus) -> Bool {
      isRead ?? status.isRead == status.isRead && isStarred ?? status.isStarred == status.isStarred
    }
  }

  private var marks: [ArticleID: Mark] = [:]

  /// The reader has made a change, and it is on its way to the store.
  mutating func make(_ intent: Intent) {
    switch intent {
    case .setRead(let articles, let isRead):
      for id in articles { change(id) { $0.isRead = isRead } }
    case .setStarred(let articles, let isStarred):
      for id in articles { change(id) { $0.isStarred = isStarred } }
    case .markAllRead, .undo: break
    }
  }

  /// The store has written a change of these articles, or could not.
  mutating func end(_ articles: [ArticleID]) {
    for id in articles { marks[id]?.changes -= 1 }
  }

  /// The rows as the reader has marked them.
  ///
  /// - Returns: whether the store must be asked again: a snapshot that comes after a change was
  ///   written, and says something else, was read before, or another process has had its say since.
  ///   What the next one says counts.
  mutating func settle(_ rows: inout [TimelineRow]) -> Bool {
    if marks.isEmpty { return false }
    var isUnsure = false
    for index in rows.indices {
      guard case .article(var row) = rows[index], var mark = marks[row.id] else { continue }
      if mark.changes <= 0, mark.isOverdue || mark.agrees(with: row.status) {
        marks[row.id] = nil
        continue
      }
      mark.isOverdue = mark.changes <= 0
      isUnsure = isUnsure || mark.isOverdue
      marks[row.id] = mark
      row.status.isRead = mark.isRead ?? row.status.isRead
      row.status.isStarred = mark.isStarred ?? row.status.isStarred
      rows[index] = .article(row)
    }
    return isUnsure
  }

  private mutating func change(_ id: ArticleID, _ change: (inout Mark) -> Void) {
    var mark = marks[id] ?? Mark()
    change(&mark)
    mark.changes += 1
    mark.isOverdue = false
    marks[id] = mark
  }
}
