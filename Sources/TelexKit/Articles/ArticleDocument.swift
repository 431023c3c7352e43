internal import Foundation
internal import Markup
package import News
internal import Syndication

/// Articles as one document for other programs and for people.
package struct ArticleDocument: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case atom, epub, html, mbox, markdown

    /// Whether it is text, which a terminal can show.
    package var isText: Bool { self != .epub }
  }

  private let articles: Articles
  private let pictures: PictureFiles
  private let writer: any ArticleWriter
  private let book: ArticleBook
  private let format: Format
  private let title: String

  package init(_ composition: Composition, as format: Format, titled title: String) {
    articles = Articles(composition)
    pictures = composition.pictureFiles
    self.format = format
    self.title = title
    book = ArticleBook(composition, as: .epub, titled: title)
    writer =
      switch format {
      case .atom: AtomWriter()
      case .html, .epub: PageWriter()
      case .mbox: MailboxWriter()
      case .markdown: MarkdownWriter(escaped: Markdown.escaped, link: Markdown.link)
      }
  }

  /// Writes the articles of a timeline, newest first. They are read page by page, twice for a
  /// format with a table of contents.
  ///
  /// - Parameters:
  ///   - position: of the article before the first one; nil for the newest.
  ///   - limit: nil for all.
  ///   - output: gets the pieces of the document in order.
  package func write(
    _ timeline: Timeline, unreadOnly: Bool = false, after position: TimelinePosition? = nil,
    limit: Int? = nil, _ output: ([UInt8]) throws -> Void
  ) throws {
    if format == .epub {
      let sections = try book.sections(
        of: timeline, unreadOnly: unreadOnly, after: position, limit: limit)
      return try book.write(sections, output)
    }
    try writeText(timeline, unreadOnly: unreadOnly, after: position, limit: limit) {
      try output(Array($0.utf8))
    }
  }

  private func writeText(
    _ timeline: Timeline, unreadOnly: Bool, after position: TimelinePosition?, limit: Int?,
    _ output: (String) throws -> Void
  ) throws {
    if writer.hasContents {
      var hasBegun = false
      try articles.forEachListed(
        of: timeline, unreadOnly: unreadOnly, after: position, limit: limit
      ) { article in
        if !hasBegun { try output(writer.beginning(of: list(article))) }
        hasBegun = true
        try output(writer.contents(of: WrittenArticle(article)))
      }
      if !hasBegun { try output(writer.beginning(of: list(nil))) }
      try output(writer.endOfContents)
    }
    var hasBegun = writer.hasContents
    try articles.forEachListed(
      of: timeline, unreadOnly: unreadOnly, after: position, limit: limit, withText: true
    ) { article in
      if !hasBegun { try output(writer.beginning(of: list(article))) }
      hasBegun = true
      try output(writer.text(of: written(article)))
    }
    if !hasBegun { try output(writer.beginning(of: list(nil))) }
    try output(writer.end)
  }

  private func list(_ newest: ListedArticle?) -> WrittenList {
    let place = newest.map { Date(timeIntervalSince1970: Double($0.row.position.time)) }
    let updated = [place, newest?.entry.updated].compactMap { $0 }.max()
    return WrittenList(title: title, updated: updated ?? Date())
  }

  private func written(_ article: ListedArticle) -> WrittenArticle {
    guard format != .atom else { return WrittenArticle(article) }
    let document = BookText.document(of: article)
    // Programs for mail show no pictures that are in the text.
    let form = BookText.form(
      for: document, of: article.row, headingsFrom: 3, pictures: format == .html ? pictures : nil)
    return WrittenArticle(
      article, html: format == .markdown ? "" : document.html(form),
      markdown: format == .html
        ? ""
        : document.markdown(headingsFrom: 3, places: BookText.places(of: article.row)))
  }
}
