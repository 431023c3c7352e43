import News
import Screen

/// The screen of the keys that are needed most on a page. Its own key again shows all of them; any other closes it.
struct HelpState: ReaderScreen {
  let page: String
  var top = 0

  static let name = "help"
  static let layer = ScreenLayer.help
  static let commands: [Command] = .motions
  static let opening: Command? = .help

  /// Commands other than motions that are shown of a page.
  private static let most = 12

  static func open(in state: inout ReaderState) -> [Effect] {
    let page = state.stack.topPage ?? state.focus.screen
    state.stack.push(HelpState(page: type(of: page).name))
    return []
  }

  // MARK: Keys

  mutating func handle(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    guard let command = press.key.flatMap(state.keys.command) else { return .closed([]) }
    if command == .help { return .closed(state.run(.palette, at: press.milliseconds) ?? []) }
    if command.motion != nil { return perform(command, press, in: &state) }
    // These go on as they would without it.
    let others: [Command] = [.quit, .suspend, .commandLine, .palette, .redraw]
    return others.contains(command) ? .ignored : .closed([])
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    guard let motion = command.motion else { return .ignored }
    scroll(by: motion.delta(height: height(in: state)), in: state)
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

  mutating func settle(in state: ReaderState) { scroll(by: 0, in: state) }

  private mutating func scroll(by delta: Int, in state: ReaderState) {
    let count = columns(in: state).map(\.count).max() ?? 0
    top = scrolled(top, by: delta, count: count, height: height(in: state))
  }

  private func height(in state: ReaderState) -> Int {
    PaneLayout.content(of: PaneLayout.page(state.size)).height
  }

  // MARK: Contents

  struct Line: Hashable {
    var key = ""
    var text = ""
    var isHeading = false
  }

  /// The lines of one column, or of two that are about as long.
  func columns(in state: ReaderState) -> [[Line]] {
    let sections = sections(in: state)
    guard state.size.width >= 60 else { return [Array(sections.joined())] }
    let half = (sections.joined().count + 1) / 2
    var columns: [[Line]] = [[], []]
    for section in sections {
      let isLeft = columns[1].isEmpty && columns[0].count + section.count / 2 <= half
      columns[isLeft ? 0 : 1] += section
    }
    return columns
  }

  private func sections(in state: ReaderState) -> [[Line]] {
    guard let kind = ScreenStack.kinds.first(where: { $0.name == page }) else { return [] }
    let keys = state.keys
    func line(_ command: Command) -> Line? {
      keys.keyName(of: command).map { Line(key: $0, text: state.help(of: command, on: kind)) }
    }
    let useful = kind.commands.filter { $0.motion == nil && keys.keyName(of: $0) != nil }
    let shown = Set(useful.prefix(Self.most))
    var sections: [(KeyTopic, [Line])] = []
    func add(_ lines: [Line], to topic: KeyTopic) {
      if let index = sections.firstIndex(where: { $0.0 == topic }) {
        sections[index].1 += lines
      } else {
        sections.append((topic, lines))
      }
    }
    if kind.commands.contains(Command(.down)),
      let down = keys.keyName(of: Command(.down)), let up = keys.keyName(of: Command(.up))
    {
      let page = line(Command(.pageDown)).map { [$0] } ?? []
      add([Line(key: "\(down) \(up)", text: "Down, up")] + page, to: .move)
    }
    for command in state.commands(on: kind) where shown.contains(command) {
      guard let line = line(command) else { continue }
      add([line], to: command.declaration?.topic ?? .own)
    }
    add([.commandLine, .palette, .quit].compactMap(line), to: .pages)
    return sections.map { topic, lines in
      [Line(key: topic.title, isHeading: true)] + lines + [Line()]
    }
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (pane, theme) = (PaneLayout.page(state.size), state.theme)
    let content = PaneLayout.content(of: pane)
    if content.y > pane.y {
      frame.putHeading("Help: \(page)", note: "", isFocused: true, in: pane, theme)
    }
    let columns = columns(in: state)
    let width = state.size.width / max(1, columns.count)
    let keyColumn = min(9, max(4, width / 4))
    for (column, lines) in columns.enumerated() {
      let x = column * width
      for (row, line) in lines.dropFirst(top).prefix(content.height).enumerated() {
        let y = content.y + row
        frame.put(
          line.key, x: x + (line.isHeading ? 1 : 2), y: y,
          style: line.isHeading ? theme.header : theme.accent,
          width: line.isHeading ? width - 2 : keyColumn)
        frame.put(
          line.text, x: x + keyColumn + 3, y: y, style: theme.text,
          width: max(0, width - keyColumn - 4), overflow: .ellipsis)
      }
    }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    [KeyHint(.help, CoreStrings.allKeys), KeyHint(.leave, "close")]
  }

  func trouble(in state: ReaderState) -> StatusTrouble? {
    (state.stack.below(Self.self) ?? state.focus.screen).trouble(in: state)
  }
}
