internal import News
internal import Screen

/// The rows of the list: snapshots, moving in them, and the window that is read.
extension ReaderState {
  mutating func toggleUnreadOnly() -> [Effect] {
    guard list.query.timeline != .unread else {
      return tell("Unread shows no read articles; All does")
    }
    list.query.unreadOnly.toggle()
    list.query.keeping = list.selectedArticle.map { [$0.id] } ?? []
    let effects = tell(list.query.unreadOnly ? "unread only" : "read articles show too")
    return [observeAround()] + effects
  }

  // MARK: Snapshots

  mutating func takeTimeline(_ snapshot: TimelineSnapshot) -> [Effect] {
    var snapshot = snapshot
    // What an earlier wish still had to say.
    guard snapshot.query == list.query else { return [] }
    let isFirst = list.snapshot == nil
    // A refresh has overtaken the page that was asked for, or taken its failure back: the end is as
    // it was before anybody asked.
    if snapshot.older == .more, let before = list.snapshot?.older, before.isAnAttempt {
      list.askedOlderThan = nil
    }
    let isUnsure = pendingMarks.settle(&snapshot.slice.rows, of: list.query)
    let again: [Effect] = isUnsure ? [.observe(list.query)] : []
    list.snapshot = snapshot
    let rows = list.rows
    guard !rows.isEmpty else {
      list.selection.select(nil)
      list.selectedPosition = nil
      return []
    }
    switch list.goal {
    case .first:
      select(0, screenRow: 0)
    case .last:
      select(rows.count - 1, screenRow: listHeight - 1)
    case nil:
      if let index = list.selectedIndex {
        list.selectedPosition = rows[index].position
      } else if let position = list.selectedPosition {
        // The row is gone: the one that followed it takes its place.
        select(rows.firstIndex { $0.position < position } ?? rows.count - 1)
      } else {
        select(0, screenRow: 0)
      }
    }
    list.goal = nil
    settleScreenRow()
    takeStatus(from: rows)
    if isFirst {
      list.seen = ListState.Seen(lastID: snapshot.arrivals.lastID)
    }
    return again + followSeen() + followWindow() + prefetchOlder()
  }

  /// The row at the top of the pane. The selected row keeps its line, unless the list ends before.
  var firstVisibleRow: Int {
    guard let index = list.selectedIndex else { return 0 }
    return max(0, index - max(0, min(list.selection.line, listHeight - 1)))
  }

  // MARK: Moving

  /// Moves by some rows; the list scrolls when the selected row would leave the pane.
  mutating func moveInList(by delta: Int) -> [Effect] {
    let rows = list.rows
    guard let index = list.selectedIndex, !rows.isEmpty else { return [] }
    let target = max(0, min(rows.count - 1, index + delta))
    select(target, screenRow: list.selection.line + target - index)
    return followSeen() + followWindow() + prefetchOlder()
  }

  /// Moves a page: the selected row stays on its line of the screen, unless the list would end above
  /// the last one.
  mutating func pageInList(_ delta: Int) -> [Effect] {
    let rows = list.rows
    guard let index = list.selectedIndex, !rows.isEmpty else { return [] }
    let target = max(0, min(rows.count - 1, index + delta))
    select(target)
    fillScreen()
    return followSeen() + followWindow() + prefetchOlder()
  }

  mutating func goToEnd(_ goal: ListState.Goal) -> [Effect] {
    guard let slice = list.snapshot?.slice, !slice.rows.isEmpty else { return [] }
    if goal == .first, !slice.hasNewer {
      select(0, screenRow: 0)
      return followSeen()
    }
    if goal == .last, !slice.hasOlder {
      select(slice.rows.count - 1, screenRow: listHeight - 1)
      return followSeen() + prefetchOlder()
    }
    list.goal = goal
    list.query.arrivedAfter = list.seen?.lastID
    list.query.anchor = goal == .first ? .newest : .oldest
    list.query.newerCount = 0
    list.query.olderCount = windowSize
    return [.observe(list.query)]
  }

  mutating func select(_ index: Int, screenRow: Int? = nil) {
    let rows = list.rows
    guard rows.indices.contains(index) else { return }
    list.selection.select(index, in: rows, line: screenRow)
    list.selectedPosition = rows[index].position
    settleScreenRow()
  }

