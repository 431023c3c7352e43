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

  package func beginning(of list: WrittenList) -> String {
    "# \(line(list.title))\n"
  }

  /// Begins the articles of a feed in a list of contents.
  package func contentsSection(_ title: String) -> String { "\n\(line(title))\n\n" }

  /// The line of an article in a list of contents.
  package func contentsLine(of article: WrittenArticle) -> String {
    "- \(line(article.title))\n"
  }

  /// Begins the articles of a feed.
  package func section(_ title: String) -> String { "\n## \(line(title))\n" }

  package func text(of article: WrittenArticle) -> String {
    let title = line(article.title)
    var text = "\n\(mark) \(link(title, article.page))\n\n\(article.about(line))\n"
    if !article.markdown.isEmpty { text += "\n\(article.markdown)\n" }
    if !article.files.isEmpty {
      text += "\n"
      for file in article.files {
        let type = file.type.map { " (\(line($0)))" } ?? ""
        text += "- \(link(line(file.title ?? file.url), file.url))\(type)\n"
      }
    }
    return text
  }

  private func line(_ text: String) -> String { escaped(PlainText.sanitized(text)) }
}
