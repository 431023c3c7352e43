internal import News
internal import Screen

/// The screen of the episodes that wait to be played, with details of the selected one.
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
  static let commands: [Command] =
    [
      .open, .play, .remove, .more, .less, .clearQueue, .select, .selectRange, .detailsDown,
      .detailsUp, .back, .leave,
    ] + .motions
  static let help: [Command: String] = [
    .open: "Play this episode and those after, or the selected ones",
    .play: "Play this episode and those after, or the selected ones",
    .more: "Move up", .less: "Move down", .remove: "Remove from the queue",
  ]
  static let opening: Command? = .queue

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
      state.ask(.question(PlayQueueStrings.clear(files.count), [.queue(.change(.clear))]))
      return .done([])
    case .open, .play, .more, .less, .remove, .clearQueue:
      guard let index = page.selection.nearestIndex(in: files) else {
        return .done(state.notify(PlayQueueStrings.empty))
      }
      let ids = page.subjects(in: files).map(\.id)
      switch command {
      case .open, .play:
        let played = page.picked.isEmpty ? files[index...].map(\.id) : ids
        page.deselect()
        return .done([.queue(.play(played))])
      case .more: return .done([.queue(.change(.up(ids)))])
      case .less: return .done([.queue(.change(.down(ids)))])
      default: return .done([.queue(.change(.remove(ids)))])
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
    guard files?.isEmpty == false else { return [KeyHint.keys, KeyHint.back] }
    return [
      KeyHint.keys, KeyHint(.play, "play"), KeyHint(.more, .less, "order"),
      KeyHint(.remove, "remove"), KeyHint.back,
    ]
  }
}
