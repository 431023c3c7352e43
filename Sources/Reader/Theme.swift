package import Screen

/// Which style each part of the screen has.
package struct Theme: Hashable, Sendable {
  package var text = Style.plain
  package var dim = Style(.standard, on: .standard, .dim)
  package var unread = Style(.standard, on: .standard, .bold)
  package var star = Style(.standard, on: .standard, .bold)
  package var header = Style(.standard, on: .standard, .bold)
  package var selected = Style(.standard, on: .standard, .reverse)
  package var selectedElsewhere = Style(.standard, on: .standard, .underline)
  package var border = Style(.standard, on: .standard, .dim)
  package var status = Style(.standard, on: .standard, .reverse)
  package var error = Style(.standard, on: .standard, .bold)
  package var warning = Style(.standard, on: .standard, .bold)
  package var accent = Style(.standard, on: .standard, .bold)
  package var link = Style(.standard, on: .standard, .underline)
  package var code = Style.plain
  package var quote = Style(.standard, on: .standard, .dim)

  /// Without colours: bold, dim, underline and reverse carry everything.
  package static let none = Theme()

  package static let dark: Theme = {
    var theme = Theme()
    theme.dim = Style(.palette(245))
    theme.unread = Style(.palette(255), on: .standard, .bold)
    theme.star = Style(.palette(221))
    theme.header = Style(.palette(117), on: .standard, .bold)
    theme.selected = Style(.palette(255), on: .palette(24), .bold)
    theme.selectedElsewhere = Style(.palette(252), on: .palette(237))
    theme.border = Style(.palette(239))
    theme.status = Style(.palette(252), on: .palette(236))
    theme.error = Style(.palette(210))
    theme.warning = Style(.palette(221))
    theme.accent = Style(.palette(117))
    theme.link = Style(.palette(117), on: .standard, .underline)
    theme.code = Style(.palette(180))
    theme.quote = Style(.palette(250), on: .standard, .italic)
    return theme
  }()

  package static let light: Theme = {
    var theme = Theme()
    theme.dim = Style(.palette(243))
    theme.unread = Style(.palette(16), on: .standard, .bold)
    theme.star = Style(.palette(130))
    theme.header = Style(.palette(25), on: .standard, .bold)
    theme.selected = Style(.palette(16), on: .palette(153), .bold)
    theme.selectedElsewhere = Style(.palette(236), on: .palette(254))
    theme.border = Style(.palette(250))
    theme.status = Style(.palette(236), on: .palette(254))
    theme.error = Style(.palette(124))
    theme.warning = Style(.palette(130))
    theme.accent = Style(.palette(25))
    theme.link = Style(.palette(25), on: .standard, .underline)
    theme.code = Style(.palette(94))
    theme.quote = Style(.palette(240), on: .standard, .italic)
    return theme
  }()
}
