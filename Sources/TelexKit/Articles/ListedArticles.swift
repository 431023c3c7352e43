package import News
internal import Store

/// Articles with what scripts ask for beside a row.
extension Articles {
  private static let textPageSize = 50

  /// As `forEachRow(of:)`, with the stored values beside the rows.
  ///
  /// - Parameter withText: whether bodies and summaries are read as well.
  package func forEachListed(
    of timeline: Timeline, unreadOnly: Bool = false, after position: TimelinePosition? = nil,
    limit: Int? = nil, withText: Bool = false, _ body: (ListedArticle) throws -> Void
  ) throws {
    try warnOfIncompleteIndex(timeline)
    try forEachPage(
      of: timeline, unreadOnly: unreadOnly, after: position, limit: limit,
      pageSize: withText ? Self.textPageSize : Self.pageSize,
      reading: { try $0.timeline.listed($1, withText: withText) }
    ) { for article in $0 { try body(article) } }
  }

  /// The articles that a search finds, newest first, read page by page.
  package func forEachListed(
    ofSearch words: String, after position: TimelinePosition? = nil, limit: Int? = nil,
    _ body: (ListedArticle) throws -> Void
  ) throws {
    try warnOfIncompleteIndex(.search(words))
    try forEachPage(
      ofSearch: words, after: position, limit: limit, pageSize: Self.pageSize,
      reading: { try $0.timeline.listed($1) }
    ) { for article in $0 { try body(article) } }
  }

  /// The articles of rows, in order, without removed ones.
  ///
  /// - Parameter withText: whether bodies and summaries are read as well.
  package func listed(
    _ rows: [ArticleRow], withText: Bool = false
  ) throws -> [ListedArticle] {
    try composition.store.viewNow { try $0.timeline.listed(rows, withText: withText) }
  }

  /// Reads articles with their text for an export: feeds in the order of their addresses, each
  /// oldest first, hidden ones included.
  ///
  /// - Parameter query: nil for all articles.
  package func forEachExported(
    matching query: ArticleQuery? = nil, _ body: (ListedArticle) throws -> Void
  ) throws {
    let store = composition.store
    let feeds = try store.viewNow { try $0.feeds.all() }.sorted {
      ($0.account.id == .local ? "" : $0.account.base, $0.url, $0.id.rawValue)
        < ($1.account.id == .local ? "" : $1.account.base, $1.url, $1.id.rawValue)
    }
    var found: [FeedID: [TimelinePosition]] = [:]
    if let query {
      try forEachRow(of: .matching(query, in: .all), pageSize: 20_000) {
        found[$0.feedID, default: []].append($0.position)
      }
    }
    for feed in feeds {
      var last: TimelinePosition?
      var left = Array((found[feed.id] ?? []).reversed())[...]
      while true {
        let page = left.prefix(Self.textPageSize)
        left = left.dropFirst(page.count)
        let articles = try store.viewNow { view in
          let rows =
            try query == nil
            ? view.timeline.rows(of: feed.id, newerThan: last, limit: Self.textPageSize)
            : view.timeline.rows(at: page).reversed()
          return try view.timeline.listed(rows, withText: true)
        }
        for article in articles { try body(article) }
        last = articles.last?.row.position
        if query == nil ? last == nil : left.isEmpty { break }
      }
    }
  }
}
