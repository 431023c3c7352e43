package import Screen

/// Part of a line, and where on the screen it shows. The fields of a line are as wide together as its page.
package struct LineField: Hashable, Sendable {
  /// The first of its columns, in the order of the text.
  package var start: Int
  package var width: Int
  /// The first column that shows it, counted from the left of the page.
  package var place: Int
  package var direction: TextDirection
}

extension StyledLine {
  /// The line as one text of a direction on a page of a width.
  func directed(_ direction: TextDirection?, width: Int) -> StyledLine {
    guard direction == .rightToLeft else { return self }
    var line = self
    line.fields = [LineField(start: 0, width: width, place: 0, direction: .rightToLeft)]
    return line
  }
}

extension Frame {
  /// Says where the parts of a line show that was drawn.
  ///
  /// - Parameters:
  ///   - columns: what was drawn of it.
  ///   - width: the columns of its page.
  mutating func arrange(_ line: StyledLine, x: Int, y: Int, columns: Int, width: Int) {
    guard let last = line.fields.last else {
      return arrangeIfNeeded(x: x, y: y, width: columns, direction: .leftToRight)
    }
    // Until it is laid out again a page may be wider than its pane.
    guard last.start + last.width <= width else {
      return arrangeIfNeeded(x: x, y: y, width: columns, direction: last.direction)
    }
    for field in line.fields {
      arrange(
        x: x + field.start, y: y, width: field.width, direction: field.direction,
        place: x + field.place)
    }
  }
}
