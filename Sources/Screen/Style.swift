/// How a cell looks.
package struct Style: Hashable, Sendable {
  /// Character attributes.
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let italic = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
    package static let reverse = Attributes(rawValue: 16)
  }

  package var foreground: Color
  package var background: Color
  package var attributes: Attributes

  package init(
    _ foreground: Color = .standard, on background: Color = .standard,
    _ attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  package static let plain = Style()

  /// This style over another one, whose colours fill in for default ones.
  package func over(_ below: Style) -> Style {
    Style(
      foreground == .standard ? below.foreground : foreground,
      on: background == .standard ? below.background : background,
      attributes.union(below.attributes))
  }

  /// Whether a blank looks the same in both: it shows the background, an underline and reversed colours.
  package func hasBlanks(like other: Style) -> Bool {
    let visible: Attributes = [.underline, .reverse]
    return background == other.background && attributes.isDisjoint(with: visible)
      && other.attributes.isDisjoint(with: visible)
  }

  /// This style with its attributes alone.
  package var withoutColors: Style { Style(.standard, on: .standard, attributes) }

  package func with(_ more: Attributes) -> Style {
    Style(foreground, on: background, attributes.union(more))
  }
}

// MARK: Words

extension Style {
  /// Error in the words of a style.
  package struct Mistake: Error, Hashable, Sendable {
    package var message: String
  }

  /// A style as settings write it: a colour, `on` and the colour below it, and any of `bold`, `dim`, `italic`,
  /// `underline` and `reverse`, as in `yellow on #202020 bold`.
  package init(words: String) throws {
    self = .plain
    var isBelow = false
    for word in words.split(separator: " ").map(String.init) {
      if word == "on" {
        isBelow = true
      } else if let attribute = Self.attributes[word] {
        attributes.insert(attribute)
      } else if let color = Color(word) {
        if isBelow { background = color } else { foreground = color }
        isBelow = false
      } else {
        throw Mistake(
          message:
            "“\(word)” is no colour and no attribute; write red, bright-red, 208, #ff8700 or default, "
            + "on and another one, and bold, dim, italic, underline or reverse")
      }
    }
    if isBelow { throw Mistake(message: "a colour is missing after “on”") }
  }

  private static let attributes: [String: Attributes] = [
    "bold": .bold, "dim": .dim, "italic": .italic, "underline": .underline, "reverse": .reverse,
    "plain": [],
  ]
}
