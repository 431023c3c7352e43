internal import News
internal import Screen

/// The list of articles: what shows, where in it the reader is, and how it follows the store.
extension ReaderState {
  // MARK: Which timeline

  /// Shows a timeline from its newest article on.
  mutating func show(_ timeline: Timeline) -> [Effect] {
    // A search is no line of the sidebar: leaving it goes back to the line it was begun from.
    if case .search = timeline {} else { sidebar.select(timeline) }
    guard list.query.timeline != timeline || list.snapshot == nil else { return [] }
    pull = Pull()
    if case .search = list.query.timeline {
    } else if case .search = timeline {
      listBeforeSearch = list
    }
    if let before = listBeforeSearch, before.query.timeline == timeline {
      // Back where the search was begun.
      list = before
    } else {
      list = ListState()
      list.query = TimelineQuery(timeline, mergesDuplicates: true, olderCount: ListState.window)
      list.goal = .first
    }
    if case .search = timeline {} else { listBeforeSearch = nil }
    return [.cancel(.older), .observe(list.query)]
  }

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

  /// The open article has the marks that its row has.
  private mutating func takeStatus(from rows: [TimelineRow]) {
    guard let id = article?.id else { return }
    for case .article(let row) in rows where row.id == id {
      article?.row = row
      article?.page?.article.status = row.status
    }
  }

  /// Whether the first row of the timeline shows.
  var isAtTop: Bool { firstVisibleRow == 0 && list.snapshot?.slice.hasNewer == false }

  /// How many articles above the screen have arrived since the user saw the top, whether the window
  /// of rows reaches there or not.
  var newAbove: Int {
    guard let seen = list.seen else { return 0 }
    return waitingAbove.count { article in
      // The archive of a feed that is new here is not news, wherever it lies.
      !article.isFromNewFeed || seen.newest.map { article.position > $0 } ?? false
    }
  }

  /// What arrived above the screen since the user saw the top, archives of new feeds included.
  var waitingAbove: [Arrivals.Arrival] {
    guard let snapshot = list.snapshot, let unseen = unseenRegion else { return [] }
    return snapshot.arrivals.articles.filter {
      $0.position > unseen.above && $0.position.id > unseen.since
    }
  }

  /// Where the articles lie that the user has not looked at; nil while the top shows.
  var unseenRegion: UnseenRegion? {
    guard let snapshot = list.snapshot, let seen = list.seen, !isAtTop,
      snapshot.slice.rows.indices.contains(firstVisibleRow)
    else { return nil }
    return UnseenRegion(
      above: snapshot.slice.rows[firstVisibleRow].position, since: seen.lastID)
  }

  /// Takes note that the top shows; away from it, asks what has arrived since.
  mutating func followSeen() -> [Effect] {
    guard let snapshot = list.snapshot else { return [] }
    if isAtTop {
      list.seen = ListState.Seen(
        lastID: max(list.seen?.lastID ?? 0, snapshot.arrivals.lastID),
        newest: snapshot.slice.rows.first?.position)
      return []
    }
    // An answer that is under way comes first.
    guard let seen = list.seen, snapshot.arrivals.since != seen.lastID,
      snapshot.query == list.query, list.query.arrivedAfter != seen.lastID
    else { return [] }
    list.query.arrivedAfter = seen.lastID
    return [.observe(list.query)]
  }

  /// The row at the top of the pane. The selected row keeps its line, unless the list ends before.
  var firstVisibleRow: Int {
    guard let index = list.selectedIndex else { return 0 }
    return max(0, index - max(0, min(list.selection.line, listHeight - 1)))
  }

  // MARK: Moving

