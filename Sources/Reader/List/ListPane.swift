internal import News
internal import Screen

struct ListPane: ReadingPane {
  static let name = "list"
  static let commands: [Command] =
    [
      .open, .next, .toggleRead, .toggleStar, .later, .openInBrowser, .find, .filter, .sort,
      .refresh, .add, .change, .markAboveRead, .markBelowRead,
    ] + .ofPanes + .ofLists + .ofArticles + .motions
  static let help: [Command: String] = [
    .next: "Next unread article, in any feed", .previous: "Previous unread article",
    .fold: "Show or hide the other articles of this story", .remove: "Delete the article",
    .find: "Find in this list", .leave: "Back to the sidebar", .number: "Repeat the next motion",
  ]

  // MARK: Keys

  mutating func stop(in state: inout ReaderState) -> [Effect]? {
    state.stopRefresh() ?? stopOlder(in: &state)
  }

  private func stopOlder(in state: inout ReaderState) -> [Effect]? {
    guard state.list.snapshot?.older == .loading else { return nil }
    // Older articles that were stopped come by a key alone.
    state.list.snapshot?.older = .more
    state.list.askedOlderThan = state.list.rows.last?.position
    return [.cancel(.list(.older))]
      + state.notify(ListStrings.olderStopped(state.key(Command(.down))))
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      return .done(move(motion, press, in: &state))
    }
    switch command {
    case .number: return .done(Counting.beginCount(press.key, in: &state))
    case .open: return .done(openSelected(in: &state))
    case .select: return .done(state.list.pickSelected())
    case .selectRange:
      return .done(state.list.pickRange() ? [] : state.notifyTooFarToSelect())
    case .fold: return .done(state.toggleStory())
    case .back where !state.list.picked.isEmpty:
      state.list.picked = MultipleSelection()
      return .done(state.notifyNothingSelected())
    case .back, .leave:
      state.notice = nil
      if state.list.isPassing { return .done(state.leaveSearch()) }
      state.focus = .sidebar
      return .done([])
    default: return performInPanes(command, in: &state)
    }
  }

  private func move(_ motion: Motion, _ press: KeyPress, in state: inout ReaderState) -> [Effect] {
    let delta = motion.delta(height: state.list.height) * (press.count ?? 1)
    switch motion {
    case .up where state.list.isAtFirstRow && press.count == nil:
      return pull(at: press.milliseconds, in: &state)
    case .down where state.list.selectedIndex == state.list.rows.count - 1:
      state.list.endPull()
      return state.list.retryOlder()
    case .up, .down:
      state.list.endPull()
      return state.list.move(by: delta)
    case .pageDown, .pageUp, .halfDown, .halfUp: return state.list.page(by: delta)
    case .first, .last:
      if let count = press.count { return state.list.goToEnd(.row(count - 1)) }
      return state.list.goToEnd(motion == .first ? .first : .last)
    }
  }

  private func openSelected(in state: inout ReaderState) -> [Effect] {
    guard let index = state.list.selectedIndex else { return [] }
    switch state.list.rows[index] {
    case .article(let row):
      return state.open(row)
    case .gap(let gap):
      guard gap.canLoad else { return state.notify(ListStrings.notInFeed) }
      return [.list(.fill(gap))] + state.notify(ListStrings.loadingMissing)
    }
  }

  private func pull(at milliseconds: Int64, in state: inout ReaderState) -> [Effect] {
    // A refresh that is under way is what a pull would ask for.
    guard !state.subscriptions.feeds.isEmpty, !state.isRefreshing else { return [] }
    switch state.list.pull.pull(at: milliseconds) {
    case .first: return [.remind(.pull(since: milliseconds), afterMilliseconds: Pull.patience)]
    case .repeated: return []
    case .second: return FeedEditing.askRefresh(state.shownTimeline, in: &state)
    }
  }

  // MARK: Mouse

  mutating func handle(_ mouse: MousePress, row: Int, in state: inout ReaderState) -> [Effect] {
    switch mouse.kind {
    case .wheelDown:
      state.list.endPull()
      return state.list.move(by: 3)
    case .wheelUp:
      return state.list.isAtFirstRow
        ? pull(at: mouse.milliseconds, in: &state) : state.list.move(by: -3)
    case .click, .doubleClick:
      let lines = state.list.visibleLines
      guard lines.indices.contains(row), case .row(let index) = lines[row] else {
        state.focus = .list
        return []
      }
      // A click on the selected row opens it, as a double click does.
      let wasSelected = state.focus == .list && index == state.list.selectedIndex
      state.list.select(index, screenRow: row)
      state.focus = .list
      return wasSelected || mouse.kind == .doubleClick ? openSelected(in: &state) : []
    }
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, _ pane: Rect, in state: ReaderState) {
    ListDrawing(list: state.list, state: state).draw(&frame, pane)
  }

  func hints(in state: ReaderState) -> [KeyHint] { paneHints(in: state) + ListStrings.hints }

  func trouble(in state: ReaderState) -> StatusTrouble? { paneTrouble(in: state) }
}
