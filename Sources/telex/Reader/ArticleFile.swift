internal import Foundation
internal import News
internal import Reader

/// An article as a file of its own.
struct ArticleFile: Sendable {
  let article: Article
  /// For dates in the text.
  let clock: WallClock

  init(_ article: Article, clock: WallClock) {
    self.article = article
    self.clock = clock
  }

  /// Writes the text, or HTML where the name of the file ends so. What is there already stays.
  ///
  /// - Parameter path: `~` stands for the home folder; a path that is not whole begins there too.
  /// - Returns: the path that was written.
  /// - Throws: `SourceError` where the file is there already, or cannot be written.
  func write(to path: String) throws -> String {
    let home = NSHomeDirectory()
    let whole =
      path.hasPrefix("~/")
      ? home + path.dropFirst() : path.hasPrefix("/") ? path : home + "/" + path
    let isHTML = [".html", ".htm"].contains { path.lowercased().hasSuffix($0) }
    let text =
      isHTML ? html : ArticlePage(article, width: 80, clock: clock, standsAlone: true).plainText
    do {
      try Data((text + "\n").utf8).write(to: URL(filePath: whole), options: .withoutOverwriting)
    } catch {
      let isThere = FileManager.default.fileExists(atPath: whole)
      throw SourceError(
        .file, stage: .config, subject: whole,
        message: isThere
          ? "there is such a file already" : "the file cannot be written",
        next: "choose another name")
    }
    return whole
  }

  private var html: String {
    let entry = article.entry
    let title = Self.escaped(entry.title ?? article.feedTitle)
    let link = entry.url.map { "<p><a href=\"\(Self.escaped($0))\">\(Self.escaped($0))</a></p>" }
    let body = article.shownHTML ?? "<p>\(Self.escaped(entry.summary ?? ""))</p>"
    return """
      <!DOCTYPE html>
      <html><head><meta charset="utf-8"><title>\(title)</title></head>
      <body><h1>\(title)</h1>
      \(link ?? "")
      \(body)
      </body></html>
      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      "\"", with: "&quot;")
  }
}
