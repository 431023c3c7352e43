package import News
internal import Store

/// Articles with what scripts ask for beside a row.
extension Articles {
  /// How many articles are read with their text at once.
  private static let textPageSize = 50

  /// As `forEachRow(of:)`, with what is stored beside the rows, read page by page too.
  ///
  /// - Parameter withText: whether bodies and summaries are read as well.
  package func forEachListed(
    of timeline: Timeline, unreadOnly: Bool = false, after position: TimelinePosition? = nil,
    limit: Int? = nil, withText: Bool = false, _ body: (ListedArticle) throws -> Void
  ) throws {
    try forEachPage(
      of: timeline, unreadOnly: unreadOnly, after: position, limit: limit,
      pageSize: withText ? Self.textPageSize : Self.pageSize,
      reading: { try $0.listed($1, withText: withText) }
    ) { for article in $0 { try body(article) } }
  }

  /// What a search finds, newest first: the index says at once where all of it stands, and the articles are read
  /// page by page.
  package func forEachListed(
    ofSearch words: String, after position: TimelinePosition? = nil, limit: Int? = nil,
    _ body: (ListedArticle) throws -> Void
  ) throws {
    try forEachPage(
      ofSearch: words, after: position, limit: limit, pageSize: Self.pageSize,
      reading: { try $0.listed($1) }
    ) { for article in $0 { try body(article) } }
  }

  /// What is stored beside rows, in their order, without those that were removed.
  package func listed(_ rows: [ArticleRow]) throws -> [ListedArticle] {
    try composition.store.viewNow { try $0.listed(rows) }
  }
}
