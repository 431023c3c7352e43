internal import News
internal import Reader
internal import TelexKit

/// Reads the settings, and changes single ones in their file.
struct SettingsPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ effect: Effect.Settings) {
    let config = place.config
    let file = SettingsFile(config)
    switch effect {
    case .read:
      start(.settings, { .settings(.failed($0)) }) { .settings(.arrived(try file.values())) }
    case .set(let name, let value):
      change({ .settings(.refused(name: name, typed: value ?? "", $0)) }) {
        try file.change(name, to: value)
        return .settings(.changed(name: name, try LiveSettings(config), try file.values()))
      }
    }
  }

  /// Reports changes of the file by any program. A file that cannot be read changes nothing.
  func observe() async {
    let config = place.config
    var last = LiveSettings(composition.settings.screen)
    for await _ in SettingsFile(config).changes() {
      guard let now = try? LiveSettings(config), now != last else { continue }
      inbox.send(.settings(.followed(now, isThemeChanged: now.theme != last.theme)))
      last = now
    }
  }
}

extension LiveSettings {
  /// - Parameter config: the path of the settings; nil for the default.
  fileprivate init(_ config: String?) throws {
    self.init(try Settings.readingAll(of: config).screen)
  }

  fileprivate init(_ screen: ScreenSettings) {
    self.init(
      screen.preferences, usesAsciiSigns: ReaderSettings.usesAsciiSigns(screen),
      order: screen.order, theme: screen.theme?.text, keys: KeyScheme(screen))
  }
}
