internal import News
internal import Screen

/// The rows of the list: snapshots, moving in them, and the window that is read.
extension ListState {
  /// Hides read articles, or shows them again. The selected one stays.
  mutating func toggleUnreadOnly() -> Effect {
    query.unreadOnly.toggle()
    query.keeping = selectedArticle.map { [$0.id] } ?? []
    return observeAround()
  }

  // MARK: Snapshots

  /// Shows a snapshot from the store, with the marks that the store has not confirmed yet.
  ///
  /// - Returns: nil where the list asks for something else by now.
  mutating func receive(_ snapshot: TimelineSnapshot, with marks: inout PendingMarks) -> [Effect]? {
    var snapshot = snapshot
    guard snapshot.query == query else { return nil }
    let isFirst = self.snapshot == nil
    // A refresh has overtaken the page that was asked for, or taken its failure back: the end is as
    // it was before anybody asked.
    if snapshot.older == .more, let before = self.snapshot?.older, before.isAnAttempt {
      askedOlderThan = nil
    }
    let isUnsure = marks.settle(&snapshot.slice.rows, of: query)
    let again: [Effect] = isUnsure ? [.list(.observe(query))] : []
    if let effect = followSelection(beyond: snapshot.slice) { return [effect] }
    self.snapshot = snapshot
    let rows = rows
    guard !rows.isEmpty else {
      selection.select(nil)
      selectedPosition = nil
      return []
    }
    switch goal {
    case .first:
      select(0, screenRow: 0)
    case .last:
      select(rows.count - 1, screenRow: height - 1)
    case .row(let row):
      select(min(row, rows.count - 1), screenRow: middle(of: min(row, rows.count - 1)))
    case nil:
      if let index = selectedIndex {
        selectedPosition = rows[index].position
      } else if let position = selectedPosition {
        // The row is gone: the one that followed it takes its place.
        select(rows.firstIndex { $0.position < position } ?? rows.count - 1)
      } else {
        select(0, screenRow: 0)
      }
    }
    goal = nil
    settleScreenRow()
    // The line of the selected row was that of another list.
    if isFirst { fillScreen() }
    if isFirst { seen = Seen(lastID: query.arrivedAfter ?? snapshot.arrivals.lastID) }
    return again + follow()
  }

  /// Where so much has arrived before the selected row that it stands beyond what was read: reads the rows around it
  /// instead, and shows what was there until these have come.
  private mutating func followSelection(beyond slice: TimelineSlice) -> Effect? {
    guard goal == nil, let position = selectedPosition, selection.id != nil,
      query.anchor != .around(position), let first = slice.rows.first, let last = slice.rows.last,
      slice.hasOlder && position < last.position || slice.hasNewer && first.position < position,
      selection.index(in: slice.rows) == nil
    else { return nil }
    query.anchor = .around(position)
    query.newerCount = windowSize
    query.olderCount = windowSize
    query.arrivedAfter = seen?.lastID
    return .list(.observe(query))
  }

  /// The row at the top of the pane, or below the heading there.
  var firstVisibleRow: Int { top.row }

  /// The line of a row that is gone to: that in the middle of the pane, unless the list begins below.
  private func middle(of index: Int) -> Int { lines(above: index, most: height / 2) }

  // MARK: Moving

  /// Moves by some rows; the list scrolls when the selected row would leave the pane.
  mutating func move(by delta: Int) -> [Effect] {
    let rows = rows
    guard let index = selectedIndex, !rows.isEmpty else { return [] }
    let target = max(0, min(rows.count - 1, index + delta))
    select(target, screenRow: selection.line + lines(from: index, to: target))
    return follow()
  }

  /// Moves a page: the selected row stays on its line of the screen, unless the list would end above
  /// the last one.
  ///
  /// - Parameter delta: in lines, so that no row is passed over unseen.
  mutating func page(by delta: Int) -> [Effect] {
    guard let index = selectedIndex, !rows.isEmpty else { return [] }
    select(row(lines: delta, from: index))
    fillScreen()
    return follow()
  }

  mutating func goToEnd(_ goal: Goal) -> [Effect] {
    guard let slice = snapshot?.slice, !slice.rows.isEmpty else { return [] }
    if goal == .first, !slice.hasNewer {
      select(0, screenRow: 0)
      return followSeen()
    }
    if goal == .last, !slice.hasOlder {
      select(slice.rows.count - 1, screenRow: height - 1)
      return followSeen() + prefetchOlder()
    }
    if case .row(let row) = goal, !slice.hasNewer, row < slice.rows.count || !slice.hasOlder {
      let index = min(row, slice.rows.count - 1)
      select(index, screenRow: middle(of: index))
      return follow()
    }
    self.goal = goal
    query.arrivedAfter = seen?.lastID
    query.anchor = goal == .last ? .oldest : .newest
    query.newerCount = 0
    query.olderCount = windowSize
    if case .row(let row) = goal { query.olderCount = max(windowSize, row + height) }
    return [.list(.observe(query))]
  }

