internal import News
internal import Text

/// Articles as one document in Markdown.
package struct MarkdownWriter: ArticleWriter {
  private let escaped: @Sendable (String) -> String
  private let link: @Sendable (String, String?) -> String
  /// The mark before the title of an article.
  private let mark: String

  /// - Parameters:
  ///   - level: that of the articles' headings: 2, or 3 below those of sections.
  ///   - escaped: one line of text as Markdown.
  ///   - link: a text in Markdown as a link to an address.
  package init(
    level: Int = 2, escaped: @escaping @Sendable (String) -> String,
    link: @escaping @Sendable (String, String?) -> String
  ) {
    self.escaped = escaped
    self.link = link
    mark = String(repeating: "#", count: level)
  }

  package let hasContents = false
  package let endOfContents = ""
  package let end = ""

  package func beginning(of list: WrittenList) -> String {
    "# \(escaped(PlainText.sanitized(list.title)))\n"
  }

  package func contents(of article: WrittenArticle) -> String { "" }

  /// Begins the articles of a feed in a list of contents.
  package func contentsSection(_ title: String) -> String {
    "\n\(escaped(PlainText.sanitized(title)))\n\n"
  }

  /// The line of an article in a list of contents.
  package func contentsLine(of article: WrittenArticle) -> String {
    "- \(escaped(PlainText.sanitized(article.title)))\n"
  }

  /// Begins the articles of a feed.
  package func section(_ title: String) -> String {
    "\n## \(escaped(PlainText.sanitized(title)))\n"
  }

  package func text(of article: WrittenArticle) -> String {
    let about = [
      article.listed.row.feedTitle, article.authors, Self.time(article.published),
      article.listed.tags.joined(separator: ", "),
    ].filter { !$0.isEmpty }.map { escaped(PlainText.sanitized($0)) }.joined(separator: " · ")
    let title = escaped(PlainText.sanitized(article.title))
    var text = "\n\(mark) \(link(title, article.page))\n\n\(about)\n"
    if !article.markdown.isEmpty { text += "\n\(article.markdown)\n" }
    if !article.files.isEmpty {
      text += "\n"
      for file in article.files {
        let name = escaped(PlainText.sanitized(file.title ?? file.url))
        let type = file.type.map { " (\(escaped(PlainText.sanitized($0))))" } ?? ""
        text += "- \(link(name, file.url))\(type)\n"
      }
    }
    return text
  }
}
