package import News

/// The article that is open.
package struct ArticleState: Hashable, Sendable {
  package let id: ArticleID
  /// As it was in the list, until its text is there.
  var row: ArticleRow?
  package internal(set) var page: ArticlePage?
  var error: SourceError?
  /// The first line that shows.
  var top = 0
  /// Where the user scrolled to, or stopped last time: what stays when the width changes. Nil at the
  /// head.
  var place: ReadingPosition?
  /// The link that is picked, from 1.
  var link: Int?

  /// What shows of its marks; nil until anything is known of it.
  var status: ArticleStatus? { page?.article.status ?? row?.status }

  /// Takes the marks of its row.
  mutating func take(_ row: ArticleRow) {
    self.row = row
    page?.article.status = row.status
  }

  mutating func change(_ mark: (inout ArticleStatus) -> Void) {
    if var row {
      mark(&row.status)
      self.row = row
    }
    if var page {
      mark(&page.article.status)
      self.page = page
    }
  }
}

/// An article that was left.
struct LeftArticle: Hashable, Sendable {
  var id: ArticleID
  var place: ReadingPosition?
}
