package import Screen

package struct ThemePair: Hashable, Sendable {
  package let name: String
  let dark: Theme
  let light: Theme
  /// Styles of the user's own in place of those, in order.
  package private(set) var changes: [Change] = []

  package struct Change: Hashable, Sendable {
    /// As settings name it; one of `Theme.parts`.
    package var part: String
    package var style: Style
    package var background: Background?

    package init(_ part: String, _ style: Style, on background: Background? = nil) {
      self.part = part
      self.style = style
      self.background = background
    }
  }

  init(_ name: String, dark: Theme, light: Theme) {
    self.name = name
    self.dark = dark
    self.light = light
  }

  /// One's own theme: another one with changes.
  package init(_ name: String, changing base: ThemePair, _ changes: [Change]) {
    self.name = name
    dark = base.dark
    light = base.light
    self.changes = base.changes + changes
  }

  /// The theme for a terminal with a number of colours.
  ///
  /// - Parameter background: nil where it is unknown.
  package func theme(colors: Int, background: Background?) -> Theme {
    guard colors >= 8 else { return .none }
    var theme = standard(colors: colors, background: background)
    for change in changes where change.background == nil || change.background == background {
      guard let part = Theme.parts[change.part] else { continue }
      theme[keyPath: part] = change.style
    }
    return theme.onItsBackground
  }

  private func standard(colors: Int, background: Background?) -> Theme {
    guard dark != .none else { return .none }
    switch (colors, background) {
    case (..<256, .dark?): return .basicDark
    case (..<256, _): return .basicLight
    case (_, .dark?): return dark
    case (_, .light?): return light
    // Somebody who has chosen a theme wants to see it; most terminals are dark.
    case (_, nil): return dark == .dark ? .safe : dark
    }
  }
}

extension Theme {
  /// With the colours of its text where a style leaves them to the terminal.
  fileprivate var onItsBackground: Theme {
    guard text.foreground != .standard || text.background != .standard else { return self }
    var theme = self
    for part in Self.parts.values {
      // Of the two colours swapped, the terminal's own would be the other one.
      if theme[keyPath: part].foreground == .standard {
        theme[keyPath: part].foreground = text.foreground
      }
      if theme[keyPath: part].background == .standard {
        theme[keyPath: part].background = text.background
      }
    }
    return theme
  }
}

/// The themes that there are, the one that is used, and what the terminal can show of it.
package struct ThemeChoice: Hashable, Sendable {
  package var pairs = ThemePair.builtIn
  package private(set) var index = 0
  package var colors = 0
  /// Nil where it is unknown.
  package var background: Background?

  package init() {}

  package mutating func use(_ name: String) {
    index = pairs.firstIndex { $0.name == name } ?? index
  }

  package var name: String { pairs[index].name }
  package var theme: Theme { pairs[index].theme(colors: colors, background: background) }
}
