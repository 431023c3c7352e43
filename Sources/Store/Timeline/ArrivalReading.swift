internal import GRDB
package import News

extension StoreView {
  /// The articles that were stored in a timeline after the article id that `query` names.
  ///
  /// Costs one lookup of the highest id where nothing was stored since, which is the usual case.
  package func arrivals(_ query: TimelineQuery) throws -> Arrivals {
    let lastID = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM article")) ?? 0
    guard let since = query.arrivedAfter, since < lastID else {
      return Arrivals(since: query.arrivedAfter ?? lastID, lastID: lastID)
    }
    var arrivals = Arrivals(since: since, lastID: lastID)
    var predicate = query.predicate
    // What is found is asked for once, and not for each feed.
    var found = try predicate.words.map { try articles(matching: $0, above: since) }
    if predicate.words != nil {
      predicate.words = nil
      // Which article of a story the list has first cannot be told without them.
      predicate.joinsStories = predicate.isDistinct
    }
    if !predicate.conditions.isEmpty {
      guard let selection = try ArticleSelection(predicate, in: self) else { return arrivals }
      let matching = try Int64.fetchSet(
        db.cachedStatement(
          sql:
            "SELECT articleID FROM articleStatus WHERE articleID > ? AND \(selection.scope) LIMIT 10000"
        ),
        arguments: [since] + selection.scopeArguments)
      found = found.map { $0.intersection(matching) } ?? matching
      predicate.conditions = []
      // As above.
      predicate.joinsStories = predicate.isDistinct
    }
    guard found?.isEmpty != true, let selection = try ArticleSelection(predicate, in: self) else {
      return arrivals
    }
    let feeds = try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT DISTINCT feedID FROM articleStatus WHERE articleID > ? AND \(selection.scope)"),
      arguments: [since] + selection.scopeArguments)
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

  /// The newest article of a feed among those up to an id.
  private func newestPosition(of feed: Int64, notAbove id: Int64) throws -> TimelinePosition? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT sortDate, articleID FROM articleStatus INDEXED BY statusByFeed
          WHERE feedID = ? AND articleID <= ? ORDER BY sortDate DESC, articleID DESC LIMIT 1
          """), arguments: [feed, id]
    ).map { TimelinePosition(date: $0[0], id: $0[1]) }
  }

  private func articles(matching words: String, above id: Int64) throws -> Set<Int64> {
    guard let expression = try SearchExpression.of(words, in: self) else { return [] }
    return try Int64.fetchSet(
      db.cachedStatement(
        sql: "SELECT rowid FROM search WHERE search MATCH ? AND rowid > ? LIMIT 10000"),
      arguments: [expression.text, id])
  }
}
