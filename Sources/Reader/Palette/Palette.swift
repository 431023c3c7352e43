internal import Screen

extension Command {
  static let palette = Command("palette")
}

/// Everything that can be done on the page below, with its keys: what is typed makes the list shorter, Enter does the
/// selected line.
struct Palette: Hashable, Sendable {
  private var editor = LineEditor()
  private var selection = ScrollingSelection<String>()

  private func rows(in state: ReaderState) -> [RunnableCommand] {
    RunnableCommand.matches(editor.text, among: state.runnableCommands)
  }

  private func height(_ size: Size) -> Int { max(1, size.height - 2) }

  private mutating func move(by delta: Int, in state: ReaderState) {
    selection.move(by: delta, in: rows(in: state), height: height(state.size))
  }

  private mutating func selectFirst(in state: ReaderState) {
    selection = ScrollingSelection()
    move(by: 0, in: state)
  }

  private func run(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    let rows = rows(in: state)
    guard let index = selection.nearestIndex(in: rows) else { return .done([]) }
    return .closed(state.choose(rows[index], at: press.milliseconds))
  }
}

extension RunnableCommand: SelectableRow {
  var selectionID: String { name }
}

extension ReaderState {
  /// Runs what was chosen from a list. A verb gets a line for its arguments.
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
    palette.selectFirst(in: state)
    state.stack.push(palette)
    return []
  }

  mutating func take(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    guard let key = press.key else { return .ignored }
    let page = max(1, height(state.size) - 1)
    switch key {
    case .control("z"): return .done([.suspend])
    case .escape, .control("c"), .control("g"): return .closed([])
    case .backspace where editor.isEmpty: return .closed([])
    case .up, .control("p"), .backTab: move(by: -1, in: state)
    case .down, .control("n"), .tab: move(by: 1, in: state)
    case .pageUp: move(by: -page, in: state)
    case .pageDown: move(by: page, in: state)
    case .enter: return run(press, in: &state)
    default:
      let former = editor.text
      _ = editor.handle(key)
      if editor.text != former { selectFirst(in: state) }
    }
    return .done([])
  }

  mutating func take(pasted text: String, in state: inout ReaderState) -> ScreenResponse {
    editor.insert(text)
    selectFirst(in: state)
    return .done([])
  }

  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse {
    switch mouse.kind {
    case .wheelDown: move(by: 3, in: state)
    case .wheelUp: move(by: -3, in: state)
    case .click, .doubleClick:
      let rows = rows(in: state)
      let first = selection.firstVisible(in: rows, height: height(state.size))
      let index = first + mouse.y - 1
      guard mouse.y >= 1, rows.indices.contains(index) else { return .done([]) }
      selection.select(index, in: rows, line: mouse.y - 1)
      if mouse.kind == .doubleClick {
        return run(KeyPress(milliseconds: milliseconds), in: &state)
      }
    }
    return .done([])
  }

  mutating func settle(in state: ReaderState) {
    selection.settle(in: rows(in: state), height: height(state.size))
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (size, theme) = (state.size, state.theme)
    let whole = Rect(x: 0, y: 0, width: size.width, height: size.height)
    frame.fill(whole, theme.text)
    let rows = rows(in: state)
    let height = height(size)
    let selected = selection.nearestIndex(in: rows)
    if size.height > 2 {
      frame.putHeading(
        "What can be done here", note: "\(selected.map { $0 + 1 } ?? 0)/\(rows.count)",
        isFocused: true, in: Rect(x: 0, y: 0, width: size.width, height: size.height - 1), theme)
    }
    let top = size.height > 2 ? 1 : 0
    let first = selection.firstVisible(in: rows, height: height)
    let columns = CommandRow.Columns(state.runnableCommands, width: size.width)
    for index in first..<max(first, min(rows.count, first + height)) {
      CommandRow(command: rows[index]).draw(
        &frame, Rect(x: 0, y: top + index - first, width: size.width, height: 1), columns,
        isSelected: index == selected, theme)
    }
    if rows.isEmpty, size.height > 2 {
      frame.put("nothing of that name", x: 1, y: 1, style: theme.dim, width: size.width - 1)
    }
    guard let line = state.layout.status else { return }
    frame.fill(line, theme.text)
    editor.draw(&frame, line, after: "Do: ", theme)
  }
}
