internal import Markup
package import News
internal import Text

/// An article for a program that speaks.
package struct SpokenArticle: Hashable, Sendable {
  /// Its title, its authors and its text, each in paragraphs.
  package let text: String
  /// The language by its first part, as in `de`; nil where neither the article nor its feed names one.
  package let language: String?

  package init(_ article: Article, language: String? = nil) {
    let entry = article.entry
    let base = article.shownFullText?.url ?? entry.url
    let document = Markup.document(html: article.shownHTML, at: base, orText: entry.summary)
    let authors = entry.authors.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
    let parts = [
      Self.ended(entry.title ?? article.feedTitle), Self.ended(authors), document.spoken,
    ]
    text = parts.filter { !$0.isEmpty }.map(PlainText.sanitizedBlock).joined(separator: "\n\n")
    let first = (entry.language ?? language)?.prefix { $0 != "-" && $0 != "_" }.lowercased() ?? ""
    self.language =
      (2...3).contains(first.utf8.count) && first.utf8.allSatisfy(\.isASCIILetter) ? first : nil
  }

  private static func ended(_ text: String) -> String {
    guard let last = text.last, last.isLetter || last.isNumber else { return text }
    return text + "."
  }
}
