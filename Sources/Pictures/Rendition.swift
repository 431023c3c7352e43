/// A picture as cells of a terminal.
///
/// As bytes, all numbers little endian: `TXP1`; the picture's width and height in pixels (32 bits each);
/// columns and rows (16 bits each); then for each cell, row by row, its Unicode scalar, its foreground
/// and its background (32 bits each). A colour is 0x00RRGGBB, or 0x0100_00NN for number NN of the
/// terminal's palette, or 0xFFFF_FFFF for the terminal's default. Where pixels were asked for, `RGBA`, their
/// width and height (32 bits each), and four bytes for each follow.
package struct Rendition: Hashable, Sendable {
  package enum Color: Hashable, Sendable {
    /// The terminal's own; for a background also what is transparent.
    case none
    /// 0xRRGGBB.
    case rgb(UInt32)
    /// Of 256; the first 16 are the terminal's named colours.
    case palette(UInt8)
  }

  /// One column of one row. The character is one column wide.
  package struct Cell: Hashable, Sendable {
    package var scalar: Unicode.Scalar
    package var foreground: Color
    package var background: Color

    package init(scalar: Unicode.Scalar, foreground: Color, background: Color) {
      self.scalar = scalar
      self.foreground = foreground
      self.background = background
    }
  }

  package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// The most columns, and the most rows.
  package static let longestSide = 1000

  /// Of the picture, in pixels.
  package let size: PictureSize
  package let columns: Int
  package let rows: Int
  /// Row by row.
  package let cells: [Cell]
  /// The picture as it fills these cells; nil where it was not asked for.
  package let pixels: PixelImage?

  /// - Precondition: There are as many cells as the columns and rows make, all of them valid.
  init(size: PictureSize, columns: Int, rows: Int, cells: [Cell], pixels: PixelImage? = nil) {
    precondition(cells.count == columns * rows)
    self.pixels = pixels
    self.size = size
    self.columns = columns
    self.rows = rows
    self.cells = cells
  }

  package subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

  /// Whether a cell may show this character: a space or printable ASCII, a block element or a sextant.
  /// None of them controls a terminal, and each is one column wide.
  package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0x2580...0x259F, 0x1FB00...0x1FB3B: true
    default: false
    }
  }

  /// Parses the output of the helper, which decodes files of others, so nothing in it is trusted.
  package init(bytes: [UInt8]) throws(Malformed) {
    let reader = ByteReader(bytes)
    size = try Self.header(reader)
    guard let columns = reader.littleEndian(12, 2), let rows = reader.littleEndian(14, 2) else {
      throw Malformed(description: "it ends within the header")
    }
    guard 1...Self.longestSide ~= columns, 1...Self.longestSide ~= rows else {
      throw Malformed(description: "it has \(columns) columns and \(rows) rows")
    }
    let end = 16 + columns * rows * 12
    guard bytes.count >= end else {
      throw Malformed(description: "\(bytes.count) bytes for \(columns) columns, \(rows) rows")
    }
    pixels = bytes.count == end ? nil : try Self.pixels(reader, at: end, bytes)
    self.columns = columns
    self.rows = rows
    var cells: [Cell] = []
    cells.reserveCapacity(columns * rows)
    for index in 0..<columns * rows {
      let offset = 16 + index * 12
      guard let number = reader.littleEndian(offset, 4),
        let scalar = Unicode.Scalar(UInt32(number)), Self.isAllowed(scalar),
        let foreground = Color(number: reader.littleEndian(offset + 4, 4)),
        let background = Color(number: reader.littleEndian(offset + 8, 4))
      else { throw Malformed(description: "cell \(index) is invalid") }
      cells.append(Cell(scalar: scalar, foreground: foreground, background: background))
    }
    self.cells = cells
  }

  package var bytes: [UInt8] {
    var bytes = Self.header(size)
    bytes.reserveCapacity(16 + cells.count * 12)
    bytes.append(littleEndian: UInt16(columns))
    bytes.append(littleEndian: UInt16(rows))
    for cell in cells {
      bytes.append(littleEndian: cell.scalar.value)
      bytes.append(littleEndian: cell.foreground.number)
      bytes.append(littleEndian: cell.background.number)
    }
    guard let pixels else { return bytes }
    bytes += Array("RGBA".utf8)
    bytes.append(littleEndian: UInt32(pixels.size.width))
    bytes.append(littleEndian: UInt32(pixels.size.height))
    return bytes + pixels.bytes
  }

  private static func pixels(
    _ reader: ByteReader, at start: Int, _ bytes: [UInt8]
  ) throws(Malformed) -> PixelImage {
    guard reader.has("RGBA", at: start),
      let size = PictureSize.of(
        reader.littleEndian(start + 4, 4), reader.littleEndian(start + 8, 4)),
      let image = PixelImage(size: size, bytes: Array(bytes[min(start + 12, bytes.count)...]))
    else { throw Malformed(description: "its pixels are not whole") }
    return image
  }
}

extension Rendition {
  /// `TXP1` and the size in pixels.
  private static func header(_ size: PictureSize) -> [UInt8] {
    var bytes = Array("TXP1".utf8)
    bytes.append(littleEndian: UInt32(size.width))
    bytes.append(littleEndian: UInt32(size.height))
    return bytes
  }

  private static func header(_ reader: ByteReader) throws(Malformed) -> PictureSize {
    guard reader.has("TXP1", at: 0) else {
      throw Malformed(description: "it does not begin with TXP1")
    }
    guard let size = PictureSize.of(reader.littleEndian(4, 4), reader.littleEndian(8, 4)) else {
      throw Malformed(description: "the picture has no size")
    }
    return size
  }
}

extension Rendition.Color {
  fileprivate init?(number: Int?) {
    switch number {
    case let rgb? where 0...0xFF_FFFF ~= rgb: self = .rgb(UInt32(rgb))
    case let number? where 0x0100_0000...0x0100_00FF ~= number:
      self = .palette(UInt8(number & 0xFF))
    case 0xFFFF_FFFF: self = .none
    default: return nil
    }
  }

  fileprivate var number: UInt32 {
    switch self {
    case .none: 0xFFFF_FFFF
    case .rgb(let rgb): rgb & 0xFF_FFFF
    case .palette(let number): 0x0100_0000 | UInt32(number)
    }
  }
}

extension [UInt8] {
  mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
