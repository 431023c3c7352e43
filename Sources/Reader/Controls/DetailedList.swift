internal import Screen

/// The list of a page with the details of its selected row: which row is selected, and how far the details
/// are scrolled. The details of another row begin at their top. In pages with the command `select`, several rows can be
/// selected for the next command.
struct DetailedList<ID: Hashable & Sendable>: Hashable, Sendable {
  private(set) var selection: ScrollingSelection<ID>
  private(set) var detailsTop = 0
  /// Rows that the next command is about, in place of the one of `selection`.
  private(set) var picked = MultipleSelection<ID, ID>()

  init(_ id: ID? = nil) { selection = ScrollingSelection(id) }

  /// The rows as they are now, and where they are drawn.
  struct Contents<Row: SelectableRow> where Row.SelectionID == ID {
    let rows: [Row]
    let layout: PageLayout
    /// The number of lines that the details of a row take.
    let detailsCount: (_ row: Row, _ width: Int) -> Int
  }

  // MARK: Keys and mouse

  /// Does what the keys do that all such pages have: motions in the list, scrolling of the details, and selecting.
  mutating func perform<Row>(_ command: Command, in contents: Contents<Row>) -> Bool {
    if let motion = command.motion {
      change(in: contents) { $0.move(by: motion.delta(height: $2), in: $1, height: $2) }
      return true
    }
    switch command {
    case .detailsDown: scrollDetails(by: 1, in: contents)
    case .detailsUp: scrollDetails(by: -1, in: contents)
    case .select: toggle(in: contents)
    case .selectRange: pickRange(in: contents.rows)
    case .back where !picked.isEmpty: deselect()
    default: return false
    }
    return true
  }

  /// Scrolls with the wheel what the mouse is over, and selects the row that is clicked.
  ///
  /// - Returns: the index of the clicked row; nil where none was clicked.
  mutating func handle<Row>(_ mouse: MouseEvent, in contents: Contents<Row>) -> Int? {
    let layout = contents.layout
    switch mouse.kind {
    case .wheelDown, .wheelUp:
      let delta = mouse.kind == .wheelDown ? 3 : -3
      if layout.details?.contains(x: mouse.x, y: mouse.y) == true {
        scrollDetails(by: delta, in: contents)
      } else {
        change(in: contents) { $0.move(by: delta, in: $1, height: $2) }
      }
      return nil
    case .click, .doubleClick:
      guard layout.rows.contains(x: mouse.x, y: mouse.y) else { return nil }
      let line = mouse.y - layout.rows.y
      let index = selection.firstVisible(in: contents.rows, height: layout.rows.height) + line
      guard contents.rows.indices.contains(index) else { return nil }
      select(index, line: line, in: contents)
      return index
    }
  }

  // MARK: Selecting

  /// Finds the selected row again after the rows have changed, or its neighbour once it is gone.
  mutating func settle<Row>(in contents: Contents<Row>) {
    change(in: contents) { $0.settle(in: $1, height: $2) }
    scrollDetails(by: 0, in: contents)
    if !picked.isEmpty { picked.keep(Set(contents.rows.map(\.selectionID)).contains) }
  }

  /// - Parameter line: its line on the screen, as far as the rows around it allow.
  mutating func select<Row>(_ index: Int, line: Int, in contents: Contents<Row>) {
    change(in: contents) {
      $0.select(index, in: $1, line: line)
      $0.settle(in: $1, height: $2)
    }
  }

  private mutating func toggle<Row>(in contents: Contents<Row>) {
    guard let index = selection.nearestIndex(in: contents.rows) else { return }
    let id = contents.rows[index].selectionID
    picked.toggle([id], of: id)
    change(in: contents) { $0.move(by: 1, in: $1, height: $2) }
  }

  private mutating func pickRange<Row: SelectableRow>(in rows: [Row]) where Row.SelectionID == ID {
    guard let index = selection.nearestIndex(in: rows) else { return }
    let range = picked.range(to: index) { last in rows.firstIndex { $0.selectionID == last } }
    for id in (range ?? [index]).map({ rows[$0].selectionID }) { picked.add([id], of: id) }
  }

  mutating func deselect() { picked = MultipleSelection() }

  /// The rows that a command is about: the selected ones, else the present one.
  func subjects<Row: SelectableRow>(in rows: [Row]) -> [Row] where Row.SelectionID == ID {
    guard picked.isEmpty else { return rows.filter { picked.contains($0.selectionID) } }
    return selection.nearestIndex(in: rows).map { [rows[$0]] } ?? []
  }

  /// Draws the signs of the selected rows.
  func drawPicked<Row: SelectableRow>(
    _ frame: inout Frame, of rows: [Row], in area: Rect, _ theme: Theme
  ) where Row.SelectionID == ID {
    guard !picked.isEmpty, area.width >= 12 else { return }
    let present = selection.nearestIndex(in: rows)
    for (index, line) in selection.visible(of: rows, in: area)
    where picked.contains(rows[index].selectionID) {
      let style = index == present ? theme.selected : theme.accent
      frame.put("✓", x: line.x, y: line.y, style: style, width: 1)
    }
  }

  private mutating func change<Row>(
    in contents: Contents<Row>,
    _ change: (inout ScrollingSelection<ID>, [Row], _ height: Int) -> Void
  ) {
    let selected = selection.id
    change(&selection, contents.rows, contents.layout.rows.height)
    if selection.id != selected { detailsTop = 0 }
  }

  private mutating func scrollDetails<Row>(by delta: Int, in contents: Contents<Row>) {
    guard let index = selection.nearestIndex(in: contents.rows), let area = contents.layout.text
    else { return }
    let count = contents.detailsCount(contents.rows[index], area.width - 2)
    detailsTop = scrolled(detailsTop, by: delta, count: count, height: area.height)
  }
}
