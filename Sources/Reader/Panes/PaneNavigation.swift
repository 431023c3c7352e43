internal import News
internal import Screen

/// Navigation across the panes: the timeline that shows, the open article, and the next one.
extension ReaderState {
  var layout: PaneLayout { PaneLayout(size: size, focus: focus, sharing: sharing) }

  var sharing: PaneSharing {
    PaneSharing(
      dividers: dividers, isArticleAlone: isArticleAlone, previews: settings.previews,
      textWidth: settings.textWidth)
  }

  /// The place of a pane, or that which it will have with the focus.
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
    // What arrives above the rows of a list that has its height stays out of sight.
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

  /// Shows a timeline, and goes to its list.
  mutating func goToList(of timeline: Timeline) -> [Effect] {
    let effects = show(timeline)
    focus = .list
    return effects
  }

  /// Goes back from a search to where it was begun.
  mutating func leaveSearch() -> [Effect] { list.isPassing ? show(sidebar.selected) : [] }

  var shownTimeline: Timeline { list.query.timeline }

  /// The feed that is shown alone, if there is one.
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
    if fullTextWanted?.article != id { effects += cancelFullText() }
    focus = .article
    article = ArticleState(id: id, height: lines(of: .article), row: row)
    laidOutWidth = articleWidth
    if row?.status.isRead != true { effects += setRead(id, true) }
    return effects + [.article(.open(id, width: articleWidth))]
  }

  /// Keeps how far the open article was read. One that was read to its end is finished, and opens at
  /// its top the next time.
  ///
  /// - Returns: the effects that store it.
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

  /// Opens the link of the article whose number was typed.
  mutating func finishLinkNumber(_ text: String) -> [Effect] {
    if let screen = stack.topPage as? any LinkedScreen {
      let url = Int(text).flatMap { screen.link(numbered: $0, on: size) }
      return url.map { [.opening(.openLink($0))] }
        ?? notify("there is no link \(text) here", .error)
    }
    guard let article, article.linkCount > 0 else { return notify("this article has no links") }
    guard let number = Int(text), number > 0, number <= article.linkCount
    else { return notify("there is no link \(text)", .error) }
    return article.open(number)
  }

  /// The article a mark is about: the open one, or the selected one.
  var current: (ArticleID, ArticleStatus)? {
    if focus == .article, let article { return article.status.map { (article.id, $0) } }
    return list.selectedArticle.map { ($0.id, $0.status) }
  }

  mutating func openInBrowser() -> [Effect] {
    if focus == .article, let article {
      if let link = article.link { return follow(link) }
      if let page = article.page {
        guard page.article.entry.url != nil else { return notify("this article has no address") }
        return [.opening(.openArticleLink(article.id))]
      }
    }
    return list.selectedArticle.map { [.opening(.openArticleLink($0.id))] } ?? []
  }

  /// Opens it, and marks it as read, also from the list; not where the browser fails.
  mutating func openAndMarkRead() -> [Effect] {
    let opened = openInBrowser()
    guard let (id, status) = current, !status.isRead else { return opened }
    switch opened.first {
    case .opening(.openArticleLink): return [.opening(.openToRead(id, link: nil))]
    case .opening(.openLink(let url)): return [.opening(.openToRead(id, link: url))]
    default: return opened + setRead(id, true, isUndoable: true)
    }
  }

  // MARK: The next article

  /// Goes to the article after or before: opens it where one is open.
  mutating func goToArticle(_ delta: Int) -> [Effect] {
    guard article != nil, focus == .article else {
      let isAtEnd = list.isAtEnd(delta)
      let effects = list.move(by: delta)
      return isAtEnd ? effects + notifyEnd(delta) : effects
    }
    guard let selected = list.selectedIndex else { return [] }
    if delta > 0, isOpenArticleGone, !list.rows[selected].isGap { return openRow(at: selected) }
    guard let index = list.indexOfArticle(delta) else { return notifyEnd(delta) }
    return openRow(at: index)
  }

  /// Whether the open article has left the list, as one does that was removed: what came after it is selected then.
  private var isOpenArticleGone: Bool {
    guard let id = article?.id, list.selectedArticle?.id != id else { return false }
    return !list.rows.contains { $0.position.id == id.rawValue && !$0.isGap }
  }

  private mutating func notifyEnd(_ delta: Int) -> [Effect] {
    notify(delta > 0 ? "this is the last article" : "this is the first article")
  }

  /// Opens the next unread article below this one; where the list has none left, the next feed's.
  mutating func goToNextUnread() -> [Effect] {
    let includesSelected = focus != .article || isOpenArticleGone
    if let index = list.indexOfUnread(includesSelected: includesSelected) {
      return openRow(at: index)
    }
    nextFeedAsked = nil
    return [.list(.findNextUnread(shownTimeline, list.query.order, after: list.selectedPosition))]
  }

  /// The feed that is read after the one that shows, or after the folder; nil where another list shows.
  private var nextFeedAfterThis: Timeline? {
    switch shownTimeline {
    case .feed, .folder: sidebar.unreadFeed(1, in: subscriptions)
    default: nil
    }
  }

  mutating func openRow(at index: Int) -> [Effect] {
    guard case .article(let row) = list.rows[index] else { return [] }
    return list.move(by: index - (list.selectedIndex ?? index)) + open(row)
  }

  /// Opens the unread article that was found.
  ///
  /// - Parameter position: nil where there is none.
  mutating func goToUnread(_ position: TimelinePosition?, of timeline: Timeline) -> [Effect] {
    guard let position else { return notify("nothing is unread") }
    let asked = nextFeedAsked
    nextFeedAsked = nil
    // Its count may be of before: where it has none left either, the newest of all it is.
    if timeline == .unread, let next = nextFeedAfterThis, next != asked {
      nextFeedAsked = next
      return [.list(.findNextUnread(next, habits.shown(next).order ?? .newest, after: nil))]
    }
    guard timeline != shownTimeline else {
      return [list.seek(position)] + open(position.article)
    }
    let effects = show(timeline).filter { if case .list(.observe) = $0 { false } else { true } }
    // It was looked for among the newest, but for that of the next feed.
    let isInPlace = list.query.order == .newest || timeline != .unread
    return effects + [list.seek(position.article, at: isInPlace ? position : nil)]
      + open(position.article)
  }

  // MARK: Feeds

  mutating func askRefresh(_ timeline: Timeline) -> [Effect] {
    guard !subscriptions.feeds.isEmpty else {
      return notify("no feeds yet; \(key(.addFeed)) adds one")
    }
    list.endPull()
    if case .feed(let id) = timeline, let effects = findSought(id) { return effects }
    return [.cancel(.list(.older)), .refresh(.asked(timeline))]
  }

  /// Refreshes these feeds.
  mutating func askRefresh(feeds: [FeedID]) -> [Effect] {
    list.endPull()
    return [.cancel(.list(.older)), .refresh(.askedFeeds(feeds))]
  }

  /// Opens what is set for several feeds.
  mutating func openFeedForm(of ids: [FeedID]) -> [Effect] {
    stack.push(FeedForm(ids: ids))
    return []
  }

  /// Opens what is set for the feed that is picked in the sidebar.
  mutating func openFeedForm() -> [Effect] {
    guard case .feed(let id) = sidebar.selected, feed(id) != nil else {
      return notify("pick a feed in the sidebar first")
    }
    return openFeedForm(of: [id])
  }

  mutating func askToRemove() -> [Effect] {
    if let smart = smartFeed(of: sidebar.selected) {
      ask(
        .question(
          "Remove the smart feed \(smart.name)", [.subscriptions(.removeSmartFeed(smart.id))]))
      return []
    }
    if let folder = sidebar.selectedFolder { return askToRemove(folder) }
    guard case .feed(let id) = sidebar.selected, let feed = feed(id) else {
      return notify("pick a feed in the sidebar first")
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
    guard let feed else {
      ask(.signInAddress(LineEditor()))
      return []
    }
    return beginSignIn(at: feed.serverURL)
  }

  // MARK: The status line

  /// The key that shows why the list is not fresher, where a feed of it has failed.
  var paneHints: [KeyHint] { refusalHints + (list.freshness?.hints(width: size.width) ?? []) }

  /// The key that shows what the server of the account has refused whose articles show.
  private var refusalHints: [KeyHint] {
    guard case .folder(let folder) = shownTimeline, folder.isAccount,
      let account = subscriptions.accounts.first(where: { $0.id == folder.account }),
      account.refused > 0
    else { return [] }
    let text = account.refused == 1 ? "why 1 was refused" : "why \(account.refused) were refused"
    return [KeyHint(key(.outbox), size.width < 60 ? "why" : text, isKept: true)]
  }

  /// Why the list is not fresher.
  var paneTrouble: StatusTrouble? { list.freshness?.trouble(in: self) }
}
