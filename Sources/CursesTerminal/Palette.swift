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
    if colors >= 16 {
      background = Self.nearestOfSixteen(background)
      foreground = Self.nearestOfSixteen(foreground)
      if foreground == background, foreground >= 0, asked.foreground != asked.background {
        foreground = Self.isDark(background) ? 15 : 0
      }
      return
    }
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

  private static func nearestOfSixteen(_ index: Int32) -> Int32 {
    guard index >= 16 else { return index }
    let color = parts(of: index)
    func distance(_ other: Int32) -> Int32 {
      zip(color, parts(of: other)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    return (0..<16).min { distance($0) < distance($1) } ?? 7
  }

  private static func isDark(_ index: Int32) -> Bool {
    let parts = parts(of: index)
    return 2 * parts[0] + 5 * parts[1] + parts[2] < 8 * 115
  }

  /// Red, green and blue as xterm has them, from 0 to 255.
  private static func parts(of index: Int32) -> [Int32] {
    switch index {
    case 4: [0, 0, 238]
    case 7: [229, 229, 229]
    case 8: [127, 127, 127]
    case 12: [92, 92, 255]
    case ..<8: [index & 1, index >> 1 & 1, index >> 2].map { $0 * 205 }
    case ..<16: [index & 1, index >> 1 & 1, index >> 2 & 1].map { $0 * 255 }
    case ..<232: [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(level)
    default: Array(repeating: 8 + 10 * (index - 232), count: 3)
    }
  }

  private static func level(_ step: Int32) -> Int32 { step == 0 ? 0 : 55 + 40 * step }

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
