internal import News
internal import Screen

extension Command {
  static let transfers = Command("transfers")
  static let pauseTransfer = Command("pause-transfer")
  static let dropTransfer = Command("drop-transfer")
  static let retryTransfer = Command("retry-transfer")
  static let transferSooner = Command("transfer-sooner")
  static let transferLater = Command("transfer-later")
  static let clearTransfers = Command("clear-transfers")
}

extension KeyTopic {
  static let transfers = KeyTopic("Downloads")
}

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
  static let bindings: [KeyBinding] =
    KeyBinding.motions + [
      .back, .leave,
      KeyBinding(.pauseTransfer, [.character("p")], "pause it, or go on", .transfers),
      KeyBinding(
        .retryTransfer, [.character("r"), .function(5)], "go on with it, or try again", .transfers),
      KeyBinding(
        .transferSooner, [.character("+")], "download it before the one above", .transfers),
      KeyBinding(.transferLater, [.character("-")], "download it after the one below", .transfers),
      KeyBinding(.dropTransfer, [.character("d")], "drop it; a whole file stays", .transfers),
      KeyBinding(
        .clearTransfers, [.character("c")], "take those that are done off the list", .transfers),
      KeyBinding(.detailsDown, [.character("J")], "scroll what is said of it", .transfers),
      KeyBinding(.detailsUp, [.character("K")], "scroll it back", .transfers),
    ]
  static let opening: KeyBinding? = KeyBinding(
    .transfers, [.character("T")], "every download and how far it is", .feeds)

  static func open(in state: inout ReaderState) -> [Effect] {
    let first = state.transfers.transfers.first { $0.state != .done }?.id
    state.stack.push(state.stack[Self.self] ?? TransfersState(page: DetailedList(first)))
    return []
  }

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if page.perform(command, in: contents(in: state)) { return .done([]) }
    switch command {
    case .transfers, .back, .leave:
      state.notice = nil
      return .closed([])
    case .clearTransfers:
      guard state.transfers.transfers.contains(where: { $0.state == .done }) else {
        return .done(state.notify("none is done"))
      }
      return .done([.transfers(.clear)])
    case .pauseTransfer, .retryTransfer, .dropTransfer, .transferSooner, .transferLater:
      guard let index = page.selection.nearestIndex(in: state.transfers.transfers) else {
        return .done(state.notify("there is no download"))
      }
      return .done(perform(command, on: state.transfers.transfers[index], in: &state))
    default: return .ignored
    }
  }

  private func perform(
    _ command: Command, on transfer: Transfer, in state: inout ReaderState
  ) -> [Effect] {
    switch command {
    case .pauseTransfer where transfer.state.isOpen:
      return [.transfers(.change(transfer.id, .pause))]
    case .pauseTransfer, .retryTransfer:
      guard transfer.state != .done else { return state.notify("it is done") }
      return [.transfers(.change(transfer.id, .resume))]
    case .transferSooner: return [.transfers(.change(transfer.id, .up))]
    case .transferLater: return [.transfers(.change(transfer.id, .down))]
    default:
      guard transfer.state != .done else { return [.transfers(.change(transfer.id, .cancel))] }
      let question =
        transfer.isUpload
        ? "Send \(transfer.name) no more; the file stays"
        : "Drop \(transfer.name) with what has come"
      state.ask(.question(question, [.transfers(.change(transfer.id, .cancel))]))
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

  func hints(in state: ReaderState) -> [KeyHint] {
    guard !state.transfers.transfers.isEmpty else {
      return [KeyHint("?", "keys"), KeyHint("q", "back")]
    }
    return [
      KeyHint("?", "keys"), KeyHint("p", "pause"), KeyHint("r", "go on"), KeyHint("d", "drop"),
      KeyHint("+ -", "order"), KeyHint("q", "back"),
    ]
  }
}
