internal import News
internal import Screen

/// Navigation across the panes: the timeline that shows, the open article, and the next one.
extension ReaderState {
  var layout: PaneLayout { PaneLayout(size: size, focus: focus, sharing: sharing) }

  var sharing: PaneSharing {
    PaneSharing(
      dividers: dividers, isZoomed: isZoomed, previews: settings.previews,
      textWidth: settings.textWidth, namesWidth: sidebar.namesWidth)
  }

  /// The place of a pane, or the one that it will have with the focus.
  private func place(of pane: Pane) -> Rect? {
    layout[pane] ?? PaneLayout(size: size, focus: pane, sharing: sharing)[pane]
  }

  /// The lines of a pane below its heading, whether it shows or not.
  func lines(of pane: Pane) -> Int {
    max(1, place(of: pane).map { PaneLayout.content(of: $0).height } ?? 1)
  }

  /// The columns that an article is wrapped to: a margin of one on either side where there is room for it.
  var articleWidth: Int {
    let room = place(of: .article)?.width ?? size.width
    return max(1, min(settings.textWidth, room > 20 ? room - 2 : room))
  }

  /// Adjusts the panes to their places on the screen.
  mutating func fitPanes() {
    sidebar.height = lines(of: .sidebar)
    list.margin = settings.scrollMargin
    // A list that keeps its height keeps new articles above its rows out of sight.
    if list.height != lines(of: .list) {
      list.height = lines(of: .list)
      list.fit()
    }
    let lines = lines(of: .article)
    if article?.height != lines { self.article?.resize(to: lines) }
  }

  // MARK: Timelines

  /// Shows a timeline from its first article on.
  ///
  /// - Parameter isLimited: whether it is the list on the screen with a query over it.
  mutating func show(_ timeline: Timeline, isLimited: Bool = false) -> [Effect] {
    let shown = list
    var next = ListState(of: timeline, height: list.height, as: habits.shown(timeline))
    next.isLimited = isLimited
    next.zone = shown.zone
    if isLimited {
      next.isGrouped = shown.isGrouped
      next.query.unreadOnly = shown.query.unreadOnly
      if timeline.limit?.order == nil { next.query.order = shown.query.order }
    }
    // A search is no line of the sidebar: leaving it goes back to the line it was begun from.
    if !next.isPassing { sidebar.select(timeline, among: subscriptions) }
    guard shown.query.timeline != timeline || shown.snapshot == nil else { return [] }
    if next.isPassing, !shown.isPassing { listBeforeSearch = shown }
    if let before = listBeforeSearch, before.query.timeline == timeline {
      // Back where the search was begun.
      list = before
      list.height = shown.height
    } else {
      list = next
      list.goal = .first
    }
    list.pull = Pull()
    if !next.isPassing { listBeforeSearch = nil }
    return [.cancel(.list(.older)), .list(.observe(list.query))]
  }

  mutating func goToList(of timeline: Timeline) -> [Effect] {
    let effects = show(timeline)
    focus = .list
    return effects
  }

  /// Goes back from a search to where it was begun.
  mutating func leaveSearch() -> [Effect] { list.isPassing ? show(sidebar.selected) : [] }

  var shownTimeline: Timeline { list.query.timeline }

  var shownFeed: FeedID? { list.feed }

  // MARK: The open article

  mutating func open(_ row: ArticleRow) -> [Effect] { open(row.id, row: row) }

  /// Opens an article, and marks it as read.
  ///
  /// - Parameter row: as it is in the list, where it is there.
  mutating func open(_ id: ArticleID, row: ArticleRow? = nil) -> [Effect] {
    previewed = nil
    if skimming.deck?.opened != id { skimming.deck = nil }
    if article?.id == id, article?.isPreview == true, article?.error == nil {
      // It is marked as read with the focus.
      focus = .article
      return []
    }
    var effects = leaveArticle()
    if fullTextWanted?.article != id { effects += ArticleTexts.cancelFullText(in: &self) }
    focus = .article
    article = ArticleState(id: id, height: lines(of: .article), row: row)
    laidOutWidth = articleWidth
    if row?.status.isRead != true { effects += Marking.setRead(id, true, in: &self) }
    return effects + [.article(.open(id, width: articleWidth))]
  }

  /// Keeps how far the open article was read. One that was read to its end is finished, and opens at
  /// its top the next time.
  package mutating func leaveArticle() -> [Effect] {
    guard let article, let page = article.page, !article.isPreview else { return [] }
    let place = article.placeToKeep
    leftArticle = LeftArticle(id: article.id, place: place)
    return [.article(.keepPlace(article.id, place))]
      + (page.article.isChanged ? [.article(.clearChanged(article.id))] : [])
  }

  /// Keeps how far the open article was read by now, where that has changed: a machine that loses its power leaves
  /// nothing.
  mutating func keepPlace() -> [Effect] {
    guard let article, article.page != nil, !article.isPreview, article.error == nil
    else { return [] }
    let now = LeftArticle(id: article.id, place: article.placeToKeep)
    let former =
      leftArticle.flatMap { $0.id == now.id ? $0.place : nil }
      ?? article.page?.article.readingPosition
    guard now.place != former else { return [] }
    leftArticle = now
    return [.article(.keepPlace(now.id, now.place))]
  }

  /// The article a mark is about: the open one, or the selected one.
  var current: (ArticleID, ArticleStatus)? {
    if focus == .article, let article { return article.status.map { (article.id, $0) } }
    return list.selectedArticle.map { ($0.id, $0.status) }
  }
}
