internal import News
internal import Screen

/// The view of the feeds' health: moving in it, and what can be done about a feed.
extension ReaderState {
  mutating func openHealth() -> [Effect] {
    let rows = healthRows
    guard !rows.isEmpty else { return tell("no feeds yet; a adds one") }
    pull.since = nil
    health = HealthState(selection: ScrollingSelection(rows[0].id))
    // Whoever asks from a feed that has something wants to know about that one.
    if case .feed(let id) = list.query.timeline,
      let index = rows.firstIndex(where: { $0.id == id }), rows[index].condition != .well
    {
      selectHealthRow(index, line: index)
    }
    return []
  }

  /// - Returns: nil for a command that means the same everywhere.
  mutating func performInHealth(_ command: Command) -> [Effect]? {
    if let motion = command.motion {
      return moveInHealth(motion.delta(height: healthLayout(healthRows).rows.height))
    }
    switch command {
    case .detailsDown: return scrollHealthDetails(1)
    case .detailsUp: return scrollHealthDetails(-1)
    case .health, .back, .leave:
      notice = nil
      health = nil
      return []
    case .tryFeed:
      return onSelectedFeed { _, row in [.refresh(.asked(.feed(row.id)))] }
    case .tryFailing:
      let failing = healthRows.filter { $0.error != nil && $0.condition != .gone }.map(\.id)
      guard !failing.isEmpty else { return tell("no feed is failing") }
      return [.refresh(.askedFeeds(failing))]
    case .moveFeed: return onSelectedFeed { $0.askToMove($1) }
    case .editAddress:
      return onSelectedFeed { state, row in
        let address =
          state.health?.typed[row.id] ?? row.error?.feedURL ?? WebAddress.withoutUser(row.feed.url)
        state.prompt = .feedAddress(row.id, LineEditor(selected: address))
        return []
      }
    case .removeFeed:
      return onSelectedFeed { state, row in
        state.prompt = .removeFeed(row.id, title: row.feed.displayTitle)
        return []
      }
    case .signIn: return onSelectedFeed { $0.askToSignIn(at: $1.feed.url) }
    case .openInBrowser:
      return onSelectedFeed { state, row in
        guard let link = row.feed.link else { return state.tell("this feed names no page") }
        return [.openLink(link)]
      }
    case .showFeed:
      return onSelectedFeed { state, row in
        state.health = nil
        let effects = state.show(.feed(row.id))
        state.focus = .list
        return effects
      }
    default: return nil
    }
  }

  mutating func reduceInHealth(_ mouse: MouseEvent) -> [Effect] {
    let rows = healthRows
    let layout = healthLayout(rows)
    let isInDetails = layout.details?.contains(x: mouse.x, y: mouse.y) == true
    switch mouse.kind {
    case .wheelDown: return isInDetails ? scrollHealthDetails(3) : moveInHealth(3)
    case .wheelUp: return isInDetails ? scrollHealthDetails(-3) : moveInHealth(-3)
    case .click, .doubleClick:
      guard layout.rows.contains(x: mouse.x, y: mouse.y) else { return [] }
      let line = mouse.y - layout.rows.y
      let index = firstVisibleHealthRow(in: rows) + line
      guard rows.indices.contains(index) else { return [] }
      selectHealthRow(index, line: line)
      return mouse.kind == .doubleClick ? performInHealth(.showFeed) ?? [] : []
    }
  }

  /// Finds the selected feed again after its place has changed, or its neighbour once it is gone.
  mutating func settleHealth() {
    changeHealthSelection { $0.settle(in: $1, height: $2) }
    _ = scrollHealthDetails(0)
  }

  // MARK: Moving a feed

  private mutating func askToMove(_ row: HealthRow) -> [Effect] {
    guard let address = row.newAddress else {
      return tell("this feed is not redirected; e types another address")
    }
    prompt = .moveFeed(row.id, title: row.feed.displayTitle, to: address)
    return []
  }

  mutating func finishFeedAddress(_ id: FeedID, _ typed: String) -> [Effect] {
    guard let feed = sidebar.snapshot.feeds.first(where: { $0.id == id }) else {
      return tell("the feed is gone", .error)
    }
    guard typed.contains(where: { !$0.isWhitespace }) else { return [] }
    do {
      let address = try WebAddress.normalized(typed)
      guard address != feed.url else { return tell("that is its address already") }
      // What was typed is not lost: `e` brings it back.
      health?.typed[id] = typed
      // The word of a page, which the reader has only agreed to, leads to public hosts only.
      let named = feed.state.error?.feedURL.flatMap { try? WebAddress.normalized($0) }
      moveInSearch = Move(feed: id, address: address)
      return [.moveFeed(id, to: address, isTyped: address != named)]
    } catch {
      health?.typed[id] = typed
      return tell(error)
    }
  }

  /// The new address is asked at once. A fetch from the old one that the reader began has nothing to
  /// say any more.
  mutating func takeMoved(_ move: Move) -> [Effect] {
    let id = move.feed
    health?.typed[id] = nil
    if moveInSearch == move { moveInSearch = nil }
    let title = sidebar.snapshot.feeds.first { $0.id == id }?.displayTitle ?? "the feed"
    let wish = Effect.Wish.asked(.feed(id))
    return [.cancel(.refresh(wish)), .refresh(wish)] + tell("moved \(title); asking there")
  }

  mutating func takeNotMoved(_ move: Move, _ error: SourceError) -> [Effect] {
    if moveInSearch == move { moveInSearch = nil }
    let told = tell(error)
    // One question leads to the other, unless the reader has begun something else.
    guard error.wantsSignIn, prompt == nil else { return told }
    // The name and password in it, if there were any, were refused.
    let address = WebAddress.withoutUser(move.address)
    moveAfterSignIn = Move(feed: move.feed, address: address)
    return askToSignIn(at: address) + told
  }

  // MARK: Moving the selection

  private mutating func moveInHealth(_ delta: Int) -> [Effect] {
    changeHealthSelection { $0.move(by: delta, in: $1, height: $2) }
    return []
  }

  private mutating func selectHealthRow(_ index: Int, line: Int) {
    changeHealthSelection {
      $0.select(index, in: $1, line: line)
      $0.settle(in: $1, height: $2)
    }
  }

  /// The details of another feed begin at their top.
  private mutating func changeHealthSelection(
    _ change: (inout ScrollingSelection<FeedID>, [HealthRow], _ height: Int) -> Void
  ) {
    guard var health else { return }
    let rows = healthRows
    change(&health.selection, rows, healthLayout(rows).rows.height)
    if health.selected != self.health?.selected { health.detailsTop = 0 }
    self.health = health
  }

  private mutating func scrollHealthDetails(_ delta: Int) -> [Effect] {
    let rows = healthRows
    guard let health, let index = healthIndex(in: rows), let area = healthLayout(rows).text
    else { return [] }
    let count = healthDetails(of: rows[index], width: area.width - 2).count
    self.health?.detailsTop = scrolled(
      health.detailsTop, by: delta, count: count, height: area.height)
    return []
  }

  private mutating func onSelectedFeed(
    _ act: (inout ReaderState, HealthRow) -> [Effect]
  ) -> [Effect] {
    let rows = healthRows
    guard let index = healthIndex(in: rows) else { return tell("there is no feed") }
    return act(&self, rows[index])
  }
}
