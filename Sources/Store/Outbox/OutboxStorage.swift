package import Foundation
internal import GRDB
package import News
internal import Text

/// Change in the outbox: it waits to be sent to the server of its account.
package struct OutboxItem: Hashable, Sendable {
  /// What is sent.
  package enum Change: Hashable, Sendable {
    case read(ArticleID, Bool)
    case starred(ArticleID, Bool)
    /// All that one "mark all read" marked, and whether it was marked or taken back.
    case readBatch(Int64, Bool)
    case comment(ArticleID, String)

    /// Whether it is sent as marks, not as a comment.
    package var isMark: Bool { if case .comment = self { false } else { true } }
  }

  package let id: Int64
  /// The account whose server it is for; nil where its article was removed.
  package let account: AccountID?
  /// The idempotency key: the same for every attempt, so that the server recognises a repetition.
  package let key: String
  package let change: Change
  package var created: Date
  /// The number of failed attempts.
  package var attempts: Int
  /// Why the last attempt failed.
  package var error: SourceError?
}

extension StoreView {
  /// The changes in the order in which they were made.
  package func outbox(limit: Int = 1_000) throws -> [OutboxItem] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, key, kind, value, articleID, batch, createdAt, attempts, text, error, account
        FROM outbox ORDER BY id LIMIT ?
        """,
      arguments: [limit]
    ).compactMap { row in
      let value: Bool = row[3]
      let change: OutboxItem.Change
      switch (row[2] as String, row[4] as Int64?, row[5] as Int64?) {
      case ("read", let article?, _): change = .read(ArticleID(article), value)
      case ("starred", let article?, _): change = .starred(ArticleID(article), value)
      case ("readBatch", _, let batch?): change = .readBatch(batch, value)
      case ("comment", let article?, _): change = .comment(ArticleID(article), row[8] ?? "")
      default: return nil
      }
      return OutboxItem(
        id: row[0], account: (row[10] as Int64?).map { AccountID($0) }, key: row[1],
        change: change,
        created: Date(timeIntervalSince1970: Double(row[6] as Int64)), attempts: row[7],
        error: StoredError.decode(row[9]))
    }
  }
}

extension StoreEdit {
  /// Removes changes that have been delivered, or that the user has dropped.
  package func removeFromOutbox(_ items: [OutboxItem]) throws {
    let statement = try db.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?")
    for item in items { try statement.execute(arguments: [item.id]) }
  }

  /// Removes the batches of marks that no article of an account belongs to any more.
  func removeEmptyBatchesFromOutbox(of account: AccountID) throws {
    // No index leads to the articles of a batch: they are read once for all batches.
    try db.execute(
      sql: """
        DELETE FROM outbox WHERE kind = 'readBatch' AND account = ?1 AND batch NOT IN (
          SELECT DISTINCT abs(articleStatus.batch) FROM articleStatus
            JOIN feed ON feed.id = articleStatus.feedID
          WHERE articleStatus.batch IS NOT NULL AND feed.account = ?1)
        """, arguments: [account.rawValue])
  }

  /// Keeps a comment for its server, with the key of all its attempts.
  package func queueComment(_ text: String, on article: ArticleID, now: Date) throws {
    try db.execute(
      sql: """
        INSERT INTO outbox (key, kind, value, articleID, createdAt, text, account)
        VALUES (?1, 'comment', 1, ?2, ?3, ?4, (
          SELECT feed.account FROM article JOIN feed ON feed.id = article.feedID
          WHERE article.id = ?2))
        """,
      arguments: [UUID().uuidString.lowercased(), article.rawValue, seconds(now), text])
  }

  /// It could not be sent; it stays.
  package func recordDeliveryFailure(_ item: OutboxItem, _ error: SourceError) throws {
    try db.execute(
      sql: "UPDATE outbox SET attempts = attempts + 1, error = ? WHERE id = ?",
      arguments: [StoredError.encode(error), item.id])
  }

  /// Puts a mark into the outbox where the account of the article's feed takes marks, in the
  /// transaction that makes it. A later change of the same mark takes the place of one that has not
  /// been sent.
  func queue(_ kind: String, _ value: Bool, article: ArticleID, now: Date) throws {
    let account = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT account.id FROM article JOIN feed ON feed.id = article.feedID
            JOIN account ON account.id = feed.account
          WHERE article.id = ? AND \(AccountCondition.takesMarks)
          """), arguments: [article.rawValue])
    guard let account else { return }
    try queue(kind, value, article: article.rawValue, batch: nil, of: account, now: now)
  }

  /// Puts a batch of marks into the outbox, or its undoing, once for each account of its feeds that
  /// takes marks. Its articles have the batch's number, and those that are read with them in other
  /// feeds the negative.
  func queue(_ batch: Int64, _ value: Bool, now: Date) throws {
    let takers = try Int64.fetchAll(
      db.cachedStatement(
        sql: "SELECT id FROM account WHERE \(AccountCondition.takesMarks) ORDER BY id"))
    // No index leads to the articles of a batch.
    guard !takers.isEmpty else { return }
    let accounts = try Int64.fetchSet(
      db,
      sql: """
        SELECT account FROM feed WHERE id IN (
          SELECT feedID FROM articleStatus WHERE batch IN (?1, -?1))
        """, arguments: [batch])
    for account in takers where accounts.contains(account) {
      try queue("readBatch", value, article: nil, batch: batch, of: account, now: now)
    }
  }

  private func queue(
    _ kind: String, _ value: Bool, article: Int64?, batch: Int64?, of account: Int64, now: Date
  ) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM outbox WHERE kind = ? AND articleID IS ? AND batch IS ? AND account = ?
          AND attempts = 0
        """
    ).execute(arguments: [kind, article, batch, account])
    try db.cachedStatement(
      sql: """
        INSERT INTO outbox (key, kind, value, articleID, batch, account, createdAt)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      UUID().uuidString, kind, value, article, batch, account, seconds(now),
    ])
  }
}

extension StoreView {
  /// The number of the newest change that was ever put into the outbox: a higher one later tells that
  /// something was, even if it has been sent since.
  package func lastOutboxNumber() throws -> Int64 {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")) ?? 0
  }

  /// The marks that a change comes to at its server, article by article; none for what is no mark. Those
  /// that have lost their ids with a damaged database are left out.
  package func marks(of item: OutboxItem) throws -> [EntryMark] {
    let kind: EntryMark.Kind
    let (isSet, condition, arguments): (Bool, String, StatementArguments)
    switch item.change {
    case .read(let article, let isRead):
      (kind, isSet, condition, arguments) = (.read, isRead, "article.id = ?", [article.rawValue])
    case .starred(let article, let isStarred):
      (kind, isSet, condition, arguments) = (
        .starred, isStarred, "article.id = ?", [article.rawValue]
      )
    case .readBatch(let batch, let isRead):
      (kind, isSet, condition) = (.read, isRead, "articleStatus.batch IN (?, ?)")
      arguments = [batch, -batch]
    case .comment: return []
    }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT feed.url, article.entryID FROM articleStatus
          JOIN article ON article.id = articleStatus.articleID
          JOIN feed ON feed.id = article.feedID
        WHERE \(condition) AND feed.account = ? AND article.entryID <> '' ORDER BY article.id
        """, arguments: arguments + [item.account?.rawValue]
    ).map { EntryMark(kind, isSet, of: EntryReference(feedURL: $0[0], id: $0[1])) }
  }
}
