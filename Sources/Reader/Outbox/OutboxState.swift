internal import News
internal import Screen

extension Command {
  static let outbox = Command("outbox")
  static let sendAll = Command("send-all")
  static let dropChange = Command("drop-change")
}

extension KeyTopic {
  static let outbox = KeyTopic("Outbox")
}

/// The screen of the outbox: the changes that wait to be sent, with details of the selected one.
struct OutboxState: Hashable {
  /// Nil until it has been read from the store.
  var snapshot: OutboxSnapshot?
  var selection = ScrollingSelection<WaitingChange.ID>()
  /// The index of the first visible line of the details.
  var detailsTop = 0

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
      KeyBinding(
        .dropChange, [.character("d")], "drop a change: no server is told of it", .outbox),
      KeyBinding(.detailsDown, [.character("J")], "scroll what is said of a change", .outbox),
      KeyBinding(.detailsUp, [.character("K")], "scroll it back", .outbox),
    ]
  static let opening: KeyBinding? = KeyBinding(
    .outbox, [.character("O")], "the outbox: what waits to be sent to servers", .feeds)

  static func open(in state: inout ReaderState) -> [Effect] {
    state.stack.push(state.stack[Self.self] ?? OutboxState())
    return [.observeOutbox]
  }

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      change(in: state) { $0.move(by: motion.delta(height: $2), in: $1, height: $2) }
      return .done([])
    }
    switch command {
    case .detailsDown: scrollDetails(1, in: state)
    case .detailsUp: scrollDetails(-1, in: state)
    case .outbox, .back, .leave:
      state.notice = nil
      return .closed([.cancel(.outbox)])
    case .sendAll:
      guard !changes.isEmpty else { return .done(state.tell("nothing waits to be sent")) }
      return .done([.sendOutbox] + state.tell("sending …"))
    case .dropChange:
      guard let index = selection.nearestIndex(in: changes) else {
        return .done(state.tell("nothing waits to be sent"))
      }
      state.ask(
        .question(
          "Drop unsent: \(changes[index].name), \(changes[index].subject)",
          [.dropChange(changes[index].id)]))
    default: return .ignored
    }
    return .done([])
  }

  // MARK: Mouse, the store and time

  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse {
    let layout = layout(state.size)
    let isInDetails = layout.details?.contains(x: mouse.x, y: mouse.y) == true
    switch mouse.kind {
    case .wheelDown, .wheelUp:
      let delta = mouse.kind == .wheelDown ? 3 : -3
      if isInDetails {
        scrollDetails(delta, in: state)
      } else {
        change(in: state) { $0.move(by: delta, in: $1, height: $2) }
      }
    case .click, .doubleClick:
      guard layout.rows.contains(x: mouse.x, y: mouse.y) else { break }
      let line = mouse.y - layout.rows.y
      let index = selection.firstVisible(in: changes, height: layout.rows.height) + line
      change(in: state) { selection, rows, _ in selection.select(index, in: rows, line: line) }
    }
    return .done([])
  }

  mutating func take(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    guard case .outboxArrived(let snapshot) = action else { return .ignored }
    self.snapshot = snapshot
    settle(in: state)
    return .done([])
  }

  /// Finds the selected change again, or its neighbour once it is gone.
  mutating func settle(in state: ReaderState) {
    change(in: state) { $0.settle(in: $1, height: $2) }
    scrollDetails(0, in: state)
  }

  // MARK: Selecting

  /// The details of another change begin at their top.
  private mutating func change(
    in state: ReaderState,
    _ change: (inout ScrollingSelection<WaitingChange.ID>, [WaitingChange], _ height: Int) -> Void
  ) {
    let selected = selection.id
    change(&selection, changes, layout(state.size).rows.height)
    if selection.id != selected { detailsTop = 0 }
  }

  private mutating func scrollDetails(_ delta: Int, in state: ReaderState) {
    guard let index = selection.nearestIndex(in: changes), let area = layout(state.size).text
    else { return }
    let count = changes[index].details(width: area.width - 2, in: state).count
    detailsTop = scrolled(detailsTop, by: delta, count: count, height: area.height)
  }

  // MARK: The line at the bottom

  func hints(in state: ReaderState) -> [KeyHint] {
    guard !changes.isEmpty else { return [KeyHint("?", "keys"), KeyHint("q", "back")] }
    return [
      KeyHint("?", "keys"), KeyHint("r", "send all"), KeyHint("d", "drop"), KeyHint("q", "back"),
    ]
  }
}

extension ReaderState {
  /// What waits to be sent; nil while its screen is closed.
  var outbox: OutboxState? { stack[OutboxState.self] }
}
