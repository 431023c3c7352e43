internal import GRDB
package import News

extension QueriesView {
  /// The articles of a slice that a query is true of.
  package func articles(
    of slice: TimelineSlice, matching query: ArticleQuery
  ) throws -> Set<ArticleID> {
    let ids = slice.rows.compactMap { row -> Int64? in
      if case .article(let article) = row { article.id.rawValue } else { nil }
    }
    return Set(try articles(ids, matching: query).map { ArticleID($0) })
  }

  /// Those of some articles that a query is true of, in no order.
  func articles(_ ids: [Int64], matching query: ArticleQuery) throws -> [Int64] {
    guard let first = ids.min(), let last = ids.max() else { return [] }
    let condition = try QuerySQL(query.condition, in: view).within(first...last)
    return try db.values(
      """
      SELECT articleID FROM articleStatus
      WHERE articleID IN (SELECT value FROM json_each(?)) AND (\(condition.text))
      """, [jsonList(ids)] + condition.arguments)
  }
}
