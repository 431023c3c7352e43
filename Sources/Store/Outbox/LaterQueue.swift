package import Foundation
internal import GRDB
package import News

extension OutboxEdit {
  /// Puts an article into the outbox to be handed on by its account's server to a service for reading later. One
  /// that waits for that is there once.
  ///
  /// - Throws: `SourceError` where the server of the article's account does not do that: nothing is kept then.
  package func saveForLater(_ article: ArticleID, now: Date) throws {
    let canSave = "\(AccountCondition.savesForLater) AND article.entryID <> ''"
    guard let account = try account(of: article, where: canSave) else {
      throw SourceError(
        .address, stage: .arguments, subject: "article \(article.rawValue)",
        message: "its account saves nothing for later",
        next: "star it; Miniflux hands articles on to services that are set up there")
    }
    try db.run(
      """
      INSERT INTO outbox (key, kind, value, articleID, account, createdAt)
      SELECT ?1, ?2, 1, ?3, ?4, ?5 WHERE NOT EXISTS (
        SELECT 1 FROM outbox WHERE kind = ?2 AND articleID = ?3 AND account = ?4)
      """, [UUID().uuidString, OutboxKind.later.rawValue, article, account, seconds(now)])
  }

  /// The articles of an account that wait to be saved for later, with the ids that its server knows them by; they
  /// count as tried. What the server knows no more is dropped.
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
