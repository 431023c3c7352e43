internal import News
internal import Screen

extension Command {
  static let queue = Command("queue")
  static let queueFile = Command("queue-file")
  static let playQueued = Command("play-queued")
  static let queuedSooner = Command("queued-sooner")
  static let queuedLater = Command("queued-later")
  static let unqueue = Command("unqueue")
  static let clearQueue = Command("clear-queue")
}

extension KeyTopic {
  static let queue = KeyTopic("Queue")
}

extension KeyBinding {
  static let queueFile = KeyBinding(
    .queueFile, [.character("e")], "put its sound into the queue, or take it out", .read)
}

/// The screen of the sounds and films that wait to be played, with details of the selected one.
struct QueueState: Hashable {
  /// Nil until they have been read from the store.
  var files: [QueuedFile]?
  var page = DetailedList<Int64>()

  func layout(_ size: Size) -> PageLayout { PageLayout(size: size, rowCount: files?.count ?? 0) }
}

extension QueuedFile: SelectableRow {
  var selectionID: Int64 { id }
}

extension QueueState: ReaderScreen {
  static let name = "queue"
  static let layer = ScreenLayer.page
  static let bindings: [KeyBinding] =
    KeyBinding.motions + [
      .back, .leave,
      KeyBinding(
        .playQueued, [.enter, .character("p")], "play it, and what comes after it", .queue),
      KeyBinding(.queuedSooner, [.character("+")], "play it before the one above", .queue),
      KeyBinding(.queuedLater, [.character("-")], "play it after the one below", .queue),
      KeyBinding(.unqueue, [.character("d")], "take it out of the queue", .queue),
      KeyBinding(.clearQueue, [.character("c")], "take all out of the queue", .queue),
      KeyBinding(.detailsDown, [.character("J")], "scroll what is said of it", .queue),
      KeyBinding(.detailsUp, [.character("K")], "scroll it back", .queue),
    ]
  static let opening: KeyBinding? = KeyBinding(
    .queue, [.character("E")], "the queue of what is to be played", .feeds)

  static func open(in state: inout ReaderState) -> [Effect] {
    state.stack.push(state.stack[Self.self] ?? QueueState())
    return [.queue(.observe)]
  }

  // MARK: Keys

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if page.perform(command, in: contents(in: state)) { return .done([]) }
    let files = files ?? []
    switch command {
    case .queue, .back, .leave:
      state.notice = nil
      return .closed([.cancel(.queue)])
    case .clearQueue where !files.isEmpty:
      state.ask(.question("Take all \(files.count) out of the queue", [.queue(.change(.clear))]))
      return .done([])
    case .playQueued, .queuedSooner, .queuedLater, .unqueue, .clearQueue:
      guard let index = page.selection.nearestIndex(in: files) else {
        return .done(state.notify("the queue is empty"))
      }
      let id = files[index].id
      switch command {
      case .playQueued: return .done([.queue(.play(files[index...].map(\.id)))])
      case .queuedSooner: return .done([.queue(.change(.up(id)))])
      case .queuedLater: return .done([.queue(.change(.down(id)))])
      default: return .done([.queue(.change(.remove(id)))])
      }
    default: return .ignored
    }
  }

  // MARK: Mouse and changes

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let clicked = page.handle(mouse.event, in: contents(in: state))
    guard mouse.kind == .doubleClick, let clicked, let files else { return .done([]) }
    return .done([.queue(.play(files[clicked...].map(\.id)))])
  }

  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse {
    guard case .queue(.arrived(let files)) = action else { return .ignored }
    self.files = files
    settle(in: state)
    return .done([])
  }

  mutating func settle(in state: ReaderState) { page.settle(in: contents(in: state)) }

  private func contents(in state: ReaderState) -> DetailedList<Int64>.Contents<QueuedFile> {
    DetailedList.Contents(rows: files ?? [], layout: layout(state.size)) { file, width in
      file.details(width: width).count
    }
  }

  // MARK: The line at the bottom

  func hints(in state: ReaderState) -> [KeyHint] {
    guard files?.isEmpty == false else { return [KeyHint("?", "keys"), KeyHint("q", "back")] }
    return [
      KeyHint("?", "keys"), KeyHint("p", "play"), KeyHint("+ -", "order"),
      KeyHint("d", "take out"), KeyHint("q", "back"),
    ]
  }
}
