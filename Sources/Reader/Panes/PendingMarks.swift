internal import News

/// Marks that are visible and not yet confirmed by the store. A snapshot that was read before a mark was
/// written does not take the mark back: a key that toggles a mark must toggle the visible one.
struct PendingMarks: Hashable, Sendable {
  private struct Mark: Hashable {
    var isRead: Bool?
    var isStarred: Bool?
    /// What the store has, as far as is known: what was there before the first change that is still being
    /// written. Nil where the article shows nowhere.
    var kept: ArticleStatus?
    /// Those that are not written yet, in the order in which they will be.
    var changes: [MarkChange] = []

    var isSettled: Bool { changes.isEmpty }

    func agrees(with status: ArticleStatus) -> Bool {
      isRead ?? status.isRead == status.isRead && isStarred ?? status.isStarred == status.isStarred
    }
  }

  /// Those that are still being written, and those that were written since the last snapshot.
  private var marks: [ArticleID: Mark] = [:]
  /// The query whose snapshots may still be older than the written marks.
  private var query: TimelineQuery?

  /// Notes a change by the user that is being written.
  ///
  /// - Parameter status: what shows of an article before the change; nil where nothing does.
  mutating func make(_ intent: Intent, over status: (ArticleID) -> ArticleStatus?) {
    switch intent {
    case .setRead(let articles, let isRead, _):
      for id in articles { make(.read(isRead), of: id, over: status) }
    case .setStarred(let articles, let isStarred, _):
      for id in articles { make(.starred(isStarred), of: id, over: status) }
    case .setTag, .changeTags, .saveForLater, .delete: break
    case .markAllRead, .undo, .undoAsking, .undoLast, .redo:
      // Only the store knows which articles that takes in. What is still to be written counts on.
      for id in marks.keys {
        marks[id]?.isRead = nil
        if case .markAllRead = intent { continue }
        marks[id]?.isStarred = nil
      }
      marks = marks.filter { !$0.value.isSettled || $0.value.isStarred != nil }
    }
  }

  /// The store has written the oldest change of these articles.
  mutating func end(_ articles: [ArticleID], shownBy query: TimelineQuery) {
    follow(query)
    for id in articles {
      guard var mark = marks[id], !mark.isSettled else { continue }
      let change = mark.changes.removeFirst()
      mark.kept?.set(change)
      marks[id] = mark
    }
  }

  /// The store could not write a change of an article.
  ///
  /// - Returns: what is to show instead: a later change that may still be written, else what was there
  ///   before the first one.
  mutating func revoke(_ change: MarkChange, of id: ArticleID) -> MarkChange {
    guard var mark = marks[id] else { return change.inverted }
    if let index = mark.changes.firstIndex(of: change) { mark.changes.remove(at: index) }
    let later = mark.changes.last { $0.isAlike(change) }
    let kept = mark.kept.map { change.asKept(in: $0) }
    if later == nil {
      switch change {
      case .read: mark.isRead = nil
      case .starred: mark.isStarred = nil
      }
    }
    marks[id] = mark.isSettled && mark.isRead == nil && mark.isStarred == nil ? nil : mark
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

  private mutating func make(
    _ change: MarkChange, of id: ArticleID, over status: (ArticleID) -> ArticleStatus?
  ) {
    var mark = marks[id] ?? Mark()
    if mark.isSettled { mark.kept = status(id) }
    switch change {
    case .read(let isRead): mark.isRead = isRead
    case .starred(let isStarred): mark.isStarred = isStarred
    }
    mark.changes.append(change)
    marks[id] = mark
  }
}

/// What is changed of the marks of one article.
enum MarkChange: Hashable, Sendable {
  case read(Bool)
  case starred(Bool)

  var inverted: MarkChange {
    switch self {
    case .read(let isRead): .read(!isRead)
    case .starred(let isStarred): .starred(!isStarred)
    }
  }

  /// Whether both are about the same mark.
  func isAlike(_ other: MarkChange) -> Bool { self == other || self == other.inverted }

  /// The mark that this is about, as it is in a status.
  func asKept(in status: ArticleStatus) -> MarkChange {
    switch self {
    case .read: .read(status.isRead)
    case .starred: .starred(status.isStarred)
    }
  }
}

extension ArticleStatus {
  mutating func set(_ change: MarkChange) {
    switch change {
    case .read(let isRead): self.isRead = isRead
    case .starred(let isStarred): self.isStarred = isStarred
    }
  }
}
