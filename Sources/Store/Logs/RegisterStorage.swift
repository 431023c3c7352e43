internal import GRDB
package import News

/// Result of merging records of other machines.
package struct LogMergeResult: Hashable, Sendable { package var marked = 0 }

extension LogsEdit {
  /// Merges records of logs, and marks their articles. Records of unknown articles are kept until
  /// these arrive.
  package func merge(_ records: [LogRecord], of account: AccountID) throws -> LogMergeResult {
    var result = LogMergeResult()
    let feeds = try view.logs.feedsByAddress(of: account)
    let marking = ServerMarks(edit: edit, account: account)
    for record in records where try keep(record, of: account) {
      guard !record.register.article.isEmpty, let feed = feeds[record.register.feed],
        let article = try view.articles.number(
          of: PreparedPage.key(ofEntry: record.register.article), in: FeedID(feed))
      else { continue }
      result.marked += try apply(record, to: article, of: account, marking)
    }
    return result
  }

  /// Returns whether the record is the current one now.
  func keep(_ record: LogRecord, of account: AccountID) throws -> Bool {
    let register = record.register
    if let known = try view.logs.record(of: register, of: account), !record.wins(over: known) {
      return false
    }
    try db.run(
      """
      INSERT OR REPLACE INTO register (
        account, feed, article, kind, detail, value, stamp, machine)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        account, register.feed, register.article, register.kind, register.detail, record.value,
        record.stamp, record.machine,
      ])
    return true
  }

  private func waits(tag name: String, on article: Int64, of account: AccountID) throws -> Bool {
    try db.exists(
      "SELECT 1 FROM outbox WHERE articleID = ? AND kind = ? AND account = ? AND text = ?",
      [article, OutboxKind.tag.rawValue, account, name])
  }

  /// Marks in the outbox stay as they are.
  fileprivate func apply(
    _ record: LogRecord, to article: Int64, of account: AccountID, _ marking: ServerMarks
  ) throws -> Int {
    let isSet = record.value == "1"
    switch record.register.kind {
    case LogRegister.read: return try marking.settle(article, isRead: isSet, isStarred: nil)
    case LogRegister.star: return try marking.settle(article, isRead: nil, isStarred: isSet)
    case LogRegister.tag:
      guard try !waits(tag: record.register.detail, on: article, of: account) else { return 0 }
      let tag = try edit.tags.save(record.register.detail, of: account)
      return try edit.tags.put(tag, isSet, on: [ArticleID(article)])
    default: return 0
    }
  }

  package func setPosition(_ position: LogPosition, of account: AccountID) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO logPosition (account, path, size, digest, fingerprint)
      VALUES (?, ?, ?, ?, ?)
      """, [account, position.path, position.size, position.digest, position.fingerprint])
  }

  package func removePositions(_ paths: [String], of account: AccountID) throws {
    for path in paths {
      try db.run("DELETE FROM logPosition WHERE account = ? AND path = ?", [account, path])
    }
  }
}

extension LogsView {
  /// The record that counts of a register; nil where no machine has written it.
  package func record(of register: LogRegister, of account: AccountID) throws -> LogRecord? {
    try db.row(
      """
      SELECT value, stamp, machine FROM register
      WHERE account = ? AND feed = ? AND article = ? AND kind = ? AND detail = ?
      """, [account, register.feed, register.article, register.kind, register.detail]
    ).map { LogRecord(register, $0["value"], stamp: $0["stamp"], machine: $0["machine"]) }
  }

  /// The current records of an account.
  ///
  /// - Parameter machine: the writer; nil for all.
  package func records(of account: AccountID, by machine: String? = nil) throws -> [LogRecord] {
    try db.rows(
      """
      SELECT kind, feed, article, detail, value, stamp, machine FROM register
      WHERE account = ?1 AND (?2 IS NULL OR machine = ?2)
      ORDER BY stamp, feed, article, kind, detail
      """, [account, machine]
    ).map { row in
      LogRecord(
        LogRegister(row["kind"], feed: row["feed"], article: row["article"], detail: row["detail"]),
        row["value"], stamp: row["stamp"], machine: row["machine"])
    }
  }

  /// The feeds of an account by the addresses that their registers have.
  func feedsByAddress(of account: AccountID) throws -> [String: Int64] {
    try db.cursor("SELECT id, url, remoteID FROM feed WHERE account = ? ORDER BY id", [account])
      .reduce(into: [:]) { $0[$1[2] ?? $1[1]] = $1[0] }
  }

  package func positions(of account: AccountID) throws -> [LogPosition] {
    try db.rows(
      "SELECT path, size, digest, fingerprint FROM logPosition WHERE account = ? ORDER BY path",
      [account]
    ).map {
      LogPosition(
        path: $0["path"], size: $0["size"], digest: $0["digest"], fingerprint: $0["fingerprint"])
    }
  }
}

/// Marks of other machines for articles that arrive later.
struct ArrivingMarks {
  private let edit: StoreEdit
  private let account: AccountID
  private let feed: String

  /// Nil where the account of the feed keeps no logs.
  init?(_ edit: StoreEdit, of feed: FeedID) throws {
    let row = try edit.db.row(
      """
      SELECT feed.account, coalesce(feed.remoteID, feed.url) FROM feed
        JOIN account ON account.id = feed.account
      WHERE feed.id = ? AND \(AccountCondition.keepsLogs)
      """, [feed])
    guard let row else { return nil }
    self.edit = edit
    account = AccountID(row[0])
    self.feed = row[1]
  }

  /// Nil where no machine has marked it.
  func isRead(_ entry: String) throws -> Bool? {
    try edit.view.logs.record(
      of: LogRegister(LogRegister.read, feed: feed, article: entry), of: account
    ).map { $0.value == "1" }
  }

  /// Marks an article that has come in, as its registers say.
  func apply(to article: Int64, _ entry: String) throws {
    let rows = try edit.db.rows(
      """
      SELECT kind, detail, value FROM register WHERE account = ? AND feed = ? AND article = ?
      """, [account, feed, entry])
    let marking = ServerMarks(edit: edit, account: account)
    for row in rows {
      let record = LogRecord(
        LogRegister(row[0], feed: feed, article: entry, detail: row[1]), row[2], stamp: 0,
        machine: "")
      _ = try edit.logs.apply(record, to: article, of: account, marking)
    }
  }
}
