/// A row of a list that can be selected.
protocol SelectableRow {
  associatedtype SelectionID: Hashable & Sendable
  /// What the row is, wherever it stands. Two rows may show the same.
  var selectionID: SelectionID { get }
}

/// The selected row of a list that scrolls: what it is, and how many lines below the top it shows.
///
/// Rows come and go around the selected one. It is found again by what it is, and keeps its line; once
/// it is gone, the row that stands in its place is selected.
struct ScrollingSelection<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Nil while there is no row.
  private(set) var id: ID?
  /// Where the row was seen last.
  private(set) var index = 0
  /// Lines between the top of the list and the row. It may lie outside of a list that has become smaller;
  /// what reads it takes the nearest line inside.
  var line = 0

  init(_ id: ID? = nil) { self.id = id }

  // MARK: Where it is

  /// The index of the row; nil where it is gone.
  func index<Row: SelectableRow>(in rows: [Row]) -> Int? where Row.SelectionID == ID {
    guard let id else { return nil }
    if rows.indices.contains(index), rows[index].selectionID == id { return index }
    return rows.firstIndex { $0.selectionID == id }
  }

  /// The index of the row, or of the one that has taken its place; nil where there are no rows.
  func nearestIndex<Row: SelectableRow>(in rows: [Row]) -> Int? where Row.SelectionID == ID {
    rows.isEmpty ? nil : index(in: rows) ?? max(0, min(rows.count - 1, index))
  }

  /// The index of the first row that shows: the selected one keeps its line, as long as no line below the
  /// last row would be empty.
  ///
  /// - Parameter height: lines that show at once.
  func firstVisible<Row: SelectableRow>(in rows: [Row], height: Int) -> Int
  where Row.SelectionID == ID {
    guard let index = nearestIndex(in: rows) else { return 0 }
    let height = max(1, height)
    return max(0, min(index - max(0, min(height - 1, line)), rows.count - height))
  }

  // MARK: Moving

  /// Moves by some rows, as far as there are any; the list scrolls where the row would leave it.
  mutating func move<Row: SelectableRow>(by delta: Int, in rows: [Row], height: Int)
  where Row.SelectionID == ID {
    guard let index = nearestIndex(in: rows) else { return }
    let first = firstVisible(in: rows, height: height)
    let target = max(0, min(rows.count - 1, index + delta))
    select(target, in: rows, line: max(0, min(max(1, height) - 1, target - first)))
  }

  /// Selects a row.
  ///
  /// - Parameter line: where it shows; nil keeps the line of the row before.
  mutating func select<Row: SelectableRow>(_ index: Int, in rows: [Row], line: Int? = nil)
  where Row.SelectionID == ID {
    guard rows.indices.contains(index) else { return }
    id = rows[index].selectionID
    self.index = index
    if let line { self.line = line }
  }

  /// Selects a row of which nothing is known but what it is.
  mutating func select(_ id: ID?) { self.id = id }

  /// Selects a row without scrolling, unless it would be out of sight.
  mutating func selectInPlace<Row: SelectableRow>(_ index: Int, in rows: [Row])
  where Row.SelectionID == ID {
    let top = self.index - line
    select(index, in: rows)
    line = self.index - top
  }

  /// Scrolls by some rows; the selected one stays selected, and in sight.
  mutating func scroll<Row: SelectableRow>(by delta: Int, in rows: [Row], height: Int)
  where Row.SelectionID == ID {
    let top = max(0, min(rows.count - max(1, height), index - line + delta))
    line = index - top
  }

  // MARK: After the rows have changed

  /// Finds the row again, or selects its neighbour; it keeps its line.
  mutating func settle<Row: SelectableRow>(in rows: [Row], height: Int)
  where Row.SelectionID == ID {
    guard let index = nearestIndex(in: rows) else { return id = nil }
    let first = firstVisible(in: rows, height: height)
    select(index, in: rows, line: index - first)
  }

  /// Finds the row again, or selects its neighbour; the list does not scroll, unless the row would be
  /// out of sight.
  mutating func settleInPlace<Row: SelectableRow>(in rows: [Row]) where Row.SelectionID == ID {
    guard let index = nearestIndex(in: rows) else { return id = nil }
    selectInPlace(index, in: rows)
  }
}

/// The first line that shows of a text that has been scrolled: none beyond the last screen of it.
func scrolled(_ top: Int, by delta: Int = 0, count: Int, height: Int) -> Int {
  max(0, min(count - max(1, height), top + delta))
}
