internal import News
internal import Text

package struct MarkdownWriter: ArticleWriter {
  private let escaped: @Sendable (String) -> String
  private let link: @Sendable (String, String?) -> String
  private let mark: String

  /// - Parameters:
  ///   - level: level of the articles' headings.
  ///   - escaped: escapes one line of text.
  ///   - link: links a text in Markdown to an address.
  package init(
    level: Int = 2, escaped: @escaping @Sendable (String) -> String,
    link: @escaping @Sendable (String, String?) -> String
  ) {
    self.escaped = escaped
    self.link = link
    mark = String(repeating: "#", count: level)
  }

  package func beginning(of list: WrittenList) -> String { "# \(line(list.title))\n" }

  package func contentsSection(_ title: String) -> String { "\n\(line(title))\n\n" }

  package func contentsLine(of article: WrittenArticle) -> String { "- \(line(article.title))\n" }

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
