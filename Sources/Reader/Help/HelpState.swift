internal import News
internal import Screen

extension Command {
  static let help = Command("help")
}

/// The screen of all keys. A key that does not scroll closes it.
struct HelpState: ReaderScreen {
  /// The first line that shows.
  var top = 0

  static let name = "help"
  static let layer = ScreenLayer.help
  static let bindings = KeyBinding.motions
  static let opening: KeyBinding? = KeyBinding(
    .help, [.character("?"), .function(1)], "this help", .program)

  static func open(in state: inout ReaderState) -> [Effect] {
    state.stack.push(HelpState())
    return []
  }

  mutating func take(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    let command = press.key.flatMap { state.keys.command(for: $0, on: Self.self) }
    if let command, command.motion != nil { return perform(command, press, in: &state) }
    // These two go on as they would without it.
    let others: [Command] = [.quit, .suspend, .commandLine, .palette]
    return command.map(others.contains) == true ? .ignored : .closed([])
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    guard let motion = command.motion else { return .ignored }
    scroll(by: motion.delta(height: Self.height(of: state.size)), in: state)
    return .done([])
  }

  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse {
    switch mouse.kind {
    case .wheelDown: scroll(by: 3, in: state)
    case .wheelUp: scroll(by: -3, in: state)
    case .click, .doubleClick: return .closed([])
    }
    return .done([])
  }

  mutating func settle(in state: ReaderState) { scroll(by: 0, in: state) }

  private mutating func scroll(by delta: Int, in state: ReaderState) {
    let count = HelpPage.lines(state.keys, width: state.size.width).count
    top = scrolled(top, by: delta, count: count, height: Self.height(of: state.size))
  }

  private static func height(of size: Size) -> Int {
    size.height > 1 ? size.height - 1 : size.height
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (size, theme) = (state.size, state.theme)
    let lines = HelpPage.lines(state.keys, width: size.width)
    let column = HelpPage.keyColumn(width: size.width)
    for (row, line) in lines.dropFirst(top).prefix(Self.height(of: size)).enumerated() {
      if line.isHeading {
        frame.put(line.keys, x: 1, y: row, style: theme.header)
      } else {
        frame.put(line.keys, x: 2, y: row, style: theme.accent)
        frame.put(line.text, x: column + 1, y: row, style: theme.text)
      }
    }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    [KeyHint("j k", "scroll"), KeyHint("q", "close")]
  }

  /// That of the screen below.
  func trouble(in state: ReaderState) -> StatusTrouble? {
    (state.stack.below(Self.self) ?? state.focus.screen).trouble(in: state)
  }
}
