internal import News
internal import Screen

extension SidebarState {
  /// The feeds in their order.
  ///
  /// - Parameter feeds: by name.
  func sorted(_ feeds: [Feed]) -> [Feed] {
    switch order {
    case .name: feeds
    case .added: feeds.sorted { $0.id < $1.id }
    case .unread:
      feeds.enumerated().sorted {
        (-sortingCount(of: $0.element.id), $0.offset) < (
          -sortingCount(of: $1.element.id), $1.offset
        )
      }.map(\.element)
    }
  }

  /// The number that a feed is sorted by: its unread articles when the feeds were last sorted, so that no feed moves
  /// while they are being read. One that has come since is among those with none.
  func sortingCount(of feed: FeedID) -> Int { sortingCounts[feed] ?? 0 }

  /// Sorts the feeds by what is unread now. The selected row stays selected, on its line.
  mutating func sortAnew(_ snapshot: SidebarSnapshot) {
    sortingCounts =
      order == .unread
      ? Dictionary(snapshot.feeds.map { ($0.id, $0.counts.unread) }) { first, _ in first } : [:]
    let line = selection.line
    rebuildItems(from: snapshot)
    selection.line = line
    selection.settle(in: items, height: height)
  }
}

extension SidebarPane {
  /// Sorts the feeds in the next order, and keeps that.
  func changeFeedOrder(in state: inout ReaderState) -> [Effect] {
    let orders = FeedOrder.allCases
    let index = orders.firstIndex(of: state.sidebar.order) ?? 0
    state.sidebar.order = orders[(index + 1) % orders.count]
    state.habits.feedOrder = state.sidebar.order
    state.sidebar.sortAnew(state.subscriptions)
    return [.preferences(.keepListHabits(state.habits))]
      + state.notify(SubscriptionsStrings.sorted(state.sidebar.order))
  }
}
