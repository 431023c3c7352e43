internal import Foundation
internal import GRDB
package import News

/// Records that are being appended to the log of this machine, with their rows in the outbox.
/// Stored before the file is written: after a kill the same bytes are completed, and none is
/// written twice.
package struct LogWrite: Hashable, Sendable {
  package let log: OwnLog
  package let records: [LogRecord]
  fileprivate let rows: [Int64]

  fileprivate struct Pending: Codable {
    var records: [LogRecord]
    var rows: [Int64]
  }
}

extension LogsEdit {
  /// Takes changes of the outbox for the log of this machine, oldest first, and first an
  /// interrupted write. Returns nil where nothing waits.
  ///
  /// - Parameter machine: the id of this machine where it has none yet.
  package func beginWrite(
    of account: AccountID, limit: Int, newMachine machine: String
  ) throws -> LogWrite? {
    let log = try ownLog(of: account, newMachine: machine)
    if let pending = try view.logs.pending(of: account) {
      return LogWrite(log: log, records: pending.records, rows: pending.rows)
    }
    while true {
      let items = try view.outbox.items(of: account, after: 0, limit: limit)
        .filter { $0.change.text == nil }
      guard !items.isEmpty else { return nil }
      var records: [LogRecord] = []
      for item in items { records += try keepRecords(of: item, by: log.machine, in: account) }
      guard !records.isEmpty else {
        // Their articles are gone.
        try edit.outbox.remove(items)
        continue
      }
      for item in items { try edit.subscriptions.beginSending(item) }
      let pending = LogWrite.Pending(records: records, rows: items.map(\.id))
      try db.run(
        "UPDATE ownLog SET pending = ? WHERE account = ?", [StoredJSON.encode(pending), account])
      return LogWrite(log: log, records: records, rows: pending.rows)
    }
  }

  /// Notes that records are in the log, unless another process has noted it meanwhile.
  ///
  /// - Parameter written: the log with them.
  package func finishWrite(_ write: LogWrite, _ written: OwnLog, of account: AccountID) throws {
    guard try view.logs.ownLog(of: account) == write.log,
      try view.logs.pending(of: account)?.rows == write.rows
    else { return }
    try keep(written, of: account)
    for row in write.rows { try edit.outbox.remove(row) }
  }

  /// Notes that the log was rewritten with all records of this machine. Returns false where it has
  /// changed meanwhile, so that the new file does not count.
  package func finishRewriting(
    _ rewriting: LogRewriting, _ written: OwnLog, of account: AccountID
  ) throws -> Bool {
    guard try view.logs.ownLog(of: account) == rewriting.log,
      try view.logs.pending(of: account)?.rows == rewriting.rows
    else { return false }
    try keep(written, of: account)
    for row in rewriting.rows ?? [] { try edit.outbox.remove(row) }
    return true
  }

  /// Gives this machine a new id, and its records with it, because the store was copied and another
  /// machine writes under the old one.
  package func renewMachine(_ machine: String, insteadOf log: OwnLog, of account: AccountID) throws
  {
    guard try view.logs.ownLog(of: account) == log else { return }
    try db.run(
      "UPDATE register SET machine = ? WHERE account = ? AND machine = ?",
      [machine, account, log.machine])
    try db.run(
      """
      UPDATE ownLog SET machine = ?, file = 0, size = 0, digest = 0, base = 0, fingerprint = 0
      WHERE account = ?
      """, [machine, account])
  }

  package func recordFailure(_ error: SourceError, of account: AccountID) throws {
    if let first = try view.outbox.items(of: account, after: 0, limit: 1).first {
      try edit.outbox.recordFailure(first, error)
    }
    try edit.outbox.recordError(error, of: account)
  }

  // MARK: - Records

  /// Makes records of a change, each stamped with its time and later than the record it replaces.
  private func keepRecords(
    of item: OutboxItem, by machine: String, in account: AccountID
  ) throws -> [LogRecord] {
    let time = Int64(item.created.timeIntervalSince1970) * 1_000_000
    return try values(of: item).map { register, value in
      let former = try view.logs.record(of: register, of: account)
      let record = LogRecord(
        register, value, stamp: LogClock.stamp(at: time, after: former?.stamp), machine: machine)
      _ = try keep(record, of: account)
      return record
    }
  }

