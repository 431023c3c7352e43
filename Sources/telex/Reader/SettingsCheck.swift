internal import News
internal import Reader
internal import TelexKit

extension Settings {
  /// What is wrong with the file, as far as any part of the program can say.
  var allMistakes: [KeyScheme.Mistake] {
    var scheme = KeyScheme(screen)
    _ = scheme.checked(ReaderEvents(screen.events), place: screen.events.place)
    _ = ThemeChoice(screen, &scheme)
    _ = Highlight.all(of: screen, &scheme)
    return fileMistakes.map {
      KeyScheme.Mistake(
        place: $0.error.subject, message: $0.message + ($0.error.next.map { "; \($0)" } ?? ""))
    } + scheme.mistakes
  }
}

extension SettingsFile {
  /// Changes a setting, unless the reader would find a mistake in it.
  func change(_ name: String, to value: String?) throws {
    let former = (try? Settings.readingAll(of: path))?.allMistakes.map(\.message) ?? []
    try set(name, to: value) { settings in
      guard let new = settings.allMistakes.first(where: { !former.contains($0.message) })
      else { return }
      throw SourceError.setting(name, new.message, next: nil)
    }
  }
}
