package import Foundation
internal import GRDB
package import News

extension OutboxEdit {
  /// Queues an article for the read-later service of its server, once. Returns false where the
  /// server has none.
  package func saveForLater(_ article: ArticleID, now: Date) throws -> Bool {
    let canSave = "\(AccountCondition.savesForLater) AND article.entryID <> ''"
    guard let account = try account(of: article, where: canSave) else { return false }
    try db.run(
      """
      INSERT INTO outbox (key, kind, value, articleID, account, createdAt)
      SELECT ?1, ?2, 1, ?3, ?4, ?5 WHERE NOT EXISTS (
        SELECT 1 FROM outbox WHERE kind = ?2 AND articleID = ?3 AND account = ?4)
      """, [UUID().uuidString, OutboxKind.later.rawValue, article, account, seconds(now)])
    return true
  }

  /// Drops articles that wait for the read-later service.
  func dropForLater(_ articles: [ArticleID]) throws {
    try remove(
      view.outbox.items(
        where: """
          kind = '\(OutboxKind.later.rawValue)' AND articleID IN (SELECT value FROM json_each(?))
          """, [jsonList(articles.map(\.rawValue))], limit: .max))
  }

  /// Articles that wait for the read-later service, with their ids at the server; they count as
  /// tried. Unknown ones are dropped.
  package func beginSavingForLater(
    of account: AccountID
  ) throws -> [(item: OutboxItem, id: String)] {
    let waiting = try view.outbox.items(
      where: "account = ? AND kind = '\(OutboxKind.later.rawValue)'", [account.rawValue],
      limit: 1_000)
    let find = try db.cachedStatement(
      sql: """
        SELECT entryID FROM article JOIN feed ON feed.id = article.feedID
        WHERE article.id = ? AND feed.account = ? AND entryID <> '' AND \(MovedEntry.isNone("entryID"))
        """)
    var found: [(OutboxItem, String)] = []
    for item in waiting {
      guard case .later(let article) = item.change else { continue }
      let id = try String.fetchOne(find, arguments: [article, account])
      if let id { found.append((item, id)) } else { try remove([item]) }
    }
    try db.run(
      """
      UPDATE outbox SET state = \(OutboxItemState.tried.rawValue)
      WHERE account = ? AND kind = '\(OutboxKind.later.rawValue)'
      """, [account])
    return found
  }
}
