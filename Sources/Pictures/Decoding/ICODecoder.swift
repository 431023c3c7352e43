/// Icon files: PNG by its own decoder, and uncompressed bitmaps.
struct ICODecoder: PictureDecoder {
  /// Nil where the library is not there: most small icons are bitmaps.
  private let png: PNGDecoder?

  init() throws(PictureError) { png = try? PNGDecoder() }

  func decode(_ file: [UInt8], target: PictureSize) throws(PictureError) -> DecodedPicture {
    guard let header = ICOHeader(ByteReader(file)) else { throw .damaged("it has no directory") }
    let entry = header.entry(for: target)
    guard entry.bytes.upperBound <= file.count else {
      throw .damaged("its picture lies beyond the end of the file")
    }
    let picture = Array(file[entry.bytes])
    guard PictureKind.of(picture) == .png else {
      let pixels = try IconBitmap(ByteReader(picture)).pixels()
      return DecodedPicture(size: pixels.size, pixels: pixels)
    }
    guard let png else { throw .noLibrary(.png) }
    // The size in the directory may be wrong.
    if let size = PictureSize.of(picture) { try Pixels.check(size) }
    return try png.decode(picture, target: target)
  }
}

/// A bitmap in an icon file (BITMAPINFOHEADER): the colours from the lowest row up, and below them a mask of one bit
/// each, where 1 is transparent.
private struct IconBitmap {
  private let reader: ByteReader
  private let size: PictureSize
  private let bits: Int
  /// Red, green and blue each.
  private let palette: [[UInt8]]
  private let colorStart: Int

  private var colorRow: Int { (size.width * bits + 31) / 32 * 4 }
  private var maskRow: Int { (size.width + 31) / 32 * 4 }
  private var maskStart: Int { colorStart + colorRow * size.height }

  init(_ reader: ByteReader) throws(PictureError) {
    guard let header = reader.littleEndian(0, 4), header >= 40, header <= 1 << 10,
      let width = reader.littleEndian(4, 4), let height = reader.littleEndian(8, 4),
      let bits = reader.littleEndian(14, 2), let compression = reader.littleEndian(16, 4),
      let used = reader.littleEndian(32, 4),
      // The height is that of colours and mask together.
      width <= 1024, height <= 2048, height.isMultiple(of: 2),
      let size = PictureSize(width: width, height: height / 2)
    else { throw .damaged("its bitmap has no header") }
    guard [1, 4, 8, 24, 32].contains(bits), compression == 0 else {
      throw .damaged("its bitmap is of a kind that icons do not have")
    }
    let colors = bits > 8 ? 0 : used == 0 ? 1 << bits : min(used, 1 << bits)
    self.reader = reader
    self.size = size
    self.bits = bits
    palette = (0..<colors).map { number in
      (0..<3).map { UInt8(reader.byte(header + number * 4 + 2 - $0) ?? 0) }
    }
    colorStart = header + (bits > 8 ? 0 : colors * 4)
    guard maskStart <= reader.count else { throw .damaged("its bitmap ends early") }
  }

  func pixels() throws(PictureError) -> Pixels {
    let pixels = try Pixels(size)
    let hasAlpha = bits == 32 && hasAlpha
    for y in 0..<size.height {
      // From below.
      let row = size.height - 1 - y
      for x in 0..<size.width {
        let (color, alpha) = color(x, row)
        let target = pixels.bytes + (y * size.width + x) * 4
        for part in 0..<3 { target[part] = color[part] }
        target[3] = hasAlpha ? alpha : isMasked(x, row) ? 0 : 255
      }
    }
    return pixels
  }

  /// Where all alpha is 0, the mask tells.
  private var hasAlpha: Bool {
    (0..<size.width * size.height).contains {
      reader.byte(colorStart + $0 * 4 + 3).map { $0 > 0 } ?? false
    }
  }

  private func color(_ x: Int, _ row: Int) -> (color: [UInt8], alpha: UInt8) {
    let start = colorStart + row * colorRow
    guard bits <= 8 else {
      let place = start + x * bits / 8
      let parts = (0..<3).map { UInt8(reader.byte(place + 2 - $0) ?? 0) }
      return (parts, UInt8(bits == 32 ? reader.byte(place + 3) ?? 0 : 255))
    }
    let byte = reader.byte(start + x * bits / 8) ?? 0
    let shift = 8 - bits - x * bits % 8
    let number = byte >> shift & (1 << bits - 1)
    return (palette.indices.contains(number) ? palette[number] : [0, 0, 0], 255)
  }

  private func isMasked(_ x: Int, _ row: Int) -> Bool {
    guard let byte = reader.byte(maskStart + row * maskRow + x / 8) else { return false }
    return byte >> (7 - x % 8) & 1 == 1
  }
}
