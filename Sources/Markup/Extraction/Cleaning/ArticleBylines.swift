internal import Text

/// Elements that say who has written the article.
struct ArticleBylines {
  private let page: MeasuredPage
  /// The name of the author in lower case, as the page gives it.
  private let author: String?

  static let longest = 120

  init(_ page: MeasuredPage, author: String?) {
    self.page = page
    self.author = author.map { $0.lowercased().collapsed() }
      .flatMap { (4...60).contains($0.unicodeScalars.count) ? $0 : nil }
  }

  func contains(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    isNamed(element, context) || isLineOfAuthor(element, context)
  }

  private func isNamed(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    element.words.contains(.byline) && !element.words.contains(.body)
      && element.text < Self.longest
      && !["article", "section", "td", "blockquote", "cite"].contains(element.name)
      && (context.letters < 400 || element.name != "a")
      && page.nodes[max(0, page.nodes[element.index].parent)].name != "blockquote"
      && !page.isWithinSentence(element.index)
  }

  /// Whether it is a short line above the text with the name of the author, whatever it is called.
  private func isLineOfAuthor(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    guard let author, element.text > 2, element.text < 160, context.isAtBeginning,
      element.text < author.unicodeScalars.count + 110, page.isLine(element)
    else { return false }
    let text = page.words(of: element.index, upTo: 400)
    return text.contains(author) && !text.endsSentence && !text.hasSuffix(":")
      && !page.isWithinSentence(element.index)
  }
}

extension MeasuredPage {
  /// Whether an element may be a line above or below an article: small, and without headings.
  func isLine(_ element: ArticleElement) -> Bool {
    Self.lineNames.contains(element.name) && count(.subheading, element.index) == 0
      && isSmall(element.index, Self.mostOfLine)
  }

  private static let lineNames: Set = [
    "span", "a", "small", "em", "i", "b", "strong", "cite", "time", "address", "p", "div", "ul",
    "li", "header", "footer", "section", "dl",
  ]
}
