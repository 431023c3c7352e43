internal import Pictures

/// A file of a picture, and what a process that decoded one might say.
func checkPicture(_ input: [UInt8]) throws(Violation) {
  if let size = PictureSize.of(input) {
    try require(PictureKind.of(input) != nil, "a size without a kind")
    for (columns, rows) in [(1, 1), (80, 24), (1000, 3)] {
      let cells = size.cells(columns: columns, rows: rows, cell: .usualCell)
      try require(
        1...columns ~= cells.columns && 1...rows ~= cells.rows, "\(cells) in \(columns) x \(rows)")
    }
  }
  guard let rendition = try? Rendition(bytes: input) else { return }
  try require(rendition.bytes == input, "a rendition is written otherwise than it was read")
  for cell in rendition.cells where !Rendition.isAllowed(cell.scalar) {
    throw Violation("a cell has U+\(String(cell.scalar.value, radix: 16))")
  }
}
