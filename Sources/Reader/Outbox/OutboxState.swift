internal import News
internal import Screen

extension Command {
  static let outbox = Command("outbox")
  static let sendAll = Command("send-all")
  static let dropChange = Command("drop-change")
  static let decide = Command("decide")
}

extension KeyTopic {
  static let outbox = KeyTopic("Outbox")
}

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
  static let bindings: [KeyBinding] =
    KeyBinding.motions + [
      .back, .leave,
      KeyBinding(.sendAll, [.character("r"), .function(5)], "send all that waits now", .outbox),
      KeyBinding(.dropChange, [.character("d")], "drop a change: no server is told of it", .outbox),
      KeyBinding(
        .decide, [.enter], "decide about a comment that was changed at the server too", .outbox),
      KeyBinding(.detailsDown, [.character("J")], "scroll what is said of a change", .outbox),
      KeyBinding(.detailsUp, [.character("K")], "scroll it back", .outbox),
    ]
  static let opening: KeyBinding? = KeyBinding(
    .outbox, [.character("O")], "the outbox: what waits to be sent to servers", .feeds)

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
    case .sendAll:
      guard !changes.isEmpty else { return .done(state.notify("nothing waits to be sent")) }
      return .done([.outbox(.send)] + state.notify("sending …"))
    case .dropChange:
      guard let index = page.selection.nearestIndex(in: changes) else {
        return .done(state.notify("nothing waits to be sent"))
      }
      state.ask(
        .question(
          "Drop unsent: \(changes[index].name), \(changes[index].subject)",
          [.outbox(.drop(changes[index].id))]))
    case .decide:
      guard let index = page.selection.nearestIndex(in: changes), changes[index].conflict != nil
      else { return .done(state.notify("there is nothing to decide about it")) }
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

  func hints(in state: ReaderState) -> [KeyHint] {
    guard !changes.isEmpty else { return [KeyHint("?", "keys"), KeyHint("q", "back")] }
    let hints = [
      KeyHint("?", "keys"), KeyHint("r", "send all"), KeyHint("d", "drop"), KeyHint("q", "back"),
    ]
    guard let index = page.selection.nearestIndex(in: changes), changes[index].conflict != nil
    else { return hints }
    return [KeyHint("Enter", "decide")] + hints
  }
}
