/// Cells without chafa: two pixels a cell, one above the other; with ASCII one, by its brightness.
struct HalfBlockDrawing {
  /// - Returns: Row by row.
  func cells(_ pixels: Pixels, _ drawing: CellDrawing) -> [Rendition.Cell] {
    var cells: [Rendition.Cell] = []
    cells.reserveCapacity(drawing.columns * drawing.rows)
    for row in 0..<drawing.rows {
      for column in 0..<drawing.columns {
        let area = { (row: Int, rows: Int) in
          Self.average(
            pixels, columns: (column, drawing.columns), rows: (row, rows), drawing.background)
        }
        if drawing.symbols == .ascii {
          cells.append(Self.ascii(area(row, drawing.rows), drawing))
        } else {
          cells.append(
            Self.halves(
              area(row * 2, drawing.rows * 2), area(row * 2 + 1, drawing.rows * 2), drawing))
        }
      }
    }
    return cells
  }

  private static func halves(
    _ upper: UInt32?, _ lower: UInt32?, _ drawing: CellDrawing
  ) -> Rendition.Cell {
    if case .none = drawing.colors {
      let light = !Luminance.isLight(drawing.background)
      let parts = [upper, lower].map { $0.map { Luminance.isLight($0) == light } ?? false }
      let scalar: Unicode.Scalar = parts[0] ? (parts[1] ? "█" : "▀") : (parts[1] ? "▄" : " ")
      return Rendition.Cell(scalar: scalar, foreground: .none, background: .none)
    }
    let (top, bottom) = (color(upper, drawing.colors), color(lower, drawing.colors))
    if top == bottom { return Rendition.Cell(scalar: " ", foreground: .none, background: top) }
    return Rendition.Cell(scalar: "▀", foreground: top, background: bottom).withSolidForeground
  }

  private static func ascii(_ rgb: UInt32?, _ drawing: CellDrawing) -> Rendition.Cell {
    let ramp = Array(" .:-=+*#%@".unicodeScalars)
    guard let rgb else { return .blank }
    var level = Luminance.of(rgb)
    if Luminance.isLight(drawing.background) { level = 255 - level }
    let scalar = ramp[level * ramp.count / 256]
    return Rendition.Cell(
      scalar: scalar, foreground: scalar == " " ? .none : color(rgb, drawing.colors),
      background: .none)
  }

  private static func color(_ rgb: UInt32?, _ colors: PictureColors) -> Rendition.Color {
    guard let rgb else { return .none }
    return switch colors {
    case .none: .none
    case .named16: .palette(TerminalPalette.nearest(to: rgb, in: 0..<16))
    case .indexed256: .palette(TerminalPalette.nearest(to: rgb, in: 16..<256))
    case .trueColor: .rgb(rgb)
    }
  }

  /// The mean colour of one part of the picture, of at most 16 × 16 pixels that lie evenly in it; nil
  /// where it is more transparent than not.
  ///
  /// - Parameters:
  ///   - columns: Which of how many the part is.
  ///   - background: The colour behind partly transparent pixels.
  private static func average(
    _ pixels: Pixels, columns: (Int, Int), rows: (Int, Int), _ background: UInt32
  ) -> UInt32? {
    var (red, green, blue, alpha, count) = (0, 0, 0, 0, 0)
    for y in places(rows, of: pixels.height) {
      for x in places(columns, of: pixels.width) {
        let pixel = pixels.bytes + (y * pixels.width + x) * 4
        let weight = Int(pixel[3])
        red += Int(pixel[0]) * weight
        green += Int(pixel[1]) * weight
        blue += Int(pixel[2]) * weight
        alpha += weight
        count += 255
      }
    }
    guard alpha * 2 >= count else { return nil }
    func channel(_ sum: Int, _ shift: UInt32) -> UInt32 {
      let behind = Int(background >> shift & 0xFF)
      return UInt32((sum + behind * (count - alpha) + count / 2) / count) << shift
    }
    return channel(red, 16) | channel(green, 8) | channel(blue, 0)
  }

  private static func places(_ part: (index: Int, count: Int), of length: Int) -> [Int] {
    let start = part.index * length / part.count
    let end = max((part.index + 1) * length / part.count, start + 1)
    let taken = min(end - start, 16)
    return (0..<taken).map { start + (2 * $0 + 1) * (end - start) / (2 * taken) }
  }
}

enum Luminance {
  /// 0 to 255, by ITU-R BT.601.
  static func of(_ rgb: UInt32) -> Int {
    Int(rgb >> 16 & 0xFF) * 299 / 1000 + Int(rgb >> 8 & 0xFF) * 587 / 1000
      + Int(rgb & 0xFF) * 114 / 1000
  }

  static func isLight(_ rgb: UInt32) -> Bool { of(rgb) >= 128 }
}

/// The colours of terminals by number, as xterm has them.
enum TerminalPalette {
  static func nearest(to rgb: UInt32, in numbers: Range<Int>) -> UInt8 {
    let nearest = numbers.min { distance(colors[$0], rgb) < distance(colors[$1], rgb) }
    return UInt8(nearest ?? 0)
  }

  static let colors: [UInt32] = {
    let named: [UInt32] = [
      0x000000, 0x800000, 0x008000, 0x808000, 0x000080, 0x800080, 0x008080, 0xC0C0C0,
      0x808080, 0xFF0000, 0x00FF00, 0xFFFF00, 0x0000FF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
    let levels: [UInt32] = [0, 0x5F, 0x87, 0xAF, 0xD7, 0xFF]
    let cube = levels.flatMap { red in
      levels.flatMap { green in levels.map { red << 16 | green << 8 | $0 } }
    }
    let grays = (0..<24).map { (8 + 10 * $0) * 0x01_0101 as UInt32 }
    return named + cube + grays
  }()

  private static func distance(_ one: UInt32, _ other: UInt32) -> Int {
    [(16, 2), (8, 4), (0, 3)].reduce(0) { sum, part in
      let (shift, weight) = (UInt32(part.0), part.1)
      let difference = Int(one >> shift & 0xFF) - Int(other >> shift & 0xFF)
      return sum + weight * difference * difference
    }
  }
}
