internal import Markup
package import News
internal import Screen

/// An article as a card: what it is called, where it comes from, its first picture, and its first words.
package struct ArticleCard: Hashable, Sendable {
  package let id: ArticleID
  let feedID: FeedID
  let title: [String]
  /// The feed, the author, the date and the time that it takes.
  let source: String
  let picture: PagePicture?
  /// The beginning of its text, as lines.
  let text: [String]
  /// Its title as it is, for rules.
  let plainTitle: String

  /// Characters of the beginning of a text.
  private static let mostCharacters = 600

  /// - Parameters:
  ///   - width: the columns of its lines.
  ///   - rows: those that there are for all of it.
  ///   - room: nil where pictures are left as words.
  package init(
    _ article: Article, width: Int, rows: Int, clock: WallClock, pictures room: PictureRoom?
  ) {
    let entry = article.entry
    let width = max(1, width)
    let full = article.shownFullText
    let (html, base) = (full?.html ?? entry.contentHTML, full?.url ?? entry.url)
    let document = Markup.document(html: html, at: base, orText: entry.summary)
    func lines(_ text: String) -> [String] {
      TextWrapping.wrap(text, width: width).map(String.init)
    }
    id = article.id
    feedID = article.feedID
    plainTitle = entry.title ?? ""
    title = lines(entry.title ?? "Untitled")
    let minutes = (document.readingSeconds + 30) / 60
    source =
      ([article.feedTitle, entry.authors.first?.name, clock.short(article.position.date)]
      + [minutes > 1 ? "\(minutes) min" : nil])
      .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
    // The rows below the title and the source, with an empty line between the parts.
    let left = max(0, rows - title.count - 2)
    picture = room.flatMap { Self.picture(of: document, width: width, rows: left * 3 / 5, $0) }
    let below = max(0, left - (picture.map { $0.rows + 1 } ?? 0))
    text = Array(lines(Self.beginning(of: document)).prefix(below))
  }

  private static func picture(
    of document: Document, width: Int, rows: Int, _ room: PictureRoom
  ) -> PagePicture? {
    guard rows >= 3, let image = document.figures.first(where: { $0.source != nil }),
      let url = image.source
    else { return nil }
    var room = room
    room.rows = min(room.rows, rows)
    let size = room.size(url) ?? image.size.map { PixelSize(width: $0.width, height: $0.height) }
    let cells =
      size.map { room.cells(of: $0, columns: width) } ?? room.cellsOfUnknown(columns: width)
    return PagePicture(
      url: url, alt: image.alt, columns: cells.columns, rows: cells.rows, line: 0, link: nil)
  }

  /// The first paragraphs.
  private static func beginning(of document: Document) -> String {
    var text = ""
    func append(_ blocks: [Block]) {
      for block in blocks {
        guard text.count < mostCharacters else { return }
        switch block {
        case .paragraph(let inlines):
          let words = FlatText(
            inlines.filter { if case .image = $0 { false } else { true } }, base: .body
          )
          .string
          if !words.allSatisfy(\.isWhitespace) { text += (text.isEmpty ? "" : "\n\n") + words }
        case .quote(let blocks), .indented(let blocks): append(blocks)
        case .list(let list): for item in list.items { append(item) }
        default: break
        }
      }
    }
    append(document.blocks)
    return text
  }
}

package struct CardWish: Hashable, Sendable {
  package var article: ArticleID
  package var width: Int
  package var rows: Int
}
