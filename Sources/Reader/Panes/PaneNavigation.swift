internal import News
internal import Screen

/// Navigation across the panes: the timeline that shows, the open article, and the next one.
extension ReaderState {
  // MARK: Timelines

  /// Shows a timeline from its newest article on.
  mutating func show(_ timeline: Timeline) -> [Effect] {
    // A search is no line of the sidebar: leaving it goes back to the line it was begun from.
    if case .search = timeline {} else { sidebar.select(timeline, among: subscriptions) }
    guard list.query.timeline != timeline || list.snapshot == nil else { return [] }
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
    list.pull = Pull()
    if case .search = timeline {} else { listBeforeSearch = nil }
    return [.cancel(.older), .observe(list.query)]
  }

  /// Shows a timeline, and goes to its list.
  mutating func goToList(of timeline: Timeline) -> [Effect] {
    let effects = show(timeline)
    focus = .list
    return effects
  }

  /// Goes back from a search to where it was begun.
  mutating func leaveSearch() -> [Effect] {
    guard case .search = list.query.timeline else { return [] }
    return show(sidebar.selected)
  }

  var shownTimeline: Timeline { list.query.timeline }

  /// The feed that is shown alone, if there is one.
  var shownFeed: FeedID? { if case .feed(let id) = list.query.timeline { id } else { nil } }

  // MARK: Going back

  mutating func leaveList() -> [Effect] {
    notice = nil
    if case .search = list.query.timeline { return leaveSearch() }
    focus = .sidebar
    return []
  }

  mutating func leaveArticlePane() -> [Effect] {
    notice = nil
    if article?.link != nil {
      article?.link = nil
      return []
    }
    let effects = leaveArticle()
    focus = .list
    // Beside the list the article stays; on a narrow screen it is gone from sight.
    guard layout.article == nil else { return effects }
    article = nil
    return effects + [.cancel(.article)]
  }

  // MARK: Articles

  /// The article a mark is about: the open one, or the selected one.
  var current: (ArticleID, ArticleStatus)? {
    if focus == .article, let article { return article.status.map { (article.id, $0) } }
    return list.selectedArticle.map { ($0.id, $0.status) }
  }

  mutating func openInBrowser() -> [Effect] {
    if focus == .article, let link = article?.link { return openLink(link) }
    if focus == .article, let page = article?.page {
      guard let url = page.article.entry.url else { return tell("this article has no address") }
      return [.openLink(url)]
    }
    guard let row = list.selectedArticle else { return [] }
    return [.openArticleLink(row.id)]
  }

  /// Goes to the article after or before: opens it where one is open.
  mutating func goToArticle(_ delta: Int) -> [Effect] {
    let rows = list.rows
    guard article != nil, focus == .article else {
      let isEnd = delta > 0 ? list.selectedIndex == rows.count - 1 : list.selectedIndex == 0
      let hasMore = delta > 0 ? list.snapshot?.slice.hasOlder : list.snapshot?.slice.hasNewer
      let effects = moveInList(by: delta)
      guard isEnd, hasMore == false, !rows.isEmpty else { return effects }
      return effects + tellOfEnd(delta)
    }
    guard var index = list.selectedIndex else { return [] }
    repeat { index += delta } while rows.indices.contains(index) && rows[index].isGap
    guard rows.indices.contains(index), case .article(let row) = rows[index] else {
      return tellOfEnd(delta)
    }
    let old = list.selectedIndex ?? index
    return moveInList(by: index - old) + open(row)
  }

  private mutating func tellOfEnd(_ delta: Int) -> [Effect] {
    tell(delta > 0 ? "this is the last article" : "this is the first article")
  }

  /// Opens the next unread article below this one; where the list has none left, the next feed's.
  mutating func goToNextUnread() -> [Effect] {
    let rows = list.rows
    let isOnUnread = list.selectedArticle?.status.isRead == false
    let start = list.selectedIndex.map { isOnUnread && focus != .article ? $0 : $0 + 1 } ?? 0
    if start <= rows.count,
      let index = rows[start...].firstIndex(where: \.isUnread), case .article(let row) = rows[index]
    {
      let old = list.selectedIndex ?? index
      return moveInList(by: index - old) + open(row)
    }
    return [.findNextUnread(list.query.timeline, after: list.selectedPosition)]
  }

  /// Opens the unread article that was found.
  ///
  /// - Parameter position: nil where there is none.
  mutating func goToUnread(_ position: TimelinePosition?, in timeline: Timeline) -> [Effect] {
    guard let position else { return tell("nothing is unread") }
    var effects: [Effect] = []
    if timeline != list.query.timeline {
      effects = show(timeline).filter { if case .observe = $0 { false } else { true } }
    }
    effects.append(seekInList(position))
    return effects + open(ArticleID(position.id))
  }

  // MARK: Feeds

  mutating func askRefresh(_ timeline: Timeline) -> [Effect] {
    guard !subscriptions.feeds.isEmpty else { return tell("no feeds yet; a adds one") }
    endPull()
    return [.cancel(.older), .refresh(.asked(timeline))]
  }

  mutating func askToRemove() -> [Effect] {
    guard case .feed(let id) = sidebar.selected, let feed = feed(id) else {
      return tell("pick a feed in the sidebar first")
    }
    return askToRemove(feed)
  }

  /// The feed that is picked, where its server wants a sign-in; else any that does.
  mutating func askToSignIn() -> [Effect] {
    var picked = shownFeed
    if focus == .sidebar, case .feed(let id) = sidebar.selected { picked = id }
    let feeds = subscriptions.feeds
    let feed =
      feeds.first { $0.id == picked } ?? feeds.first { $0.state.error?.wantsSignIn == true }
    guard let feed else { return tell("no server here wants a sign-in") }
    return askToSignIn(at: feed.serverURL)
  }
}
