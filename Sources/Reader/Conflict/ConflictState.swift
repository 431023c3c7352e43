internal import News
internal import Screen

/// The question which text of a comment stays that was changed here and at its server.
///
/// It opens by itself, over whatever the user is doing. So no single key decides: what is selected at first changes
/// nothing.
struct ConflictState: Hashable {
  enum Row: Hashable, SelectableRow {
    case answer(ConflictAnswer)
    case later

    var selectionID: Row { self }

    static let all: [Row] = ConflictAnswer.allCases.map { .answer($0) } + [.later]
  }

  let change: WaitingChange
  var page = DetailedList<Row>(.later)

  func layout(_ size: Size) -> PageLayout { PageLayout(size: size, rowCount: Row.all.count) }
}

extension ConflictState: ReaderScreen {
  static let name = "conflict"
  static let layer = ScreenLayer.dialog
  static let commands: [Command] = [.open, .detailsDown, .detailsUp, .back, .leave] + .motions
  static let help: [Command: String] = [
    .open: "Apply the selected choice", .back: "Decide later", .leave: "Decide later",
  ]

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if page.perform(command, in: contents(in: state)) { return .done([]) }
    switch command {
    case .open: return .closed(decide(in: &state))
    case .back, .leave: return .closed(postpone(in: &state))
    default: return .ignored
    }
  }

  private func decide(in state: inout ReaderState) -> [Effect] {
    guard case .answer(let answer)? = page.selection.id, let conflict = change.conflict else {
      return postpone(in: &state)
    }
    return [.outbox(.resolve(change.id, answer, seeing: conflict))] + state.askAboutNextConflict()
  }

  private func postpone(in state: inout ReaderState) -> [Effect] {
    state.askAboutNextConflict()
      + state.notify(
        ConflictStrings.postponed(outbox: state.key(.outbox), open: state.key(.open)))
  }

  // MARK: Mouse, the store and time

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let clicked = page.handle(mouse.event, in: contents(in: state))
    guard mouse.kind == .doubleClick, clicked != nil else { return .done([]) }
    return .closed(decide(in: &state))
  }

  mutating func settle(in state: ReaderState) { page.settle(in: contents(in: state)) }

  private func contents(in state: ReaderState) -> DetailedList<Row>.Contents<Row> {
    DetailedList.Contents(rows: Row.all, layout: layout(state.size)) { _, width in
      details(width: width, in: state).count
    }
  }

  // MARK: The line at the bottom

  func hints(in state: ReaderState) -> [KeyHint] {
    [
      KeyHint(Command(.down), Command(.up), "choose"), KeyHint(.open, "decide"),
      KeyHint(.leave, "later"), KeyHint(.detailsDown, .detailsUp, "scroll"),
    ]
  }
}

extension ReaderState {
  /// Asks about the conflicts that have come, one after the other, and closes the question that has been
  /// answered elsewhere or is another one by now.
  mutating func receiveConflicts(_ changes: [WaitingChange]) -> [Effect] {
    conflicts.update(changes)
    if let open = stack[ConflictState.self], !changes.contains(open.change) {
      stack[ConflictState.self] = nil
    }
    return askAboutNextConflict()
  }

  /// Asks about a conflict, unless another decision is to be made first.
  mutating func askAboutNextConflict() -> [Effect] {
    guard let next = conflicts.next, !stack.contains(.dialog) else { return [] }
    return ask(about: next)
  }

  /// Asks about a conflict, because the user wants to decide about it or because it is new.
  mutating func ask(about change: WaitingChange) -> [Effect] {
    conflicts.noteAsked(change)
    stack.push(ConflictState(change: change))
    return []
  }

  mutating func notifyDecision(_ answer: ConflictAnswer, wasOpen: Bool) -> [Effect] {
    guard wasOpen else { return notify(ConflictStrings.decidedElsewhere) }
    return switch answer {
    case .mine: notify(ConflictStrings.mineKept)
    case .theirs: notify(ConflictStrings.theirsKept)
    case .both: notify(ConflictStrings.bothKept)
    }
  }
}

/// Comments that were changed here and at their servers, without a decision yet.
struct OpenConflicts: Hashable, Sendable {
  /// The oldest first.
  private(set) var changes: [WaitingChange] = []
  /// The conflicts that the user was asked about: each is asked about once.
  private var asked: [WaitingChange.ID: CommentConflict] = [:]

  mutating func update(_ changes: [WaitingChange]) {
    self.changes = changes
    let ids = Set(changes.map(\.id))
    asked = asked.filter { ids.contains($0.key) }
  }

  /// The first one that the user has not been asked about.
  var next: WaitingChange? { changes.first { asked[$0.id] != $0.conflict } }

  mutating func noteAsked(_ change: WaitingChange) { asked[change.id] = change.conflict }
}
