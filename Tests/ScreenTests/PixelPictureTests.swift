import Testing

@testable import Screen

/// Where pictures with pixels are to be seen, and how sixel graphics are written.
struct PixelPictureTests {
  private static func picture(columns: Int = 4, rows: Int = 3, id: UInt32 = 1) -> CellPicture {
    CellPicture(
      columns: columns, rows: rows,
      cells: Array(repeating: Cell(Glyph("#")), count: columns * rows),
      pixels: PixelPicture(
        id: id, size: Size(width: columns * 10, height: rows * 20), content: .kitty([])))
  }

  private func frame(_ draw: (inout Frame) -> Void) -> Frame {
    var frame = Frame(size: Size(width: 10, height: 6))
    draw(&frame)
    return frame
  }

  private func put(
    _ picture: CellPicture, _ frame: inout Frame, x: Int, y: Int, width: Int = .max
  ) {
    for row in 0..<picture.rows {
      frame.put(row: row, of: picture, x: x, y: y + row, width: width)
    }
  }

  @Test func `As text a picture has its number, and each cell its row and column`() throws {
    let number = PicturePlaceholders.number(700)
    let frame = frame { put(Self.picture(id: number), &$0, x: 2, y: -1) }
    let text = frame.withPlaceholders(for: frame.pixelPieces, isDirect: false)
    // 700 is 220 beyond 2 times 240.
    #expect(number == 3 << 24 | 236)
    #expect(text.scalars(of: text[2, 0].glyph) == ["\u{10EEEE}", "\u{30D}", "\u{305}", "\u{310}"])
    #expect(text.scalars(of: text[5, 1].glyph) == ["\u{10EEEE}", "\u{30E}", "\u{310}", "\u{310}"])
    #expect(text[2, 0].style.foreground == .palette(236))
    #expect(
      frame.withPlaceholders(for: frame.pixelPieces, isDirect: true)[2, 0].style.foreground
        == .rgb(236))
    #expect(text[1, 0] == frame[1, 0] && text[6, 0] == frame[6, 0])
    #expect(PicturePlaceholders.longestSide == 297)
    let numbers = Set((UInt32(0)..<61_200).map(PicturePlaceholders.number))
    #expect(numbers.count == 61_200 && numbers.allSatisfy { $0 >> 24 >= 1 && $0 & 0xFF >= 16 })
  }

  @Test(arguments: [
    (2, 1, 0, 3), (2, -1, 1, 2), (2, 4, 0, 2), (6, 3, 0, 3),
  ])
  func `Rows within the frame are one piece`(x: Int, y: Int, first: Int, count: Int) throws {
    let pieces = frame { put(Self.picture(), &$0, x: x, y: y) }.pixelPieces
    let piece = try #require(pieces.first)
    #expect(pieces.count == 1 && piece.firstRow == first && piece.rowCount == count)
    #expect(piece.x == x && piece.y == y + first)
    #expect(piece.pixelRows == first * 20..<(first + count) * 20)
  }

  @Test func `A picture that is cut off at a side is cells`() {
    #expect(frame { put(Self.picture(), &$0, x: 7, y: 0) }.pixelPieces.isEmpty)
    #expect(frame { put(Self.picture(), &$0, x: -1, y: 0) }.pixelPieces.isEmpty)
    #expect(frame { put(Self.picture(), &$0, x: 0, y: 0, width: 3) }.pixelPieces.isEmpty)
  }

  @Test func `What is drawn over a picture takes its rows away`() {
    let text = frame {
      put(Self.picture(), &$0, x: 2, y: 1)
      $0.put("ab", x: 0, y: 2, width: 3)
      $0.put("x", x: 5, y: 2)
    }
    #expect(text.pixelPieces.map(\.y) == [1, 3] && text.pixelPieces.map(\.firstRow) == [0, 2])
    let box = frame {
      put(Self.picture(), &$0, x: 2, y: 1)
      $0.fill(Rect(x: 0, y: 0, width: 10, height: 6))
    }
    #expect(box.pixelPieces.isEmpty)
    let other = frame {
      put(Self.picture(), &$0, x: 2, y: 0)
      put(Self.picture(id: 2), &$0, x: 2, y: 1)
    }
    #expect(other.pixelPieces.map(\.pixels.id) == [1, 2])
    #expect(other.pixelPieces.map(\.rowCount) == [1, 3])
  }

  @Test func `Room for pixels is blank and no space`() throws {
    let frame = frame { put(Self.picture(), &$0, x: 2, y: 1) }
    let room = frame.withRoom(for: frame.pixelPieces)
    #expect(!room.text.contains("#") && room.text.contains("\u{A0}\u{A0}\u{A0}\u{A0}"))
    #expect(frame.withRoom(for: []) == frame)
  }

  // MARK: Sixel

  /// What a terminal makes of a sequence; nil for pixels that are not set.
  private func decoded(_ bytes: [UInt8], width: Int, height: Int) throws -> [UInt32?] {
    var pixels = [UInt32?](repeating: nil, count: width * height)
    let text = String(decoding: bytes, as: UTF8.self)
    let raster = "\u{1B}P0;1;0q\"1;1;\(width);\(height)"
    try #require(text.hasPrefix(raster) && text.hasSuffix("\u{1B}\\"))
    var rest = text.dropFirst(raster.count).dropLast(2)
    var colors: [Int: UInt32] = [:]
    var (color, x, y) = (0, 0, 0)
    func number() -> Int {
      let digits = rest.prefix { $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return Int(digits) ?? 0
    }
    while let sign = rest.popFirst() {
      var count = 1
      var value = sign
      switch sign {
      case "#":
        color = number()
        guard rest.first == ";" else { continue }
        var parts: [Int] = []
        while rest.first == ";" {
          rest = rest.dropFirst()
          parts.append(number())
        }
        try #require(parts.count == 4 && parts[0] == 2)
        colors[color] = parts.dropFirst().reduce(0) { $0 << 8 | UInt32(($1 * 255 + 50) / 100) }
        continue
      case "$":
        x = 0
        continue
      case "-":
        (x, y) = (0, y + 6)
        continue
      case "!":
        count = number()
        let repeated = rest.popFirst()
        value = try #require(repeated)
      default: break
      }
      let bits = Int(try #require(value.asciiValue)) - 0x3F
      try #require(0..<64 ~= bits)
      for _ in 0..<count {
        for bit in 0..<6 where bits >> bit & 1 == 1 {
          try #require(x < width && y + bit < height)
          pixels[(y + bit) * width + x] = colors[color]
        }
        x += 1
      }
    }
    return pixels
  }

  @Test(arguments: [0..<13, 0..<6, 3..<10, 12..<13, 5..<13])
  func `A terminal reads the rows that were written`(rows: Range<Int>) throws {
    let palette: [UInt32] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF]
    let (width, height) = (17, 13)
    var state = UInt32(7)
    let indices: [UInt8] = (0..<width * height).map { index in
      state = state &* 1_664_525 &+ 1_013_904_223
      // Runs, and pixels that are not there.
      return index % 17 < 8 ? 1 : state >> 28 == 0 ? .max : UInt8(state >> 24 & 3)
    }
    let pixels = SixelPixels(
      size: Size(width: width, height: height), palette: palette, indices: indices)
    let expected = indices[rows.lowerBound * width..<rows.upperBound * width].map {
      $0 == .max ? nil : palette[Int($0)]
    }
    #expect(
      try decoded(pixels.sequence(rows: rows), width: width, height: rows.count) == expected)
  }

  @Test func `Rows alike take few bytes`() {
    let pixels = SixelPixels(
      size: Size(width: 1_000, height: 600), palette: [0x123456],
      indices: Array(repeating: 0, count: 600_000))
    #expect(pixels.sequence(rows: 0..<600).count < 1_500)
  }
}
