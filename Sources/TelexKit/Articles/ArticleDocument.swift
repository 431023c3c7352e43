internal import Foundation
internal import Markup
package import News
internal import Syndication
internal import Text

/// Articles as one document for other programs and for people.
package struct ArticleDocument: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case atom, html, mbox, markdown
  }

  private let articles: Articles
  private let writer: any ArticleWriter
  private let format: Format
  private let title: String

  package init(_ composition: Composition, as format: Format, titled title: String) {
    articles = Articles(composition)
    self.format = format
    self.title = title
    writer =
      switch format {
      case .atom: AtomWriter()
      case .html: PageWriter()
      case .mbox: MailboxWriter()
      case .markdown: MarkdownWriter(escaped: Markdown.escaped, link: Markdown.link)
      }
  }

  /// Writes the articles of a timeline, newest first. They are read page by page, and twice for a format that lists
  /// them before the first.
  ///
  /// - Parameters:
  ///   - position: that of the article before the first one that is wanted; nil for the newest.
  ///   - limit: the number of articles; nil for all.
  ///   - output: takes the pieces of the document in their order.
  package func write(
    _ timeline: Timeline, unreadOnly: Bool = false, after position: TimelinePosition? = nil,
    limit: Int? = nil, _ output: (String) -> Void
  ) throws {
    if writer.hasContents {
      var hasBegun = false
      try articles.forEachListed(
        of: timeline, unreadOnly: unreadOnly, after: position, limit: limit
      ) { article in
        if !hasBegun { output(writer.beginning(of: list(article))) }
        hasBegun = true
        output(writer.contents(of: WrittenArticle(article)))
      }
      if !hasBegun { output(writer.beginning(of: list(nil))) }
      output(writer.endOfContents)
    }
    var hasBegun = writer.hasContents
    try articles.forEachListed(
      of: timeline, unreadOnly: unreadOnly, after: position, limit: limit, withText: true
    ) { article in
      if !hasBegun { output(writer.beginning(of: list(article))) }
      hasBegun = true
      output(writer.text(of: written(article)))
    }
    if !hasBegun { output(writer.beginning(of: list(nil))) }
    output(writer.end)
  }

  private func list(_ newest: ListedArticle?) -> WrittenList {
    let place = newest.map { Date(timeIntervalSince1970: Double($0.row.position.time)) }
    let updated = [place, newest?.entry.updated].compactMap { $0 }.max()
    return WrittenList(title: title, updated: updated ?? Date())
  }

  private func written(_ article: ListedArticle) -> WrittenArticle {
    guard format != .atom else { return WrittenArticle(article) }
    let entry = article.entry
    let document =
      entry.contentHTML.map { html in
        Markup.document(html: html) { WebAddress.resolve($0, against: entry.url) }
      } ?? Markup.document(plainText: entry.summary ?? "")
    return WrittenArticle(
      article, html: format == .markdown ? "" : document.html(headingsFrom: 3),
      markdown: format == .html ? "" : document.markdown(headingsFrom: 3))
  }
}
