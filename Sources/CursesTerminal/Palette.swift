internal import Screen

/// Colours as ncurses numbers them: −1 for the terminal's own.
struct ColorPair: Hashable {
  var foreground: Int32
  var background: Int32

  static let standard = ColorPair(foreground: -1, background: -1)

  /// The nearest pair that a terminal of so many colours can show.
  ///
  /// Text stays readable: colours that differ are not mapped to the same one, and a dark grey does
  /// not become black on black.
  init(_ style: Style, colors: Int) {
    foreground = Int32(style.foreground.index)
    background = Int32(style.background.index)
    if colors >= 256 { return }
    if colors < 8 {
      self = .standard
      return
    }
    let asked = self
    background = Self.nearestOfEight(background)
    foreground = Self.nearestOfEight(foreground)
    if foreground == 0, asked.foreground != 0, asked.foreground != 16 { foreground = 7 }
    if foreground == background, foreground >= 0, asked.foreground != asked.background {
      foreground = background == 0 ? 7 : 0
    }
  }

  private init(foreground: Int32, background: Int32) {
    self.foreground = foreground
    self.background = background
  }

  /// 0–7 are the eight, 8–15 their bright sisters, 16–231 a cube of 6 × 6 × 6, then 24 greys.
  private static func nearestOfEight(_ index: Int32) -> Int32 {
    switch index {
    case ..<8: return index
    case ..<16: return index - 8
    case ..<232:
      let cube = index - 16
      // Of the six levels 0, 95, 135, 175, 215 and 255 the upper four are nearer to lit.
      let red: Int32 = cube / 36 >= 2 ? 1 : 0
      let green: Int32 = cube / 6 % 6 >= 2 ? 2 : 0
      let blue: Int32 = cube % 6 >= 2 ? 4 : 0
      return red + green + blue
    default: return index < 244 ? 0 : 7
    }
  }
}
