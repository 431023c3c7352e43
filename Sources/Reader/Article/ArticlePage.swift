internal import Foundation
internal import Markup
package import News
internal import Screen
internal import Text

/// An article laid out for the screen: its head and its text as lines of a width.
package struct ArticlePage: Hashable, Sendable {
  package internal(set) var article: Article
  package let width: Int
  package let lines: [StyledLine]
  /// The text in the place of the article’s own; nil for its own.
  package let other: OtherText?
  /// Whether the text is the full text, not that of the feed.
  let isFullText: Bool
  /// Whether the rest is still being laid out; its lines will be behind these.
  package let isBeginning: Bool
  private let headLines: Int
  /// In the order of their lines.
  package let pictures: [PagePicture]
  private let layout: ArticleLayout
  /// Links of the text, then the files of the article and the page of its comments.
  private let links: [Link]
  private let jumps: [String]
  /// The lines of the head with links.
  private let linesOfHead: [Int: Int]

  /// Parses the body and lays it out. Takes time in proportion to the body: not for the main actor.
  ///
  /// - Parameters:
  ///   - clock: for dates in the local time zone.
  ///   - standsAlone: whether nothing around the page names the feed, and no key opens its address.
  ///   - other: a text in the place of the article's own.
  ///   - pictures: nil where they are left as words.
  ///   - theme: nil where text shows without styles.
  package init(
    _ article: Article, width: Int, clock: WallClock, standsAlone: Bool = false,
    with other: OtherText? = nil, pictures room: PictureRoom? = nil, theme: Theme? = nil
  ) {
    var setting = ArticleSetting(
      article, width: width, clock: clock, standsAlone: standsAlone, with: other, pictures: room,
      theme: theme)
    self = setting.whole()
  }

  /// - Parameter links: those of the head included.
  init(
    _ article: Article, width: Int, other: OtherText?, isFullText: Bool, isBeginning: Bool,
    head: [StyledLine], layout: ArticleLayout, links: [Link], jumps: [String],
    linesOfHead: [Int: Int]
  ) {
    self.article = article
    self.width = width
    self.other = other
    self.isFullText = isFullText
    self.isBeginning = isBeginning
    self.layout = layout
    self.links = links
    self.jumps = jumps
    self.linesOfHead = linesOfHead
    headLines = head.count
    lines = head + layout.lines
    pictures = layout.pictures.map { picture in
      var picture = picture
      picture.line += head.count
      return picture
    }
  }

  /// The text of an article without a screen: for `telex show` and `telex render`.
  package var plainText: String {
    lines.map(\.text).joined(separator: "\n")
  }

  /// An HTML document as text, without a head, and what could not be kept of it; notes in the text
  /// say the same.
  package static func text(
    ofHTML html: String, url: String?, width: Int
  ) -> (text: String, warnings: [String]) {
    let document = Markup.document(html: html) { WebAddress.resolve($0, against: url) }
    return (ArticleLayout(document, width: width).plainText, document.warnings)
  }

  // MARK: Places

  func position(ofLine line: Int) -> ReadingPosition? {
    guard line >= headLines else { return nil }
    return layout.position(ofLine: line - headLines)
  }

  func line(at position: ReadingPosition?) -> Int {
    guard let position else { return 0 }
    return headLines + layout.line(at: position)
  }

  /// Whether so many lines can show from a position on, though more may follow.
  func shows(_ height: Int, from position: ReadingPosition) -> Bool {
    lines.last.map { position < $0.position } == true
      && openingLine(at: position) + height <= lines.count
  }

  /// The first visible line for a reading position: not the empty line before a block.
  func openingLine(at position: ReadingPosition?) -> Int {
    let line = line(at: position)
    return line > 0 && line + 1 < lines.count && lines[line].isEmpty ? line + 1 : line
  }

  // MARK: Links

  /// Links in the article, which are numbered from 1.
  package var linkCount: Int { links.count }

  func link(_ number: Int) -> String? {
    links.indices.contains(number - 1) ? links[number - 1].url : nil
  }

  /// The numbers of links, and those of jumps (below 0), as one goes through them from the top of the text; links of
  /// the head alone come last.
  var linksInOrder: [Int] {
    guard !jumps.isEmpty else { return Array(1..<linkCount + 1) }
    let inText = Set(layout.linksInOrder)
    return layout.linksInOrder + (1..<linkCount + 1).filter { !inText.contains($0) }
  }

  /// The place that a jump leads to; nil for a link, or where the place has no text.
  func position(ofJump number: Int) -> ReadingPosition? {
    jumps.indices.contains(-number - 1) ? layout.position(ofPlace: jumps[-number - 1]) : nil
  }

  /// The address of a link, or the fragment of a jump.
  func target(_ number: Int) -> String? {
    number < 0
      ? (jumps.indices.contains(-number - 1) ? "#" + jumps[-number - 1] : nil) : link(number)
  }

  func linkText(_ number: Int) -> String {
    links.indices.contains(number - 1) ? links[number - 1].text : ""
  }

  /// The place of a file of the article, from 0; nil for any other link.
  func file(ofLink number: Int) -> Int? {
    guard let url = link(number) else { return nil }
    return article.entry.enclosures.firstIndex { $0.url == url }
  }

  func firstLine(ofLink number: Int) -> Int? {
    if let line = linesOfHead[number] { return line }
    return layout.lines(ofLink: number).first.map { $0 + headLines }
  }
}
