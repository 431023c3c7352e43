internal import News
internal import Screen

/// The screen of the downloads in their order, with details of the selected one.
struct TransfersState: Hashable {
  var page = DetailedList<Int64>()

  func layout(_ size: Size, rowCount: Int) -> PageLayout {
    PageLayout(size: size, rowCount: rowCount)
  }
}

extension Transfer: SelectableRow {
  var selectionID: Int64 { id }
}

extension TransfersState: ReaderScreen {
  static let name = "transfers"
  static let layer = ScreenLayer.page
  static let commands: [Command] =
    [
      .play, .refresh, .remove, .more, .less, .hideRead, .select, .selectRange, .detailsDown,
      .detailsUp, .back, .leave,
    ] + .motions
  static let help: [Command: String] = [
    .play: "Pause or resume", .refresh: "Resume, or try again",
    .more: "Move up", .less: "Move down",
    .remove: "Remove from the list; a complete file stays", .hideRead: "Clear finished downloads",
  ]
  static let opening: Command? = .transfers

  static func open(in state: inout ReaderState) -> [Effect] {
    let first = state.transfers.transfers.first { $0.state != .done }?.id
    state.stack.push(state.stack[Self.self] ?? TransfersState(page: DetailedList(first)))
    return []
  }

  // MARK: Keys

  /// Pauses what runs or waits.
  mutating func stop(in state: inout ReaderState) -> [Effect]? {
    let transfers = state.transfers.transfers.filter(\.state.isOpen)
    guard transfers.contains(where: { $0.state == .running }) else { return nil }
    return [.transfers(.change(transfers.map(\.id), .pause))]
      + state.notify(TransfersStrings.stopped(transfers, resume: state.key(.play)))
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if page.perform(command, in: contents(in: state)) { return .done([]) }
    switch command {
    case .transfers, .back, .leave:
      state.notice = nil
      return .closed([])
    case .hideRead:
      guard state.transfers.transfers.contains(where: { $0.state == .done }) else {
        return .done(state.notify(TransfersStrings.noneFinished))
      }
      return .done([.transfers(.clear)])
    case .play, .refresh, .remove, .more, .less:
      let transfers = page.subjects(in: state.transfers.transfers)
      guard !transfers.isEmpty else { return .done(state.notify(TransfersStrings.empty)) }
      return .done(perform(command, on: transfers, in: &state))
    default: return .ignored
    }
  }

  private mutating func perform(
    _ command: Command, on transfers: [Transfer], in state: inout ReaderState
  ) -> [Effect] {
    let unfinished = transfers.filter { $0.state != .done }
    switch command {
    case .play, .refresh:
      guard !unfinished.isEmpty else {
        return state.notify(TransfersStrings.areFinished(transfers))
      }
      page.deselect()
      let open = unfinished.filter(\.state.isOpen)
      return command == .play && !open.isEmpty
        ? [.transfers(.change(open.map(\.id), .pause))]
        : [.transfers(.change(unfinished.map(\.id), .resume))]
    case .more: return [.transfers(.change(transfers.map(\.id), .up))]
    case .less: return [.transfers(.change(transfers.map(\.id), .down))]
    default:
      let removal = Effect.transfers(.change(transfers.map(\.id), .cancel))
      guard !unfinished.isEmpty else { return [removal] }
      state.ask(.question(TransfersStrings.cancel(transfers), [removal]))
      return []
    }
  }

  // MARK: Mouse and changes

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    _ = page.handle(mouse.event, in: contents(in: state))
    return .done([])
  }

  mutating func settle(in state: ReaderState) { page.settle(in: contents(in: state)) }

  private func contents(in state: ReaderState) -> DetailedList<Int64>.Contents<Transfer> {
    let transfers = state.transfers.transfers
    return DetailedList.Contents(
      rows: transfers, layout: layout(state.size, rowCount: transfers.count)
    ) { transfer, width in
      transfer.details(width: width, in: state).count
    }
  }

  // MARK: The line at the bottom

  func trouble(in state: ReaderState) -> StatusTrouble? { state.offlineTrouble }

  func hints(in state: ReaderState) -> [KeyHint] {
    guard !state.transfers.transfers.isEmpty else { return [KeyHint.keys, KeyHint.back] }
    let isRunning = state.transfers.transfers.contains { $0.state == .running }
    return (isRunning ? [CoreStrings.stop] : []) + [
      KeyHint.keys, KeyHint(.play, "pause"), KeyHint(.refresh, "resume"),
      KeyHint(.remove, "remove"), KeyHint(.more, .less, "order"), KeyHint.back,
    ]
  }
}
