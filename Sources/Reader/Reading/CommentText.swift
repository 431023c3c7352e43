internal import Markup
internal import News
internal import Screen
internal import Text

extension Markup {
  /// A document with its addresses resolved; of a plain text where there is no HTML.
  static func document(html: String?, at address: String?, orText text: String?) -> Document {
    guard let html else { return document(plainText: text ?? "") }
    return document(html: html) { WebAddress.resolve($0, against: address) }
  }
}

/// The text of a comment as lines of a width, with the paragraphs and the links that it has.
struct CommentText: Hashable, Sendable {
  let width: Int
  let lines: [StyledLine]
  /// The addresses of its links, by their numbers, from 1.
  let links: [String]

  /// - Parameter width: columns; at least 1.
  init(_ comment: Comment, width: Int) {
    let document = Markup.document(html: comment.html, at: comment.url, orText: comment.text)
    self.width = width
    links = document.links.map(\.url)
    var lines = ArticleLayout(document, width: width).lines
    for file in comment.attachments ?? [] {
      lines += TextWrapping.wrap("+ \(file.name)", width: width).map {
        StyledLine([StyledSpan(String($0), .dim)])
      }
    }
    self.lines = lines
  }

  /// The address of a link; nil for a number that none has, and for places within the comment.
  func link(_ number: Int) -> String? {
    links.indices.contains(number - 1) ? links[number - 1] : nil
  }

  func line(ofLink number: Int) -> Int? {
    lines.firstIndex { $0.spans.contains { $0.link == number } }
  }
}
