internal import News
internal import Screen

/// The screen of the outbox: the changes that wait to be sent, with details of the selected one.
struct OutboxState: Hashable {
  /// Nil until it has been read from the store.
  var snapshot: OutboxSnapshot?
  var page = DetailedList<WaitingChange.ID>()

  var changes: [WaitingChange] { snapshot?.changes ?? [] }

  func layout(_ size: Size) -> PageLayout { PageLayout(size: size, rowCount: changes.count) }
}

extension WaitingChange: SelectableRow {
  var selectionID: Int64 { id }
}

extension OutboxState: ReaderScreen {
  static let name = "outbox"
  static let layer = ScreenLayer.page
  static let commands: [Command] =
    [
      .refresh, .open, .remove, .select, .selectRange, .detailsDown, .detailsUp, .back, .leave,
    ] + .motions
  static let help: [Command: String] = [
    .refresh: "Send all changes now", .remove: "Remove a change without sending it",
    .open: "Choose between two versions of a comment",
  ]
  static let opening: Command? = .outbox

  static func open(in state: inout ReaderState) -> [Effect] {
    state.stack.push(state.stack[Self.self] ?? OutboxState())
    return [.outbox(.observe)]
  }

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if page.perform(command, in: contents(in: state)) { return .done([]) }
    switch command {
    case .outbox, .back, .leave:
      state.notice = nil
      return .closed([.cancel(.outbox(.changes))])
    case .refresh:
      guard !changes.isEmpty else { return .done(state.notify(OutboxStrings.empty)) }
      return .done([.outbox(.send)] + state.notify(OutboxStrings.sending))
    case .remove:
      let removed = page.subjects(in: changes)
      guard !removed.isEmpty else { return .done(state.notify(OutboxStrings.empty)) }
      state.ask(.question(OutboxStrings.remove(removed), [.outbox(.drop(removed.map(\.id)))]))
    case .open:
      guard let index = page.selection.nearestIndex(in: changes), changes[index].conflict != nil
      else { return .done(state.notify(OutboxStrings.oneVersion)) }
      return .done(state.ask(about: changes[index]))
    default: return .ignored
    }
    return .done([])
  }

  // MARK: Mouse, the store and time

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    _ = page.handle(mouse.event, in: contents(in: state))
    return .done([])
  }

  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    guard case .outbox(.arrived(let snapshot)) = action else { return .ignored }
    self.snapshot = snapshot
    settle(in: state)
    return .done([])
  }

  mutating func settle(in state: ReaderState) {
    page.settle(in: contents(in: state))
  }

  private func contents(
    in state: ReaderState
  ) -> DetailedList<WaitingChange.ID>.Contents<WaitingChange> {
    DetailedList.Contents(rows: changes, layout: layout(state.size)) { change, width in
      change.details(width: width, in: state).count
    }
  }

  // MARK: The line at the bottom

  func trouble(in state: ReaderState) -> StatusTrouble? { state.offlineTrouble }

  func hints(in state: ReaderState) -> [KeyHint] {
    guard !changes.isEmpty else { return [KeyHint.keys, KeyHint.back] }
    let hints = [
      KeyHint.keys, KeyHint(.refresh, OutboxStrings.sendAll),
      KeyHint(.remove, "remove"), KeyHint.back,
    ]
    guard let index = page.selection.nearestIndex(in: changes), changes[index].conflict != nil
    else { return hints }
    return [KeyHint(.open, "decide")] + hints
  }
}
