/// A picture in pixels, encoded for its terminal. Equal by its number.
package final class PixelPicture: Hashable, Sendable {
  package enum Content: Sendable {
    /// Kitty's graphics: red, green, blue and alpha of each pixel, compressed by zlib, in Base64.
    case kitty([UInt8])
    case sixel(SixelPixels)
    /// iTerm2's: a PNG file in Base64.
    case iterm([UInt8])
  }

  /// Unique in this process; 1 to 2³²−1.
  package let id: UInt32
  /// In pixels.
  package let size: Size
  package let content: Content

  package init(id: UInt32, size: Size, content: Content) {
    self.id = id
    self.size = size
    self.content = content
  }

  package var bytes: Int {
    switch content {
    case .kitty(let bytes), .iterm(let bytes): bytes.count
    case .sixel(let pixels): pixels.indices.count
    }
  }

  package static func == (one: PixelPicture, other: PixelPicture) -> Bool { one.id == other.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The place of a picture in a frame.
struct FramePicture: Hashable, Sendable {
  var pixels: PixelPicture
  /// Cells of the whole picture.
  var columns: Int
  var rows: Int
  /// The cell of its upper left corner; the row may lie outside of the frame.
  var x: Int
  var y: Int
  /// The colour behind transparent pixels.
  var background: Color
}

/// Rows of a picture that lie on the screen with nothing over them.
package struct PixelPiece: Hashable, Sendable {
  package var pixels: PixelPicture
  /// Cells of the whole picture.
  package var columns: Int
  package var rows: Int
  /// The first row of the picture that shows, and how many do.
  package var firstRow: Int
  package var rowCount: Int
  /// The cell of the frame where the first one begins.
  package var x: Int
  package var y: Int
  package var background: Color

  package var isWhole: Bool { rowCount == rows }

  /// The lines of the frame with this piece.
  package var lines: Range<Int> { y..<y + rowCount }

  /// The pixel rows of the picture that show, where a row of cells has as many pixels as every other.
  package var pixelRows: Range<Int> {
    let height = pixels.size.height
    return height * firstRow / rows..<height * (firstRow + rowCount) / rows
  }
}

extension Frame {
  /// More pictures than this are cells.
  private static let mostPictures = Int(UInt8.max)

  /// The number for cells of a picture; 0 where it has no pixels.
  mutating func place(_ picture: CellPicture, x: Int, y: Int, background: Color) -> UInt8 {
    guard let pixels = picture.pixels else { return 0 }
    let place = FramePicture(
      pixels: pixels, columns: picture.columns, rows: picture.rows, x: x, y: y,
      background: background)
    if let index = pictures.lastIndex(of: place) { return UInt8(index + 1) }
    guard pictures.count < Self.mostPictures else { return 0 }
    pictures.append(place)
    return UInt8(pictures.count)
  }

  /// The visible parts of pictures with pixels: runs of whole rows.
  package var pixelPieces: [PixelPiece] {
    pictures.enumerated().flatMap { index, picture in pieces(of: picture, UInt8(index + 1)) }
  }

  private func pieces(of picture: FramePicture, _ number: UInt8) -> [PixelPiece] {
    var pieces: [PixelPiece] = []
    for row in 0..<picture.rows where isWhole(row, of: picture, number) {
      if let last = pieces.last, last.firstRow + last.rowCount == row {
        pieces[pieces.count - 1].rowCount += 1
      } else {
        pieces.append(
          PixelPiece(
            pixels: picture.pixels, columns: picture.columns, rows: picture.rows, firstRow: row,
            rowCount: 1, x: picture.x, y: picture.y + row, background: picture.background))
      }
    }
    return pieces
  }

  private func isWhole(_ row: Int, of picture: FramePicture, _ number: UInt8) -> Bool {
    let y = picture.y + row
    guard (0..<size.height).contains(y), picture.x + picture.columns <= size.width else {
      return false
    }
    let start = y * size.width + picture.x
    return cells[start..<start + picture.columns].allSatisfy { $0.picture == number }
  }

  /// The frame with blank cells at these pieces. The blank is U+00A0, which shows as a space: a program that draws on a
  /// terminal must not take the end of a line for empty, and clear the pixels with it.
  package func withRoom(for pieces: [PixelPiece]) -> Frame {
    guard !pieces.isEmpty else { return self }
    var frame = self
    for piece in pieces {
      let blank = Cell(Glyph("\u{A0}"), style: Style(.standard, on: piece.background))
      for y in piece.lines {
        let start = y * size.width + piece.x
        for index in start..<start + piece.columns { frame.cells[index] = blank }
      }
    }
    return frame
  }
}
