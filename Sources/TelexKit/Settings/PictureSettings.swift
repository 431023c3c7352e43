package struct PictureSettings: Hashable, Sendable {
  /// What cells are made of.
  package enum Symbols: String, Hashable, Sendable, CaseIterable {
    /// Two pixels a cell, of signs that every font has.
    case half
    /// Six pixels a cell, of signs that some fonts lack (Unicode 13).
    case sextants
    case ascii
  }

  /// What they are drawn of.
  package enum Drawing: String, Hashable, Sendable, CaseIterable {
    /// Pixels where the terminal says that it shows them, else cells.
    case auto
    case cells
    /// Pixels by one protocol, whatever the terminal says.
    case kitty, sixel, iterm
  }

  package var areShown = true
  package var drawing = Drawing.auto
  /// Whether feeds have their icons, where there are pixels.
  package var showsIcons = true
  /// Nil for what suits the terminal.
  package var symbols: Symbols?
  /// The most that their files take, in bytes.
  package var mostBytes: Int64 = 200 << 20
}