  /// Keeps the line of the selected row within the pane, and the line below the last row visible while
  /// that row is selected.
  mutating func settleScreenRow() {
    guard let index = list.selectedIndex else { return }
    let isAboveEnd = hasEndLine && index == list.rows.count - 1 && listHeight > 1
    let last = listHeight - (isAboveEnd ? 2 : 1)
    list.selection.line = max(0, min(list.selection.line, index, last))
  }

  /// Leaves no line of the pane empty while there are rows above it.
  mutating func fillScreen() {
    guard let slice = list.snapshot?.slice, let index = list.selectedIndex, !slice.hasOlder
    else { return }
    let firstAtEnd = max(0, slice.rows.count + (hasEndLine ? 1 : 0) - listHeight)
    list.selection.line = max(list.selection.line, index - firstAtEnd)
    settleScreenRow()
  }

  /// Whether there is a line below the last row on what comes after it.
  var hasEndLine: Bool {
    guard let snapshot = list.snapshot else { return false }
    return !snapshot.slice.hasOlder && snapshot.older != .none
  }

  /// Selects the article at a position that may lie outside of the rows.
  ///
  /// - Returns: the effect that reads the rows around it.
  mutating func seekInList(_ position: TimelinePosition) -> Effect {
    list.goal = nil
    list.selection.select(.article(ArticleID(position.id)))
    list.selectedPosition = position
    list.selection.line = min(listHeight / 3, list.selection.line)
    list.query.anchor = .around(position)
    list.query.newerCount = ListState.window
    list.query.olderCount = ListState.window
    return .observe(list.query)
  }

  // MARK: The window

  /// Rows on either side that are read ahead: several screens.
  private var windowSize: Int { max(ListState.window, 3 * listHeight) }

  /// Moves the window before the selection reaches its edge.
  private mutating func followWindow() -> [Effect] {
    guard let slice = list.snapshot?.slice, let index = list.selectedIndex else { return [] }
    let margin = windowSize / 2
    let nearOlder = slice.hasOlder && slice.rows.count - index < margin
    let nearNewer = slice.hasNewer && index < margin
    // An answer that is under way comes first: a held key would cancel one after the other.
    guard nearOlder || nearNewer, list.snapshot?.query == list.query else { return [] }
    let old = list.query
    let effect = observeAround()
    return list.query == old ? [] : [effect]
  }

  /// Reads the timeline around the selected row.
  mutating func observeAround() -> Effect {
    if let position = list.selectedPosition, !isAtTop || list.rows.count > windowSize {
      list.query.anchor = .around(position)
      list.query.newerCount = windowSize
    } else {
      list.query.anchor = .newest
      list.query.newerCount = 0
    }
    list.query.olderCount = windowSize
    list.query.arrivedAfter = list.seen?.lastID
    return .observe(list.query)
  }

  /// Requests older articles before the end of the cached ones is visible.
  private mutating func prefetchOlder() -> [Effect] {
    guard let snapshot = list.snapshot, !snapshot.slice.hasOlder, snapshot.older == .more,
      snapshot.freshness.offlineSince == nil, !snapshot.freshness.savesData,
      !snapshot.query.hidesRead,
      let index = list.selectedIndex,
      snapshot.slice.rows.count - index <= max(listHeight, 15),
      let last = snapshot.slice.rows.last?.position, last != list.askedOlderThan
    else { return [] }
    // Once for each end; the user can still ask with a key.
    list.askedOlderThan = last
    return [.loadOlder(snapshot.query.timeline)]
  }

  /// Requests older articles again after a failure.
  func retryOlder() -> [Effect] {
    guard let snapshot = list.snapshot, !snapshot.slice.hasOlder else { return [] }
    switch snapshot.older {
    case .failed, .more: return [.loadOlder(snapshot.query.timeline)]
    case .none, .loading, .end, .circular: return []
    }
  }
}

extension OlderArticles {
  /// Whether an older page has been requested and has not arrived.
  fileprivate var isAnAttempt: Bool {
    switch self {
    case .loading, .failed: true
    case .none, .more, .end, .circular: false
    }
  }
}
