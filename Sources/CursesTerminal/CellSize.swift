internal import Screen

/// The size of a cell in pixels, from the kernel's size of a window (`TIOCGWINSZ`).
///
/// Terminals, multiplexers and remote shells set the pixels or leave them 0, and some set the size of the screen or
/// a number of their own: a size that no font has is ignored.
enum CellSize {
  private static let widths = 3...100
  private static let heights = 6...200

  /// - Parameters:
  ///   - window: in pixels; a margin may be counted in.
  ///   - cells: of the same window.
  /// - Returns: nil where it cannot be the size of a cell.
  static func of(window: Size, cells: Size) -> Size? {
    guard cells.width > 0, cells.height > 0 else { return nil }
    let cell = Size(width: window.width / cells.width, height: window.height / cells.height)
    return isPossible(cell) ? cell : nil
  }

  /// Whether a font may have cells of this size.
  static func isPossible(_ cell: Size) -> Bool {
    // Cells are higher than wide, by up to three times.
    widths.contains(cell.width) && heights.contains(cell.height) && cell.height >= cell.width
      && cell.height <= 3 * cell.width
  }
}
