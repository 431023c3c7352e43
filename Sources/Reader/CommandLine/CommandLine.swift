internal import Screen

/// The line after `:` that takes a command by its name, or a verb with its arguments. Above it stand the commands that
/// what is typed may mean; Tab goes through them, the arrows through earlier lines.
struct CommandLine: Hashable, Sendable {
  var editor: LineEditor
  /// The line before Tab was pressed; nil before that.
  private(set) var typed: String?
  /// The index of the command that Tab has chosen.
  private(set) var chosen = 0
  /// The place in the history; nil on a line of one's own.
  private var place: Int?
  /// The line before the history was gone through.
  private var draft = ""

  init(_ text: String = "") { editor = LineEditor(text) }

  /// The commands that the line may mean, the likeliest first; none once arguments are typed.
  func matches(in state: ReaderState) -> [RunnableCommand] {
    let text = typed ?? editor.text
    return text.contains(" ")
      ? [] : RunnableCommand.matches(text, among: RunnableCommand.runnableCommands(in: state))
  }

  private mutating func complete(_ step: Int, in state: ReaderState) {
    let matches = matches(in: state)
    guard !matches.isEmpty else {
      if editor.text.contains(" ") {
        editor.complete(argument: step, state.subscriptions.queryNames)
      }
      return
    }
    chosen = typed == nil ? (step > 0 ? 0 : matches.count - 1) : chosen + step
    chosen = (chosen + matches.count) % matches.count
    typed = typed ?? editor.text
    editor = LineEditor(matches[chosen].name)
  }

  private mutating func recall(_ step: Int, in state: ReaderState) {
    let line = state.commandHistory.recalled(step, editor.text, place: &place, draft: &draft)
    if let line { editor = LineEditor(line) }
    typed = nil
  }
}

extension CommandLine: ReaderScreen {
  static let name = "command-line"
  static let layer = ScreenLayer.prompt
  static let opening: Command? = .commandLine

  static func open(in state: inout ReaderState) -> [Effect] {
    state.stack.push(CommandLine())
    return []
  }

  mutating func handle(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    guard let key = press.key else { return .ignored }
    switch key {
    case .control("z"): return .done([.suspend])
    case .escape, .control("c"), .control("g"): return .closed([])
    case .backspace where editor.isEmpty: return .closed([])
    case .tab: complete(1, in: state)
    case .backTab: complete(-1, in: state)
    case .up, .control("p"): recall(-1, in: state)
    case .down, .control("n"): recall(1, in: state)
    case .enter:
      let line = editor.text.trimmingBlanks
      guard !line.isEmpty else { return .closed([]) }
      state.commandHistory.add(line)
      return .closed(
        [.preferences(.keepCommand(line))]
          + RunnableCommand.run(line: line, at: press.milliseconds, in: &state))
    default:
      guard editor.handle(key) else { break }
      typed = nil
      place = nil
    }
    return .done([])
  }

  mutating func handle(pasted text: String, in state: inout ReaderState) -> ScreenResponse {
    editor.insert(text)
    typed = nil
    return .done([])
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    .done([])
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, in state: ReaderState) {
    guard let line = state.layout.status else { return }
    frame.fill(line, state.theme.text)
    editor.draw(&frame, line, after: ":", state.theme)
    if line.y >= 3 {
      editor.drawChoices(
        &frame, Rect(x: line.x, y: line.y - 1, width: line.width, height: 1), state.theme)
    }
    let matches = matches(in: state)
    let height = min(matches.count, 10, line.y / 2)
    guard height > 0 else { return }
    let selected = typed == nil ? nil : chosen
    let first = max(0, min((selected ?? 0) - height / 2, matches.count - height))
    let shown = Array(matches[first..<first + height])
    let columns = CommandRow.Columns(shown, width: line.width)
    for (index, command) in shown.enumerated() {
      CommandRow(command: command).draw(
        &frame, Rect(x: line.x, y: line.y - height + index, width: line.width, height: 1), columns,
        isSelected: first + index == selected, isOverlaid: true, state.theme)
    }
  }
}

extension ReaderState {
  /// Opens the line with a text to go on with.
  mutating func openCommandLine(with text: String) -> [Effect] {
    stack.push(CommandLine(text))
    return []
  }
}

extension String {
  /// Without the spaces around it.
  fileprivate var trimmingBlanks: String {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
