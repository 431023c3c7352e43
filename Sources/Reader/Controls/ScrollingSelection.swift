internal import Screen

protocol SelectableRow {
  associatedtype SelectionID: Hashable & Sendable
  /// Identifies the row's subject. Two rows may have the same.
  var selectionID: SelectionID { get }
}

/// The selected row of a scrolling list: its identity, and its line on the screen.
///
/// When rows come or go, the selected row is found again by its identity and keeps its line. Once it is
/// gone, the row at its index is selected.
struct ScrollingSelection<ID: Hashable & Sendable>: Hashable, Sendable {
  private(set) var id: ID?
  /// The index at which the row was last found.
  private(set) var index = 0
  /// Lines between the top of the list and the row. It may be out of bounds after the list has become
  /// smaller; whoever reads it clamps it.
  var line = 0

  init(_ id: ID? = nil) { self.id = id }

  // MARK: Where it is

  /// The index of the row; nil once it is gone.
  func index<Row: SelectableRow>(in rows: [Row]) -> Int? where Row.SelectionID == ID {
    guard let id else { return nil }
    if rows.indices.contains(index), rows[index].selectionID == id { return index }
    return rows.firstIndex { $0.selectionID == id }
  }

  /// The index of the row, or of the one that took its place; nil where there are no rows.
  func nearestIndex<Row: SelectableRow>(in rows: [Row]) -> Int? where Row.SelectionID == ID {
    rows.isEmpty ? nil : index(in: rows) ?? max(0, min(rows.count - 1, index))
  }

  /// The index of the first visible row: the selected one keeps its line, unless that would leave lines
  /// below the last row empty.
  func firstVisible<Row: SelectableRow>(in rows: [Row], height: Int) -> Int
  where Row.SelectionID == ID {
    guard let index = nearestIndex(in: rows) else { return 0 }
    let height = max(1, height)
    return max(0, min(index - max(0, min(height - 1, line)), rows.count - height))
  }

  /// The rows that show in an area, each with its line on the screen.
  func visible<Row: SelectableRow>(of rows: [Row], in area: Rect) -> [(index: Int, line: Rect)]
  where Row.SelectionID == ID {
    let first = firstVisible(in: rows, height: area.height)
    return (first..<max(first, min(rows.count, first + area.height))).map {
      ($0, Rect(x: area.x, y: area.y + $0 - first, width: area.width, height: 1))
    }
  }

  // MARK: Moving

  /// Moves with the wheel, and selects the row that is clicked.
  ///
  /// - Returns: the index of the clicked row; nil where none was clicked.
  mutating func handle<Row: SelectableRow>(_ mouse: MouseEvent, in rows: [Row], area: Rect) -> Int?
  where Row.SelectionID == ID {
    switch mouse.kind {
    case .wheelDown: move(by: 3, in: rows, height: area.height)
    case .wheelUp: move(by: -3, in: rows, height: area.height)
    case .click, .doubleClick:
      let index = firstVisible(in: rows, height: area.height) + mouse.y - area.y
      guard area.contains(x: mouse.x, y: mouse.y), rows.indices.contains(index) else { return nil }
      select(index, in: rows, line: mouse.y - area.y)
      return index
    }
    return nil
  }

  /// Moves the selection by `delta` rows, at most to the first or last one, and scrolls as needed.
  mutating func move<Row: SelectableRow>(by delta: Int, in rows: [Row], height: Int)
  where Row.SelectionID == ID {
    guard let index = nearestIndex(in: rows) else { return }
    let first = firstVisible(in: rows, height: height)
    let target = max(0, min(rows.count - 1, index + delta))
    select(target, in: rows, line: max(0, min(max(1, height) - 1, target - first)))
  }

  /// Selects a row.
  ///
  /// - Parameter line: its line on the screen; nil keeps the present one.
  mutating func select<Row: SelectableRow>(_ index: Int, in rows: [Row], line: Int? = nil)
  where Row.SelectionID == ID {
    guard rows.indices.contains(index) else { return }
    id = rows[index].selectionID
    self.index = index
    if let line { self.line = line }
  }

  /// Selects a row by its identity alone; it need not be there yet.
  mutating func select(_ id: ID?) { self.id = id }

  /// Selects a row, and scrolls only where it would be out of sight.
  mutating func selectInPlace<Row: SelectableRow>(_ index: Int, in rows: [Row])
  where Row.SelectionID == ID {
    let top = self.index - line
    select(index, in: rows)
    line = self.index - top
  }

  /// Scrolls by `delta` rows; the selected row stays selected and visible.
  mutating func scroll<Row: SelectableRow>(by delta: Int, in rows: [Row], height: Int)
  where Row.SelectionID == ID {
    let top = max(0, min(rows.count - max(1, height), index - line + delta))
    line = index - top
  }

  // MARK: After the rows have changed

  /// Finds the row again after the rows have changed, or selects its neighbour, on the same line.
  mutating func settle<Row: SelectableRow>(in rows: [Row], height: Int)
  where Row.SelectionID == ID {
    guard let index = nearestIndex(in: rows) else {
      id = nil
      return
    }
    let first = firstVisible(in: rows, height: height)
    select(index, in: rows, line: index - first)
  }

  /// Finds the row again after the rows have changed, or selects its neighbour, and scrolls only where it
  /// would be out of sight.
  mutating func settleInPlace<Row: SelectableRow>(in rows: [Row]) where Row.SelectionID == ID {
    guard let index = nearestIndex(in: rows) else {
      id = nil
      return
    }
    selectInPlace(index, in: rows)
  }
}

/// The first visible line of a text after scrolling by `delta`, at most that of its last screen.
func scrolled(_ top: Int, by delta: Int = 0, count: Int, height: Int) -> Int {
  max(0, min(count - max(1, height), top + delta))
}
