internal import GRDB
internal import News

extension StoreView {
  /// Tells rows which stories they stand for, and puts the other articles of those that are unfolded below them.
  func withStories(_ query: TimelineQuery, _ slice: TimelineSlice) throws -> TimelineSlice {
    guard query.hidesDuplicates else { return slice }
    let tellings = try tellings(of: slice.rows.compactMap(\.article))
    guard !tellings.isEmpty else { return slice }
    var slice = slice
    slice.rows = try slice.rows.flatMap { row -> [TimelineRow] in
      guard case .article(var first) = row, let others = tellings[first.id] else { return [row] }
      first.tellings = others
      guard query.unfolded.contains(first.id) else { return [.article(first)] }
      return [.article(first)]
        + (try rows(of: others)).map { row in
          var row = row
          (row.isUnfolded, row.position) = (true, first.position)
          return .article(row)
        }
    }
    return slice
  }

  /// The articles behind the first ones of stories, in the order in which they came.
  private func tellings(of rows: [ArticleRow]) throws -> [ArticleID: [ArticleID]] {
    // With no row SQLite has no use for the index that is asked for.
    guard !rows.isEmpty else { return [:] }
    let ids = rows.map { String($0.id.rawValue) }.joined(separator: ",")
    let found = try Row.fetchCursor(
      db,
      sql: """
        SELECT storyOf, articleID FROM articleStatus INDEXED BY statusStory
        WHERE storyOf IS NOT NULL AND storyOf IN (\(ids)) ORDER BY articleID
        """)
    var tellings: [ArticleID: [ArticleID]] = [:]
    while let row = try found.next() {
      tellings[ArticleID(row[0]), default: []].append(ArticleID(row[1]))
    }
    return tellings
  }

  private func rows(of articles: [ArticleID]) throws -> [ArticleRow] {
    let ids = articles.map { String($0.rawValue) }.joined(separator: ",")
    return try rows(
      from: "SELECT \(Self.columnsOfRow) FROM articleStatus WHERE articleID IN (\(ids))",
      arguments: [], in: .oldest)
  }
}

extension TimelineRow {
  fileprivate var article: ArticleRow? { if case .article(let row) = self { row } else { nil } }
}
