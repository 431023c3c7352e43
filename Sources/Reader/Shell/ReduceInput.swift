internal import News
internal import Screen

/// Keys, the mouse and pastes.
extension ReaderState {
  mutating func reduce(_ event: InputEvent, at milliseconds: Int64) -> [Effect] {
    // Nothing that the user did.
    if case .background(let background) = event {
      if let adaptiveColors {
        theme = Theme.matching(colors: adaptiveColors, background: background)
      }
      return []
    }
    isWaiting = false
    switch event {
    case .background: return []
    case .key(let key):
      if prompt != nil { return type(key) }
      // An error has been seen by whoever goes on; what comes next may have one of its own.
      if notice?.kind == .error { notice = nil }
      if helpOffset != nil { return readHelp(key) }
      if choice != nil { return choose(key, at: milliseconds) }
      if key == .escape, let effects = cancelSearch() { return effects }
      if let number = digit(key), context == .article { return beginLinkNumber(number) }
      guard let command = KeyMap.command(for: key, in: context) else { return tellUnknown(key) }
      if health != nil, let effects = performInHealth(command) { return effects }
      return perform(command, at: milliseconds)
    case .mouse(let mouse):
      return prompt == nil ? reduce(mouse, at: milliseconds) : []
    case .paste(let text):
      return paste(text)
    }
  }

  var context: KeyContext {
    if health != nil { return .health }
    return switch focus {
    case .sidebar: .sidebar
    case .list: .list
    case .article: .article
    }
  }

  /// Nothing happens without a word: a key may be meant for another pane, or for another reader.
  mutating func tellUnknown(_ key: KeyEvent) -> [Effect] {
    tell("\(KeyMap.name(of: key)) does nothing here; ? shows the keys")
  }

  private func digit(_ key: KeyEvent) -> Character? {
    if case .character(let character) = key, ("1"..."9").contains(character) { return character }
    return nil
  }

  // MARK: Commands

  mutating func perform(_ command: Command, at milliseconds: Int64) -> [Effect] {
    switch command {
    case .down, .up, .pageDown, .pageUp, .halfDown, .halfUp, .first, .last:
      return command.motion.map { move($0, at: milliseconds) } ?? []
    case .open: return open()
    case .back: return focus == .sidebar ? [] : goBack()
    case .leave: return goBack()
    case .nextPane: return changePane(1)
    case .previousPane: return changePane(-1)

    case .fold:
      if case .folder(let path) = sidebar.selected {
        setFolder(path, isOpen: sidebar.closedFolders.contains(path))
      }
      return []
    case .refresh: return askRefresh(list.query.timeline)
    case .refreshAll: return askRefresh(.all)
    case .addFeed:
      prompt = .addFeed(LineEditor(selected: lastAddress ?? ""))
      lastAddress = nil
      return []
    case .removeFeed: return askToRemove()
    case .signIn: return askToSignIn()
    case .search:
      prompt = .search(LineEditor())
      return []

    case .nextUnread: return goToNextUnread()
    case .nextArticle: return moveToArticle(1)
    case .previousArticle: return moveToArticle(-1)
    case .toggleRead:
      guard let (id, status) = current else { return tell("no article is selected") }
      return setRead(id, !status.isRead)
    case .toggleStar:
      guard let (id, status) = current else { return tell("no article is selected") }
      return setStarred(id, !status.isStarred)
    case .markAllRead: return askToMarkAllRead()
    case .undo: return [apply(.undo)]
    case .toggleUnreadOnly: return toggleUnreadOnly()
    case .openInBrowser: return openInBrowser()
    case .nextLink: return pickLink(1)
    case .previousLink: return pickLink(-1)
    case .linkNumber: return []

    case .health: return openHealth()
    // What belongs to that view is done there.
    case .tryFeed, .tryFailing, .moveFeed, .editAddress, .showFeed, .detailsDown, .detailsUp:
      return []
    case .help:
      helpOffset = 0
      return []
    case .redraw: return []
    case .suspend: return [.suspend]
    case .quit: return leaveArticle() + [.quit]
    }
  }

  private mutating func move(_ motion: Motion, at milliseconds: Int64) -> [Effect] {
    switch focus {
    case .sidebar: return moveInSidebar(motion)
    case .list: return moveInList(motion, at: milliseconds)
    case .article:
      // A page past the end of an article goes on to the next: a whole feed is read with one key.
      if motion == .pageDown, isAtEndOfArticle { return goToNextUnread() }
      scrollArticle(motion.delta(height: articleHeight))
      return []
    }
  }

  private mutating func moveInList(_ motion: Motion, at milliseconds: Int64) -> [Effect] {
    switch motion {
    case .up where list.selectedIndex.map({ $0 == 0 && isAtTop }) ?? true:
      return pullPastTop(at: milliseconds)
    case .down where list.selectedIndex == list.rows.count - 1:
      pull.since = nil
      return retryOlder()
    case .up, .down:
      pull.since = nil
      return moveInList(motion.delta(height: listHeight))
    case .pageDown, .pageUp, .halfDown, .halfUp:
      return pageInList(motion.delta(height: listHeight))
    case .first: return goToEnd(.first)
    case .last: return goToEnd(.last)
    }
  }

  private mutating func moveInSidebar(_ motion: Motion) -> [Effect] {
    let items = sidebar.items
    guard !items.isEmpty else { return [] }
    let delta = motion.delta(height: sidebarHeight)
    let index = max(0, min(items.count - 1, sidebar.selectedIndex + delta))
    let effects = show(items[index].timeline)
    sidebar.selection.selectInPlace(index, in: sidebar.items)
    sidebar.selection.settle(in: sidebar.items, height: sidebarHeight)
    return effects
  }

