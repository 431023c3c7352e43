internal import CNcurses
internal import Screen

/// Puts right-to-left texts into the order of the screen, and keeps terminals from doing the same once more.
///
/// Nothing of it happens before the first such text: the library is opened for it, and the terminal told. Arabic letters
/// are not joined here: their forms are the terminal's business, and its font's.
@MainActor
struct TextOrdering {
  private enum Phase {
    /// No text has asked for it.
    case waiting
    case using(FriBidi)
    /// Letters stay in the order of the text.
    case off
  }

  private var phase = Phase.waiting

  /// Leaves letters in the order of the text.
  static let none = {
    var ordering = TextOrdering()
    ordering.phase = .off
    return ordering
  }()

  /// The frame as the screen is to show it; nil for as it is.
  mutating func visual(_ frame: Frame) -> VisualFrame? {
    guard !frame.stretches.isEmpty else { return nil }
    if case .waiting = phase {
      phase = Self.isLeftToTerminal ? .off : FriBidi().map(Phase.using) ?? .off
      enterMode()
    }
    guard case .using(let library) = phase else { return nil }
    return frame.inVisualOrder(library.order)
  }

  /// Tells the terminal to leave letters where they are put.
  func enterMode() {
    guard case .using = phase else { return }
    // First, for a crash may come between.
    Rescue.order = Self.implicit
    TerminalLine.write(Self.explicit)
  }

  /// Lets the terminal order letters again.
  func leaveMode() {
    guard case .using = phase else { return }
    TerminalLine.write(Self.implicit)
  }

  /// The bidirectional mode off (ECMA-48, BDSM reset): letters are shown where the program puts them. Terminals without
  /// such a mode pass it over. Mlterm 3.9 has a sequence of its own for the same, and says in its environment who it is.
  private static let explicit = "\u{1b}[8l" + (isMlterm ? "\u{1b}]5379;use_ctl=false\u{1b}\\" : "")

  /// Back on, as it is by default ("BiDi in Terminal Emulators").
  private static let implicit = "\u{1b}[8h" + (isMlterm ? "\u{1b}]5379;use_ctl=true\u{1b}\\" : "")

  /// Whether the terminal puts letters into order and cannot be told to leave them: tmux and screen pass the mode on to
  /// no terminal behind them, and Apple's Terminal has none.
  private static let isLeftToTerminal: Bool = {
    func has(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
    if getenv("TERM_PROGRAM").map({ String(cString: $0) }) == "Apple_Terminal" { return true }
    return (has("TMUX") || has("STY"))
      && (has("VTE_VERSION") || has("KONSOLE_VERSION") || has("MLTERM"))
  }()

  private static let isMlterm = getenv("MLTERM") != nil
}
