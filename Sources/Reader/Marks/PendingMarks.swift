internal import News

/// Marks that are visible and not yet confirmed by the store. A snapshot that was read before a mark was
/// written does not take the mark back: a key that toggles a mark must toggle the visible one.
struct PendingMarks: Hashable, Sendable {
  private struct Pending: Hashable {
    /// The marks that show.
    var shown: [Mark.Kind: Bool] = [:]
    /// The marks in the store, as far as known: those before the first change that is still being
    /// written. Nil where the article shows nowhere.
    var kept: ArticleStatus?
    /// Changes that are not written yet, in order.
    var changes: [Mark] = []

    var isSettled: Bool { changes.isEmpty }

    func agrees(with status: ArticleStatus) -> Bool {
      shown.allSatisfy { status[$0.key] == $0.value }
    }
  }

  /// Marks that are being written, and those that were written since the last snapshot.
  private var marks: [ArticleID: Pending] = [:]
  /// The query whose snapshots may still be older than the written marks.
  private var query: TimelineQuery?

  /// Notes a change by the user that is being written.
  ///
  /// - Parameter status: what shows of an article before the change; nil where nothing does.
  mutating func make(_ intent: Intent, over status: (ArticleID) -> ArticleStatus?) {
    switch intent {
    case .mark(let articles, let mark, _):
      for id in articles { make(mark, of: id, over: status) }
    case .setTag, .changeTags, .setLater, .delete: break
    case .markAllRead, .undo, .undoAsking, .undoLast, .redo:
      // Only the store knows which articles that takes in. What is still to be written counts on.
      for id in marks.keys {
        marks[id]?.shown[.read] = nil
        if case .markAllRead = intent { continue }
        marks[id]?.shown[.starred] = nil
      }
      marks = marks.filter { !$0.value.isSettled || $0.value.shown[.starred] != nil }
    }
  }

  /// The store has written the oldest change of these articles.
  mutating func end(_ articles: [ArticleID], shownBy query: TimelineQuery) {
    follow(query)
    for id in articles {
      guard var mark = marks[id], !mark.isSettled else { continue }
      let change = mark.changes.removeFirst()
      mark.kept?[change.kind] = change.isSet
      marks[id] = mark
    }
  }

  /// The store could not write a change of an article.
  ///
  /// - Returns: what is to show instead: a later change that may still be written, else what was there
  ///   before the first one.
  mutating func revoke(_ change: Mark, of id: ArticleID) -> Mark {
    guard var mark = marks[id] else { return change.inverted }
    if let index = mark.changes.firstIndex(of: change) { mark.changes.remove(at: index) }
    let later = mark.changes.last { $0.kind == change.kind }
    let kept = mark.kept.map { Mark(change.kind, $0[change.kind]) }
    if later == nil { mark.shown[change.kind] = nil }
    marks[id] = mark.isSettled && mark.shown.isEmpty ? nil : mark
    return later ?? kept ?? change.inverted
  }

  /// Sets the rows of a snapshot to the pending marks.
  ///
  /// - Returns: whether the store must be asked again: a snapshot that comes after a change was
  ///   written, and says something else, was read before, or another process has had its say since.
  ///   What the next one says counts.
  mutating func settle(_ rows: inout [TimelineRow], of query: TimelineQuery) -> Bool {
    follow(query)
    if marks.isEmpty { return false }
    var isUnsure = false
    for index in rows.indices {
      guard case .article(var row) = rows[index], let mark = marks[row.id] else { continue }
      marks[row.id]?.kept = row.status
      guard !mark.agrees(with: row.status) else { continue }
      isUnsure = isUnsure || mark.isSettled
      for (kind, isSet) in mark.shown { row.status[kind] = isSet }
      rows[index] = .article(row)
    }
    dropSettled()
    return isUnsure
  }

  /// Forgets written marks for another list: its snapshots are newer than they are.
  private mutating func follow(_ query: TimelineQuery) {
    guard self.query != query else { return }
    self.query = query
    dropSettled()
  }

  private mutating func dropSettled() {
    marks = marks.filter { !$0.value.isSettled }
  }

  private mutating func make(
    _ change: Mark, of id: ArticleID, over status: (ArticleID) -> ArticleStatus?
  ) {
    var mark = marks[id] ?? Pending()
    if mark.isSettled { mark.kept = status(id) }
    mark.shown[change.kind] = change.isSet
    mark.changes.append(change)
    marks[id] = mark
  }
}
