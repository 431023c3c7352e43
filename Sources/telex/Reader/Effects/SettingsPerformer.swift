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
        let screen = try Settings.readingAll(of: config).screen
        let live = LiveSettings(
          screen.preferences, usesAsciiSigns: ReaderSettings.usesAsciiSigns(screen),
          order: screen.order, theme: screen.theme?.text)
        return .settings(.changed(name: name, live, try file.values()))
      }
    }
  }
}
