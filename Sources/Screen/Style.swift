/// A colour of the terminal: its own default, or one of the 256 of the xterm palette.
package struct Color: Hashable, Sendable {
  /// −1 for the terminal's default.
  package let index: Int16

  private init(index: Int16) { self.index = index }

  /// The default colour of the terminal.
  package static let standard = Color(index: -1)

  package static func palette(_ index: UInt8) -> Color { Color(index: Int16(index)) }
}

/// How a cell looks.
package struct Style: Hashable, Sendable {
  /// Character attributes of a terminal.
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

  package func with(_ more: Attributes) -> Style {
    Style(foreground, on: background, attributes.union(more))
  }
}
