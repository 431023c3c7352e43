internal import Reader
internal import TelexKit

extension KeyScheme {
  /// The keys that the settings ask for.
  init(_ settings: ScreenSettings) {
    self.init(
      set: settings.keySet,
      wishes: settings.keys.map { Wish($0.command, $0.keys, place: $0.place) })
  }
}
