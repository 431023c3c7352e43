internal import News
internal import Screen
internal import Text

extension ReaderState {
  /// Changes the state for an action.
  ///
  /// - Returns: the work that follows from it, in order.
  package mutating func reduce(_ action: Action) -> [Effect] {
    let former = focus
    var effects = effects(of: action)
    effects += recountReading(after: action)
    if focus == .sidebar, former != .sidebar, sidebar.order == .unread {
      sidebar.sortAnew(subscriptions)
    }
    effects += settlePanes() + settlePictures() + settleIcons()
    guard !isClockMoving, countsDown else { return effects }
    isClockMoving = true
    return effects + [.moveClock]
  }

  private mutating func effects(of action: Action) -> [Effect] {
    switch action {
    case .started:
      // Nobody does what the first snapshots asked for, a moving clock included.
      isClockMoving = false
      previewed = nil
      icons = FeedIconBoard()
      let effects: [Effect] = [.observe(list.query)] + tellOfKeys()
      return (settings.refreshesByItself ? effects + [.refresh(.due)] : effects)
        + react(settings.events.onStart)
    case .input(let event, let milliseconds):
      return reduce(event, at: milliseconds)
    case .resized(let size):
      return resize(to: size)
    case .ticked(let clock):
      return tick(clock)
    case .clockMoved(let clock):
      self.clock = clock
      isClockMoving = false
      settleScreens()
      return []

    case .sidebarArrived(let snapshot):
      var snapshot = snapshot
      snapshot.unread = subscriptions.unread
      return takeSubscriptions(snapshot)
    case .listsCounted(let counts):
      subscriptions.unread = counts
      sidebar.rebuildItems(from: subscriptions)
      return []
    case .timelineArrived(let snapshot):
      newsSeen = newsSeen ?? snapshot.arrivals.lastID
      lastArticle = max(lastArticle ?? 0, snapshot.arrivals.lastID)
      guard let effects = list.take(snapshot, with: &pendingMarks) else { return [] }
      article?.takeStatus(from: list.rows)
      return effects
    case .articleArrived(let page):
      return take(page) + (page.isBeginning ? [] : goOnToFullText(page))
    case .articleFailed(let id, let error):
      let preview = takePreview(id) { $0.error = error }
      if preview == nil, article?.id == id { article?.error = error }
      return preview ?? []
    case .pictureArrived(let wish, let picture):
      if let effects = offer(action) { return effects }
      return takePicture(.shown(picture), of: wish)
    case .pictureFailed(let wish, let reason):
      if let effects = offer(action) { return effects }
      return takePicture(.failed(reason), of: wish)
    case .iconArrived(let feed, let picture):
      icons.take(picture, of: feed)
      return []
    case .iconsOutdated(let canShow):
      icons = FeedIconBoard(canShow: canShow)
      return []
    case .fullTextArrived(let page): return takeFullText(page)
    case .fullTextFailed(let id, let error): return tellNoFullText(id, error)
    case .pageSaved(let url, let error):
      let name = WebAddress.withoutScheme(url)
      guard let error else { return tell("saved \(name)") }
      return tell("saved \(name), without its text: \(error.line)", .error)
    case .nextUnreadFound(let timeline, let position):
      return goToUnread(position, in: timeline)
    case .stepFound(let step, let timeline, let position):
      return take(step, to: position, in: timeline)

    case .storeFailed(let error), .refreshFailed(let error), .workFailed(let error),
      .olderFailed(let error):
      return tell(error)
    case .storeHealed(let error):
      return tell(error.line, .error, atLeast: 60_000)
    case .refreshEnded(
      let failed, let gone, let inserted, let wasAsked, let wasDue, let resting):
      return
        (wasAsked
        ? reportRefresh(failed: failed, gone: gone, inserted: inserted, resting: resting) : [])
        + (inserted > 0 ? findNew() : [])
        + (wasDue ? react(settings.events.onRefresh, count: inserted) : [])
    case .newFound(let found, let lastID): return takeNew(found, lastID: lastID)

    case .feedAdded(let feed, let isNew, let page, let address):
      // What it has brought is no news.
      return takeAdded(feed, isNew: isNew, foundAt: page, address: address) + findNew()
    case .feedNotAdded(let address, let error):
      return takeNotAdded(address, error)
    case .feedsFound(let address, let links):
      return offer(links, of: address)
    case .serverReached(let address): return takeReached(address)
    case .serverNotReached(let address, let error): return takeNotReached(address, error)
    case .signedIn(let address):
      return signedIn(at: address)
    case .notSignedIn(let address, let error):
      return takeNotSignedIn(address, error)
    case .feedRemoved(let id, let title):
      return receiveRemoval(of: [id], saying: "removed \(title)")
    case .feedsMerged(let id, let other):
      let titles = [id, other].map { feed($0)?.displayTitle ?? "the feed" }
      return receiveRemoval(of: [id], saying: "merged \(titles[0]) into \(titles[1])")
    case .feedRenamed(let id, let title):
      return change(id) { $0.title = title } + tell("called \(title)")
    case .folderAdded(let folder): return takeAdded(folder)
    case .folderMoved(let folder, let path, let count):
      return takeMoved(folder, to: path, feeds: count)
    case .feedSet(let id, let settings): return change(id) { $0.settings = settings }
    case .feedFiled(let id, let folders):
      return change(id) { $0.folders = folders }
        + tell(folders.isEmpty ? "in no folder" : "in \(folders.joined(separator: "; "))")
    case .feedsRemoved(let ids, let count): return takeRemoved(ids, count: count)
    case .feedsFiled(let feeds): return takeFiled(feeds)
    case .feedsSet(let feeds): return takeSet(feeds)
    case .feedTransferred(let id, let feed):
      return takeTransferred(id, feed)
    case .changeWaits(let change):
      return tell(change)
    case .feedMoved(let id, let address):
      return takeMoved(Move(feed: id, address: address))
    case .feedNotMoved(let id, let address, let error):
      return takeNotMoved(Move(feed: id, address: address), error)

    case .marksEnded(let articles):
      pendingMarks.end(articles, shownBy: list.query)
      return []
    case .tagged(let articles): return readAgain(articles)
    case .savedForLater: return tell("goes to the service for reading later with the next refresh")
    case .notKept(let intent):
      takeBack(intent)
      return []
    case .markedAllRead(let count):
      return tell(
        count == 0
          ? "nothing was unread"
          : "\(count) article\(count == 1 ? "" : "s") marked read; \(key(.undo)) takes it back")
    case .turned(let entry, let isUndone):
      return (offer(action) ?? []) + tellTurned(entry, isUndone: isUndone)
    case .deleted(let articles, let gone): return tellDeleted(articles, gone: gone)

    case .reminded(.notice(let serial)):
      if notice?.serial == serial { notice = nil }
      return []
    case .reminded(.pull(let since)):
      if list.pull.since == since { list.pull.since = nil }
      return []
    case .reminded(.looked(let id)): return takeLooked(id)
    case .reminded(.program(let id)):
      showSlow(id)
      return []
    case .programPrinted(let id, let text): return takeOutput(text, of: id)
    case .programEnded(let id, let end): return (offer(action) ?? []) + takeEnd(end, of: id)
    case .linksOpened(let count): return tell("\(count) links opened")
    case .fileOpened(let name): return tell("opened \(name)")
    case .openedToRead(let id): return setRead(id, true, isUndoable: true)
    case .linkOpened(let url): return tell("opened \(url)")
    case .copied(let url, let way): return tell(way.sentence(url))
    case .speechEnded(let id, let error): return takeEndOfSpeech(id, error)
    case .articleSaved(let path): return tell("saved to \(path)")
    case .commandsRemembered(let lines):
      commandHistory.prepend(lines)
      return []
    case .searchesRemembered(let lines):
      searchHistory.renew(lines)
      return []
    case .outboxSent(let waiting):
      return tell(waiting == 0 ? "all of it is sent" : "still waiting to be sent: \(waiting)")
    case .changeDropped(let wasWaiting):
      return tell(wasWaiting ? "dropped; no server is told" : "it had been sent already")
    case .conflictsArrived(let changes):
      return takeConflicts(changes)
    case .conflictResolved(let answer, let wasOpen):
      return tellOfDecision(answer, wasOpen: wasOpen)
    case .transfersArrived(let snapshot):
      return takeTransfers(snapshot)
    case .filesFound(let article, let title, let files, let use):
      return offer(files, of: article, title: title, for: use)
    case .downloadAsked(let transfer):
      return tellOfDownload(transfer)
    case .downloadFailed(let error):
      return tell(error)
    case .downloadsEnded(let ended):
      return tellOfEnded(ended)
    case .queueChanged(let isAdded, let count):
      let number = count == 1 ? "1 waits" : "\(count) wait"
      return tell(
        "\(isAdded ? "put into" : "taken out of") the queue; \(number) there, \(key(.queue)) shows it"
      )
    case .packedFound(let packed):
      self.packed = packed
      return []
    case .packingGoes(let report): return takePacking(report)
    case .packingEnded(let report): return takePackingEnd(report)
    case .packingFailed(let error): return failPacking(error)
    case .verbWanted(let words): return run(verb: words)
    case .conversationArrived(let conversation):
      return offer(action) ?? open(conversation)
    case .commentWritten(let draft, let fate):
      // The head of the article counts the comments.
      let counted = fate == .sent ? readAgain([draft.article]) : []
      return (offer(action) ?? []) + counted + tell(fate)
    case .searchSettled, .outboxArrived, .queueArrived, .deckArrived, .cardDealt, .cardGone,
      .hiddenFound,
      .conversationFetched, .readingCounted, .readingNotCounted:
      return offer(action) ?? []
    case .resumed:
      return []
    }
  }

