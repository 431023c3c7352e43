/// A width and a height in pixels, both at least 1.
package struct PictureSize: Hashable, Sendable {
  /// The longest side that is decoded.
  package static let longestSide = 16_384
  /// The most pixels that are decoded.
  package static let mostPixels = 64 << 20

  /// Of a cell, where the terminal does not say.
  package static let usualCell = PictureSize(width: 8, height: 16)!

  package let width: Int
  package let height: Int

  /// Nil where a side is less than 1 or more than 32 bits hold.
  package init?(width: Int, height: Int) {
    guard 1...Int(UInt32.max) ~= width, 1...Int(UInt32.max) ~= height else { return nil }
    self.width = width
    self.height = height
  }

  /// The size in the header of a picture file, after the turn that the file asks for.
  ///
  /// - Parameter bytes: The file, or its beginning. PNG, GIF and WebP need 30 bytes; ICO its directory, 1 KiB at most;
  ///   JPEG all before the frame (metadata, rarely more than 64 KiB); AVIF its `meta` box.
  /// - Returns: Nil where the bytes are no picture, are damaged, or end before the size is known.
  package static func of(_ bytes: [UInt8]) -> PictureSize? {
    let reader = ByteReader(bytes)
    switch PictureKind.of(bytes) {
    case .png: return png(reader)
    case .jpeg: return JPEGHeader(reader)?.size
    case .gif:
      return of(reader.littleEndian(6, 2), reader.littleEndian(8, 2))
    case .webp: return WebPHeader.size(reader)
    case .avif: return AVIFHeader.size(reader)
    case .ico: return ICOHeader(reader)?.largest.size
    case nil: return nil
    }
  }

  /// Whether it is decoded at all.
  package var isDecodable: Bool {
    width <= Self.longestSide && height <= Self.longestSide && width * height <= Self.mostPixels
  }

  /// The size after a turn by a right angle.
  var turned: PictureSize { PictureSize(width: height, height: width) ?? self }

  static func of(_ width: Int?, _ height: Int?) -> PictureSize? {
    guard let width, let height else { return nil }
    return PictureSize(width: width, height: height)
  }

  private static func png(_ reader: ByteReader) -> PictureSize? {
    guard reader.has("IHDR", at: 12) else { return nil }
    return of(reader.bigEndian(16, 4), reader.bigEndian(20, 4))
  }
}

extension PictureSize {
  /// The columns and rows of the picture: as many as fit into `columns` × `rows` with its aspect ratio kept, but not more
  /// than its own pixels fill unless `fills`. At least one of each.
  ///
  /// - Parameter cell: The size of a cell in pixels.
  package func cells(
    columns: Int, rows: Int, cell: PictureSize, fills: Bool = false
  ) -> (columns: Int, rows: Int) {
    let most = (width: columns * cell.width, height: rows * cell.height)
    let (wide, high): (Int, Int)
    if !fills, width <= most.width, height <= most.height {
      (wide, high) = (width, height)
    } else if width * most.height >= height * most.width {
      (wide, high) = (most.width, Self.rounded(height * most.width, by: width))
    } else {
      (wide, high) = (Self.rounded(width * most.height, by: height), most.height)
    }
    return (
      min(max(Self.rounded(wide, by: cell.width), 1), columns),
      min(max(Self.rounded(high, by: cell.height), 1), rows)
    )
  }

  private static func rounded(_ number: Int, by divisor: Int) -> Int {
    (number + divisor / 2) / divisor
  }
}
