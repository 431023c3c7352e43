internal import CPictures

/// Cells by chafa, which finds the nearest character and two colours.
struct ChafaDrawing {
  private let functions: picture_chafa

  init() throws(PictureError) {
    functions = try PictureLibrary.chafa.open(picture_chafa()) {
      picture_chafa_open($0, &$1) == nil
    }
  }

  /// - Returns: Row by row.
  func cells(
    _ pixels: Pixels, _ drawing: CellDrawing, cell: PictureSize
  ) throws(PictureError) -> [Rendition.Cell] {
    guard let config = functions.config(), let symbols = functions.symbols() else {
      throw .tooLarge("no memory")
    }
    defer {
      functions.release_symbols(symbols)
      functions.release_config(config)
    }
    for range in drawing.symbols.ranges {
      functions.add_symbols(symbols, range.lowerBound, range.upperBound)
    }
    functions.set_symbols(config, symbols)
    functions.set_geometry(config, Int32(drawing.columns), Int32(drawing.rows))
    functions.set_cell_geometry(config, Int32(cell.width), Int32(cell.height))
    functions.set_mode(config, Self.mode(drawing.colors))
    functions.set_background(config, drawing.background)
    functions.set_foreground(config, Luminance.isLight(drawing.background) ? 0 : 0xFF_FFFF)
    functions.set_threshold(config, 0.5)
    // Without it a photo in two colours is a few blots.
    if case .none = drawing.colors {
      functions.set_dithering(config, Int32(picture_chafa_error_diffusion))
    }
    guard let canvas = functions.canvas(config) else { throw .tooLarge("no memory") }
    defer { functions.release_canvas(canvas) }
    functions.draw(
      canvas, Int32(picture_chafa_rgba), pixels.bytes, Int32(pixels.width),
      Int32(pixels.height), Int32(pixels.bytesPerRow))
    var cells: [Rendition.Cell] = []
    cells.reserveCapacity(drawing.columns * drawing.rows)
    for row in 0..<drawing.rows {
      for column in 0..<drawing.columns {
        cells.append(self.cell(canvas, Int32(column), Int32(row), drawing.colors))
      }
    }
    return cells
  }

  private func cell(
    _ canvas: UnsafeMutableRawPointer, _ column: Int32, _ row: Int32, _ colors: PictureColors
  ) -> Rendition.Cell {
    var (foreground, background) = (Int32(-1), Int32(-1))
    functions.raw_colors(canvas, column, row, &foreground, &background)
    let scalar = Unicode.Scalar(functions.character(canvas, column, row)) ?? " "
    return Rendition.Cell(
      scalar: Rendition.isAllowed(scalar) ? scalar : " ",
      foreground: Self.color(foreground, colors), background: Self.color(background, colors)
    ).withSolidForeground
  }

  private static func color(_ number: Int32, _ colors: PictureColors) -> Rendition.Color {
    guard number >= 0 else { return .none }
    switch colors {
    case .none: return .none
    case .trueColor: return .rgb(UInt32(number) & 0xFF_FFFF)
    case .named16: return number < 16 ? .palette(UInt8(number)) : .none
    case .indexed256: return number < 256 ? .palette(UInt8(number)) : .none
    }
  }

  /// Of 256 colours the 240 whose look the terminal's user cannot change.
  private static func mode(_ colors: PictureColors) -> Int32 {
    switch colors {
    case .none: Int32(picture_chafa_monochrome)
    case .named16: Int32(picture_chafa_16)
    case .indexed256: Int32(picture_chafa_240)
    case .trueColor: Int32(picture_chafa_true_color)
    }
  }
}