  private mutating func open() -> [Effect] {
    switch focus {
    case .sidebar:
      let effects = show(sidebar.selected)
      focus = .list
      return effects
    case .list:
      return openSelected()
    case .article:
      return article?.link.map(openLink) ?? []
    }
  }

  private mutating func goBack() -> [Effect] {
    notice = nil
    switch focus {
    case .article:
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
    case .list:
      if case .search = list.query.timeline { return show(sidebar.selected) }
      focus = .sidebar
      return []
    case .sidebar:
      return leaveArticle() + [.quit]
    }
  }

  private mutating func changePane(_ delta: Int) -> [Effect] {
    let panes: [Pane] = article == nil ? [.sidebar, .list] : [.sidebar, .list, .article]
    let index = panes.firstIndex(of: focus) ?? 0
    focus = panes[(index + delta + panes.count) % panes.count]
    return []
  }

  /// The article a mark is about: the open one, or the selected one.
  private var current: (ArticleID, ArticleStatus)? {
    if focus == .article, let article {
      return (article.page?.article.status ?? article.row?.status).map { (article.id, $0) }
    }
    return list.selectedArticle.map { ($0.id, $0.status) }
  }

  private mutating func openInBrowser() -> [Effect] {
    if focus == .article, let link = article?.link { return openLink(link) }
    if focus == .article, let page = article?.page {
      guard let url = page.article.entry.url else { return tell("this article has no address") }
      return [.openLink(url)]
    }
    guard let row = list.selectedArticle else { return [] }
    return [.openArticleLink(row.id)]
  }

  // MARK: Refreshing

  var isRefreshing: Bool { sidebar.snapshot.activity != .idle }

  private mutating func askRefresh(_ timeline: Timeline) -> [Effect] {
    guard !sidebar.snapshot.feeds.isEmpty else { return tell("no feeds yet; a adds one") }
    pull.since = nil
    return [.cancel(.older), .refresh(.asked(timeline))]
  }

  /// The first pull shows what a second one will do; the second counts when it is one of its own,
  /// not the repeat of a held key or of one flick of the wheel.
  mutating func pullPastTop(at milliseconds: Int64) -> [Effect] {
    // A refresh that is under way is what a pull would ask for.
    guard !sidebar.snapshot.feeds.isEmpty, !isRefreshing else { return [] }
    defer { pull.last = milliseconds }
    guard let since = pull.since, milliseconds - since <= Pull.patience else {
      pull.since = milliseconds
      return [
        .remind(.pull(since: milliseconds), afterMilliseconds: Pull.patience)
      ]
    }
    guard milliseconds - pull.last >= Pull.pause else { return [] }
    return askRefresh(list.query.timeline)
  }

  // MARK: Questions

  private mutating func askToRemove() -> [Effect] {
    guard case .feed(let id) = sidebar.selected,
      let feed = sidebar.snapshot.feeds.first(where: { $0.id == id })
    else { return tell("pick a feed in the sidebar first") }
    prompt = .removeFeed(id, title: feed.displayTitle)
    return []
  }

  private mutating func askToMarkAllRead() -> [Effect] {
    let waiting = unreadAbove
    guard let unread = list.snapshot?.counts.unread, unread > waiting else {
      return tell("nothing is unread here")
    }
    // One feed can be taken back with a key; everything is asked about first.
    // What arrives while the reader decides stays unread, and so does what waits above the screen.
    let hasNewer = list.snapshot?.slice.hasNewer == true
    let newest = hasNewer ? nil : list.rows.first?.position
    let unseen = hasNewer || waiting > 0 ? unseenRegion : nil
    if case .feed = list.query.timeline {
      return markAllRead(list.query.timeline, notNewerThan: newest, except: unseen)
    }
    prompt = .markAllRead(
      list.query.timeline, count: unread - waiting, notNewerThan: newest, except: unseen)
    return []
  }

  /// How many of the articles that wait above the screen are unread, as far as the rows tell.
  private var unreadAbove: Int {
    let read = Set(
      list.rows.prefix(firstVisibleRow).compactMap { row -> Int64? in
        guard case .article(let article) = row, article.status.isRead else { return nil }
        return article.id.rawValue
      })
    return waitingAbove.count { !read.contains($0.position.id) }
  }

  mutating func markAllRead(
    _ timeline: Timeline, notNewerThan newest: TimelinePosition?, except unseen: UnseenRegion?
  ) -> [Effect] {
    if var snapshot = list.snapshot {
      for case .article(let row) in snapshot.slice.rows where list.query.hidesRead {
        list.query.keeping.insert(row.id)
      }
      snapshot.query = list.query
      list.snapshot = snapshot
    }
    let effects: [Effect] = list.query.hidesRead ? [.observe(list.query)] : []
    return effects + [apply(.markAllRead(timeline, notNewerThan: newest, except: unseen))]
  }

  // MARK: Help

  private mutating func readHelp(_ key: KeyEvent) -> [Effect] {
    let command = KeyMap.command(for: key, in: .list)
    if let motion = command?.motion {
      scrollHelp(motion.delta(height: size.height - 1))
      return []
    }
    switch command {
    case .quit:
      return leaveArticle() + [.quit]
    case .suspend:
      return [.suspend]
    default: helpOffset = nil
    }
    return []
  }
}
