internal import Markup
package import News
internal import Pictures
internal import Store
internal import Syndication
internal import Text

package import struct Foundation.Date

/// Articles as one document: a book, a page, a mail, or Markdown, from the store alone, with the
/// pictures that are here.
package struct ArticleBook: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case epub, html, mail, markdown

    package var ending: String {
      switch self {
      case .epub: "epub"
      case .html: "html"
      case .mail: "eml"
      case .markdown: "md"
      }
    }
  }

  /// The articles of a feed, newest first, without their texts.
  package struct Section: Sendable {
    package var title: String
    package var articles: [ListedArticle]
    /// Articles that the section of another feed has.
    package var duplicates: [ArticleID] = []
    package var language: String?
  }

  package struct MailHead: Sendable {
    package var sender: String
    package var recipient: String?
    package var date: Date

    /// - Parameters: as `isMailAddress` has them.
    package init(from sender: String, to recipient: String?, date: Date) {
      self.sender = sender
      self.recipient = recipient
      self.date = date
    }
  }

  private let articles: Articles
  private let pictures: PictureFiles
  private let format: Format
  private let title: String
  private let head: MailHead
  private let hasPictures: Bool

  /// More articles than readers of books can open.
  private static let mostArticles = 20_000

  /// - Parameters:
  ///   - head: of a mail.
  ///   - hasPictures: whether a book or page contains the pictures that are here; else they are
  ///     links.
  package init(
    _ composition: Composition, as format: Format, titled title: String,
    from head: MailHead? = nil, pictures hasPictures: Bool = true
  ) {
    articles = Articles(composition)
    pictures = composition.pictureFiles
    self.format = format
    self.title = title
    self.head = head ?? MailHead(from: "telex@localhost", to: nil, date: .now)
    self.hasPictures = hasPictures
  }

  /// Whether a text is an address that a mail can be from and go to.
  package static func isMailAddress(_ text: String) -> Bool { MailText.isAddress(text) }

  /// The articles of a timeline by feed, in the order of titles, duplicates once.
  ///
  /// - Throws: `SourceError` where there are too many for a book.
  package func sections(
    of timeline: Timeline, unreadOnly: Bool = false, after position: TimelinePosition? = nil,
    limit: Int? = nil
  ) throws -> [Section] {
    var found: [ListedArticle] = []
    try articles.forEachListed(
      of: timeline, unreadOnly: unreadOnly, after: position, limit: limit
    ) { article in
      found.append(article)
      guard found.count <= Self.mostArticles else {
        throw SourceError(
          .tooLarge, stage: .arguments, subject: title,
          message: "there are more than \(Self.mostArticles) articles", next: "give a --limit")
      }
    }
    let ids = Set(found.map(\.id))
    let languages = try articles.composition.store.viewNow { view in
      try Dictionary(
        uniqueKeysWithValues: Set(found.map(\.row.feedID)).map {
          ($0, try view.feeds.feed($0)?.language)
        })
    }
    let sections = Dictionary(grouping: found, by: \.row.feedID).map { feed, articles in
      let isDuplicate = { (article: ListedArticle) in
        article.row.duplicateOf.map(ids.contains) ?? false
      }
      return (
        feed,
        Section(
          title: articles[0].row.feedTitle, articles: articles.filter { !isDuplicate($0) },
          duplicates: articles.filter(isDuplicate).map(\.id),
          language: languages[feed] ?? nil)
      )
    }
    return sections.sorted { a, b in
      let titles = (a.1.title.lowercased(), b.1.title.lowercased())
      return titles.0 == titles.1 ? a.0.rawValue < b.0.rawValue : titles.0 < titles.1
    }.map(\.1)
  }

  /// One article with its text; nil once it is gone. Waits for the store without holding a thread.
  package func section(of id: ArticleID) async throws -> Section? {
    try await articles.composition.store.view { view in
      guard let position = try view.articles.position(of: id) else { return nil }
      let rows = try view.timeline.rows(at: [position])
      return try view.timeline.listed(rows, withText: true).first.map {
        Section(
          title: $0.row.feedTitle, articles: [$0],
          language: try view.feeds.feed($0.row.feedID)?.language)
      }
    }
  }

  /// Writes the articles of sections, whose texts are read page by page.
  ///
  /// - Parameter output: gets the pieces of the document in order.
  /// - Throws: `SourceError`, and errors of `output`.
  package func write(_ sections: [Section], _ output: ([UInt8]) throws -> Void) throws {
    try write(sections, reading: { try articles.listed($0, withText: true) }, output)
  }

  /// Writes an article whose text is read already. Reads the files of its pictures.
  package func write(whole section: Section, _ output: ([UInt8]) throws -> Void) throws {
    try write([section], reading: { _ in section.articles }, output)
  }

  private func write(
    _ sections: [Section], reading read: ([ArticleRow]) throws -> [ListedArticle],
    _ output: ([UInt8]) throws -> Void
  ) throws {
    let book = BookText(sections, titled: title, pictures: hasPictures ? pictures : nil)
    do {
      switch format {
      case .epub: try book.writeEPUB(read, output)
      case .html: try book.writePage(read) { try output(Array($0.utf8)) }
      case .markdown: try book.writeMarkdown(read) { try output(Array($0.utf8)) }
      case .mail: try output(Array(book.mail(head, read).utf8))
      }
    } catch is ZIPWriter.Failure {
      throw SourceError(
        .tooLarge, stage: .arguments, subject: title, message: "this is too much for one book",
        next: "give a --limit")
    }
  }
}
