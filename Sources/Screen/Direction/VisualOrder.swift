/// A letter of a text at its place on the screen.
package struct PlacedLetter: Hashable, Sendable {
  package var index: Int
  /// The letter, or its mirror image.
  package var scalar: Unicode.Scalar

  package init(index: Int, scalar: Unicode.Scalar) {
    self.index = index
    self.scalar = scalar
  }
}

/// A frame as the screen shows it, from left to right.
package struct VisualFrame: Sendable {
  /// Without stretches.
  package let frame: Frame
  /// For each row with stretches: which column of the frame before is shown in each column.
  private let columns: [Int: [Int]]

  init(frame: Frame, columns: [Int: [Int]]) {
    self.frame = frame
    self.columns = columns
  }

  /// The column of the text that is shown at a place of the screen.
  package func column(atX x: Int, y: Int) -> Int {
    guard let row = columns[y], row.indices.contains(x) else { return x }
    return row[x]
  }
}

extension Frame {
  /// Puts the letters of its stretches into the order of the screen. Styles, marks and both halves of wide glyphs move with
  /// their letters; the cursor moves with its cell.
  ///
  /// - Parameter order: the order of a line (UAX #9), given its letters, marks of direction among them, and the direction of
  ///   its text. Letters that it leaves out are not shown.
  package func inVisualOrder(
    _ order: ([Unicode.Scalar], TextDirection) -> [PlacedLetter]
  ) -> VisualFrame {
    var frame = self
    frame.stretches = []
    var columns: [Int: [Int]] = [:]
    // Those that are shown elsewhere leave their columns, which others need not fill.
    for stretch in stretches where stretch.place != stretch.x {
      for x in stretch.x..<stretch.maxX {
        let style = Style(.standard, on: self[x, stretch.y].style.background)
        frame.cells[stretch.y * size.width + x] = Cell(style: style)
      }
    }
    for stretch in stretches {
      let line = StretchCells(stretch, of: self)
      var x = stretch.place
      let end = min(size.width, x + stretch.width)
      for letter in order(line.scalars, stretch.direction)
      where line.columns.indices.contains(letter.index) {
        let from = line.columns[letter.index]
        guard !from.isEmpty, x >= 0, x + from.count <= end else { continue }
        for column in from {
          let index = stretch.y * size.width + x
          frame.cells[index] = self[column, stretch.y]
          columns[stretch.y, default: Array(0..<size.width)][x] = column
          x += 1
        }
        if letter.scalar != line.scalars[letter.index] {
          let first = stretch.y * size.width + x - from.count
          let marks = scalars(of: frame.cells[first].glyph).dropFirst()
          frame.cells[first].glyph = frame.glyph(of: [letter.scalar] + marks)
        }
      }
    }
    if let cursor, let row = columns[cursor.y], let x = row.firstIndex(of: cursor.x) {
      frame.cursor = (x, cursor.y)
    }
    return VisualFrame(frame: frame, columns: columns)
  }
}

/// The letters of a stretch and the columns of each.
private struct StretchCells {
  private(set) var scalars: [Unicode.Scalar] = []
  /// Empty for a mark of direction.
  private(set) var columns: [Range<Int>] = []

  init(_ stretch: TextStretch, of frame: Frame) {
    var marks = stretch.marks.sorted { $0.x < $1.x }[...]
    var x = stretch.x
    while x < stretch.maxX {
      while let mark = marks.first, mark.x <= x {
        append(mark.scalar, x..<x)
        marks.removeFirst()
      }
      let cell = frame[x, stretch.y]
      let end = x + (cell.width == 2 && x + 1 < stretch.maxX ? 2 : 1)
      append(frame.scalars(of: cell.glyph)[0], x..<end)
      x = end
    }
    for mark in marks { append(mark.scalar, x..<x) }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ range: Range<Int>) {
    scalars.append(scalar)
    columns.append(range)
  }
}
