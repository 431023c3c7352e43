internal import Screen

/// The screen of what a program has printed. Leaving it ends a program that still runs.
struct OutputState: Hashable, Sendable {
  let id: ProgramID
  var top = 0
  private var wrapped = WrappedOutput()

  init(id: ProgramID) { self.id = id }

  private func program(in state: ReaderState) -> StartedProgram? {
    state.programs.first { $0.id == id }
  }

  private func lines(in state: ReaderState) -> [String] {
    var wrapped = wrapped
    wrapped.wrap(program(in: state)?.output ?? "", width: max(1, state.size.width - 2))
    return wrapped.lines
  }

  private func height(_ size: Size) -> Int { PaneLayout.content(of: PaneLayout.page(size)).height }

  private mutating func scroll(by delta: Int, in state: ReaderState) {
    top = scrolled(top, by: delta, count: lines(in: state).count, height: height(state.size))
  }
}

extension OutputState: ReaderScreen {
  static let name = "output"
  static let layer = ScreenLayer.page
  static let commands = [.back, .leave] + [Command].motions

  /// Ends the program, and keeps what it has printed.
  mutating func stop(in state: inout ReaderState) -> [Effect]? {
    guard let index = state.programs.firstIndex(where: { $0.id == id }),
      state.programs[index].end == nil, !state.programs[index].isStopped
    else { return nil }
    state.programs[index].isStopped = true
    return cancel(state.programs[index], in: &state)
  }

  private func cancel(_ program: StartedProgram, in state: inout ReaderState) -> [Effect] {
    [.cancel(.programs(.run(id)))] + state.notify(CommandsStrings.stopped(program.title))
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      scroll(by: motion.delta(height: height(state.size)), in: state)
      return .done([])
    }
    guard command == .back || command == .leave else { return .ignored }
    state.notice = nil
    let program = program(in: state)
    state.programs.removeAll { $0.id == id }
    guard let program, program.end == nil else { return .closed([]) }
    return .closed(cancel(program, in: &state))
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    switch mouse.kind {
    case .wheelDown: scroll(by: 3, in: state)
    case .wheelUp: scroll(by: -3, in: state)
    case .click, .doubleClick: break
    }
    return .done([])
  }

  mutating func settle(in state: ReaderState) {
    wrapped.wrap(program(in: state)?.output ?? "", width: max(1, state.size.width - 2))
    scroll(by: 0, in: state)
  }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let pane = PaneLayout.page(state.size)
    let content = PaneLayout.content(of: pane)
    let program = program(in: state)
    let lines = lines(in: state)
    if content.y > pane.y {
      frame.putHeading(
        program?.title ?? "",
        note: (program == nil ? "running …" : program?.note)
          ?? quantity(lines.count, "line"),
        isFocused: true, in: pane, state.theme)
    }
    if lines.isEmpty {
      let action = program?.end == nil ? CoreStrings.stops : ReadingStrings.back(state.key(.leave))
      return frame.putEmpty(
        [(CommandsStrings.nothingPrinted, state.theme.text), (action, state.theme.dim)],
        in: state.size)
    }
    for (row, line) in lines.dropFirst(top).prefix(content.height).enumerated() {
      frame.put(
        line, x: 1, y: content.y + row, style: state.theme.text, width: max(0, content.width - 1))
    }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    let isRunning = program(in: state)?.end == nil
    return [
      KeyHint.keys, KeyHint(Command(.pageDown), "page"),
    ] + (isRunning ? [CoreStrings.stop] : []) + [KeyHint(.leave, "close")]
  }
}
