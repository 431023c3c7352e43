internal import GRDB
package import News

/// Plan for finding the articles of conditions.
struct QueryPlan {
  /// The conditions that all have to hold; nil for none.
  let sql: QuerySQL?
  /// The feeds that the articles are of, in no order; nil for all.
  let feeds: [Int64]?
  /// Whether so few articles are found that looking up each of them is quicker than reading a list.
  let findsFew: Bool
  /// Whether each row can be judged alone, so that the feeds of a list can be read separately.
  var isOfRow: Bool { sql?.collects != true || onlyFeedsCollect }
  private let onlyFeedsCollect: Bool

  init(_ conditions: [QueryCondition], in view: StoreView) throws {
    var (feeds, others): (Set<Int64>?, [QueryCondition]) = (nil, [])
    for condition in conditions {
      guard let found = try condition.feeds(in: view) else {
        others.append(condition)
        continue
      }
      feeds = feeds.map { $0.intersection(found) } ?? Set(found)
    }
    self.feeds = feeds.map(Array.init)
    sql = conditions.isEmpty ? nil : try QuerySQL(.all(conditions), in: view)
    let collects = try others.map { try QuerySQL($0, in: view).collects }
    onlyFeedsCollect = !collects.contains(true)
    findsFew =
      try zip(others, collects).contains { try $0.findsFew(collects: $1, in: view) }
      || Self.findsFewWords(others, view)
  }

  private static func findsFewWords(
    _ conditions: [QueryCondition], _ view: StoreView
  ) throws -> Bool {
    guard let words = QuerySQL.combined(conditions).words else { return false }
    return try view.queries.isShort("SELECT 1 FROM search WHERE search MATCH ?", [words])
  }
}

extension QueryCondition {
  /// Whether an index tells that few articles can match.
  ///
  /// - Parameter collects: whether its SQL collects rows.
  fileprivate func findsFew(collects: Bool, in view: StoreView) throws -> Bool {
    switch self {
    case .tag(let name):
      return try view.queries.isShort(
        "SELECT 1 FROM articleTag WHERE tag IN (SELECT id FROM tag WHERE isNamed(name, ?))", [name])
    case .state(.heard): return try view.queries.isShort("SELECT 1 FROM playback", [])
    case .state(.changed): return try view.queries.isShort("SELECT 1 FROM formerText", [])
    case .state(.tagged): return try view.queries.isShort("SELECT 1 FROM articleTag", [])
    case .state(.later), .state(.due): return try view.queries.isShort(TagsView.allLater, [])
    // They collect rows where these are few.
    case .has, .date(.arrived, _, _), .sinceLastRefresh, .score: return collects
    // The journal is short.
    case .date(.opened, _, _): return true
    default: return false
    }
  }
}

extension QueriesView {
  /// Whether a query has few rows.
  func isShort(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
    let few = ArticleSelection.fewRows
    return try count(sql, arguments, upTo: few) < few
  }

  func count(_ sql: String, _ arguments: StatementArguments, upTo limit: Int) throws -> Int {
    try db.value("SELECT count(*) FROM (\(sql) LIMIT \(limit))", arguments) ?? 0
  }

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
