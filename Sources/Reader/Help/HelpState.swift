internal import News
internal import Screen

extension Command {
  static let help = Command("help")
  static let filterHelp = Command("filter-help")
}

/// The screen of all keys. A key that has no function in it closes it.
struct HelpState: ReaderScreen {
  let page: String
  var top = 0
  private var filter = LineEditor()
  private(set) var isTyping = false

  init(page: String) { self.page = page }

  static let name = "help"
  static let layer = ScreenLayer.help
  static let bindings =
    KeyBinding.motions + [
      KeyBinding(.filterHelp, [.character("/")], "show only lines with these words", .move)
    ]
  static let opening: KeyBinding? = KeyBinding(
    .help, [.character("?"), .function(1)], "this help", .program)

  static func open(in state: inout ReaderState) -> [Effect] {
    let page = state.stack.topPage ?? state.focus.screen
    state.stack.push(HelpState(page: type(of: page).name))
    return []
  }

  // MARK: Keys

  mutating func handle(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    if isTyping, let key = press.key { return edit(key, in: state) }
    let command = press.key.flatMap { state.keys.command(for: $0, on: Self.self) }
    if let command, command.motion != nil || command == .filterHelp {
      return perform(command, press, in: &state)
    }
    if press.key == .escape, !filter.isEmpty {
      change(LineEditor(), in: state)
      return .done([])
    }
    // These go on as they would without it.
    let others: [Command] = [.quit, .suspend, .commandLine, .palette, .redraw, .nextTheme]
    return command.map(others.contains) == true ? .ignored : .closed([])
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if command == .filterHelp {
      isTyping = true
      return .done([])
    }
    guard let motion = command.motion else { return .ignored }
    scroll(by: motion.delta(height: height(in: state)), in: state)
    return .done([])
  }

  private mutating func edit(_ key: KeyEvent, in state: ReaderState) -> ScreenResponse {
    switch key {
    case .control("z"): return .done([.suspend])
    case .enter: isTyping = false
    case .escape, .control("c"), .control("g"):
      isTyping = false
      change(LineEditor(), in: state)
    case .backspace where filter.isEmpty: isTyping = false
    case .down: scroll(by: 1, in: state)
    case .up: scroll(by: -1, in: state)
    default:
      var line = filter
      if line.handle(key) { change(line, in: state) }
    }
    return .done([])
  }

  private mutating func change(_ line: LineEditor, in state: ReaderState) {
    filter = line
    top = 0
    scroll(by: 0, in: state)
  }

  mutating func handle(pasted text: String, in state: inout ReaderState) -> ScreenResponse {
    guard isTyping else { return .ignored }
    var line = filter
    line.insert(text)
    change(line, in: state)
    return .done([])
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    switch mouse.kind {
    case .wheelDown: scroll(by: 3, in: state)
    case .wheelUp: scroll(by: -3, in: state)
    case .click, .doubleClick: return .closed([])
    }
    return .done([])
  }

  // MARK: Scrolling

  mutating func settle(in state: ReaderState) { scroll(by: 0, in: state) }

  private mutating func scroll(by delta: Int, in state: ReaderState) {
    top = scrolled(top, by: delta, count: rows(in: state).count, height: height(in: state))
  }

  private var hasFilter: Bool { isTyping || !filter.isEmpty }

  private func height(in state: ReaderState) -> Int {
    let height = PaneLayout.page(state.size).height
    return hasFilter ? max(1, height - 1) : height
  }

  /// The lines of each row of the screen, one for each column.
  private func rows(in state: ReaderState) -> [[HelpPage.Line]] {
    let columns = HelpPage.columns(width: state.size.width)
    let page = HelpPage(state.keys, state.settings.keys, page: page, matching: filter.text)
    let lines = page.lines(width: state.size.width / columns)
    let count = (lines.count + columns - 1) / columns
    return (0..<count).map { row in
      (0..<columns).compactMap { column in
        let index = column * count + row
        return lines.indices.contains(index) ? lines[index] : nil
      }
    }
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (size, theme) = (state.size, state.theme)
    let width = size.width / HelpPage.columns(width: size.width)
    let keyColumn = HelpPage.keyColumn(width: width)
    let first = hasFilter ? 1 : 0
    let rows = rows(in: state)
    for (row, lines) in rows.dropFirst(top).prefix(height(in: state)).enumerated() {
      for (column, line) in lines.enumerated() {
        let x = column * width
        let y = first + row
        if line.isHeading {
          frame.put(line.keys, x: x + 1, y: y, style: theme.header, width: max(0, width - 2))
        } else {
          frame.put(line.keys, x: x + 2, y: y, style: theme.accent, width: max(0, width - 3))
          frame.put(
            line.text, x: x + keyColumn + 1, y: y, style: theme.text,
            width: max(0, width - keyColumn - 2))
        }
      }
    }
    guard hasFilter, size.height > 1 else { return }
    if rows.isEmpty, size.height > 2 {
      frame.put("nothing has these words", x: 1, y: 1, style: theme.dim, width: size.width - 1)
    }
    filter.draw(&frame, Rect(x: 0, y: 0, width: size.width, height: 1), after: "/", theme)
    if !isTyping { frame.cursor = nil }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    if isTyping { return [KeyHint("Enter", "keep"), KeyHint("Esc", "show all")] }
    return [KeyHint("j k", "scroll"), KeyHint("/", "filter"), KeyHint("q", "close")]
  }

  func trouble(in state: ReaderState) -> StatusTrouble? {
    (state.stack.below(Self.self) ?? state.focus.screen).trouble(in: state)
  }
}
