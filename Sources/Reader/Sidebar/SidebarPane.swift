internal import News
internal import Screen

struct SidebarPane: ReadingPane {
  static let name = "sidebar"
  static let commands: [Command] =
    [
      .open, .next, .refresh, .refreshAll, .add, .change, .remove, .moveToFolder, .sort, .fold,
      .markAllRead, .find, .foldAll, .addFolder,
    ] + .ofPanes + .ofLists + .motions
  static let help: [Command: String] = [
    .open: "Open the list", .leave: "Quit", .next: "Next unread article, in any feed",
    .hideRead: "Hide or show feeds without unread articles",
    .sort: "Sort the feeds by name, unread articles or time of subscription",
    .filter: "Filter the list", .find: "Find in this list", .number: "Repeat the next motion",
  ]

  // MARK: Keys

  mutating func stop(in state: inout ReaderState) -> [Effect]? { state.stopRefresh() }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      let delta = motion.delta(
        height: state.sidebar.height, times: press.count, from: state.sidebar.selectedIndex)
      return .done(move(by: delta, in: &state))
    }
    if let effects = performOnPickedFeeds(command, in: &state) { return .done(effects) }
    switch command {
    case .select:
      guard state.sidebar.pickSelected(of: state.subscriptions) else {
        return .done(
          state.notify(
            state.sidebar.selectedFolder == nil
              ? PanesStrings.selectsFeeds : PanesStrings.emptyFolder))
      }
      return .done(move(by: 1, in: &state))
    case .addFolder: return .done(FeedEditing.askForFolder(in: &state))
    case .selectRange:
      let isNear = state.sidebar.pickRange(of: state.subscriptions)
      return .done(isNear ? [] : state.notifyTooFarToSelect())
    case .back where !state.sidebar.picked.isEmpty:
      FeedEditing.deselectFeeds(in: &state)
      return .done(state.notifyNothingSelected())
    case .number: return .done(Counting.beginCount(press.key, in: &state))
    case .open: return .done(state.goToList(of: state.sidebar.selected))
    case .fold:
      let former = state.folds
      state.sidebar.toggleFolder(of: state.subscriptions)
      return .done(state.folds == former ? [] : [.preferences(.keepFolds(state.folds))])
    case .foldAll:
      state.sidebar.toggleAllFolders(of: state.subscriptions)
      return .done([.preferences(.keepFolds(state.folds))])
    case .back: return .done([])
    case .hideRead: return .done(Ordering.toggleReadFeeds(in: &state))
    case .sort: return .done(changeFeedOrder(in: &state))
    case .leave:
      state.notice = nil
      // The way out of the list leads through the sidebar.
      return .done(state.quit(leaving: .list))
    default: return performInPanes(command, in: &state)
    }
  }

  private func move(by delta: Int, in state: inout ReaderState) -> [Effect] {
    let count = state.sidebar.items.count
    guard count > 0 else { return [] }
    let index = max(0, min(count - 1, state.sidebar.selectedIndex + delta))
    let effects = state.show(state.sidebar.items[index].timeline)
    state.sidebar.select(index)
    return effects
  }

  // MARK: Mouse

  mutating func handle(_ mouse: MousePress, row: Int, in state: inout ReaderState) -> [Effect] {
    switch mouse.kind {
    case .wheelDown:
      state.sidebar.scroll(by: 3)
      return []
    case .wheelUp:
      state.sidebar.scroll(by: -3)
      return []
    case .click, .doubleClick:
      let index = state.sidebar.firstVisible + row
      guard row >= 0, state.sidebar.items.indices.contains(index) else {
        state.focus = .sidebar
        return []
      }
      let timeline = state.sidebar.items[index].timeline
      let isOnMark = mouse.x < SidebarDrawing.indent(of: state.sidebar.items[index]) + 2
      if mouse.kind == .doubleClick || isOnMark, case .folder(let folder) = timeline {
        state.sidebar.toggle(folder, of: state.subscriptions)
        return [.preferences(.keepFolds(state.folds))]
      }
      if isOnMark, case .tags = state.sidebar.items[index].kind {
        state.sidebar.toggleTags(of: state.subscriptions)
        return [.preferences(.keepFolds(state.folds))]
      }
      let effects = state.show(timeline)
      state.sidebar.selectInPlace(index)
      state.focus = state.layout.list == nil || mouse.kind == .doubleClick ? .list : .sidebar
      return effects
    }
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, _ pane: Rect, in state: ReaderState) {
    SidebarDrawing(sidebar: state.sidebar, state: state).draw(&frame, pane)
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    paneHints(in: state) + PanesStrings.sidebarHints
  }

  func trouble(in state: ReaderState) -> StatusTrouble? { paneTrouble(in: state) }
}
