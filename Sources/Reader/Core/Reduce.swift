internal import News
internal import Screen

extension ReaderState {
  /// Changes the state for an action.
  package mutating func reduce(_ action: Action) -> [Effect] {
    let former = focus
    var effects = effects(of: action)
    effects += recountReading(after: action)
    if focus == .sidebar, former != .sidebar, sidebar.order == .unread {
      sidebar.sortAnew(subscriptions)
    }
    effects +=
      Previewing.settlePanes(in: &self) + ArticlePictures.settlePictures(in: &self)
      + FeedIconBoard.settleIcons(in: &self)
    askedRefreshes.note(effects)
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
      let opened = article.map { [$0.layOut(width: articleWidth)] } ?? []
      let effects: [Effect] = [.list(.observe(list.query))] + opened + notifyKeyMistakes()
      return (settings.preferences.refreshesByItself ? effects + [.refresh(.due)] : effects)
        + ProgramRuns.react(settings.events.onStart, in: &self)
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

    case .reminded(let reminder): return receive(reminder)
    case .resumed: return []
    case .failed(let error): return notify(error)
    case .storeHealed(let error): return notify(error.line, .error, atLeast: 60_000)

    case .list(let action): return action.reduce(&self)
    case .article(let action): return action.reduce(&self)
    case .deck, .statistics: return offer(action) ?? []
    case .marks(let action): return action.reduce(&self)
    case .subscriptions(let action): return action.reduce(&self)
    case .accounts(let action): return action.reduce(&self)
    case .outbox(let action): return action.reduce(&self)
    case .conversation(let action): return action.reduce(&self)
    case .transfers(let action): return action.reduce(&self)
    case .queue(let action): return action.reduce(&self)
    case .pictures(let action): return action.reduce(&self)
    case .programs(let action): return action.reduce(&self)
    case .opening(let action): return action.reduce(&self)
    case .preferences(let action): return action.reduce(&self)
    case .settings(let action): return action.reduce(&self)
    case .trip(let action): return action.reduce(&self)
    }
  }

  private mutating func receive(_ reminder: Reminder) -> [Effect] {
    switch reminder {
    case .notice(let serial): if notice?.serial == serial { notice = nil }
    case .pull(let since): if list.pull.since == since { list.pull.since = nil }
    case .looked(let id): return Previewing.markLookedAt(id, in: &self)
    case .program(let id): ProgramRuns.showSlow(id, in: &self)
    }
    return []
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
    // Questions that waited for another decision.
    let asked = keepPlace() + askAboutNextConflict()
    guard settings.preferences.refreshesByItself, subscriptions.activity == .idle,
      !subscriptions.isOfflineByChoice, clock.now >= askedRefreshes.restsUntil
    else { return asked }
    return asked + [.refresh(subscriptions.offlineSince == nil ? .due : .unreachable)]
  }

  private mutating func resize(to size: Size) -> [Effect] {
    self.size = size
    dragged = nil
    fitPanes()
    settleScreens()
    return offer(.resized(size)) ?? []
  }
}
