package import Foundation
internal import GRDB
package import News
internal import Text

/// A change that waits for the server it belongs to.
package struct OutboxItem: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    case read(ArticleID, Bool)
    case starred(ArticleID, Bool)
    /// All that one "mark all read" marked, and whether it was marked or taken back.
    case readBatch(Int64, Bool)
    case comment(ArticleID, String)

    package var isMark: Bool { if case .comment = self { false } else { true } }
  }

  package let id: Int64
  /// Sent with every attempt, so that a server can tell a repetition.
  package let key: String
  package let change: Change
  package var created: Date
  /// How often it has been sent in vain.
  package var attempts: Int
  /// Why the last time.
  package var error: SourceError?
}

extension StoreView {
  /// In the order in which they were made.
  package func outbox(limit: Int = 1_000) throws -> [OutboxItem] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, key, kind, value, articleID, batch, createdAt, attempts, text, error
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
        id: row[0], key: row[1], change: change,
        created: Date(timeIntervalSince1970: Double(row[6] as Int64)), attempts: row[7],
        error: StoredError.decode(row[9]))
    }
  }
}

extension StoreEdit {
  /// Removes what has been delivered, or what the reader does not want to be.
  package func removeFromOutbox(_ items: [OutboxItem]) throws {
    let statement = try db.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?")
    for item in items { try statement.execute(arguments: [item.id]) }
  }

  /// Keeps a comment for its server, with the key of all its attempts.
  package func queueComment(_ text: String, on article: ArticleID, now: Date) throws {
    try db.execute(
      sql: """
        INSERT INTO outbox (key, kind, value, articleID, createdAt, text)
        VALUES (?, 'comment', 1, ?, ?, ?)
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
    let origins = try markTakers()
    guard !origins.isEmpty,
      let url = try String.fetchOne(
        db.cachedStatement(
          sql: "SELECT url FROM feed WHERE id = (SELECT feedID FROM article WHERE id = ?)"),
        arguments: [article.rawValue]),
      origins.contains(where: { WebAddress.isAt(url, origin: $0) })
    else { return }
    try queue(kind, value, article: article.rawValue, batch: nil, now: now)
  }

  /// Puts a batch of marks into the outbox, or its undoing, where the account of any of its feeds
  /// takes marks. Its articles have the batch's number, and those that are read with them in other
  /// feeds the negative.
  func queue(_ batch: Int64, _ value: Bool, now: Date) throws {
    let origins = try markTakers()
    guard !origins.isEmpty else { return }
    let urls = try String.fetchAll(
      db,
      sql: """
        SELECT url FROM feed WHERE id IN (SELECT feedID FROM articleStatus WHERE batch IN (?1, -?1))
        """, arguments: [batch])
    guard urls.contains(where: { url in origins.contains { WebAddress.isAt(url, origin: $0) } })
    else { return }
    try queue("readBatch", value, article: nil, batch: batch, now: now)
  }

  /// The origins of accounts that keep marks; none of those that Telex knows so far does.
  private func markTakers() throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT origin FROM account WHERE takesMarks = 1"))
  }

  private func queue(
    _ kind: String, _ value: Bool, article: Int64?, batch: Int64?, now: Date
  ) throws {
    try db.cachedStatement(
      sql: "DELETE FROM outbox WHERE kind = ? AND articleID IS ? AND batch IS ? AND attempts = 0"
    ).execute(arguments: [kind, article, batch])
    try db.cachedStatement(
      sql: """
        INSERT INTO outbox (key, kind, value, articleID, batch, createdAt)
        VALUES (?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [UUID().uuidString, kind, value, article, batch, seconds(now)])
  }
}
