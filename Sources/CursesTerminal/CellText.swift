internal import CNcurses

/// The text of one cell for ncurses: a base, then combining marks.
/// The last filter before the terminal. ncurses uses the C library's widths, so a base whose width there is not the cell's
/// own is replaced, or the rest of the line would be off by a column.
struct CellText {
  private(set) var scalars: [UInt32] = []
  /// Columns by ncurses: 1 or 2, at most the cell's own. The cell is filled up with a space.
  private(set) var width = 1

  /// ncurses keeps five scalars a cell, of which the base is one.
  private static let mostMarks = 4
  private static let replacement: UInt32 = 0xFFFD

  /// Sets the text of a cell; the storage is used again from cell to cell.
  mutating func set(_ cluster: [Unicode.Scalar], width cellWidth: Int) {
    guard set(cluster.first ?? "\u{FFFD}", width: cellWidth) else { return }
    for mark in cluster.dropFirst().prefix(Self.mostMarks) where mark != "\u{FE0F}" {
      // The part behind a joiner has columns of its own: the base stands for the whole emoji.
      guard Self.width(of: mark) == 0 else { break }
      scalars.append(mark.value)
    }
  }

  /// Sets the text of a cell of one scalar; false where it is replaced.
  @discardableResult
  mutating func set(_ scalar: Unicode.Scalar, width cellWidth: Int) -> Bool {
    let scalarWidth = Self.width(of: scalar) ?? 0
    let isShown = scalarWidth > 0 && scalarWidth <= cellWidth
    scalars.removeAll(keepingCapacity: true)
    scalars.append(isShown ? scalar.value : Self.replacement)
    width = isShown ? scalarWidth : 1
    return isShown
  }

  /// Nil for a scalar that must not reach the terminal: controls, marks of direction, joiners and variation selectors
  /// (which change the width of what stands before them), and those that the C library cannot print.
  private static func width(of scalar: Unicode.Scalar) -> Int? {
    switch scalar.value {
    case 0x20...0x7E: return 1
    case ..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F,
      0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
      return nil
    default:
      let width = Int(telex_width(scalar.value))
      return width < 0 ? nil : width
    }
  }
}
