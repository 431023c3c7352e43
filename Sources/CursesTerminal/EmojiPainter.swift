internal import Screen

/// Draws emoji of several scalars over the cells of a frame, where the terminal takes them.
///
/// ncurses goes by the width of each scalar. It draws the base of an emoji, or a flag as its letters, in two columns; the
/// whole is written over them when the row is drawn. Terminals disagree on the columns of such a sequence: a sample of each
/// kind is measured, and those of a kind that takes more than two are left as they are.
@MainActor
struct EmojiPainter {
  /// The kinds that the terminal draws in two columns.
  private var kinds: Set<EmojiKind> = []
  /// The kinds whose columns the terminal has not told yet.
  private var awaited: [EmojiKind] = []
  /// The emoji of each row on the terminal.
  private var shown: [Int: [Sign]] = [:]

  private struct Sign {
    var x: Int
    var style: Style
    var scalars: [Unicode.Scalar]
  }

  /// The samples, in the second line, and after each the question for the cursor's place (CPR). In the first line an answer
  /// would be a function key.
  mutating func question() -> String {
    awaited = EmojiKind.allCases
    return awaited.map { "\u{1B}[2;1H\($0.sample)\u{1B}[6n" }.joined()
  }

  /// Handles the column after the next sample, from 1; returns whether it was the last.
  mutating func receive(column: Int) -> Bool {
    guard !awaited.isEmpty else { return false }
    let kind = awaited.removeFirst()
    if column <= 3 { kinds.insert(kind) }
    return awaited.isEmpty
  }

  /// Reads the emoji of rows that are about to be drawn. Returns those that ncurses has to send whole: it knows no more of
  /// a row than what it drew there.
  mutating func choose(_ frame: Frame, rows: some Sequence<Int>) -> Set<Int> {
    guard !kinds.isEmpty else { return [] }
    var lines: Set<Int> = []
    for y in rows {
      let signs = signs(in: frame, row: y)
      if shown.updateValue(signs, forKey: y)?.isEmpty == false || !signs.isEmpty { lines.insert(y) }
    }
    return lines
  }

  private func signs(in frame: Frame, row y: Int) -> [Sign] {
    var signs: [Sign] = []
    for (x, cell) in zip(0..., frame.row(y)) where cell.width == 2 && cell.glyph.scalar == nil {
      let scalars = frame.scalars(of: cell.glyph)
      guard let kind = EmojiKind(scalars), kinds.contains(kind) else { continue }
      signs.append(Sign(x: x, style: cell.style, scalars: scalars))
    }
    return signs
  }

  /// Writes the emoji of rows that were drawn.
  func show(rows: some Sequence<Int>, colors: Int) {
    var text = ""
    for y in rows {
      for sign in shown[y] ?? [] {
        text += "\u{1B}[\(y + 1);\(sign.x + 1)H" + sign.style.sequence(colors: colors)
        text.unicodeScalars.append(contentsOf: sign.scalars)
      }
    }
    // ncurses must find the cursor and the style where it left them.
    if !text.isEmpty { TerminalLine.write("\u{1B}7\(text)\u{1B}8") }
  }

  /// Forgets what is shown: the screen is about to be cleared.
  mutating func forget() { shown = [:] }
}

/// Emoji sequences that terminals draw alike.
enum EmojiKind: CaseIterable {
  case flag
  /// With VARIATION SELECTOR-16.
  case sign
  /// With a skin tone.
  case tone
  /// Joined by ZERO WIDTH JOINER, perhaps with skin tones.
  case joined

  var sample: String {
    switch self {
    case .flag: "🇳🇴"
    case .sign: "❤️"
    case .tone: "👍🏽"
    case .joined: "👩🏽‍🚀"
    }
  }

  /// Nil for any other text of a cell.
  init?(_ scalars: [Unicode.Scalar]) {
    guard scalars.count > 1, scalars.allSatisfy(Self.isPart) else { return nil }
    if scalars.contains("\u{200D}") {
      self = .joined
    } else if scalars.dropFirst().contains(where: \.properties.isEmojiModifier) {
      self = .tone
    } else if scalars.contains("\u{FE0F}") {
      self = .sign
    } else if scalars.count == 2, scalars.allSatisfy({ $0.flagLetter != nil }) {
      self = .flag
    } else {
      return nil
    }
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    ["\u{200D}", "\u{FE0F}", "\u{20E3}"].contains(scalar) || scalar.properties.isEmoji
  }
}

extension Style {
  /// The sequence (SGR) for a style on a terminal with a number of colours.
  func sequence(colors: Int) -> String {
    let signs: [(Attributes, String)] = [
      (.bold, ";1"), (.dim, ";2"), (.italic, ";3"), (.underline, ";4"), (.reverse, ";7"),
    ]
    let pair = ColorPair(self, colors: colors)
    return "\u{1B}[0" + signs.filter { attributes.contains($0.0) }.map(\.1).joined()
      + Self.code(pair.foreground, after: 30, colors)
      + Self.code(pair.background, after: 40, colors)
      + "m"
  }

  private static func code(_ color: Int32, after first: Int32, _ colors: Int) -> String {
    switch color {
    case ..<0: ""
    case ..<8: ";\(first + color)"
    case ..<16 where colors < ColorPair.direct: ";\(first + 52 + color)"
    case _ where colors < ColorPair.direct: ";\(first + 8);5;\(color)"
    default: ";\(first + 8);2;\(color >> 16);\(color >> 8 & 0xFF);\(color & 0xFF)"
    }
  }
}
