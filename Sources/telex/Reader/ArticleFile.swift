internal import News
internal import Reader
internal import TelexKit

/// An article that is written to a file.
struct ArticleFile: Sendable {
  let article: Article
  let clock: WallClock

  /// Writes a page, a book, Markdown or a mail by the extension of the path, else text. An existing
  /// file stays.
  ///
  /// - Parameter path: relative paths and `~` refer to the home folder.
  /// - Returns: the absolute path.
  /// - Throws: `SourceError` where the file exists or cannot be written.
  @concurrent
  func write(to path: String, _ composition: Composition) async throws -> String {
    let home = Folders.home
    let whole =
      path.hasPrefix("~/")
      ? home + path.dropFirst() : path.hasPrefix("/") ? path : home + "/" + path
    guard let format = Self.format(of: whole) else {
      let text = ArticlePage(article, width: 80, clock: clock, standsAlone: true).plainText
      try OutputFile.write(Array((text + "\n").utf8), to: whole)
      return whole
    }
    let book = ArticleBook(
      composition, as: format, titled: article.entry.title ?? article.feedTitle)
    guard let section = try await book.section(of: article.id) else {
      throw SourceError(
        .store, stage: .store, subject: "article \(article.id.rawValue)",
        message: "it was removed meanwhile; nothing was written", next: "choose another article")
    }
    var file = try OutputFile(whole, replacing: false)
    try book.write(whole: section) { try file.write($0) }
    try file.finish()
    return whole
  }

  /// Nil for text.
  private static func format(of path: String) -> ArticleBook.Format? {
    let endings: [(String, ArticleBook.Format)] = [
      (".html", .html), (".htm", .html), (".epub", .epub), (".md", .markdown),
      (".markdown", .markdown), (".eml", .mail),
    ]
    return endings.first { path.lowercased().hasSuffix($0.0) }?.1
  }
}
