internal import News
internal import Screen
internal import Text

/// The screen of the feeds' health: all feeds by their condition, with details of the selected one.
///
/// The rows are made from the subscriptions each time they are needed.
struct HealthState: Hashable, Sendable {
  /// The order of the feeds changes with each fetch.
  var page: DetailedList<FeedID>
  /// Addresses that were typed and failed, for another try.
  var typed: [FeedID: String] = [:]
}

extension HealthState: ReaderScreen {
  static let name = "health"
  static let layer = ScreenLayer.page
  static let commands: [Command] =
    [
      .open, .refresh, .refreshAll, .followAdvice, .change, .remove, .openInBrowser, .signIn,
      .select, .selectRange, .detailsDown, .detailsUp, .back, .leave,
    ] + .motions
  static let help: [Command: String] = [
    .open: "Show the feed’s articles", .refresh: "Refresh the feed",
    .refreshAll: "Refresh all failing feeds", .change: "Change the address",
    .followAdvice: "Move to the new address, or merge with the feed there",
    .remove: "Unsubscribe", .openInBrowser: "Open the home page",
  ]
  static let opening: Command? = .health

  static func open(in state: inout ReaderState) -> [Effect] {
    let rows = Self.rows(in: state)
    guard !rows.isEmpty else { return state.notify(SubscriptionsStrings.noFeeds(state.key(.add))) }
    var health = HealthState(page: DetailedList(rows[0].id))
    // Whoever asks from a feed that has something wants to know about that one.
    if let id = state.shownFeed,
      let index = rows.firstIndex(where: { $0.id == id }), rows[index].condition != .well
    {
      health.page.select(index, line: index, in: contents(rows, in: state))
    }
    state.stack.push(health)
    return []
  }

  // MARK: Keys

