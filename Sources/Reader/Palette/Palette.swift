internal import Screen

extension Command {
  static let palette = Command("palette")
}

/// Everything that can be done on the page below, with its keys: what is typed makes the list shorter, Enter does the
/// selected line.
struct Palette: Hashable, Sendable {
  private var filtered = FilteredList<String>()

  private func answer(
    _ outcome: FilteredList<String>.Outcome, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse {
    switch outcome {
    case .ignored: return .ignored
    case .done: return .done([])
    case .suspended: return .done([.suspend])
    case .closed: return .closed([])
    case .chosen(let index):
      return .closed(state.choose(state.commands(for: filtered.text)[index], at: milliseconds))
    }
  }
}

extension RunnableCommand: SelectableRow {
  var selectionID: String { name }
}

extension ReaderState {
  fileprivate func commands(for text: String) -> [RunnableCommand] {
    RunnableCommand.matches(text, among: runnableCommands)
  }

  /// Runs what was chosen from a filtered. A verb gets a line for its arguments.
  fileprivate mutating func choose(_ command: RunnableCommand, at milliseconds: Int64) -> [Effect] {
    guard command.kind == .verb else { return run(command, [command.name], at: milliseconds) }
    return openCommandLine(with: command.name + " ")
  }
}

extension Palette: ReaderScreen {
  static let name = "palette"
  static let layer = ScreenLayer.prompt
  static let bindings: [KeyBinding] = []
  static let opening: KeyBinding? = KeyBinding(
    .palette, [.control("p"), .function(2)], "everything that can be done here", .program)

  static func open(in state: inout ReaderState) -> [Effect] {
    var palette = Palette()
    palette.filtered.selectFirst(of: state.commands(for: ""), size: state.size)
    state.stack.push(palette)
    return []
  }

  mutating func take(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    let outcome = filtered.take(press, size: state.size) { state.commands(for: $0) }
    return answer(outcome, at: press.milliseconds, in: &state)
  }

  mutating func take(pasted text: String, in state: inout ReaderState) -> ScreenResponse {
    filtered.take(pasted: text, size: state.size) { state.commands(for: $0) }
    return .done([])
  }

  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse {
    let outcome = filtered.take(mouse, size: state.size) { state.commands(for: $0) }
    return answer(outcome, at: milliseconds, in: &state)
  }

  mutating func settle(in state: ReaderState) {
    filtered.settle(in: state.commands(for: filtered.text), size: state.size)
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let columns = CommandRow.Columns(state.runnableCommands, width: state.size.width)
    let words = FilteredList<String>.Words(
      title: "What can be done here", prompt: "Do: ", nothing: "nothing of that name")
    filtered.draw(&frame, state.commands(for: filtered.text), words, in: state) {
      CommandRow(command: $1).draw(&$0, $2, columns, isSelected: $3, state.theme)
    }
  }
}
