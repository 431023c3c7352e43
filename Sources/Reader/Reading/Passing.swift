internal import News
internal import Screen
internal import Text

/// Passing the text of an article to files and programs.
enum ArticleExport {
  static func askForProgram(in state: inout ReaderState) -> [Effect] {
    guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
    state.ask(.pipe(id))
    return []
  }

  static func askForFile(in state: inout ReaderState) -> [Effect] {
    guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
    let title =
      state.list.row(of: id)?.title ?? state.article?.page?.article.entry.title ?? "article"
    state.ask(.save(id), LineEditor("~/\(Self.fileName(of: title)).txt"))
    return []
  }

  /// The path of a file for an article in another format.
  ///
  /// - Parameter step: 1 for the next, −1 for the one before.
  static func path(_ path: String, step: Int) -> String {
    let endings = [".txt", ".html", ".epub", ".md"]
    guard let place = endings.firstIndex(where: path.hasSuffix) else { return path + endings[0] }
    let next = (place + step + endings.count) % endings.count
    return path.dropLast(endings[place].count) + endings[next]
  }

  static func copyAddress(in state: inout ReaderState) -> [Effect] {
    guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
    return [.opening(.copyArticleLink(id))]
  }

  static func pipe(_ id: ArticleID, into line: String, in state: inout ReaderState) -> [Effect] {
    let words: [String]
    do { words = try TypedWords.split(line) } catch { return state.notify(error.message, .error) }
    guard let name = words.first else { return [] }
    return ProgramRuns.run(OwnProgram(name, words), on: id, in: &state)
  }

  /// A title as the name of a file: without signs that shells and file systems take for their own.
  private static func fileName(of title: String) -> String {
    let kept = title.map { $0.isLetter || $0.isNumber || "-_,.".contains($0) ? $0 : " " }
    let name = PlainText.sanitized(String(kept)).drop { $0 == "." || $0 == "-" }
    return name.isEmpty ? "article" : String(name.prefix(80))
  }
}
