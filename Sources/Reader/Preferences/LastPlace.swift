package import News

/// The list, the row and the panes of the reader when it was left.
package struct LastPlace: Hashable, Sendable {
  /// The list that is selected in the sidebar.
  var sidebar = Timeline.all
  /// The list on the screen, without its filters.
  var list = Timeline.all
  /// Filters over the list, the innermost first.
  var filters: [ArticleQuery] = []
  /// The selected row; nil for the top of the list.
  var row: Row?
  /// The highest article id of the store when the user last saw the top of the list.
  var seen: Int64?
  /// First articles of unfolded stories.
  var unfolded: Set<ArticleID> = []
  /// The article that was read; nil where another pane had the focus.
  var article: ArticleID?
  var focus = Pane.list
  var isZoomed = false

  struct Row: Hashable, Sendable {
    var position: TimelinePosition
    /// The order in which the position counts.
    var order: ListOrder
    /// Lines between the top of the pane and the row.
    var line: Int
  }

  /// The first row of All.
  package init() {}

  /// - Parameter focus: the pane that has it at the next start.
  init(of state: ReaderState, focus: Pane) {
    sidebar = state.sidebar.selected
    list = state.shownTimeline
    while list != sidebar, case .matching(let query, in: let inner) = list {
      filters.insert(query, at: 0)
      list = inner
    }
    if focus == .article { article = state.article?.id }
    self.focus = focus == .article ? .list : focus
    isZoomed = state.isZoomed
    unfolded = state.list.query.unfolded
    // A list that was left at its top opens at its top, with what has arrived since.
    guard let position = state.list.selectedPosition, article != nil || !state.list.isAtFirstRow
    else { return }
    row = Row(
      position: position, order: state.list.query.order, line: state.list.selection.line)
    seen = state.list.seen?.lastID
  }

  /// The list, from the row on that was selected.
  func listState(_ habits: ListHabits) -> ListState {
    let timeline = filters.reduce(list) { .matching($1, in: $0) }
    var habit = habits.shown(timeline)
    if !filters.isEmpty {
      let own = habits.shown(list)
      (habit.hidesRead, habit.isGrouped) = (own.hidesRead, own.isGrouped)
      if timeline.limit?.order == nil { habit.order = own.order }
    }
    var state = ListState(of: timeline, as: habit)
    state.isLimited = !filters.isEmpty
    state.query.unfolded = unfolded
    guard let row, row.order == state.query.order else { return state }
    state.selection.select(.article(row.position.article))
    state.selection.line = row.line
    state.selectedPosition = row.position
    state.query.anchor = .around(row.position)
    state.query.newerCount = ListState.window
    state.query.arrivedAfter = seen
    if state.query.hidesRead { state.query.keeping = [row.position.article] }
    return state
  }
}

// MARK: Lines of a file

extension LastPlace {
  /// More unfolded stories are not kept.
  private static let mostUnfolded = 100

  package var lines: [String] {
    var lines = [sidebar.key.map { "sidebar \($0)" }].compactMap(\.self)
    if case .search(let words) = list {
      lines.append("search \(words)")
    } else if let key = list.key {
      lines.append("list \(key)")
    }
    lines += filters.map { "filter \($0.text)" }
    if let row {
      let position = row.position
      lines.append(
        "row \(row.order.rawValue) \(row.line) \(position.date) \(position.id) \(position.text)")
    }
    if let seen { lines.append("seen \(seen)") }
    lines += unfolded.map(\.rawValue).sorted().suffix(Self.mostUnfolded).map { "unfolded \($0)" }
    if let article { lines.append("article \(article.rawValue)") }
    lines.append("focus \(focus.rawValue)")
    if isZoomed { lines.append("zoomed") }
    return lines.filter { !$0.contains("\n") }
  }

  /// - Parameter lines: as `lines` has them; others are passed over.
  package init(lines: [String]) {
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let rest = words.count > 1 ? String(words[1]) : ""
      switch words[0] {
      case "sidebar":
        sidebar = Timeline(key: rest) ?? .all
        list = sidebar
      case "list": list = Timeline(key: rest) ?? sidebar
      case "search": list = .search(rest)
      case "filter": if let query = try? ArticleQuery(rest) { filters.append(query) }
      case "row": row = Row(rest)
      case "seen": seen = Int64(rest)
      case "unfolded": if let id = Int64(rest) { unfolded.insert(ArticleID(id)) }
      case "article": article = Int64(rest).map { ArticleID($0) }
      case "focus": focus = Pane(rawValue: rest) ?? .list
      case "zoomed": isZoomed = true
      default: break
      }
    }
    if focus == .article { focus = .list }
  }
}

extension LastPlace.Row {
  fileprivate init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    guard words.count == 5, let order = ListOrder(rawValue: String(words[0])),
      let line = Int(words[1]), let date = Int64(words[2]), let id = Int64(words[3])
    else { return nil }
    position = TimelinePosition(date: date, id: id, text: String(words[4]))
    self.order = order
    self.line = max(0, line)
  }
}

// MARK: Leaving and returning

extension ReaderState {
  /// Keeps what was read and where, at the end of the reader.
  ///
  /// - Parameter pane: the pane that has the focus at the next start; nil for the present one.
  package mutating func leave(_ pane: Pane? = nil) -> [Effect] {
    leaveArticle() + [.preferences(.keepPlace(LastPlace(of: self, focus: pane ?? focus)))]
  }
}

extension LastPlace {
  /// Shows the list of an earlier process, before its first snapshot.
  package func restore(_ habits: ListHabits, in state: inout ReaderState) {
    state.habits = habits
    state.sidebar.hidesRead = habits.hidesReadFeeds
    state.sidebar.order = habits.feedOrder
    state.sidebar.selection.select(sidebar)
    let zone = state.list.zone
    state.list = listState(habits)
    state.list.zone = zone
    (state.focus, state.isZoomed) = (focus, isZoomed)
    state.fitPanes()
  }

  /// Opens the article of an earlier process, where it is in the first snapshot of the list.
  package func reopenArticle(in state: inout ReaderState) {
    guard let id = article, let row = state.list.row(of: id) else { return }
    state.focus = .article
    state.article = ArticleState(id: id, height: state.lines(of: .article), row: row)
    state.laidOutWidth = state.articleWidth
    state.fitPanes()
  }

  /// The query of the first screen.
  package func firstQuery(_ habits: ListHabits = ListHabits()) -> TimelineQuery {
    listState(habits).query
  }
}
