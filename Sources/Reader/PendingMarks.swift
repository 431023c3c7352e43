internal import News

/// Marks that show already and that the store is yet to confirm. What it read before it wrote them
/// does not take them back: a key that turns a mark over must turn over the one that shows.
struct PendingMarks: Hashable, Sendable {
  private struct Mark: Hashable {
    var isRead: Bool?
    var isStarred: Bool?
    /// Changes that are not written yet.
    var changes = 0

    var isSettled: Bool { changes <= 0 }

    func agrees(with status: ArticleStatus) -> Bool {
      isRead ?? status.isRead == status.isRead && isStarred ?? status.isStarred == status.isStarred
    }
  }

  /// Those that are still being written, and those that were written since the last snapshot.
  private var marks: [ArticleID: Mark] = [:]
  /// What the snapshots are of that the written marks outlive.
  private var query: TimelineQuery?

  /// The reader has made a change, and it is on its way to the store.
  mutating func make(_ intent: Intent) {
    switch intent {
    case .setRead(let articles, let isRead):
      for id in articles { change(id) { $0.isRead = isRead } }
    case .setStarred(let articles, let isStarred):
      for id in articles { change(id) { $0.isStarred = isStarred } }
    case .markAllRead, .undo:
      // Only the store knows which articles that takes in. What is still to be written counts on.
      for (id, mark) in marks {
        marks[id]?.isRead = nil
        if mark.isSettled, mark.isStarred == nil { marks[id] = nil }
      }
    }
  }

  /// The store has written a change of these articles, or could not.
  mutating func end(_ articles: [ArticleID], shownBy query: TimelineQuery) {
    follow(query)
    for id in articles { marks[id]?.changes -= 1 }
  }

  /// The store could not write a change of these articles: what it says of them counts.
  mutating func revoke(_ articles: [ArticleID]) {
    for id in articles { marks[id] = nil }
  }

  /// The rows of a snapshot as the reader has marked them.
  ///
  /// - Returns: whether the store must be asked again: a snapshot that comes after a change was
  ///   written, and says something else, was read before, or another process has had its say since.
  ///   What the next one says counts.
  mutating func settle(_ rows: inout [TimelineRow], of query: TimelineQuery) -> Bool {
    follow(query)
    if marks.isEmpty { return false }
    var isUnsure = false
    for index in rows.indices {
      guard case .article(var row) = rows[index], let mark = marks[row.id],
        !mark.agrees(with: row.status)
      else { continue }
      isUnsure = isUnsure || mark.isSettled
      row.status.isRead = mark.isRead ?? row.status.isRead
      row.status.isStarred = mark.isStarred ?? row.status.isStarred
      rows[index] = .article(row)
    }
    dropSettled()
    return isUnsure
  }

  /// What another list shows was asked for later, and is read after what was written before.
  private mutating func follow(_ query: TimelineQuery) {
    guard self.query != query else { return }
    self.query = query
    dropSettled()
  }

  private mutating func dropSettled() {
    marks = marks.filter { !$0.value.isSettled }
  }

  private mutating func change(_ id: ArticleID, _ change: (inout Mark) -> Void) {
    var mark = marks[id] ?? Mark()
    change(&mark)
    mark.changes += 1
    marks[id] = mark
  }
}
