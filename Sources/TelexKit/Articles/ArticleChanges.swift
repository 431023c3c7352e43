package import Foundation
package import News
internal import Store
internal import Syndication

/// Changes of an article by its feed.
package struct ArticleChanges: Hashable, Sendable {
  /// HTML in which removed lines stand in `<del>` with a minus before them, and added ones in `<ins>` with a plus.
  package var html: String
  /// When the first change was stored since the user last saw the article.
  package var since: Date
}

extension Articles {
  /// Compares an article with what it said before its feed changed it, title and text. A long text is compared as far
  /// as 4,000 lines and 256 KiB.
  ///
  /// - Throws: `SourceError` of stage `.arguments` where there is no such article, or nothing to compare it with.
  package func changes(in id: ArticleID) async throws -> ArticleChanges {
    let (article, former) = try await composition.store.view { view in
      (try view.articles.article(id), try view.formerTexts.text(of: id))
    }
    guard let article else { throw Self.missing(id) }
    guard let former else {
      throw SourceError(
        .store, stage: .arguments, subject: "\(id.rawValue)",
        message: "no former text of this article is kept",
        next: "telex set FEED --update changed keeps what its feed changes from now on")
    }
    let entry = article.entry
    guard former.isWhole else {
      return ArticleChanges(
        html: TextChanges.html(from: [former.title ?? ""], to: [entry.title ?? ""])
          + "<p>The former text was too long to be kept.</p>", since: former.changed)
    }
    let html = TextChanges.html(
      from: Self.lines(former.title, former.contentHTML, former.summary),
      to: Self.lines(entry.title, entry.contentHTML, entry.summary))
    return ArticleChanges(
      html: html.isEmpty ? "<p>The article says again what it said before.</p>" : html,
      since: former.changed)
  }

  /// Takes the mark of an article away whose change the user has seen.
  package func clearChanged(_ id: ArticleID) async throws {
    try await composition.store.edit { try $0.formerTexts.clearChanged(id) }
  }

  private static func lines(_ title: String?, _ html: String?, _ summary: String?) -> [String] {
    let text = html.map(TextChanges.lines(ofHTML:)) ?? []
    return (title.map { [$0] } ?? []) + (text.isEmpty ? summary.map { [$0] } ?? [] : text)
  }
}
