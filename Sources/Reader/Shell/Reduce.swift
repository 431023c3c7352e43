internal import News
internal import Screen

extension ReaderState {
  /// Takes the state past something that happened, and says what is to be done about it.
  package mutating func reduce(_ action: Action) -> [Effect] {
    let effects = effects(of: action)
    guard !isClockMoving, countsDown else { return effects }
    isClockMoving = true
    return effects + [.moveClock]
  }

  private mutating func effects(of action: Action) -> [Effect] {
    switch action {
    case .started:
      // Nobody does what the first snapshots asked for, a moving clock included.
      isClockMoving = false
      let effects: [Effect] = [.observe(list.query)]
      return settings.refreshesByItself ? effects + [.refresh(.due)] : effects
    case .input(let event, let milliseconds):
      return reduce(event, at: milliseconds)
    case .resized(let size):
      return resize(to: size)
    case .ticked(let clock):
      return tick(clock)

    case .clockMoved(let clock):
      self.clock = clock
      isClockMoving = false
      settleHealth()
      return []
    case .sidebarArrived(let snapshot):
      return takeSidebar(snapshot)
    case .timelineArrived(let snapshot):
      return takeTimeline(snapshot)
    case .articleArrived(let page):
      return takeArticle(page)
    case .articleFailed(let id, let error):
      if article?.id == id { article?.error = error }
      return []
    case .nextUnreadFound(let timeline, let position):
      return goToUnread(position, in: timeline)

    case .storeFailed(let error), .refreshFailed(let error), .linkNotOpened(let error):
      return tell(error)
    case .storeHealed(let error):
      return tell(error.line, .error, atLeast: 60_000)
    case .refreshEnded(let failed, let inserted, let wasAsked):
      guard wasAsked else { return [] }
      if failed > 0 {
        return tell(
          "\(failed) \(failed == 1 ? "feed" : "feeds") failed\(health == nil ? "; H shows why" : "")",
          .error)
      }
      return tell(inserted == 0 ? "nothing new" : "\(inserted) new")
    case .olderFailed(let error):
      return tell(error)
    case .feedAdded(let feed, let isNew, let page, let address):
      searches.removeAll { $0.address == address }
      // The snapshot that knows it may still be on its way.
      if !sidebar.snapshot.feeds.contains(where: { $0.id == feed.id }) {
        sidebar.snapshot.feeds.append(feed)
        sidebar.snapshot.counts = sidebar.snapshot.counts + feed.counts
        sidebar.rebuildItems()
      }
      let effects = show(.feed(feed.id))
      focus = .list
      let told = isNew ? "added \(feed.displayTitle)" : "\(feed.displayTitle) is there already"
      guard let page else { return effects + tell(told) }
      let site = WebAddress.host(of: page) ?? page
      return effects + tell(told + "; nothing was at the address, but \(site) leads here")
    case .feedNotAdded(let address, let error): return takeNotAdded(address, error)
    case .feedsFound(let address, let links): return offer(links, of: address)
    case .signedIn(let address): return signedIn(at: address)
    case .notSignedIn(let address, let error):
      if error.wantsSignIn, prompt == nil { return askToSignIn(at: address) + tell(error) }
      if moveAfterSignIn?.address == address { moveAfterSignIn = nil }
      return tell(error)
    case .feedRemoved(let id, let title):
      // As above: no snapshot follows where none has ever had the feed.
      var snapshot = sidebar.snapshot
      snapshot.feeds.removeAll { $0.id == id }
      snapshot.counts = snapshot.feeds.reduce(ArticleCounts()) { $0 + $1.counts }
      return takeSidebar(snapshot) + tell("removed \(title)")
    case .feedMoved(let id, let address):
      return takeMoved(Move(feed: id, address: address))
    case .feedNotMoved(let id, let address, let error):
      return takeNotMoved(Move(feed: id, address: address), error)
    case .marksEnded(let articles):
      pendingMarks.end(articles, shownBy: list.query)
      return []
    case .notKept(let intent):
      takeBack(intent)
      return []
    case .markedAllRead(let count):
      return tell(count == 0 ? "nothing was unread" : "\(count) marked read; u takes it back")
    case .markingUndone(let count):
      return tell(count == 0 ? "nothing to take back" : "\(count) unread again")
    case .searchSettled(let words):
      return settleSearch(words)
    case .reminded(.notice(let serial)):
      if notice?.serial == serial { notice = nil }
      return []
    case .reminded(.pull(let since)):
      if pull.since == since { pull.since = nil }
      return []
    case .resumed:
      return []
    }
  }

  // MARK: Time and size

  /// Whether the screen shows seconds until something.
  private var countsDown: Bool {
    !sidebar.snapshot.waits.isEmpty
      || sidebar.snapshot.feeds.contains { feed in
        guard let next = feed.state.nextAttempt else { return false }
        return (0...WallClock.longestSeconds).contains(
          next.seconds - clock.now)
      }
  }

  private mutating func tick(_ clock: WallClock) -> [Effect] {
    self.clock = clock
    settleHealth()
    guard settings.refreshesByItself, sidebar.snapshot.activity == .idle else { return [] }
    return [.refresh(sidebar.snapshot.offlineSince == nil ? .due : .unreachable)]
  }

  private mutating func resize(to size: Size) -> [Effect] {
    let oldWidth = articleWidth
    self.size = size
    settleScreenRow()
    fillScreen()
    scrollArticle(0)
    scrollHelp(0)
    settleHealth()
    guard let article, articleWidth != oldWidth else { return [] }
    return [.open(article.id, width: articleWidth)]
  }

  // MARK: Notices

  /// - Parameter milliseconds: how long it stays at least, unless something else is told.
  mutating func tell(
    _ text: String, _ kind: Notice.Kind = .plain, atLeast milliseconds: Int64 = 0
  ) -> [Effect] {
    serial += 1
    notice = Notice(text: text, kind: kind, serial: serial)
    // A line more takes some two seconds more to read.
    let reading = Int64(max(0, min(text.utf8.count - 80, 400)) * 30)
    return [
      .remind(
        .notice(serial: serial),
        afterMilliseconds: max(milliseconds, (kind == .error ? 8_000 : 4_000) + reading))
    ]
  }

  mutating func tell(_ error: SourceError) -> [Effect] {
    guard error.kind != .cancelled else { return [] }
    return tell(error.line, .error)
  }

  // MARK: What the store says

  private mutating func takeSidebar(_ snapshot: SidebarSnapshot) -> [Effect] {
    sidebar.snapshot = snapshot
    sidebar.isLoaded = true
    let selected = sidebar.selected
    sidebar.rebuildItems()
    settleHealth()
    // The feed that was shown is gone: another list takes its place.
    guard sidebar.selected != selected, list.query.timeline == selected else { return [] }
    return show(sidebar.selected)
  }
}
