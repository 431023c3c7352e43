package import News

extension Action {
  package enum Settings: Hashable, Sendable {
    /// The settings with their values, or why they cannot be read.
    case arrived([SettingValue])
    case failed(SourceError)
    /// A setting has another value in the file.
    case changed(name: String, LiveSettings, [SettingValue])
    /// The file was changed, by whatever program.
    case followed(LiveSettings, isThemeChanged: Bool)
    /// A value is refused, with what was typed.
    case refused(name: String, typed: String, SourceError)
    /// Letters that the names or meanings of the shown settings have.
    case filtered(String)
  }
}

extension Effect {
  package enum Settings: Hashable, Sendable {
    case read
    /// Write a value into the file, or take the setting out for nil, and report what has changed.
    case set(name: String, to: String?)
  }
}

/// The settings that an open reader follows.
package struct LiveSettings: Hashable, Sendable {
  package var preferences: ReadingPreferences
  package var usesAsciiSigns: Bool
  package var order: ListOrder
  /// Nil for the default.
  package var theme: String?
  package var keys: KeyScheme

  package init(
    _ preferences: ReadingPreferences, usesAsciiSigns: Bool, order: ListOrder, theme: String?,
    keys: KeyScheme
  ) {
    self.preferences = preferences
    self.usesAsciiSigns = usesAsciiSigns
    self.order = order
    self.theme = theme
    self.keys = keys
  }
}

extension Action.Settings {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    var effects: [Effect] = []
    switch self {
    case .changed(let name, let live, let values):
      effects = follow(
        live, isThemeChanged: name == ReaderState.themeSetting, in: &state)
      if let value = values.first(where: { $0.name == name }) {
        effects += state.notify(SettingsStrings.set(value))
      }
    case .followed(let live, let isThemeChanged):
      effects = follow(live, isThemeChanged: isThemeChanged, in: &state)
    case .refused(let name, let typed, let error):
      if name == ReaderState.themeSetting {
        // It shows already.
        state.theme = state.themes.theme
      } else if let value = state.stack[SettingsState.self]?.value(named: name),
        value.declaration.kind == .text
      {
        state.ask(.setting(value.declaration), LineEditor(typed))
      }
      effects = state.notify(error.line, .error)
    case .failed(let error) where state.stack[SettingsState.self] == nil:
      effects = state.notify(error)
    default: break
    }
    return effects + (state.offer(.settings(self)) ?? [])
  }
}

extension Action.Settings {
  private func follow(
    _ live: LiveSettings, isThemeChanged: Bool, in state: inout ReaderState
  ) -> [Effect] {
    let interval = state.settings.preferences.interval
    state.settings.preferences = live.preferences
    // What fetches feeds has read its settings at the start.
    state.settings.preferences.interval = interval
    state.settings.usesAsciiSigns = live.usesAsciiSigns
    // Another one may be looked at now.
    if isThemeChanged {
      state.themes.use(live.theme ?? state.themes.pairs[0].name)
      state.theme = state.themes.theme
    }
    state.fitPanes()
    state.settleScreens()
    return follow(live.keys, in: &state) + Ordering.follow(usual: live.order, in: &state)
  }

  private func follow(_ scheme: KeyScheme, in state: inout ReaderState) -> [Effect] {
    let (former, formerKeys) = (state.settings.keys, state.keys)
    state.use(scheme)
    guard scheme.mistakes.allSatisfy(former.mistakes.contains) else {
      return state.notifyKeyMistakes()
    }
    return state.keys == formerKeys && scheme.commands == former.commands
      ? [] : state.notify(SettingsStrings.keysChanged)
  }
}

extension ReaderState {
  static var themeSetting: String { "screen.theme" }
}
