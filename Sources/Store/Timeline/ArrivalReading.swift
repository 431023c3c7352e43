internal import GRDB
package import News

extension TimelineView {
  /// Articles of a timeline that were stored after the id in `query`. Usually costs one lookup.
  package func arrivals(_ query: TimelineQuery) throws -> Arrivals {
    let lastID: Int64 = try db.value("SELECT max(id) FROM article") ?? 0
    guard let since = query.arrivedAfter, since < lastID else {
      return Arrivals(since: query.arrivedAfter ?? lastID, lastID: lastID)
    }
    var arrivals = Arrivals(since: since, lastID: lastID)
    var predicate = query.predicate
    var found: Set<Int64>?
    if predicate.words != nil || !predicate.conditions.isEmpty {
      // One search for all feeds, not one for each.
      found = try self.found(by: predicate, above: since)
      (predicate.words, predicate.conditions) = (nil, [])
      (predicate.isDistinct, predicate.joinsStories) = (false, false)
    }
    guard found?.isEmpty != true, let selection = try ArticleSelection(predicate, in: view) else {
      return arrivals
    }
    let feeds: [Int64] = try db.values(
      "SELECT DISTINCT feedID FROM articleStatus WHERE articleID > ? AND \(selection.scope)",
      [since] + selection.scopeArguments)
    let statement = try db.cachedStatement(
      sql: """
        SELECT sortDate, articleID FROM articleStatus INDEXED BY statusByFeed
        WHERE feedID = ? AND articleID > ? AND (sortDate, articleID) > (?, ?)
          AND \(selection.filter) AND \(selection.scope)
        ORDER BY sortDate DESC, articleID DESC LIMIT \(Arrivals.limit)
        """)
    for feed in feeds {
      let newest = try newestPosition(of: feed, notAbove: since)
      let floor = newest ?? TimelinePosition(date: .min, id: 0)
      var arguments: StatementArguments = [feed, since, floor.date, floor.id]
      arguments += selection.filterArguments + selection.scopeArguments
      let rows = try Row.fetchCursor(statement, arguments: arguments)
      while let row = try rows.next() {
        let position = TimelinePosition(date: row[0], id: row[1])
        if let found, !found.contains(position.id) { continue }
        arrivals.articles.append(Arrivals.Arrival(position, isFromNewFeed: newest == nil))
      }
    }
    return arrivals
  }

  private func newestPosition(of feed: Int64, notAbove id: Int64) throws -> TimelinePosition? {
    try db.row(
      """
      SELECT sortDate, articleID FROM articleStatus INDEXED BY statusByFeed
      WHERE feedID = ? AND articleID <= ? ORDER BY sortDate DESC, articleID DESC LIMIT 1
      """, [feed, id]
    ).map { TimelinePosition(date: $0[0], id: $0[1]) }
  }

  private func found(by predicate: ArticlePredicate, above id: Int64) throws -> Set<Int64> {
    guard let selection = try ArticleSelection(predicate, in: view) else { return [] }
    var sql = "articleID > ? AND \(selection.scope)"
    var arguments: StatementArguments = [id] + selection.scopeArguments
    if let words = predicate.words {
      guard let expression = try SearchExpression.of(words, in: view) else { return [] }
      sql = """
        articleID IN (SELECT rowid FROM search WHERE search MATCH ? AND rowid > ? LIMIT 10000)
          AND \(selection.scopeOfOne)
        """
      arguments = [expression.text, id] + selection.scopeArguments
    }
    return try Int64.fetchSet(
      db.cachedStatement(
        sql: "SELECT articleID FROM articleStatus WHERE \(sql) AND \(selection.filter) LIMIT 10000"),
      arguments: arguments + selection.filterArguments)
  }
}
