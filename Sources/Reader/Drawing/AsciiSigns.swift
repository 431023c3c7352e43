internal import Screen

extension Frame {
  /// Puts signs of ASCII in the place of those that some terminals and fonts lack. Letters of other scripts stay.
  mutating func useAsciiSigns() {
    for y in 0..<size.height {
      for x in 0..<size.width {
        guard let sign = Self.asciiSigns[self[x, y].glyph] else { continue }
        self[x, y].glyph = Glyph(sign)
      }
    }
  }

  /// Each of one column, as what it stands for.
  private static let asciiSigns: [Glyph: Unicode.Scalar] = {
    let signs: [(Unicode.Scalar, Unicode.Scalar)] = [
      ("●", "*"), ("★", "+"), ("▾", "v"), ("▸", ">"), ("▲", "^"), ("≡", "="), ("▣", "#"),
      ("±", "%"),
      ("−", "-"),
      ("↻", "@"),
      ("↑", "^"), ("↓", "v"), ("→", ">"), ("←", "<"), ("✓", "x"), ("‖", "\""), ("×", "x"),
      ("⊘", "!"), ("•", "*"), ("◦", "o"), ("▪", "-"), ("·", "."), ("…", "~"), ("│", "|"),
      ("─", "-"), ("├", "+"), ("└", "`"), ("┼", "+"), ("━", "="), ("┄", "-"), ("–", "-"),
      ("—", "-"),
      ("“", "\""), ("”", "\""), ("„", "\""), ("‘", "'"), ("’", "'"), ("«", "\""), ("»", "\""),
      ("\u{A0}", " "), ("↩", "\\"), ("⏎", "\\"), ("↳", ">"),
      ("⠋", "|"), ("⠙", "/"), ("⠸", "-"), ("⠴", "\\"), ("⠦", "|"), ("⠇", "/"),
    ]
    return Dictionary(uniqueKeysWithValues: signs.map { (Glyph($0.0), $0.1) })
  }()
}