  private func values(of item: OutboxItem) throws -> [(LogRegister, String)] {
    if case .tag(let article, let name, let isSet) = item.change {
      let row = try db.row(
        """
        SELECT coalesce(feed.remoteID, feed.url), article.entryID FROM article
          JOIN feed ON feed.id = article.feedID WHERE article.id = ? AND article.entryID <> ''
        """, [article])
      guard let row else { return [] }
      let register = LogRegister(LogRegister.tag, feed: row[0], article: row[1], detail: name)
      return [(register, isSet ? "1" : "0")]
    }
    guard case .subscription(let feed, let change) = item.change else {
      let address = try db.cachedStatement(
        sql: """
          SELECT coalesce(feed.remoteID, feed.url) FROM article
            JOIN feed ON feed.id = article.feedID WHERE article.id = ?
          """)
      return try view.outbox.outboxMarks(of: item).compactMap { mark in
        guard let feed = try String.fetchOne(address, arguments: [mark.article]) else { return nil }
        let kind = mark.sent.mark.kind == .read ? LogRegister.read : LogRegister.star
        return (
          LogRegister(kind, feed: feed, article: mark.sent.entry.id),
          mark.sent.mark.isSet ? "1" : "0"
        )
      }
    }
    let address = change.id ?? change.url
    switch change.kind {
    case .add:
      let isTyped = try feed.map { try view.feeds.feed($0)?.isUserEntered ?? false } ?? false
      if let feed { try setAddress(address, of: feed) }
      return [
        (LogRegister(LogRegister.feed, feed: address), "1"),
        (LogRegister(LogRegister.typed, feed: address), isTyped ? "1" : "0"),
      ]
    case .remove: return [(LogRegister(LogRegister.feed, feed: address), "0")]
    case .rename(let title): return [(LogRegister(LogRegister.title, feed: address), title)]
    case .file(let folders):
      return [(LogRegister(LogRegister.folders, feed: address), folders.joined(separator: "\n"))]
    }
  }

  /// Keeps the address of a feed in the logs, which redirects do not change.
  func setAddress(_ address: String, of feed: FeedID) throws {
    try db.run("UPDATE feed SET remoteID = ? WHERE id = ?", [address, feed])
  }

  // MARK: - The log

  private func ownLog(of account: AccountID, newMachine machine: String) throws -> OwnLog {
    if let log = try view.logs.ownLog(of: account) { return log }
    let log = OwnLog(machine: machine)
    try db.run(
      """
      INSERT INTO ownLog (account, machine, file, size, digest, base, fingerprint)
      VALUES (?, ?, 0, 0, 0, 0, 0)
      """, [account, machine])
    return log
  }

  private func keep(_ log: OwnLog, of account: AccountID) throws {
    try db.run(
      """
      UPDATE ownLog SET file = ?, size = ?, digest = ?, base = ?, fingerprint = ?, pending = NULL
      WHERE account = ?
      """, [log.file, log.size, log.digest, log.base, log.fingerprint, account])
    try setPosition(log.position, of: account)
  }

}

/// The records of this machine, to be written into a new file of its log.
package struct LogRewriting: Sendable {
  package let log: OwnLog
  package let records: [LogRecord]
  fileprivate let rows: [Int64]?
}

extension LogsView {
  /// The records of this machine that count; nil where it has no log.
  package func rewriting(of account: AccountID) throws -> LogRewriting? {
    guard let log = try ownLog(of: account) else { return nil }
    return LogRewriting(
      log: log, records: try records(of: account, by: log.machine),
      rows: try pending(of: account)?.rows)
  }

  /// The log of this machine as it was written last; nil where it has written none.
  package func ownLog(of account: AccountID) throws -> OwnLog? {
    try db.row("SELECT * FROM ownLog WHERE account = ?", [account]).map { row in
      OwnLog(
        machine: row["machine"], file: row["file"], size: row["size"], digest: row["digest"],
        base: row["base"], fingerprint: row["fingerprint"])
    }
  }

  fileprivate func pending(of account: AccountID) throws -> LogWrite.Pending? {
    try String.fetchOne(
      db, sql: "SELECT pending FROM ownLog WHERE account = ? AND pending IS NOT NULL",
      arguments: [account]
    ).flatMap { try? JSONDecoder().decode(LogWrite.Pending.self, from: Data($0.utf8)) }
  }

  package func hasWrite(of account: AccountID) throws -> Bool {
    try db.value(
      """
      SELECT EXISTS (SELECT 1 FROM outbox WHERE account = ?1)
        OR EXISTS (SELECT 1 FROM ownLog WHERE account = ?1 AND pending IS NOT NULL)
      """, [account]) ?? false
  }
}
