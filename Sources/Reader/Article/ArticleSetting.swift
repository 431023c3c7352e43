internal import Markup
package import News
internal import Text

/// The layout of an article, which can give its first lines before the rest.
package struct ArticleSetting {
  /// Lines of the text that are laid out first: those of a large screen.
  package static let firstLines = 200

  private let article: Article
  private let width: Int
  private let other: OtherText?
  private let isFullText: Bool
  private let document: Document
  private let head: [StyledLine]
  private let links: [Link]
  private let linesOfHead: [Int: Int]
  /// The address of the article, which stands at the end; nil where the head has it.
  private let address: String?
  private var typesetter: ArticleTypesetter
  /// The first block that is not laid out yet.
  private var next = 0

  /// Parses the body. Takes time in proportion to it: not for the main actor.
  ///
  /// - Parameter theme: nil where text shows without styles.
  package init(
    _ article: Article, width: Int, clock: WallClock, standsAlone: Bool = false,
    with other: OtherText? = nil, pictures room: PictureRoom? = nil, theme: Theme? = nil
  ) {
    let full = other == nil ? article.shownFullText : nil
    var document =
      other?.document(at: article.entry.url) ?? full.map {
        Markup.document(html: $0.html, at: $0.url, orText: nil)
      }
      ?? Self.document(of: article.entry)
    if other == nil, let title = article.entry.title { document.removeRepeatedTitle(title) }
    self.document = document
    var links = document.links
    var linesOfHead: [Int: Int] = [:]
    var head = ArticleHead.lines(
      of: article, minutes: (document.readingSeconds + 30) / 60, width: width, clock: clock,
      standsAlone: standsAlone, &links, &linesOfHead)
    if let other { head.insert(contentsOf: other.mark(width: width), at: head.count - 1) }
    if let full {
      head.insert(contentsOf: ArticleHead.mark(of: full, width: width), at: head.count - 1)
    }
    (self.head, self.links, self.linesOfHead) = (head, links, linesOfHead)
    (self.article, self.width, self.other) = (article, width, other)
    address = standsAlone ? nil : article.entry.url
    isFullText = full != nil
    typesetter = ArticleTypesetter(
      width: ArticleLayout.width(for: width), pictures: room, styled: theme?.styledTraits ?? [])
  }

  /// The page up to the end of the block with that line; nil where only one block would be missing.
  package mutating func beginning(lines: Int = firstLines) -> ArticlePage? {
    next = typesetter.set(document, from: next, lines: lines)
    return next + 1 < document.blocks.count ? page(isBeginning: true) : nil
  }

  /// The whole page. Where its beginning was made, it begins with the same lines.
  package mutating func whole() -> ArticlePage {
    next = typesetter.set(document, from: next)
    typesetter.set(links, of: address, block: document.blocks.count)
    return page(isBeginning: false)
  }

  private func page(isBeginning: Bool) -> ArticlePage {
    ArticlePage(
      article, width: width, other: other, isFullText: isFullText, isBeginning: isBeginning,
      head: head, layout: ArticleLayout(typesetter), links: links, jumps: document.jumps,
      linesOfHead: linesOfHead)
  }

  private static func document(of entry: Entry) -> Document {
    var document: Document
    if let html = entry.contentHTML {
      let lengths = entry.enclosures.compactMap { file in
        file.duration.map { (file.url, Double($0)) }
      }
      document = Markup.document(
        html: html, lengths: Dictionary(lengths, uniquingKeysWith: { first, _ in first })
      ) { WebAddress.resolve($0, against: entry.url) }
    } else {
      document = Markup.document(plainText: entry.summary ?? "")
    }
    if document.blocks.isEmpty {
      document.blocks = [
        .note(entry.url == nil ? ArticleStrings.noText : ArticleStrings.noTextHere)
      ]
    }
    return document
  }
}
