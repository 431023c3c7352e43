/// Whether a terminal shows light text on dark, or dark text on light.
package enum Background: String, Hashable, Sendable {
  case dark, light

  /// By the variable `COLORFGBG`, which some terminals set to the numbers of their foreground and background: `15;0`,
  /// `0;default;15`. Nil for anything else.
  package init?(colorFGBG: String) {
    guard let last = colorFGBG.split(separator: ";").last, let number = Int(last) else {
      return nil
    }
    switch number {
    case 0...6, 8: self = .dark
    case 7, 9...15: self = .light
    default: return nil
    }
  }

  /// By the parts of a colour, from 0 to 1 each.
  package init(red: Double, green: Double, blue: Double) {
    // Black and white text are equally easy to read where the luminance is 0.18. Squares are near
    // enough to what a screen makes of the numbers.
    let luminance = 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue
    self = luminance > 0.18 ? .light : .dark
  }
}
