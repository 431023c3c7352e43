internal import News

/// The state of the open article.
struct ArticleState: Hashable, Sendable {
  let id: ArticleID
  /// Its row in the list, shown until the text has been read.
  var row: ArticleRow?
  var page: ArticlePage?
  var error: SourceError?
  /// The index of the first visible line.
  var top = 0
  /// The reading position, which stays when the width changes; nil at the head.
  var place: ReadingPosition?
  /// The number of the selected link, from 1.
  var link: Int?

  /// Its marks; nil until anything is known of it.
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

/// The reading position of an article that was left.
struct LeftArticle: Hashable, Sendable {
  var id: ArticleID
  var place: ReadingPosition?
}
