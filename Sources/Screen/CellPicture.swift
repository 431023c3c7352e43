/// A picture made of cells.
package struct CellPicture: Hashable, Sendable {
  package let columns: Int
  package let rows: Int
  /// The picture in pixels; nil where there is none, and for terminals that show none.
  package let pixels: PixelPicture?
  /// Row by row; each is one column wide and a single scalar.
  private let cells: [Cell]

  /// - Parameter cells: `columns` × `rows` of them.
  package init(columns: Int, rows: Int, cells: [Cell], pixels: PixelPicture? = nil) {
    precondition(cells.count == columns * rows, "A picture has all of its cells.")
    self.pixels = pixels
    self.columns = columns
    self.rows = rows
    self.cells = cells
  }

  package subscript(x: Int, y: Int) -> Cell { cells[y * columns + x] }
}

extension Frame {
  /// Draws a row of a picture from (`x`, `y`) to the right, over at most `limit` columns, on the background of `style`.
  package mutating func put(
    row: Int, of picture: CellPicture, x: Int, y: Int, style: Style = .plain,
    width limit: Int = .max
  ) {
    guard picture.rows > row, row >= 0, y >= 0, y < size.height else { return }
    let columns = min(picture.columns, limit, size.width - x)
    guard columns > max(0, -x) else { return }
    // What lies below loses its wide glyphs whole.
    fill(Rect(x: x, y: y, width: columns, height: 1), style)
    // A row that is cut off shows as cells.
    let number =
      columns == picture.columns && x >= 0
      ? place(picture, x: x, y: y - row, background: style.background) : 0
    for column in max(0, -x)..<columns {
      var cell = picture[column, row]
      cell.style = cell.style.over(Style(.standard, on: style.background))
      cell.picture = number
      self[x + column, y] = cell
    }
  }
}
