package import Foundation
internal import GRDB
package import News

extension StoreView {
  /// All accounts as they stand with their servers, the local one first.
  package func accountStates() throws -> [AccountState] {
    try accounts().map { account in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT lastAttempt, lastSuccess, error,
            (SELECT count(*) FROM outbox
              WHERE account = ?1 AND state < \(OutboxState.sent.rawValue)),
            (SELECT coalesce(sum(total), 0) FROM feed
              JOIN feedCount ON feedCount.feedID = feed.id WHERE account = ?1),
            (SELECT coalesce(sum(unread), 0) FROM feed
              JOIN feedCount ON feedCount.feedID = feed.id WHERE account = ?1),
            (SELECT coalesce(sum(starred), 0) FROM feed
              JOIN feedCount ON feedCount.feedID = feed.id WHERE account = ?1),
            (SELECT count(*) FROM feed WHERE account = ?1), warning
          FROM account WHERE id = ?1
          """, arguments: [account.id.rawValue])
      guard let row else { return AccountState(account: account) }
      return AccountState(
        account: account, lastAttempt: date(row[0]), lastSuccess: date(row[1]),
        error: StoredError.decode(row[2]), waiting: row[3],
        missing: account.capabilities.contains(.items) ? try missingItemCount(of: account.id) : 0,
        counts: ArticleCounts(total: row[4], unread: row[5], starred: row[6]), feeds: row[7],
        warning: StoredText.line(row[8] as String?))
    }
  }
}

extension StoreEdit {
  /// Claims an account for a sync, so that two processes do not bring the same one in line.
  ///
  /// - Returns: whether it was free.
  package func claimSync(
    of account: AccountID, by claimant: String, until: Date, now: Date
  ) throws -> Bool {
    try db.execute(
      sql: """
        UPDATE account SET claimant = ?1, claimedUntil = ?2
        WHERE id = ?3 AND (
          claimant IS NULL OR claimant = ?1 OR claimedUntil NOT BETWEEN ?4 AND ?2
            OR NOT isHeldClaim(claimant))
        """,
      arguments: [claimant, seconds(until), account.rawValue, seconds(now)])
    return db.changesCount > 0
  }

  /// Extends a claim, where it is still the claimant's.
  package func renewSync(of account: AccountID, by claimant: String, until: Date) throws {
    try db.execute(
      sql: "UPDATE account SET claimedUntil = ? WHERE id = ? AND claimant = ?",
      arguments: [seconds(until), account.rawValue, claimant])
  }

  package func releaseAccounts(claimedBy claimant: String) throws {
    try db.execute(
      sql: "UPDATE account SET claimant = NULL, claimedUntil = NULL WHERE claimant = ?",
      arguments: [claimant])
  }

  /// Keeps how a sync of an account has ended, for the account and for each of its feeds.
  ///
  /// - Parameter error: nil where it worked.
  package func recordSync(of account: AccountID, error: SourceError?, now: Date) throws {
    try db.execute(
      sql: """
        UPDATE account SET lastAttempt = ?2, error = ?3,
          lastSuccess = CASE WHEN ?3 IS NULL THEN ?2 ELSE lastSuccess END WHERE id = ?1
        """, arguments: [account.rawValue, seconds(now), error.map(StoredError.encode)])
    guard let error else { return try recordUnchanged(feedsOf: account, now: now) }
    let feeds = try Int64.fetchAll(
      db, sql: "SELECT id FROM feed WHERE account = ?", arguments: [account.rawValue])
    for feed in feeds { try recordFailure(FeedID(feed), error, now: now) }
  }
}

extension StoreEdit {
  /// All feeds of an account were found to be as they are: thousands of them with every sync, so that they are
  /// written at once.
  private func recordUnchanged(feedsOf account: AccountID, now: Date) throws {
    try db.execute(
      sql: """
        UPDATE feedState SET lastAttempt = ?2, lastSuccess = ?2, nextAttempt = NULL, error = NULL,
          isGone = 0, claimant = NULL, claimedUntil = NULL, failingSince = NULL, failures = 0
        WHERE feedID IN (SELECT id FROM feed WHERE account = ?1)
        """, arguments: [account.rawValue, seconds(now)])
  }
}

extension StoreView {
  /// Who brings an account in line, at work or not.
  package func claimant(of account: AccountID) throws -> String? {
    try String.fetchOne(
      db, sql: "SELECT claimant FROM account WHERE id = ?", arguments: [account.rawValue])
  }

  /// Until when the claim on an account holds.
  package func claimEnd(of account: AccountID) throws -> Date? {
    date(
      try Int64.fetchOne(
        db, sql: "SELECT claimedUntil FROM account WHERE id = ?", arguments: [account.rawValue]))
  }
}