  mutating func take(_ page: ArticlePage) -> [Effect] {
    let left = leftArticle
    let preview = takePreview(page.article.id) { $0.take(page, left: left) }
    if let preview { return preview }
    article?.take(page, left: left)
    // A program has taken so long that the pane has another width by now.
    guard let article, !page.isBeginning, article.page == page, page.width != articleWidth
    else { return [] }
    return [article.layOut(width: articleWidth)]
  }

  // MARK: Time and size

  /// Whether the screen shows a countdown in seconds.
  private var countsDown: Bool {
    !subscriptions.waits.isEmpty
      || subscriptions.feeds.contains { feed in
        guard let next = feed.state.nextAttempt else { return false }
        return (0...WallClock.longestSeconds).contains(next.seconds - clock.now)
      }
  }

  private mutating func tick(_ clock: WallClock) -> [Effect] {
    self.clock = clock
    settleScreens()
    // What another decision was in the way of.
    let asked = keepPlace() + askAboutNextConflict()
    guard settings.refreshesByItself, subscriptions.activity == .idle else { return asked }
    return asked + [.refresh(subscriptions.offlineSince == nil ? .due : .unreachable)]
  }

  private mutating func resize(to size: Size) -> [Effect] {
    self.size = size
    dragged = nil
    fitPanes()
    settleScreens()
    return offer(.resized(size)) ?? []
  }

