internal import Foundation
internal import GRDB
internal import News

/// Articles of a transaction for the rules at its end, when the search index has them. Confined to
/// one transaction.
final class Newcomers {
  var ids: [Int64] = []
  /// Known articles that their feeds have changed: rewriting rules apply again.
  var changed: [Int64] = []
  /// Former wording of changed articles, where it is kept.
  var replaced: [Int64: ArticleWording] = [:]
  /// Those that may tell a story of other feeds.
  var tellings: [StoryJoining.Newcomer] = []
  var now = Date.distantPast
}

extension RulesEdit {
  func noteNew(_ positions: [TimelinePosition], now: Date) {
    edit.newcomers.ids += positions.map(\.id)
    edit.newcomers.now = now
  }

  func noteChanged(_ id: Int64, now: Date) {
    edit.newcomers.changed.append(id)
    edit.newcomers.now = now
  }

  /// Does what the rules say of the articles that have come, rule after rule.
  func apply() throws {
    guard !edit.newcomers.ids.isEmpty || !edit.newcomers.changed.isEmpty else { return }
    var ids = edit.newcomers.ids
    let changed = edit.newcomers.changed
    (edit.newcomers.ids, edit.newcomers.changed) = ([], [])
    let now = edit.newcomers.now
    for rule in try view.rules.all() where rule.until.map({ $0 > now }) ?? true {
      // A rule that cannot be asked keeps no article away.
      let asked = rule.action.isRewriting ? ids + changed : ids
      guard let query = rule.condition,
        let found = try? view.queries.articles(asked, matching: query), !found.isEmpty
      else { continue }
      let articles = found.map { ArticleID($0) }
      switch rule.action {
      case .read: try edit.marks.set(.read(true), of: articles, now: now)
      case .star: try edit.marks.set(.starred(true), of: articles, now: now)
      case .tag(let name): _ = try edit.tags.set(named: name, true, on: articles, now: now)
      case .replaceTitle, .replaceAddress: try rewrite(found, rule.action)
      case .score(let amount): try raise(found, by: amount)
      case .hide, .keepOnly:
        let hidden = try hide(articles, by: rule.id, now: now)
        ids.removeAll(where: hidden.contains)
      }
    }
    try edit.indexing.write(to: db)
  }

  /// Rewrites titles or addresses. Traits for recognition stay, so that a refresh finds the
  /// articles unchanged.
  private func rewrite(_ articles: [Int64], _ action: RuleAction) throws {
    let read = try db.cachedStatement(sql: "SELECT title, url FROM article WHERE id = ?")
    for id in articles {
      guard let row = try Row.fetchOne(read, arguments: [id]) else { continue }
      switch action {
      case .replaceTitle(let replacement):
        guard let title = replacement.title(insteadOf: row[0]) else { continue }
        try edit.indexing.remove(id, in: db)
        try db.run("UPDATE article SET title = ? WHERE id = ?", [title, id])
        try edit.indexing.add(id, in: db)
        // The next rule may ask for words of it.
        try edit.indexing.write(to: db)
      case .replaceAddress(let replacement):
        guard let url = replacement.address(insteadOf: row[1]) else { continue }
        try db.run("UPDATE article SET url = ? WHERE id = ?", [url, id])
      case .read, .star, .tag, .hide, .keepOnly, .score: return
      }
    }
  }

  private func raise(_ articles: [Int64], by amount: Int) throws {
    let bounds = ArticleScore.bounds
    let statement = try db.cachedStatement(
      sql: """
        UPDATE articleStatus
          SET score = max(\(bounds.lowerBound), min(\(bounds.upperBound), score + ?))
        WHERE articleID = ?
        """)
    for id in articles { try statement.execute(arguments: [amount, id]) }
  }

  /// Removes articles so that they do not come again, and returns those that are gone. Articles
  /// that a server lists by id would be missed at each sync: they are marked as read.
  private func hide(_ articles: [ArticleID], by rule: RuleID, now: Date) throws -> Set<Int64> {
    let bury = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO tombstone (feedID, entryKey, listedAt, rule)
        SELECT feedID, entryKey, ?, ? FROM article JOIN feed ON feed.id = article.feedID
        WHERE article.id = ? AND feed.account = \(AccountID.local.rawValue)
        """)
    let delete = try db.cachedStatement(sql: "DELETE FROM article WHERE id = ?")
    var gone: Set<Int64> = []
    for article in articles {
      try bury.execute(arguments: [seconds(now), rule, article])
      guard db.changesCount > 0 else {
        try edit.marks.set(.read(true), of: [article], now: now)
        continue
      }
      try edit.indexing.remove(article.rawValue, in: db)
      try delete.execute(arguments: [article])
      gone.insert(article.rawValue)
    }
    return gone
  }
}

extension RuleAction {
  fileprivate var isRewriting: Bool {
    switch self {
    case .replaceTitle, .replaceAddress: true
    case .read, .star, .tag, .hide, .keepOnly, .score: false
    }
  }
}
