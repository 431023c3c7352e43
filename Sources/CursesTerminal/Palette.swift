internal import Screen

/// Colours as ncurses numbers them: −1 for the terminal's own.
struct ColorPair: Hashable {
  var foreground: Int32
  var background: Int32

  static let standard = ColorPair(foreground: -1, background: -1)

  /// The number of colours of a terminal that takes them by their parts.
  static let direct = 1 << 24

  /// The nearest pair that a terminal of so many colours can show.
  ///
  /// Text stays readable: colours that differ are not mapped to the same one, and a dark grey does
  /// not become black on black.
  init(_ style: Style, colors: Int) {
    guard colors >= 8 else {
      self = .standard
      return
    }
    let below = style.background.nearest(of: colors)
    var above = style.foreground.nearest(of: colors)
    if colors < 16, above == .palette(0), ![.palette(0), .palette(16)].contains(style.foreground) {
      above = .palette(7)
    }
    if above == below, above != .standard, style.foreground != style.background {
      let isDark = below.isDark == true
      above = .palette(isDark ? (colors < 16 ? 7 : 15) : 0)
    }
    foreground = Self.number(of: above, colors: colors)
    background = Self.number(of: below, colors: colors)
  }

  private init(foreground: Int32, background: Int32) {
    self.foreground = foreground
    self.background = background
  }

  private static func number(of color: Color, colors: Int) -> Int32 {
    switch color.kind {
    case .standard: return -1
    // With colours by their parts, only the first eight have numbers.
    case .palette(let index) where colors < direct || index < 8: return Int32(index)
    case .palette, .rgb:
      let parts = color.parts ?? [0, 0, 0]
      return max(8, Int32(parts[0] << 16 | parts[1] << 8 | parts[2]))
    }
  }
}
