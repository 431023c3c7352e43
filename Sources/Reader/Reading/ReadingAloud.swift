internal import News
internal import Screen

/// The article that a program reads aloud: one at a time, whatever shows meanwhile.
enum ReadingAloud {
  static func toggleReadingAloud(in state: inout ReaderState) -> [Effect] {
    if state.spoken != nil {
      state.spoken = nil
      return [.cancel(.article(.speech))] + state.notify("reading aloud was stopped")
    }
    guard let (id, _) = state.current else { return state.notify("no article is selected") }
    state.spoken = id
    return [.article(.readAloud(id))]
      + state.notify("reading aloud; \(state.key(.readAloud)) stops it")
  }

  /// The program has ended, or there is none.
  static func endSpeech(
    _ id: ArticleID, _ error: SourceError?, in state: inout ReaderState
  ) -> [Effect] {
    guard state.spoken == id else { return [] }
    state.spoken = nil
    return error.map { state.notify($0) } ?? []
  }
}
