internal import News
internal import Screen

/// The pane of the articles of a timeline.
struct ListPane: ReadingPane {
  static let name = "list"
  static let bindings: [KeyBinding] =
    KeyBinding.motions + [
      .open, .back, .leave, .nextPane, .previousPane,
      .nextUnread, .nextArticle, .previousArticle, .toggleRead, .toggleStar, .markAllRead, .undo,
      .toggleUnreadOnly, .openInBrowser, .download,
      .refresh, .refreshAll, .addFeed, .removeFeed, .signIn, .search,
    ]

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      return .done(state.moveInList(motion, at: press.milliseconds))
    }
    switch command {
    case .open: return .done(state.openSelected())
    case .back, .leave: return .done(state.leaveList())
    default: return state.performInPanes(command)
    }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    state.whyHints + [
      KeyHint("?", "keys"), KeyHint("Enter", "read"), KeyHint("n", "next unread"),
      KeyHint("r", "refresh"), KeyHint("s", "star"), KeyHint("/", "search"), KeyHint("q", "back"),
    ]
  }

  func trouble(in state: ReaderState) -> StatusTrouble? { state.listTrouble }
}

extension ReaderState {
  mutating func moveInList(_ motion: Motion, at milliseconds: Int64) -> [Effect] {
    switch motion {
    case .up where isAtFirstRow:
      return pullPastTop(at: milliseconds)
    case .down where list.selectedIndex == list.rows.count - 1:
      endPull()
      return retryOlder()
    case .up, .down:
      endPull()
      return moveInList(by: motion.delta(height: listHeight))
    case .pageDown, .pageUp, .halfDown, .halfUp:
      return pageInList(motion.delta(height: listHeight))
    case .first: return goToEnd(.first)
    case .last: return goToEnd(.last)
    }
  }

  /// - Parameter row: the line of the pane that the pointer is on.
  mutating func takeInList(
    _ mouse: MouseEvent, row: Int, at milliseconds: Int64
  ) -> [Effect] {
    switch mouse.kind {
    case .wheelDown:
      endPull()
      return moveInList(by: 3)
    case .wheelUp:
      return isAtFirstRow ? pullPastTop(at: milliseconds) : moveInList(by: -3)
    case .click, .doubleClick:
      let index = firstVisibleRow + row
      guard row >= 0, list.rows.indices.contains(index) else {
        focus = .list
        return []
      }
      // A click on the selected row opens it, as a double click does.
      let wasSelected = focus == .list && index == list.selectedIndex
      select(index, screenRow: row)
      focus = .list
      return wasSelected || mouse.kind == .doubleClick ? openSelected() : []
    }
  }

  mutating func openSelected() -> [Effect] {
    guard let index = list.selectedIndex else { return [] }
    switch list.rows[index] {
    case .article(let row):
      return open(row)
    case .gap(let gap):
      guard gap.canLoad else {
        return tell("these articles were not in the feed when it was last read")
      }
      return [.fill(gap)] + tell("loading what is missing")
    }
  }

  // MARK: Pulling

  private var isAtFirstRow: Bool { list.selectedIndex.map { $0 == 0 && isAtTop } ?? true }

  /// The first pull shows what a second one will do; the second counts when it is one of its own,
  /// not the repeat of a held key or of one flick of the wheel.
  private mutating func pullPastTop(at milliseconds: Int64) -> [Effect] {
    // A refresh that is under way is what a pull would ask for.
    guard !subscriptions.feeds.isEmpty, !isRefreshing else { return [] }
    defer { list.pull.last = milliseconds }
    guard let since = list.pull.since, milliseconds - since <= Pull.patience else {
      list.pull.since = milliseconds
      return [
        .remind(.pull(since: milliseconds), afterMilliseconds: Pull.patience)
      ]
    }
    guard milliseconds - list.pull.last >= Pull.pause else { return [] }
    return askRefresh(list.query.timeline)
  }

  mutating func endPull() { list.pull.since = nil }

  var isRefreshing: Bool { subscriptions.activity != .idle }
}