  // MARK: Subscriptions

  mutating func takeSubscriptions(_ snapshot: SidebarSnapshot) -> [Effect] {
    // What the first screen was drawn of comes once more when it is observed from then on. Which rows are left out does
    // not depend on subscriptions alone.
    if isLoaded, !sidebar.hidesRead, snapshot == subscriptions { return [] }
    let shown = smartFeed(of: sidebar.selected)
    // By what is unread they are sorted when they are there first, and when a refresh is over.
    let isNews = !isLoaded || (isRefreshing && snapshot.activity == .idle)
    subscriptions = snapshot
    isLoaded = true
    if !sidebar.picked.isEmpty {
      let known = Set(snapshot.feeds.map(\.id))
      sidebar.picked.keep(known.contains)
    }
    // A smart feed that was given another query elsewhere stays the one that is shown.
    var changed: Timeline?
    if let shown, let now = snapshot.smartFeeds.first(where: { $0.id == shown.id }),
      let timeline = now.timeline, timeline != shown.timeline
    {
      changed = list.query.timeline == shown.timeline ? timeline : nil
      sidebar.selection.select(timeline)
    }
    let selected = sidebar.selected
    if isNews, sidebar.order == .unread {
      sidebar.sortAnew(snapshot)
    } else {
      sidebar.rebuildItems(from: snapshot)
    }
    settleScreens()
    if let changed { return show(changed) }
    // The feed that was shown is gone: another list takes its place.
    guard sidebar.selected != selected, list.query.timeline == selected else { return [] }
    return show(sidebar.selected)
  }

  private mutating func reportRefresh(
    failed: Int, gone: Int, inserted: Int, resting: String?
  ) -> [Effect] {
    guard failed + gone > 0 else {
      let news = inserted == 0 ? "nothing new" : "\(inserted) new"
      return tell([news, resting].compactMap(\.self).joined(separator: "; "))
    }
    func feeds(_ count: Int) -> String { count == 1 ? "1 feed" : "\(count) feeds" }
    let counts = [
      failed > 0 ? "\(feeds(failed)) failed" : nil,
      gone > 0
        ? "\(failed > 0 ? "\(gone)" : feeds(gone)) \(gone == 1 ? "is" : "are") gone" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    let hint = stack.contains(HealthState.self) ? "" : "; \(key(.health)) shows why"
    return tell(counts + hint, .error)
  }
}
