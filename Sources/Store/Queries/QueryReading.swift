internal import GRDB
package import News

extension StoreView {
  /// The articles of a slice that a query is true of.
  package func articles(
    of slice: TimelineSlice, matching query: ArticleQuery
  ) throws -> Set<ArticleID> {
    let condition = try QuerySQL(query.condition, in: self)
    let ids = slice.rows.compactMap { row -> String? in
      if case .article(let article) = row { String(article.id.rawValue) } else { nil }
    }
    let found = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT articleID FROM articleStatus
          WHERE articleID IN (SELECT value FROM json_each(?)) AND (\(condition.text))
          """), arguments: ["[\(ids.joined(separator: ","))]"] + condition.arguments)
    return Set(found.map { ArticleID($0) })
  }
}
