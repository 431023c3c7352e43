internal import GRDB
package import News
internal import Text

package import struct Foundation.Date

extension RulesView {
  /// In the order in which they were made, those that have ended too.
  package func all() throws -> [ArticleRule] {
    try db.rows("SELECT * FROM rule ORDER BY id").compactMap { row in
      // Arguments of other actions than a tag are kept as they were typed, blanks included.
      let argument = row["tag"] as String?
      let action = RuleAction(
        name: row["action"],
        argument: row["action"] == "tag" ? argument.map { StoredText.name($0) } : argument)
      return action.map {
        ArticleRule(
          id: row["id"], text: PlainText.sanitized(row["query"] as String), action: $0,
          until: date(row["until"] as Int64?))
      }
    }
  }

  package func addresses(of articles: [ArticleID]) throws -> [ArticleID: String] {
    try db.rows(
      "SELECT id, url FROM article WHERE url IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
      [jsonList(articles.map(\.rawValue))]
    ).reduce(into: [:]) { $0[ArticleID($1[0])] = PlainText.sanitized($1[1] as String) }
  }

  /// The last arrived articles that match a query, newest first.
  ///
  /// - Parameter count: of articles that are looked at.
  package func lastArrived(_ count: Int, matching query: ArticleQuery) throws -> [ArticleRow] {
    let last: [Int64] = try db.values(
      "SELECT articleID FROM articleStatus ORDER BY articleID DESC LIMIT ?", [count])
    let found = try view.queries.articles(last, matching: query)
    let positions = try db.rows(
      """
      SELECT sortDate, articleID FROM articleStatus
      WHERE articleID IN (SELECT value FROM json_each(?))
      """, [jsonList(found)]
    ).map { TimelinePosition(date: $0[0], id: $0[1]) }
    return try view.timeline.rows(at: positions)
  }

  /// Articles that the newest rule would hide on arrival.
  package func hiddenByNewestRule(_ ids: [ArticleID]) throws -> [ArticleID] {
    guard let rule = try all().max(by: { $0.id.rawValue < $1.id.rawValue }),
      let condition = rule.condition
    else { return [] }
    switch rule.action {
    case .hide, .keepOnly:
      return try view.queries.articles(ids.map(\.rawValue), matching: condition).map {
        ArticleID($0)
      }
    case .read, .star, .tag, .replaceTitle, .replaceAddress, .score: return []
    }
  }
}

/// A rule as it is stored, to be made again.
struct StoredRule: Codable, FetchableRecord, PersistableRecord, Sendable {
  static let databaseTableName = "rule"

  let id: Int64
  let query: String
  let action: String
  let tag: String?
  let createdAt: Int64
  let until: Int64?

  /// As a list names it: `hide title:rust`.
  var text: String { [action, tag, query].compactMap(\.self).joined(separator: " ") }
}

extension RulesEdit {
  func stored(_ ids: [RuleID]) throws -> [StoredRule] {
    try ids.compactMap { try StoredRule.fetchOne(db, key: $0.rawValue) }
  }

  /// Makes a rule again that was ended. Returns whether it was not there.
  func insert(_ rule: StoredRule) throws -> Bool {
    try rule.insert(db, onConflict: .ignore)
    return db.changesCount > 0
  }

  package func add(
    _ query: ArticleQuery, _ action: RuleAction, until: Date?, now: Date
  ) throws -> RuleID {
    try db.run(
      "INSERT INTO rule (query, action, tag, createdAt, until) VALUES (?, ?, ?, ?, ?)",
      [query.text, action.name, action.argument, seconds(now), seconds(until)])
    return RuleID(db.lastInsertedRowID)
  }

  /// Ends a rule, and returns whether there was one. Hidden articles come when their feed lists
  /// them again.
  package func remove(_ rule: RuleID) throws -> Bool {
    // An answer that nothing has changed would not list them.
    try db.run(
      """
      UPDATE feedState SET etag = NULL, lastModified = NULL, bodyDigest = NULL
        WHERE feedID IN (SELECT feedID FROM tombstone WHERE rule = ?1)
      """, [rule])
    try db.run("DELETE FROM tombstone WHERE rule = ?", [rule])
    try db.run("DELETE FROM rule WHERE id = ?", [rule])
    return db.changesCount > 0
  }
}