  mutating func select(_ index: Int, screenRow: Int? = nil) {
    let rows = rows
    guard rows.indices.contains(index) else { return }
    selection.select(index, in: rows, line: screenRow)
    selectedPosition = rows[index].position
    settleScreenRow()
  }

  /// Keeps the line of the selected row within the pane, and the line below the last row visible while
  /// that row is selected.
  private mutating func settleScreenRow() {
    guard let index = selectedIndex else { return }
    let isAboveEnd = hasEndLine && index == rows.count - 1 && height > 1
    let last = height - (isAboveEnd ? 2 : 1)
    // Nothing is above the first row, and nothing below the last.
    let margin = min(margin, max(0, height - 1) / 2)
    let above = max(lines(above: index, most: margin), linesKept(above: index))
    let below = lines(below: index, most: margin)
    selection.line = max(
      0, above, min(selection.line, lines(above: index, most: height), last - below))
  }

  mutating func fit() {
    settleScreenRow()
    fillScreen()
  }

  /// Leaves no line of the pane empty while there are rows above it.
  private mutating func fillScreen() {
    guard let slice = snapshot?.slice, let index = selectedIndex, !slice.hasOlder else { return }
    let below = lines(below: index, most: height) + (hasEndLine ? 1 : 0)
    selection.line = max(selection.line, height - 1 - below)
    settleScreenRow()
  }

  /// Whether there is a line below the last row on what comes after it.
  var hasEndLine: Bool {
    guard let snapshot else { return false }
    // Servers have older articles, and another order does not end with the oldest.
    return !snapshot.slice.hasOlder && snapshot.older != .none && query.order == .newest
  }

  /// Shows the rows in another order, with the selected article selected.
  mutating func show(in order: ListOrder) -> Effect {
    query.order = order
    askedOlderThan = nil
    guard let id = selectedArticle?.id, !isAtTop || selectedIndex != 0 else {
      goal = .first
      query.anchor = .newest
      query.newerCount = 0
      query.olderCount = windowSize
      return .list(.observe(query))
    }
    return seek(id)
  }

  /// Selects the article at a position that may lie outside of the rows.
  mutating func seek(_ position: TimelinePosition) -> Effect {
    seek(position.article, at: position)
  }

  /// Selects an article that may lie outside of the rows.
  ///
  /// - Parameter position: its place in the order of the list; nil where that is to be looked up.
  mutating func seek(_ article: ArticleID, at position: TimelinePosition? = nil) -> Effect {
    goal = nil
    selection.select(.article(article))
    selectedPosition = position
    selection.line = min(height / 3, selection.line)
    query.anchor = position.map { .around($0) } ?? .article(article)
    query.newerCount = Self.window
    query.olderCount = Self.window
    return .list(.observe(query))
  }

  // MARK: The window

  /// Reads what another selected row or other rows require.
  private mutating func follow() -> [Effect] { followSeen() + followWindow() + prefetchOlder() }

  /// Rows on either side that are read ahead: several screens.
  private var windowSize: Int { max(Self.window, 3 * height) }

  /// Moves the window before the selection reaches its edge.
  private mutating func followWindow() -> [Effect] {
    guard let slice = snapshot?.slice, let index = selectedIndex else { return [] }
    let margin = windowSize / 2
    let nearOlder = slice.hasOlder && slice.rows.count - index < margin
    let nearNewer = slice.hasNewer && index < margin
    // An answer that is under way comes first: a held key would cancel one after the other.
    guard nearOlder || nearNewer, snapshot?.query == query else { return [] }
    let old = query
    let effect = observeAround()
    return query == old ? [] : [effect]
  }

  /// Reads the timeline around the selected row.
  mutating func observeAround() -> Effect {
    if let position = selectedPosition, !isAtTop || rows.count > windowSize {
      query.anchor = .around(position)
      query.newerCount = windowSize
    } else {
      query.anchor = .newest
      query.newerCount = 0
    }
    query.olderCount = windowSize
    query.arrivedAfter = seen?.lastID
    return .list(.observe(query))
  }

  /// Requests older articles before the end of the cached ones is visible.
  private mutating func prefetchOlder() -> [Effect] {
    guard let snapshot, !snapshot.slice.hasOlder, snapshot.older == .more, query.order == .newest,
      snapshot.freshness.offlineSince == nil, !snapshot.freshness.savesData,
      !snapshot.query.hidesRead,
      let index = selectedIndex,
      snapshot.slice.rows.count - index <= max(height, 15),
      let last = snapshot.slice.rows.last?.position, last != askedOlderThan
    else { return [] }
    // Once for each end; the user can still ask with a key.
    askedOlderThan = last
    return [.list(.loadOlder(snapshot.query.timeline))]
  }

  /// Requests older articles again after a failure.
  func retryOlder() -> [Effect] {
    guard let snapshot, !snapshot.slice.hasOlder, query.order == .newest else { return [] }
    switch snapshot.older {
    case .failed, .more: return [.list(.loadOlder(snapshot.query.timeline))]
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
