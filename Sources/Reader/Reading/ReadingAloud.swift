internal import News
internal import Screen

/// The article that a program reads aloud: one at a time, whatever shows meanwhile.
enum ReadingAloud {
  static func toggleReadingAloud(in state: inout ReaderState) -> [Effect] {
    if state.spoken != nil {
      state.spoken = nil
      return [.cancel(.article(.speech))] + state.notify(ReadingStrings.stoppedReadingAloud)
    }
    guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
    state.spoken = id
    return [.article(.readAloud(id))]
      + state.notify(ReadingStrings.readingAloud(stop: state.key(.readAloud)))
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
