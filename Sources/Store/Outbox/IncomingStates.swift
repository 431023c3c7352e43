internal import GRDB
package import News

extension StoreEdit {
  /// Applies the states that a server gives to the articles of an account. A mark that waits in the
  /// outbox is not overwritten: the server does not know it yet. Nothing is queued for what is applied,
  /// and no article of another feed is marked with it.
  ///
  /// - Returns: how many marks have changed.
  @discardableResult
  package func apply(_ states: [EntryState], of account: AccountID) throws -> Int {
    let waiting = try WaitingMarks(db, of: account)
    let find = try db.cachedStatement(
      sql: """
        SELECT articleStatus.articleID, articleStatus.batch FROM feed
          JOIN article ON article.feedID = feed.id
          JOIN articleStatus ON articleStatus.articleID = article.id
        WHERE feed.url = ? AND feed.account = ? AND article.entryKey = ?
        """)
    let setRead = try db.cachedStatement(
      sql: """
        UPDATE articleStatus SET isRead = ?2, batch = NULL WHERE articleID = ?1 AND isRead <> ?2
        """)
    let setStarred = try db.cachedStatement(
      sql: "UPDATE articleStatus SET isStarred = ?2 WHERE articleID = ?1 AND isStarred <> ?2")
    var count = 0
    for state in states {
      let row = try Row.fetchOne(
        find,
        arguments: [
          state.entry.feedURL, account.rawValue, PreparedPage.key(ofEntry: state.entry.id),
        ])
      guard let row else { continue }
      let (article, batch) = (row[0] as Int64, row[1] as Int64?)
      if let isRead = state.isRead, !waiting.holdRead(of: article, in: batch) {
        try setRead.execute(arguments: [article, isRead])
        count += db.changesCount
      }
      if let isStarred = state.isStarred, !waiting.starred.contains(article) {
        try setStarred.execute(arguments: [article, isStarred])
        count += db.changesCount
      }
    }
    return count
  }

  /// Stores the cursor from which the states of an account continue.
  package func setStateCursor(_ cursor: News.Cursor?, of account: AccountID) throws {
    try db.execute(
      sql: "UPDATE account SET stateCursor = ? WHERE id = ?",
      arguments: [cursor?.rawValue, account.rawValue])
  }
}

extension StoreView {
  /// Where the states of articles from the server of an account continue; nil for all of them.
  package func stateCursor(of account: AccountID) throws -> News.Cursor? {
    try String.fetchOne(
      db, sql: "SELECT stateCursor FROM account WHERE id = ?", arguments: [account.rawValue]
    ).map(News.Cursor.init)
  }
}

/// The articles of an account whose marks wait to be sent.
struct WaitingMarks {
  private var read: Set<Int64> = []
  private(set) var starred: Set<Int64> = []
  private var batches: Set<Int64> = []

  init(_ db: Database, of account: AccountID) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT kind, articleID, batch FROM outbox WHERE account = ?",
      arguments: [account.rawValue])
    while let row = try rows.next() {
      switch (row[0] as String, row[1] as Int64?, row[2] as Int64?) {
      case ("read", let article?, _): read.insert(article)
      case ("starred", let article?, _): starred.insert(article)
      case ("readBatch", _, let batch?): batches.insert(batch)
      default: break
      }
    }
  }

  /// Articles that were read with others of a batch in another feed have its number below zero.
  func holdRead(of article: Int64, in batch: Int64?) -> Bool {
    read.contains(article) || batch.map { batches.contains(abs($0)) } == true
  }
}
