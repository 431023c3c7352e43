internal import GRDB
internal import News

extension StoreView {
  /// Tells rows which stories they stand for, and puts the other articles of those that are unfolded below them.
  ///
  /// Unread articles whose first one has been read are rows of a list of unread ones. They stand where they are unless the
  /// story is unfolded; what is read stands behind its first article.
  func withStories(_ query: TimelineQuery, _ slice: TimelineSlice) throws -> TimelineSlice {
    guard query.hidesDuplicates else { return slice }
    let articles = slice.rows.compactMap(\.article)
    let tellings = try tellings(of: articles)
    guard !tellings.isEmpty else { return slice }
    let apart = Set(
      articles.filter { row in
        guard let first = row.storyOf, tellings[first] != nil else { return false }
        return !row.status.isRead && !query.unfolded.contains(first)
      }.map(\.id))
    var slice = slice
    slice.rows = try slice.rows.flatMap { row -> [TimelineRow] in
      guard case .article(var article) = row else { return [row] }
      if let first = article.storyOf, tellings[first] != nil, !apart.contains(article.id) {
        return []
      }
      guard let others = tellings[article.id] else { return [row] }
      article.tellings = others.map(\.id).filter { !apart.contains($0) }
      guard query.unfolded.contains(article.id) else {
        // What is behind it is unread as well as long as nobody has seen it.
        let hasUnread = others.contains { !$0.isRead && !apart.contains($0.id) }
        article.status.isRead = article.status.isRead && !hasUnread
        return [.article(article)]
      }
      return [.article(article)]
        + (try rows(of: article.tellings)).map { row in
          var row = row
          (row.isUnfolded, row.position) = (true, article.position)
          return .article(row)
        }
    }
    return slice
  }

  private struct Telling {
    var id: ArticleID
    var isRead: Bool
  }

  /// The articles behind the first ones of stories, in the order in which they came.
  private func tellings(of rows: [ArticleRow]) throws -> [ArticleID: [Telling]] {
    // With no row SQLite has no use for the index that is asked for.
    guard !rows.isEmpty else { return [:] }
    let found = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT storyOf, articleID, isRead FROM articleStatus INDEXED BY statusStory
          WHERE storyOf IS NOT NULL AND storyOf IN (SELECT value FROM json_each(?))
          ORDER BY articleID
          """), arguments: [Self.list(rows.map(\.id.rawValue))])
    var tellings: [ArticleID: [Telling]] = [:]
    while let row = try found.next() {
      tellings[ArticleID(row[0]), default: []]
        .append(Telling(id: ArticleID(row[1]), isRead: row[2]))
    }
    return tellings
  }

  private func rows(of articles: [ArticleID]) throws -> [ArticleRow] {
    try rows(
      from: """
        SELECT \(Self.columnsOfRow) FROM articleStatus
        WHERE articleID IN (SELECT value FROM json_each(?))
        """, arguments: [Self.list(articles.map(\.rawValue))], in: .oldest)
  }
}

extension TimelineRow {
  fileprivate var article: ArticleRow? { if case .article(let row) = self { row } else { nil } }
}
