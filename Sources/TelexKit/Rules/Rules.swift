internal import Foundation
package import News
internal import Repository
internal import Store

package struct Rules: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// In the order in which they are kept.
  package func all() throws -> [ArticleRule] {
    try composition.store.viewNow { try $0.rules.all() }
  }

  /// Adds a rule for articles to come.
  ///
  /// - Parameter seconds: its lifetime; nil for ever.
  package func add(
    _ query: ArticleQuery, _ action: RuleAction, for seconds: Int64? = nil
  ) async throws -> RuleID {
    let now = Date.now
    let until = seconds.map { now.addingTimeInterval(TimeInterval($0)) }
    return try await composition.store.edit {
      try $0.actions.makeRule(query, action, until: until, now: now)
    }
  }

  /// Ends rules; none where one of them does not exist. Hidden articles come again with the next
  /// refresh where their feeds still list them.
  package func remove(_ ids: [RuleID]) async throws {
    let known = Set(try all().map(\.id))
    for id in ids where !known.contains(id) { throw Self.missing("\(id.rawValue)") }
    let now = Date.now
    try await composition.store.edit { try $0.actions.endRules(ids, now: now) }
  }

  package func rule(_ number: Int64) throws -> ArticleRule {
    guard let rule = try all().first(where: { $0.id.rawValue == number }) else {
      throw Self.missing("\(number)")
    }
    return rule
  }

  /// Those of some articles that the newest rule would hide if they came now; none where it hides nothing.
  package func hiddenByNewest(_ ids: [ArticleID]) async throws -> [ArticleID] {
    try await composition.store.view { try $0.rules.hiddenByNewestRule(ids) }
  }

  /// What a rule would have done to one of the last articles.
  package struct Trial: Sendable {
    package let row: ArticleRow
    /// What the rule would rewrite, and what it would be instead; nil where it rewrites nothing.
    package let rewritten: (before: String, after: String)?
    /// What its score would be instead of that which it has; nil where the rule changes none.
    package var score: Int?
  }

  /// Effects of a rule on the last articles, newest first, without those that it would not change.
  ///
  /// - Parameter count: of the articles to look at.
  package func trials(
    of action: RuleAction?, _ query: ArticleQuery, amongLast count: Int
  ) throws -> [Trial] {
    let rows = try matches(of: try action?.condition(query) ?? query, amongLast: count)
    switch action {
    case .replaceTitle(let replacement):
      return rows.compactMap { row in
        replacement.title(insteadOf: row.title).map {
          Trial(row: row, rewritten: (row.title, $0))
        }
      }
    case .replaceAddress(let replacement):
      let addresses = try composition.store.viewNow { try $0.rules.addresses(of: rows.map(\.id)) }
      return rows.compactMap { row in
        guard let before = addresses[row.id] else { return nil }
        return replacement.address(insteadOf: before).map {
          Trial(row: row, rewritten: (before, $0))
        }
      }
    case .score(let amount):
      return rows.map { row in
        Trial(row: row, rewritten: nil, score: ArticleScore.raised(row.score, by: amount))
      }
    case .read, .star, .tag, .hide, .keepOnly, nil:
      return rows.map { Trial(row: $0, rewritten: nil) }
    }
  }

  /// Those of the last articles that a query is true of, the newest first.
  package func matches(of query: ArticleQuery, amongLast count: Int) throws -> [ArticleRow] {
    try composition.store.viewNow { try $0.rules.lastArrived(count, matching: query) }
  }

  private static func missing(_ name: String) -> SourceError {
    SourceError.argument(name, "there is no such rule", next: "telex rules lists the rules")
  }
}
