internal import News
internal import Screen

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
      let effects: [Effect] = [.list(.observe(list.query))] + notifyKeyMistakes()
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

    case .reminded(let reminder): return receive(reminder)
    case .resumed: return []
    case .failed(let error): return notify(error)
    case .storeHealed(let error): return notify(error.line, .error, atLeast: 60_000)

    case .list(let action): return receive(action)
    case .article(let action): return receive(action)
    case .deck, .statistics: return offer(action) ?? []
    case .marks(let action): return receive(action)
    case .subscriptions(let action): return receive(action)
    case .accounts(let action): return receive(action)
    case .outbox(let action): return receive(action)
    case .conversation(let action): return receive(action)
    case .transfers(let action): return receive(action)
    case .queue(let action): return receive(action)
    case .pictures(let action): return receive(action)
    case .programs(let action): return receive(action)
    case .opening(let action): return receive(action)
    case .preferences(let action): return receive(action)
    case .trip(let action): return receive(action)
    }
  }

  private mutating func receive(_ reminder: Reminder) -> [Effect] {
    switch reminder {
    case .notice(let serial): if notice?.serial == serial { notice = nil }
    case .pull(let since): if list.pull.since == since { list.pull.since = nil }
    case .looked(let id): return markLookedAt(id)
    case .program(let id): showSlow(id)
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
}
