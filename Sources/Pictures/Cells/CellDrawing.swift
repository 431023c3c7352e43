/// The characters for pictures.
package enum PictureSymbols: String, CaseIterable, Sendable {
  /// ▀ ▄ █
  case half
  /// Those, quadrants, and sextants (Unicode 13).
  case sextants
  /// Printable ASCII.
  case ascii

  /// The scalars, for chafa.
  var ranges: [ClosedRange<UInt32>] {
    switch self {
    case .half: [0x20...0x20, 0x2580...0x2580, 0x2584...0x2584, 0x2588...0x2588]
    case .sextants:
      [
        0x20...0x20, 0x2580...0x2580, 0x2584...0x2584, 0x2588...0x2588, 0x258C...0x258C,
        0x2590...0x2590, 0x2596...0x259F, 0x1FB00...0x1FB3B,
      ]
    case .ascii: [0x20...0x7E]
    }
  }
}

/// The number of colours of a terminal.
package enum PictureColors: Sendable {
  /// Less than 16: characters alone make the picture.
  case none
  case named16, indexed256, trueColor

  /// - Parameter count: As the terminal says: 8, 16, 256, 16777216, …
  package init(count: Int) {
    self =
      switch count {
      case ..<16: .none
      case ..<256: .named16
      case ..<(1 << 24): .indexed256
      default: .trueColor
      }
  }
}

struct CellDrawing {
  var columns: Int
  var rows: Int
  var colors: PictureColors
  var symbols: PictureSymbols
  /// The colour behind transparent pixels: 0xRRGGBB.
  var background: UInt32
}

extension Rendition.Cell {
  static let blank = Rendition.Cell(scalar: " ", foreground: .none, background: .none)

  /// The cell for a foreground that is transparent over a background that is not: the complement of the
  /// character, with the colours exchanged. A terminal would draw its own colour otherwise.
  var withSolidForeground: Rendition.Cell {
    if scalar == " " {
      return Rendition.Cell(scalar: " ", foreground: .none, background: background)
    }
    guard foreground == .none, background != .none else { return self }
    guard let complement = BlockShape.complement(of: scalar) else { return .blank }
    return Rendition.Cell(
      scalar: complement, foreground: complement == " " ? .none : background, background: .none)
  }
}

/// The parts of a cell that a block element fills.
enum BlockShape {
  /// The character that fills the rest; nil where there is none.
  static func complement(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if let index = quadrants.firstIndex(of: scalar) { return quadrants[15 - index] }
    guard let filled = sextant(scalar) else { return nil }
    return sextant(63 - filled)
  }

  /// By the quadrants that are filled: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
  private static let quadrants: [Unicode.Scalar] = [
    " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
  ]

  /// The six parts that are filled, a bit each, row by row. U+1FB00… are in this order, without those
  /// that are older characters: none, the left half (21), the right half (42), all.
  private static func sextant(_ scalar: Unicode.Scalar) -> UInt32? {
    guard 0x1FB00...0x1FB3B ~= scalar.value else { return nil }
    let filled = scalar.value - 0x1FB00 + 1
    return filled < 21 ? filled : filled + 1 < 42 ? filled + 1 : filled + 2
  }

  private static func sextant(_ filled: UInt32) -> Unicode.Scalar? {
    let skipped: UInt32 = filled > 42 ? 2 : filled > 21 ? 1 : 0
    return Unicode.Scalar(0x1FB00 + filled - 1 - skipped)
  }
}
