internal import Markup
internal import Screen

/// A text in the place of an article’s own, such as a translation. The page names it.
package struct OtherText: Hashable, Sendable {
  package var name: String
  package var text: String
  package var isHTML: Bool
  /// Whether it shows the changes of the feed.
  let isDifference: Bool
  private let heading: String

  package init(by name: String, _ text: String, isHTML: Bool) {
    self.name = name
    self.text = text
    self.isHTML = isHTML
    isDifference = false
    heading = ArticleStrings.text(by: name)
  }

  /// The changes of an article by its feed, as HTML.
  ///
  /// - Parameter hasKeys: whether there is a key that goes back to the article.
  package init(changes html: String, hasKeys: Bool = true) {
    name = "changes"
    text = html
    isHTML = true
    isDifference = true
    heading = ArticleStrings.changesHeading(hasKeys: hasKeys)
  }

  /// - Parameter address: of the article, for the links in it.
  func document(at address: String?) -> Document {
    Markup.document(html: isHTML ? text : nil, at: address, orText: text)
  }

  func mark(width: Int) -> [StyledLine] {
    TextWrapping.wrap(heading, width: width).map {
      StyledLine([StyledSpan(String($0), .strong)])
    }
  }
}
