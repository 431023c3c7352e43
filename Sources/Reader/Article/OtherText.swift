internal import Markup
internal import Screen
internal import Text

/// A text that stands in the place of an article's own, such as a translation. The page says so.
package struct OtherText: Hashable, Sendable {
  /// What has made it.
  package var name: String
  package var text: String
  package var isHTML: Bool
  /// Whether it is what the feed has changed in the article.
  let isDifference: Bool
  /// What tells it from the article's own text.
  private let heading: String

  package init(by name: String, _ text: String, isHTML: Bool) {
    self.name = name
    self.text = text
    self.isHTML = isHTML
    isDifference = false
    heading = "by \(name); back shows the article's own text"
  }

  /// What a feed has changed in an article, as HTML.
  ///
  /// - Parameter hasKeys: whether there is a key that goes back to the article.
  package init(changes html: String, hasKeys: Bool = true) {
    name = "changes"
    text = html
    isHTML = true
    isDifference = true
    heading =
      "what it said before (−), and says now (+)" + (hasKeys ? "; back shows the article" : "")
  }

  /// - Parameter address: of the article, for the links in it.
  func document(at address: String?) -> Document {
    guard isHTML else { return Markup.document(plainText: text) }
    return Markup.document(html: text) { WebAddress.resolve($0, against: address) }
  }

  /// The lines that tell it from the article's own text.
  func mark(width: Int) -> [StyledLine] {
    TextWrapping.wrap(heading, width: width).map {
      StyledLine([StyledSpan(String($0), .strong)])
    }
  }
}
