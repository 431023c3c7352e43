internal import News
internal import Screen

extension Command {
  static let readAloud = Command("read-aloud")
}

extension KeyBinding {
  static let readAloud = KeyBinding(
    .readAloud, [.character("!")], "read it aloud, or stop that", .read)
}

/// The article that a program reads aloud: one at a time, whatever shows meanwhile.
extension ReaderState {
  mutating func toggleReadingAloud() -> [Effect] {
    if spoken != nil {
      spoken = nil
      return [.cancel(.article(.speech))] + notify("reading aloud was stopped")
    }
    guard let (id, _) = current else { return notify("no article is selected") }
    spoken = id
    return [.article(.readAloud(id))] + notify("reading aloud; \(key(.readAloud)) stops it")
  }

  /// The program has ended, or there is none.
  mutating func endSpeech(_ id: ArticleID, _ error: SourceError?) -> [Effect] {
    guard spoken == id else { return [] }
    spoken = nil
    return error.map { notify($0) } ?? []
  }
}