  /// Moves by some rows; the list scrolls when the selected row would leave the pane.
  mutating func moveInList(_ delta: Int) -> [Effect] {
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

  /// Keeps the line of the selected row within the pane, and the line below the last row in sight
  /// when the reader is there.
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

  /// Whether a line below the last row tells what comes after it.
  var hasEndLine: Bool {
    guard let snapshot = list.snapshot else { return false }
    return !snapshot.slice.hasOlder && snapshot.older != .none
  }

  // MARK: The window

  /// Rows on either side that are read ahead: several screens.
  private var windowSize: Int { max(ListState.window, 3 * listHeight) }

  /// Reads on in the store before the reader gets to the edge of what was read.
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

  /// Looks at the timeline around the selected row.
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

  /// Asks the source for what is older before the reader sees the end of what is cached.
  private mutating func prefetchOlder() -> [Effect] {
    guard let snapshot = list.snapshot, !snapshot.slice.hasOlder, snapshot.older == .more,
      snapshot.freshness.offlineSince == nil, !snapshot.freshness.savesData,
      !snapshot.query.hidesRead,
      let index = list.selectedIndex,
      snapshot.slice.rows.count - index <= max(listHeight, 15),
      let last = snapshot.slice.rows.last?.position, last != list.askedOlderThan
    else { return [] }
    // Once for each end; the reader can still ask with a key.
    list.askedOlderThan = last
    return [.loadOlder(snapshot.query.timeline)]
  }

  /// Tries again what could not be loaded at the end of the list.
  func retryOlder() -> [Effect] {
    guard let snapshot = list.snapshot, !snapshot.slice.hasOlder else { return [] }
    switch snapshot.older {
    case .failed, .more: return [.loadOlder(snapshot.query.timeline)]
    case .none, .loading, .end, .circular: return []
    }
  }

  // MARK: Marks

  /// Shows a mark at once; the store's word follows.
  mutating func mark(_ id: ArticleID, _ change: (inout ArticleStatus) -> Void) {
    guard var snapshot = list.snapshot else { return }
    for index in snapshot.slice.rows.indices {
      guard case .article(var row) = snapshot.slice.rows[index], row.id == id else { continue }
      change(&row.status)
      snapshot.slice.rows[index] = .article(row)
    }
    list.snapshot = snapshot
    if article?.id == id {
      if var row = article?.row {
        change(&row.status)
        article?.row = row
      }
      if var page = article?.page {
        change(&page.article.status)
        article?.page = page
      }
    }
  }

  /// Marks as read; the article stays in a list that hides what is read until the list is left.
  mutating func setRead(_ id: ArticleID, _ isRead: Bool) -> [Effect] {
    var effects: [Effect] = []
    if list.query.hidesRead, isRead, !list.query.keeping.contains(id) {
      list.query.keeping.insert(id)
      list.snapshot?.query = list.query
      effects.append(.observe(list.query))
    }
    return effects + [apply(.setRead([id], isRead))]
  }

  mutating func setStarred(_ id: ArticleID, _ isStarred: Bool) -> [Effect] {
    [apply(.setStarred([id], isStarred))]
  }

  /// A mark that the store could not write does not go on to show.
  mutating func takeBack(_ intent: Intent) {
    for (id, change) in intent.markChanges {
      let before = pendingMarks.revoke(change, of: id)
      mark(id) { $0.set(before) }
    }
  }

  /// Every change of marks goes through here: it shows at once, and is on its way to the store.
  mutating func apply(_ intent: Intent) -> Effect {
    pendingMarks.make(intent, over: shownStatus)
    for (id, change) in intent.markChanges { mark(id) { $0.set(change) } }
    return .apply(intent)
  }

  /// What shows of the marks of an article; nil where it shows nowhere.
  private func shownStatus(of id: ArticleID) -> ArticleStatus? {
    for case .article(let row) in list.rows where row.id == id { return row.status }
    guard let article, article.id == id else { return nil }
    return article.row?.status ?? article.page?.article.status
  }
}

extension Intent {
  /// What it changes of articles that it names.
  fileprivate var markChanges: [(ArticleID, MarkChange)] {
    switch self {
    case .setRead(let articles, let isRead): articles.map { ($0, .read(isRead)) }
    case .setStarred(let articles, let isStarred): articles.map { ($0, .starred(isStarred)) }
    case .markAllRead, .undo: []
    }
  }
}

extension OlderArticles {
  /// Whether an older page is on its way, or did not come.
  fileprivate var isAnAttempt: Bool {
    switch self {
    case .loading, .failed: true
    case .none, .more, .end, .circular: false
    }
  }
}
