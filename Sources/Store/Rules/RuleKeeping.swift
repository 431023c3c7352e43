internal import Foundation
internal import GRDB
internal import News

/// The articles that a transaction has brought and that the rules are to be asked about, at its end: then the search
/// index knows their words.
///
/// Belongs to one transaction, and so to one thread at a time.
final class Newcomers {
  var ids: [Int64] = []
  var now = Date.distantPast
}

extension StoreEdit {
  /// Notes new articles for the rules.
  func noteNew(_ positions: [TimelinePosition], now: Date) {
    newcomers.ids += positions.map(\.id)
    newcomers.now = now
  }

  /// Does what the rules say of the articles that have come, rule after rule.
  func keepRules() throws {
    guard !newcomers.ids.isEmpty else { return }
    var ids = newcomers.ids
    newcomers.ids = []
    let now = newcomers.now
    for rule in try view.rules() where rule.until.map({ $0 > now }) ?? true {
      // A rule that cannot be asked keeps no article away.
      guard let query = rule.query, let found = try? view.articles(ids, matching: query),
        !found.isEmpty
      else { continue }
      let articles = found.map { ArticleID($0) }
      switch rule.action {
      case .read: try setRead(articles, true, now: now)
      case .star: try setStarred(articles, true, now: now)
      case .tag(let name): _ = try setTag(named: name, true, on: articles, now: now)
      case .hide:
        let hidden = try hide(articles, by: rule.id, now: now)
        ids.removeAll(where: hidden.contains)
      }
    }
    try indexing.write(to: db)
  }

  /// Removes articles so that they do not come again. Those that a server lists by their ids would be missed at each
  /// sync: they are marked as read.
  ///
  /// - Returns: the articles that are gone.
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
      try bury.execute(arguments: [seconds(now), rule.rawValue, article.rawValue])
      guard db.changesCount > 0 else {
        try setRead([article], true, now: now)
        continue
      }
      try indexing.remove(article.rawValue, in: db)
      try delete.execute(arguments: [article.rawValue])
      gone.insert(article.rawValue)
    }
    return gone
  }
}
