package import Screen

/// The styles of the parts of the screen.
package struct Theme: Hashable, Sendable {
  package var text = Style.plain
  /// Text of less importance, such as dates and hints.
  package var dim = Style(.standard, on: .standard, .dim)
  /// In the default colour of the terminal, which is legible on any background.
  package let unread = Style(.standard, on: .standard, .bold)
  /// The mark of a starred article.
  package var star = Style(.standard, on: .standard, .bold)
  /// Headings of panes.
  package var header = Style(.standard, on: .standard, .bold)
  /// The selected row of the pane in use.
  package var selected = Style(.standard, on: .standard, .reverse)
  /// The selected row of another pane.
  package var selectedElsewhere = Style(.standard, on: .standard, .underline)
  /// Lines between panes.
  package var border = Style(.standard, on: .standard, .dim)
  /// The status line at the bottom.
  package var status = Style(.standard, on: .standard, .reverse)
  /// An error in the status line.
  package var statusError = Style(.standard, on: .standard, [.reverse, .bold])
  package var error = Style(.standard, on: .standard, .bold)
  /// A connection that is not secure (TLS); used for nothing else.
  package var alarm = Style(.standard, on: .standard, [.reverse, .bold])
  package var warning = Style(.standard, on: .standard, .bold)
  /// What calls for attention, such as new articles and progress.
  package var accent = Style(.standard, on: .standard, .bold)
  package var link = Style(.standard, on: .standard, .underline)
  package var code = Style.plain
  package var quote = Style(.standard, on: .standard, .dim)

  /// Without colours: bold, dim, underline and reverse carry everything.
  package static let none = Theme()

  /// For 256 colours on a dark background.
  package static let dark: Theme = {
    var theme = Theme()
    theme.dim = Style(.palette(245))
    theme.star = Style(.palette(221))
    theme.header = Style(.palette(117), on: .standard, .bold)
    theme.selected = Style(.palette(255), on: .palette(24), .bold)
    theme.selectedElsewhere = Style(.palette(252), on: .palette(237))
    theme.border = Style(.palette(239))
    theme.status = Style(.palette(252), on: .palette(236))
    theme.statusError = Style(.palette(210), on: .palette(236), .bold)
    theme.error = Style(.palette(210))
    theme.alarm = Style(.palette(231), on: .palette(160), .bold)
    theme.warning = Style(.palette(221))
    theme.accent = Style(.palette(117))
    theme.link = Style(.palette(117), on: .standard, .underline)
    theme.code = Style(.palette(180))
    theme.quote = Style(.palette(250), on: .standard, .italic)
    return theme
  }()

  /// For 256 colours on a light background.
  package static let light: Theme = {
    var theme = Theme()
    theme.dim = Style(.palette(241))
    theme.star = Style(.palette(130))
    theme.header = Style(.palette(25), on: .standard, .bold)
    theme.selected = Style(.palette(16), on: .palette(153), .bold)
    theme.selectedElsewhere = Style(.palette(236), on: .palette(254))
    theme.border = Style(.palette(250))
    theme.status = Style(.palette(236), on: .palette(254))
    theme.statusError = Style(.palette(124), on: .palette(254), .bold)
    theme.error = Style(.palette(124))
    theme.alarm = Style(.palette(231), on: .palette(124), .bold)
    theme.warning = Style(.palette(130))
    theme.accent = Style(.palette(25))
    theme.link = Style(.palette(25), on: .standard, .underline)
    theme.code = Style(.palette(94))
    theme.quote = Style(.palette(240), on: .standard, .italic)
    return theme
  }()

  /// For 256 colours on an unknown background: colours that can be read on black and
  /// on white, and their own background where that is not enough.
  package static let safe: Theme = {
    var theme = Theme()
    theme.dim = Style(.palette(243))
    theme.star = Style(.palette(130))
    theme.header = Style(.palette(31), on: .standard, .bold)
    theme.selected = Style(.palette(231), on: .palette(25), .bold)
    theme.selectedElsewhere = Style(.palette(16), on: .palette(250))
    theme.border = Style(.palette(243))
    theme.status = Style(.palette(16), on: .palette(252))
    theme.statusError = Style(.palette(124), on: .palette(252), .bold)
    theme.error = Style(.palette(161))
    theme.warning = Style(.palette(130))
    theme.accent = Style(.palette(31))
    theme.link = Style(.palette(31), on: .standard, .underline)
    theme.code = Style(.palette(64))
    theme.quote = Style(.standard, on: .standard, .italic)
    return theme
  }()

  /// For 8 or 16 colours on a dark background. Of the eight, the darker sisters are shown.
  package static let basicDark = basic(
    header: .palette(14), star: .palette(11), error: .palette(9), code: .palette(10))

  /// For 8 or 16 colours on a light background, where yellow, green and cyan cannot be read.
  package static let basicLight = basic(
    header: .palette(4), star: .palette(5), error: .palette(1), code: .palette(5))

  /// For 8 or 16 colours on an unknown background: of the eight, only red and magenta
  /// can be read on black and on white.
  package static let basicSafe = basic(
    header: .palette(5), star: .palette(5), error: .palette(1), code: .standard)

  private static func basic(header: Color, star: Color, error: Color, code: Color) -> Theme {
    var theme = Theme()
    theme.star = Style(star)
    theme.header = Style(header, on: .standard, .bold)
    theme.selected = Style(.palette(15), on: .palette(4), .bold)
    theme.selectedElsewhere = Style(.palette(0), on: .palette(7))
    theme.status = Style(.palette(0), on: .palette(7))
    theme.statusError = Style(.palette(1), on: .palette(7), .bold)
    theme.error = Style(error, on: .standard, .bold)
    theme.warning = Style(star)
    theme.accent = Style(header)
    theme.link = Style(header, on: .standard, .underline)
    theme.code = Style(code)
    return theme
  }

  /// The theme for a terminal with a number of colours.
  ///
  /// - Parameter background: nil where it is unknown.
  package static func matching(colors: Int, background: Background?) -> Theme {
    switch (colors, background) {
    case (..<8, _): .none
    case (..<256, .dark?): .basicDark
    case (..<256, .light?): .basicLight
    case (..<256, nil): .basicSafe
    case (_, .dark?): .dark
    case (_, .light?): .light
    case (_, nil): .safe
    }
  }
}