  mutating func stop(in state: inout ReaderState) -> [Effect]? { state.stopRefresh() }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if page.perform(command, in: Self.contents(Self.rows(in: state), in: state)) {
      return .done([])
    }
    switch command {
    case .health, .back, .leave:
      state.notice = nil
      return .closed([])
    case .refreshAll:
      let failing = Self.rows(in: state).filter { $0.error != nil && $0.condition != .gone }
      guard !failing.isEmpty else { return .done(state.notify(HealthStrings.noneFailing)) }
      return .done([.refresh(.askedFeeds(failing.map(\.id)))])
    default:
      let rows = Self.rows(in: state)
      guard Self.isAboutFeed(command) else { return .ignored }
      guard let index = page.selection.nearestIndex(in: rows) else {
        return .done(state.notify(HealthStrings.noneSelected))
      }
      return page.picked.isEmpty
        ? perform(command, on: rows[index], in: &state)
        : perform(command, onSeveral: page.subjects(in: rows), in: &state)
          ?? perform(command, on: rows[index], in: &state)
    }
  }

  /// - Returns: nil for a command about one feed at a time.
  private mutating func perform(
    _ command: Command, onSeveral rows: [HealthRow], in state: inout ReaderState
  ) -> ScreenResponse? {
    let ids = rows.map(\.id)
    switch command {
    case .refresh:
      page.deselect()
      return .done([.refresh(.askedFeeds(ids))])
    case .followAdvice:
      let moves = rows.compactMap(\.move)
      guard !moves.isEmpty else { return .done(state.notify(HealthStrings.noneRedirected)) }
      page.deselect()
      state.ask(.question(HealthStrings.move(moves.count), moves))
      return .done([])
    case .remove: return .done(FeedEditing.askToRemove(ids, in: &state))
    case .openInBrowser:
      let links = rows.compactMap(\.feed.link)
      guard links.count <= Marking.mostOpened else {
        return .done(
          state.notify(MarksStrings.tooManyToOpen(links.count, most: Marking.mostOpened)))
      }
      page.deselect()
      return .done(links.map { .opening(.openLink($0)) })
    case .open: return .closed(FeedEditing.goToPicked(ids, in: &state))
    default: return nil
    }
  }

  private static func isAboutFeed(_ command: Command) -> Bool {
    [.refresh, .followAdvice, .change, .remove, .signIn, .openInBrowser, .open]
      .contains(command)
  }

  private func perform(
    _ command: Command, on row: HealthRow, in state: inout ReaderState
  ) -> ScreenResponse {
    switch command {
    case .refresh:
      return .done(
        AddressSearches.findSought(row.id, in: &state) ?? [.refresh(.asked(.feed(row.id)))])
    case .followAdvice:
      guard let move = row.move, let address = row.newAddress else {
        return .done(
          state.notify(
            HealthStrings.notRedirected(row.feed.displayTitle, change: state.key(.change))))
      }
      if let twin = row.twin {
        var names = [row.feed, twin].map(\.displayTitle)
        if names[0] == names[1] {
          names = [row.feed, twin].map { WebAddress.withoutScheme(WebAddress.redacted($0.url)) }
        }
        state.ask(.question("Merge \(names[0]) into \(names[1])", [move]))
        return .done([])
      }
      state.ask(.question("Move \(row.feed.displayTitle) to \(address)", [move]))
    case .change:
      let address = typed[row.id] ?? row.error?.feedURL ?? WebAddress.withoutUser(row.feed.url)
      state.ask(.feedAddress(row.id), LineEditor(selected: address))
    case .remove: return .done(FeedEditing.askToRemove(row.feed, in: &state))
    case .signIn: return .done(AddressSearches.beginSignIn(at: row.feed.serverURL, in: &state))
    case .openInBrowser:
      guard let link = row.feed.link else {
        return .done(state.notify(HealthStrings.noPage(row.feed.displayTitle)))
      }
      return .done([.opening(.openLink(link))])
    case .open: return .closed(state.goToList(of: .feed(row.id)))
    default: return .ignored
    }
    return .done([])
  }

  // MARK: Mouse and time

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let rows = Self.rows(in: state)
    let clicked = page.handle(mouse.event, in: Self.contents(rows, in: state))
    if let clicked, mouse.kind == .doubleClick {
      return perform(.open, on: rows[clicked], in: &state)
    }
    return .done([])
  }

  /// Forgets the address that was typed for a feed once it has moved.
  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    if case .subscriptions(.moved(let id, _)) = action { typed[id] = nil }
    return .ignored
  }

  /// Finds the selected feed again after its place has changed, or its neighbour once it is gone.
  mutating func settle(in state: ReaderState) {
    page.settle(in: Self.contents(Self.rows(in: state), in: state))
  }

  private static func contents(
    _ rows: [HealthRow], in state: ReaderState
  ) -> DetailedList<FeedID>.Contents<HealthRow> {
    DetailedList.Contents(rows: rows, layout: layout(rows, state.size)) { row, width in
      details(of: row, width: width, in: state).count
    }
  }

  // MARK: The line at the bottom

  func trouble(in state: ReaderState) -> StatusTrouble? { state.offlineTrouble }

  func hints(in state: ReaderState) -> [KeyHint] {
    let rows = Self.rows(in: state)
    guard let index = page.selection.nearestIndex(in: rows) else {
      return [KeyHint.keys, KeyHint.back]
    }
    let canMove = rows[index].newAddress != nil
    return [
      KeyHint.keys, KeyHint(.refresh, "refresh"), KeyHint(.refreshAll, "all"),
      rows[index].twin != nil
        ? KeyHint(.followAdvice, "merge")
        : canMove ? KeyHint(.followAdvice, "move") : KeyHint(.change, "change"),
      KeyHint(.remove, "remove"), KeyHint(.open, "open"), KeyHint(.openInBrowser, "browser"),
      KeyHint.back,
    ]
  }
}

extension HealthRow {
  /// The move to its new address, or into the feed there; nil where it has not moved.
  fileprivate var move: Effect? {
    guard let address = newAddress else { return nil }
    return twin.map { .subscriptions(.merge(id, into: $0.id)) }
      ?? .subscriptions(.move(id, to: address, isUserEntered: false))
  }
}

extension HealthState {
  static func rows(in state: ReaderState) -> [HealthRow] {
    HealthRow.rows(
      of: state.subscriptions, now: state.clock.now, interval: state.settings.interval)
  }

  static func layout(_ rows: [HealthRow], _ size: Size) -> PageLayout {
    PageLayout(size: size, rowCount: rows.count, hasFooter: true)
  }
}

extension ReaderState {
  /// Moves a feed to the address that was typed.
  mutating func finishFeedAddress(_ id: FeedID, _ typed: String) -> [Effect] {
    guard let feed = feed(id) else { return notify(SubscriptionsStrings.removed(1), .error) }
    guard typed.contains(where: { !$0.isWhitespace }) else { return [] }
    do {
      let address = try WebAddress.entered(typed)
      guard address != feed.url else { return notify(HealthStrings.sameAddress(feed.displayTitle)) }
      // The same prompt offers the typed address again.
      stack[HealthState.self]?.typed[id] = typed
      // The word of a page, which the user has only agreed to, leads to public hosts only.
      let named = feed.state.error?.feedURL.flatMap { try? WebAddress.normalized($0) }
      return AddressSearches.move(id, to: address, isUserEntered: address != named, in: &self)
    } catch {
      stack[HealthState.self]?.typed[id] = typed
      return notify(error)
    }
  }
}
