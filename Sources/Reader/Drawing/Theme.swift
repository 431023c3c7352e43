package import Screen

package struct Theme: Hashable, Sendable {
  package var text = Style.plain
  /// Text of less importance, such as dates and hints.
  package var dim = Style(.standard, on: .standard, .dim)
  /// In the default colour of the terminal, which is legible on any background.
  package var unread = Style(.standard, on: .standard, .bold)
  package var star = Style(.standard, on: .standard, .bold)
  package var header = Style(.standard, on: .standard, .bold)
  /// The selected row of the pane in use.
  package var selected = Style(.standard, on: .standard, .reverse)
  /// The selected row of another pane.
  package var selectedElsewhere = Style(.standard, on: .standard, .underline)
  package var border = Style(.standard, on: .standard, .dim)
  package var status = Style(.standard, on: .standard, .reverse)
  package var statusError = Style(.standard, on: .standard, [.reverse, .bold])
  package var error = Style(.standard, on: .standard, .bold)
  /// A connection that is not secure (TLS); used for nothing else.
  package var alarm = Style(.standard, on: .standard, [.reverse, .bold])
  package var warning = Style(.standard, on: .standard, .bold)
  /// New articles, progress and other changes.
  package var accent = Style(.standard, on: .standard, .bold)
  /// A place of the words that are looked for in an article, and the one that the user is at.
  package var hit = Style(.standard, on: .standard, .underline)
  package var currentHit = Style(.standard, on: .standard, [.reverse, .bold])
  package var link = Style(.standard, on: .standard, .underline)
  package var code = Style.plain
  /// Parts of code in a language that is known.
  package var codeComment = Style(.standard, on: .standard, .dim)
  package var codeString = Style.plain
  package var codeKeyword = Style(.standard, on: .standard, .bold)
  package var codeNumber = Style.plain
  package var quote = Style(.standard, on: .standard, .dim)

  /// The parts of the screen that settings can name.
  package static let partNames = parts.keys.sorted()

  static let parts: [String: any WritableKeyPath<Theme, Style> & Sendable] = [
    "text": \.text, "dim": \.dim, "unread": \.unread, "star": \.star, "heading": \.header,
    "selected": \.selected, "selected-elsewhere": \.selectedElsewhere, "border": \.border,
    "status": \.status, "status-error": \.statusError, "error": \.error, "alarm": \.alarm,
    "warning": \.warning, "accent": \.accent, "link": \.link, "code": \.code,
    "code-comment": \.codeComment, "code-string": \.codeString, "code-keyword": \.codeKeyword,
    "code-number": \.codeNumber, "quote": \.quote,
    "hit": \.hit, "current-hit": \.currentHit,
  ]

  /// Without colours: bold, dim, underline and reverse carry everything.
  package static let none = Theme()

  package static let dark = indexed(
    ThemeColors(
      dim: 248, star: 221, header: 117, border: 239, error: 210, warning: 221, accent: 117,
      link: 117, code: 180, quote: 250, selected: (255, 24), elsewhere: (252, 237),
      status: (252, 236), statusError: 210, alarm: (231, 160), hit: (231, 58),
      currentHit: (16, 221))
  ) { $0.codeString = Style(.palette(114)) }

  package static let light = indexed(
    ThemeColors(
      dim: 241, star: 94, header: 25, border: 250, error: 124, warning: 94, accent: 25, link: 25,
      code: 94, quote: 240, selected: (16, 153), elsewhere: (236, 254), status: (236, 254),
      statusError: 124, alarm: (231, 124), hit: (16, 229), currentHit: (16, 214))
  ) {
    $0.codeString = Style(.palette(22))
    $0.codeNumber = Style(.palette(90))
  }

  /// For an unknown background: colours that can be read on black and on white, and their own background where that
  /// is not enough.
  package static let safe = indexed(
    ThemeColors(
      dim: 243, star: 131, header: 63, border: 243, error: 163, warning: 131, accent: 63, link: 63,
      code: 29, quote: 243, selected: (231, 25), elsewhere: (16, 250), status: (16, 252),
      statusError: 124, alarm: (231, 124), hit: (16, 229), currentHit: (16, 214))
  ) { $0.quote = Style(.standard, on: .standard, .italic) }

  /// A theme for 256 colours, by their numbers.
  private static func indexed(_ colors: ThemeColors, _ change: (inout Theme) -> Void) -> Theme {
    var theme = Theme(colors) { .palette(UInt8($0)) }
    change(&theme)
    return theme
  }

  /// For 8 or 16 colours on a dark background: those that can be read in the palettes of xterm, Tango and Solarized,
  /// also where a terminal shows bold text in a brighter colour.
  package static let basicDark = basic {
    $0.star = Style(.palette(3))
    $0.header = Style(.palette(14), on: .standard, .bold)
    $0.selected = Style(.palette(14), on: .standard, [.reverse, .bold])
    $0.selectedElsewhere = Style(.standard, on: .standard, .reverse)
    $0.error = Style(.palette(3), on: .standard, .underline)
    $0.warning = Style(.palette(3))
    $0.accent = Style(.palette(14))
    $0.link = Style(.palette(14), on: .standard, .underline)
    $0.code = Style(.palette(3))
    $0.hit = Style(.palette(3), on: .standard, .reverse)
    $0.currentHit = Style(.palette(14), on: .standard, [.reverse, .bold])
  }

  /// For 8 or 16 colours on a light or an unknown background: no text of a colour can be read in all of the palettes, so
  /// that attributes and fields tell what is what. Black is not bold there: some terminals would show it as grey.
  package static let basicLight = basic {
    $0.selected = Style(.palette(0), on: .palette(14))
    $0.selectedElsewhere = Style(.palette(0), on: .palette(7))
    $0.hit = Style(.palette(0), on: .palette(7))
    $0.currentHit = Style(.palette(0), on: .palette(14), .underline)
  }

  private static func basic(_ change: (inout Theme) -> Void) -> Theme {
    var theme = Theme()
    theme.dim = .plain
    theme.codeComment = Style(.standard, on: .standard, .italic)
    theme.border = .plain
    theme.quote = Style(.standard, on: .standard, .italic)
    theme.selected = Style(.standard, on: .standard, [.reverse, .bold])
    theme.selectedElsewhere = Style(.standard, on: .standard, [.underline, .bold])
    theme.error = Style(.standard, on: .standard, [.underline, .bold])
    theme.hit = Style(.standard, on: .standard, [.underline, .bold])
    change(&theme)
    return theme
  }
}
