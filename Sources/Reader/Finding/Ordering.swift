internal import News
internal import Screen

/// The order of lists, and their filters.
enum Ordering {
  /// Shows the list in the next order. The selected article stays selected.
  static func changeOrder(in state: inout ReaderState) -> [Effect] {
    let orders = orders(in: state)
    let index = orders.firstIndex(of: state.list.query.order) ?? 0
    return show(in: orders[(index + 1) % orders.count], in: &state)
  }

  /// Shows the list in the order of this name.
  static func changeOrder(to name: String, in state: inout ReaderState) -> [Effect] {
    let orders = orders(in: state)
    guard let order = orders.first(where: { $0.rawValue == name }) else {
      return state.notify(FindingStrings.unknownOrder(name, known: orders.map(\.rawValue)), .error)
    }
    return show(in: order, in: &state)
  }

  /// Shows a list that was given no order in the one of the settings.
  static func follow(usual order: ListOrder, in state: inout ReaderState) -> [Effect] {
    state.habits.usual = order
    let order = state.habits.shown(state.shownTimeline).order ?? order
    guard state.list.query.timeline == state.shownTimeline, order != state.list.query.order
    else { return [] }
    return [.cancel(.list(.older)), state.list.show(in: order)]
  }

  static func order(in state: ReaderState) -> ListOrder { state.list.query.order }

  /// The orders of the list.
  static func orders(in state: ReaderState) -> [ListOrder] {
    ListOrder.allCases.filter { order in
      switch order {
      case .newest, .oldest, .title, .score: true
      case .feed: state.shownFeed == nil
      // Others would leave nearly all of a list out.
      case .opened: state.shownTimeline.ownOrder == .opened
      case .relevance: !state.shownTimeline.soughtWords.isEmpty
      }
    }
  }

  private static func show(in order: ListOrder, in state: inout ReaderState) -> [Effect] {
    state.habits[state.shownTimeline].order =
      order == state.habits.usualOrder(of: state.shownTimeline) ? nil : order
    return [
      .cancel(.list(.older)), state.list.show(in: order),
      .preferences(.keepListHabits(state.habits)),
    ]
      + state.notify(FindingStrings.sorted(order))
  }

  /// Puts a line before the first article of each day, or of each feed where the list is by feed; or takes the lines
  /// away again.
  static func toggleGroups(in state: inout ReaderState) -> [Effect] {
    state.list.isGrouped.toggle()
    state.list.fit()
    state.habits[state.shownTimeline].isGrouped = state.list.isGrouped
    return [.preferences(.keepListHabits(state.habits))] + state.notify(groupsNote(in: state))
  }

  static func toggleUnreadOnly(in state: inout ReaderState) -> [Effect] {
    guard state.shownTimeline != .unread else {
      return state.notify(FindingStrings.unreadHidesRead)
    }
    let effect = state.list.toggleUnreadOnly()
    state.habits[state.shownTimeline].hidesRead = state.list.query.unreadOnly
    return [effect, .preferences(.keepListHabits(state.habits))]
      + state.notify(
        state.list.query.unreadOnly ? FindingStrings.unreadOnly : FindingStrings.readToo)
  }

  /// Leaves feeds without unread articles out of the sidebar, or shows them again. Those that fail stay.
  static func toggleReadFeeds(in state: inout ReaderState) -> [Effect] {
    state.habits.hidesReadFeeds.toggle()
    state.sidebar.hidesRead = state.habits.hidesReadFeeds
    state.sidebar.rebuildItems(from: state.subscriptions)
    return [.preferences(.keepListHabits(state.habits))]
      + state.notify(
        state.habits.hidesReadFeeds ? FindingStrings.unreadFeedsOnly : FindingStrings.allFeeds)
  }
}
