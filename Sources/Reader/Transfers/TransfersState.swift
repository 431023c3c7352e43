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
    [.play, .refresh, .remove, .more, .less, .hideRead, .detailsDown, .detailsUp, .back, .leave]
    + .motions
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
    return transfers.map { .transfers(.change($0.id, .pause)) }
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
      guard let index = page.selection.nearestIndex(in: state.transfers.transfers) else {
        return .done(state.notify(TransfersStrings.empty))
      }
      return .done(perform(command, on: state.transfers.transfers[index], in: &state))
    default: return .ignored
    }
  }

  private func perform(
    _ command: Command, on transfer: Transfer, in state: inout ReaderState
  ) -> [Effect] {
    switch command {
    case .play where transfer.state.isOpen:
      return [.transfers(.change(transfer.id, .pause))]
    case .play, .refresh:
      guard transfer.state != .done else {
        return state.notify(TransfersStrings.isFinished(transfer))
      }
      return [.transfers(.change(transfer.id, .resume))]
    case .more: return [.transfers(.change(transfer.id, .up))]
    case .less: return [.transfers(.change(transfer.id, .down))]
    default:
      guard transfer.state != .done else { return [.transfers(.change(transfer.id, .cancel))] }
      state.ask(
        .question(TransfersStrings.cancel(transfer), [.transfers(.change(transfer.id, .cancel))]))
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
