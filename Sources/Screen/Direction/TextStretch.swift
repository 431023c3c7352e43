/// Columns of a row with one text, or one line of it, whose letters may be read from right to left. Its cells are in the
/// order of the text; `Frame.inVisualOrder` makes the order of the screen.
package struct TextStretch: Hashable, Sendable {
  /// A mark of direction, which has no cell, and the column of the cell behind it.
  struct Mark: Hashable, Sendable {
    var scalar: Unicode.Scalar
    var x: Int
  }

  package let y: Int
  package internal(set) var x: Int
  package internal(set) var width: Int
  /// The direction of the text as a whole.
  package let direction: TextDirection
  /// The first of the columns that show it; mostly its own.
  package internal(set) var place: Int
  var marks: [Mark] = []

  var maxX: Int { x + width }

  func overlaps(_ columns: Range<Int>) -> Bool {
    x < columns.upperBound && maxX > columns.lowerBound
  }
}

extension Frame {
  /// Makes columns of a row one text of a direction, with whatever right-to-left texts are in them.
  ///
  /// - Parameter place: The column on the screen where it shows; nil for its own. Stretches that are shown elsewhere must
  ///   change places with each other, so that each column shows one of them.
  package mutating func arrange(
    x: Int, y: Int, width: Int, direction: TextDirection, place: Int? = nil
  ) {
    let (start, end) = (max(0, x), min(x + width, size.width))
    guard y >= 0, y < size.height, start < end else { return }
    let columns = start..<end
    var stretch = TextStretch(
      y: y, x: columns.lowerBound, width: columns.count, direction: direction,
      place: place ?? columns.lowerBound)
    for inner in stretches where inner.y == y && inner.overlaps(columns) {
      stretch.marks += inner.marks.filter {
        $0.x >= columns.lowerBound && $0.x <= columns.upperBound
      }
    }
    cutStretches(columns, y: y)
    stretches.append(stretch)
  }

  /// Arranges columns in which there may be right-to-left letters, and mostly are none; by the direction of the first
  /// letter that has one where none is given.
  package mutating func arrangeIfNeeded(
    x: Int, y: Int, width: Int, direction: TextDirection? = nil
  ) {
    let inner = stretches.filter { $0.y == y && $0.overlaps(x..<max(x, x + width)) }
    guard let first = inner.min(by: { $0.x < $1.x }) else { return }
    arrange(
      x: x, y: y, width: width,
      direction: direction ?? firstDirection(x: x, y: y, end: first.x) ?? first.direction)
  }

  private func firstDirection(x: Int, y: Int, end: Int) -> TextDirection? {
    for column in max(0, x)..<max(0, x, min(end, size.width)) {
      if let direction = scalars(of: self[column, y].glyph)[0].direction { return direction }
    }
    return nil
  }

  /// Cuts columns of a row out of the stretches, for what is drawn there next.
  mutating func cutStretches(_ columns: Range<Int>, y: Int) {
    guard !stretches.isEmpty else { return }
    var kept: [TextStretch] = []
    var isDisplaced = false
    for stretch in stretches {
      guard stretch.y == y, stretch.overlaps(columns) else {
        kept.append(stretch)
        continue
      }
      isDisplaced = isDisplaced || stretch.place != stretch.x
      // What is left of a stretch shows where it stands.
      for part in [(stretch.x, columns.lowerBound), (columns.upperBound, stretch.maxX)]
      where part.0 < part.1 {
        var left = stretch
        (left.x, left.width, left.place) = (part.0, part.1 - part.0, part.0)
        left.marks.removeAll { !(part.0..<part.1).contains($0.x) }
        kept.append(left)
      }
    }
    stretches = kept
    // Those that changed places with it would show in its place.
    guard isDisplaced else { return }
    for index in stretches.indices where stretches[index].y == y {
      stretches[index].place = stretches[index].x
    }
  }
}
