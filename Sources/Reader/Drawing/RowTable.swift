internal import Screen

/// The rows of a page as a table: names, and columns at the right end.
///
/// A column without any text leaves its room to the names, and what the longest name leaves is the growing column's.
struct RowTable<Row> {
  struct Column {
    var width: Int
    /// Whether it takes the room that the names leave. Its text begins on the left.
    var grows = false
    /// The text for the columns that it has, and its style.
    let text: (Row, Int) -> (String, Style)
  }

  /// The last one first.
  private var columns: [Column]
  private let end: Int

  /// - Parameters:
  ///   - line: the place of any row.
  ///   - start: where names begin.
  ///   - columns: the last one first.
  init(_ rows: [Row], in line: Rect, from start: Int, _ columns: [Column], name: (Row) -> String) {
    end = line.maxX - (line.width >= 12 ? 1 : 0)
    self.columns = columns.filter { column in
      rows.contains { !column.text($0, .max).0.isEmpty }
    }
    let longest = rows.reduce(0) { max($0, TextWidth.columns(of: name($1))) }
    let spare = self.columns.reduce(end - start - longest) { $0 - $1.width - 1 }
    if spare > 0, let growing = self.columns.firstIndex(where: \.grows) {
      self.columns[growing].width += spare
    }
  }

  /// Draws the columns of a row.
  ///
  /// - Parameter selected: the style of a row that is selected.
  /// - Returns: where its name ends.
  func draw(_ row: Row, _ frame: inout Frame, y: Int, selected: Style?) -> Int {
    var end = end
    for column in columns {
      let (text, style) = column.text(row, column.width)
      let used = column.grows ? column.width : min(column.width, TextWidth.columns(of: text))
      frame.put(
        text, x: end - used, y: y, style: selected ?? style, width: used, overflow: .ellipsis)
      end -= column.width + 1
    }
    return end
  }
}
