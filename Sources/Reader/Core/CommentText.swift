internal import Markup
internal import News
internal import Screen
internal import Text

/// The text of a comment as lines of a width, with the paragraphs and the links that it has.
struct CommentText: Hashable, Sendable {
  let width: Int
  let lines: [StyledLine]

  /// - Parameter width: columns; at least 1.
  init(_ comment: Comment, width: Int) {
    let document =
      comment.html.map { html in
        Markup.document(html: html) { WebAddress.resolve($0, against: comment.url) }
      } ?? Markup.document(plainText: comment.text)
    self.width = width
    var lines = ArticleLayout(document, width: width).lines
    for file in comment.attachments ?? [] {
      lines += TextWrapping.wrap("+ \(file.name)", width: width).map {
        StyledLine([StyledSpan(String($0), .dim)])
      }
    }
    self.lines = lines
  }
}
