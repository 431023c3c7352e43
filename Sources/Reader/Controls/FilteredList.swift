internal import Screen

/// A whole page of rows of which one is selected: what is typed makes them fewer, Enter chooses.
struct FilteredList<ID: Hashable & Sendable>: Hashable, Sendable {
  private var editor = LineEditor()
  private var selection = ScrollingSelection<ID>()

  enum Outcome: Hashable {
    case done
    case ignored
    case suspended
    case closed
    case chosen(Int)
  }

  var text: String { editor.text }

  private static func height(_ size: Size) -> Int { max(1, size.height - 2) }

  /// - Parameter rows: those for a text.
  mutating func handle<Row: SelectableRow>(
    _ press: KeyPress, size: Size, rows: (String) -> [Row]
  ) -> Outcome where Row.SelectionID == ID {
    guard let key = press.key else { return .ignored }
    let height = Self.height(size)
    func move(_ list: inout Self, by delta: Int) {
      list.selection.move(by: delta, in: rows(list.text), height: height)
    }
    switch key {
    case .control("z"): return .suspended
    case .escape, .control("c"), .control("g"): return .closed
    case .backspace where editor.isEmpty: return .closed
    case .up, .control("p"), .backTab: move(&self, by: -1)
    case .down, .control("n"), .tab: move(&self, by: 1)
    case .pageUp: move(&self, by: -max(1, height - 1))
    case .pageDown: move(&self, by: max(1, height - 1))
    case .enter:
      return selection.nearestIndex(in: rows(text)).map { .chosen($0) } ?? .done
    default:
      let former = text
      _ = editor.handle(key)
      if text != former { selectFirst(of: rows(text), size: size) }
    }
    return .done
  }

  mutating func handle<Row: SelectableRow>(
    pasted more: String, size: Size, rows: (String) -> [Row]
  ) where Row.SelectionID == ID {
    editor.insert(more)
    selectFirst(of: rows(text), size: size)
  }

  mutating func handle<Row: SelectableRow>(
    _ mouse: MouseEvent, size: Size, rows: (String) -> [Row]
  ) -> Outcome where Row.SelectionID == ID {
    let area = Rect(x: 0, y: 1, width: size.width, height: Self.height(size))
    guard let index = selection.handle(mouse, in: rows(text), area: area),
      mouse.kind == .doubleClick
    else { return .done }
    return .chosen(index)
  }

  mutating func selectFirst<Row: SelectableRow>(of rows: [Row], size: Size)
  where Row.SelectionID == ID {
    selection = ScrollingSelection()
    selection.move(by: 0, in: rows, height: Self.height(size))
  }

  mutating func settle<Row: SelectableRow>(in rows: [Row], size: Size)
  where Row.SelectionID == ID {
    selection.settle(in: rows, height: Self.height(size))
  }

  // MARK: Drawing

  /// The texts around the rows.
  struct Words {
    var title: String
    /// In front of what is typed.
    var prompt: String
    /// In place of rows.
    var nothing: String
  }

  func draw<Row: SelectableRow>(
    _ frame: inout Frame, _ rows: [Row], _ words: Words, in state: ReaderState,
    row drawRow: (inout Frame, Row, _ line: Rect, _ isSelected: Bool) -> Void
  ) where Row.SelectionID == ID {
    let (size, theme) = (state.size, state.theme)
    frame.fill(Rect(x: 0, y: 0, width: size.width, height: size.height), theme.text)
    let height = Self.height(size)
    let selected = selection.nearestIndex(in: rows)
    let top = size.height > 2 ? 1 : 0
    if top > 0 {
      frame.putHeading(
        words.title, note: "\(selected.map { $0 + 1 } ?? 0)/\(rows.count)", isFocused: true,
        in: Rect(x: 0, y: 0, width: size.width, height: size.height - 1), theme)
    }
    let first = selection.firstVisible(in: rows, height: height)
    for index in first..<max(first, min(rows.count, first + height)) {
      let line = Rect(x: 0, y: top + index - first, width: size.width, height: 1)
      drawRow(&frame, rows[index], line, index == selected)
    }
    if rows.isEmpty, top > 0 {
      frame.put(words.nothing, x: 1, y: 1, style: theme.dim, width: size.width - 1)
    }
    guard let line = state.layout.status else { return }
    frame.fill(line, theme.text)
    editor.draw(&frame, line, after: words.prompt, theme)
  }
}

/// A page with a filtered list and nothing else.
protocol FilteredPage: ReaderScreen {
  associatedtype Row: SelectableRow
  /// Values for the drawing of all rows, made once.
  associatedtype Columns
  var filtered: FilteredList<Row.SelectionID> { get set }
  static var words: FilteredList<Row.SelectionID>.Words { get }

  init()
  static func rows(for text: String, in state: ReaderState) -> [Row]
  /// Runs a row. The page is closed.
  static func choose(_ row: Row, at milliseconds: Int64, in state: inout ReaderState) -> [Effect]
  static func columns(in state: ReaderState) -> Columns
  func draw(
    _ row: Row, _ frame: inout Frame, _ line: Rect, _ columns: Columns, isSelected: Bool,
    in state: ReaderState)
}

extension FilteredPage {
  static var layer: ScreenLayer { .prompt }

  static func open(in state: inout ReaderState) -> [Effect] {
    var page = Self()
    page.filtered.selectFirst(of: rows(for: "", in: state), size: state.size)
    state.stack.push(page)
    return []
  }

  private func answer(
    _ outcome: FilteredList<Row.SelectionID>.Outcome, at milliseconds: Int64,
    in state: inout ReaderState
  ) -> ScreenResponse {
    switch outcome {
    case .ignored: return .ignored
    case .done: return .done([])
    case .suspended: return .done([.suspend])
    case .closed: return .closed([])
    case .chosen(let index):
      let row = Self.rows(for: filtered.text, in: state)[index]
      return .closed(Self.choose(row, at: milliseconds, in: &state))
    }
  }

  mutating func handle(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    let outcome = filtered.handle(press, size: state.size) { Self.rows(for: $0, in: state) }
    return answer(outcome, at: press.milliseconds, in: &state)
  }

  mutating func handle(pasted text: String, in state: inout ReaderState) -> ScreenResponse {
    filtered.handle(pasted: text, size: state.size) { Self.rows(for: $0, in: state) }
    return .done([])
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let outcome = filtered.handle(mouse.event, size: state.size) { Self.rows(for: $0, in: state) }
    return answer(outcome, at: mouse.milliseconds, in: &state)
  }

  mutating func settle(in state: ReaderState) {
    filtered.settle(in: Self.rows(for: filtered.text, in: state), size: state.size)
  }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let columns = Self.columns(in: state)
    filtered.draw(&frame, Self.rows(for: filtered.text, in: state), Self.words, in: state) {
      draw($1, &$0, $2, columns, isSelected: $3, in: state)
    }
  }
}
