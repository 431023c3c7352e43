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

  /// Without colours: bold, dim, underline and reverse carry everything.
  package static let none = Theme()

  package static let dark: Theme = {
    var theme = Theme()
    theme.dim = Style(.palette(248))
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
    theme.codeComment = Style(.palette(248), on: .standard, .italic)
    theme.codeString = Style(.palette(114))
    theme.codeKeyword = Style(.palette(117))
    theme.codeNumber = Style(.palette(221))
    theme.hit = Style(.palette(231), on: .palette(58))
    theme.currentHit = Style(.palette(16), on: .palette(221), .bold)
    theme.quote = Style(.palette(250), on: .standard, .italic)
    return theme
  }()

  package static let light: Theme = {
    var theme = Theme()
    theme.dim = Style(.palette(241))
    theme.star = Style(.palette(94))
    theme.header = Style(.palette(25), on: .standard, .bold)
    theme.selected = Style(.palette(16), on: .palette(153), .bold)
    theme.selectedElsewhere = Style(.palette(236), on: .palette(254))
    theme.border = Style(.palette(250))
    theme.status = Style(.palette(236), on: .palette(254))
    theme.statusError = Style(.palette(124), on: .palette(254), .bold)
    theme.error = Style(.palette(124))
    theme.alarm = Style(.palette(231), on: .palette(124), .bold)
    theme.warning = Style(.palette(94))
    theme.accent = Style(.palette(25))
    theme.link = Style(.palette(25), on: .standard, .underline)
    theme.code = Style(.palette(94))
    theme.codeComment = Style(.palette(241), on: .standard, .italic)
    theme.codeString = Style(.palette(22))
    theme.codeKeyword = Style(.palette(25))
    theme.codeNumber = Style(.palette(90))
    theme.hit = Style(.palette(16), on: .palette(229))
    theme.currentHit = Style(.palette(16), on: .palette(214), .bold)
    theme.quote = Style(.palette(240), on: .standard, .italic)
    return theme
  }()

  /// For 256 colours on an unknown background: colours that can be read on black and
  /// on white, and their own background where that is not enough.
  package static let safe: Theme = {
    var theme = Theme()
    theme.dim = Style(.palette(243))
    theme.star = Style(.palette(131))
    theme.header = Style(.palette(63), on: .standard, .bold)
    theme.selected = Style(.palette(231), on: .palette(25), .bold)
    theme.selectedElsewhere = Style(.palette(16), on: .palette(250))
    theme.border = Style(.palette(243))
    theme.status = Style(.palette(16), on: .palette(252))
    theme.statusError = Style(.palette(124), on: .palette(252), .bold)
    theme.error = Style(.palette(163))
    theme.alarm = Style(.palette(231), on: .palette(124), .bold)
    theme.warning = Style(.palette(131))
    theme.accent = Style(.palette(63))
    theme.link = Style(.palette(63), on: .standard, .underline)
    theme.code = Style(.palette(29))
    theme.codeComment = Style(.palette(243), on: .standard, .italic)
    theme.codeString = Style(.palette(131))
    theme.codeKeyword = Style(.palette(63))
    theme.codeNumber = Style(.palette(131))
    theme.quote = Style(.standard, on: .standard, .italic)
    theme.hit = Style(.palette(16), on: .palette(229))
    theme.currentHit = Style(.palette(16), on: .palette(214), .bold)
    return theme
  }()

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
