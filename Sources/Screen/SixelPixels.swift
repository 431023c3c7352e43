/// A picture of few colours, and its encoding for terminals that show sixel graphics (VT340, DEC STD 070).
package struct SixelPixels: Hashable, Sendable {
  /// Index of pixels that show nothing.
  package static let transparent = UInt8.max

  package let size: Size
  /// At most 255 colours: 0xRRGGBB.
  package let palette: [UInt32]
  /// Row by row, a place in `palette` each, or `transparent`.
  package let indices: [UInt8]

  /// - Precondition: There are as many indices as the size has pixels, each in the palette or transparent.
  package init(size: Size, palette: [UInt32], indices: [UInt8]) {
    precondition(indices.count == size.width * size.height && palette.count <= 255)
    self.size = size
    self.palette = palette
    self.indices = indices
  }

  /// The sequence for some of the rows. Transparent pixels leave the screen as it is.
  package func sequence(rows: Range<Int>) -> [UInt8] {
    let rows = rows.clamped(to: 0..<size.height)
    var encoder = SixelEncoder(width: size.width, height: rows.count, colors: palette.count)
    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: 6) {
      encoder.add(indices[top * size.width..<min(top + 6, rows.upperBound) * size.width], palette)
    }
    return encoder.ended()
  }
}

private struct SixelEncoder {
  private var bytes: [UInt8] = []
  private let width: Int
  /// For each colour the bits of the band's columns, lowest bit above.
  private var bits: [UInt8]
  /// The columns from the first to the last that a colour has in the band; empty where it has none.
  private var extents: [(first: Int, end: Int)]
  private var isDefined: [Bool]
  private var hasBand = false

  init(width: Int, height: Int, colors: Int) {
    self.width = width
    bits = Array(repeating: 0, count: width * colors)
    extents = Array(repeating: (width, 0), count: colors)
    isDefined = Array(repeating: false, count: colors)
    bytes.reserveCapacity(1 << 16)
    // P2 is 1: what is not set stays as it was. Pixels are square.
    bytes += Array("\u{1B}P0;1;0q\"1;1;\(width);\(height)".utf8)
  }

  mutating func ended() -> [UInt8] { bytes + Array("\u{1B}\\".utf8) }

  mutating func add(_ indices: ArraySlice<UInt8>, _ palette: [UInt32]) {
    // Not after the last one: some terminals would scroll at the end of the screen.
    if hasBand { bytes.append(UInt8(ascii: "-")) }
    hasBand = true
    mark(indices)
    var isFirst = true
    for color in extents.indices where extents[color].end > extents[color].first {
      // Back to the left edge for one more colour.
      if !isFirst { bytes.append(UInt8(ascii: "$")) }
      isFirst = false
      if isDefined[color] {
        bytes += Array("#\(color)".utf8)
      } else {
        isDefined[color] = true
        let parts = [16, 8, 0].map { (Int(palette[color] >> $0 & 0xFF) * 100 + 127) / 255 }
        bytes += Array("#\(color);2;\(parts[0]);\(parts[1]);\(parts[2])#\(color)".utf8)
      }
      write(color)
    }
  }

  private mutating func mark(_ indices: ArraySlice<UInt8>) {
    let width = width
    let colors = extents.count
    bits.withUnsafeMutableBufferPointer { bits in
      extents.withUnsafeMutableBufferPointer { extents in
        indices.withUnsafeBufferPointer { indices in
          var (x, bit) = (0, UInt8(1))
          for index in indices {
            let color = Int(index)
            if color < colors {
              bits[color * width + x] |= bit
              if x < extents[color].first { extents[color].first = x }
              if x >= extents[color].end { extents[color].end = x + 1 }
            }
            x += 1
            if x == width { (x, bit) = (0, bit << 1) }
          }
        }
      }
    }
  }

  /// Writes the columns of a colour as runs, and clears them.
  private mutating func write(_ color: Int) {
    let (first, end) = extents[color]
    extents[color] = (width, 0)
    let start = color * width
    run(0x3F, first)
    var (last, count) = (bits[start + first], 0)
    for x in start + first..<start + end {
      let value = bits[x]
      bits[x] = 0
      if value == last {
        count += 1
      } else {
        run(last + 0x3F, count)
        (last, count) = (value, 1)
      }
    }
    run(last + 0x3F, count)
  }

  private mutating func run(_ sign: UInt8, _ count: Int) {
    guard count > 3 else {
      for _ in 0..<count { bytes.append(sign) }
      return
    }
    bytes.append(UInt8(ascii: "!"))
    appendDecimal(count)
    bytes.append(sign)
  }

  private mutating func appendDecimal(_ number: Int) {
    if number >= 10 { appendDecimal(number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
