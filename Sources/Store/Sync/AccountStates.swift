package import Foundation
internal import GRDB
package import News

extension SyncView {
  package func states() throws -> [AccountState] {
    try view.accounts.all().map { account in
      let row = try db.row(
        """
        SELECT lastAttempt, lastSuccess, error, failures, nextAttempt,
          (SELECT count(*) FROM outbox
            WHERE account = ?1 AND state <> \(OutboxItemState.sent.rawValue)) AS waiting,
          (SELECT coalesce(sum(total), 0) FROM feed
            JOIN feedCount ON feedCount.feedID = feed.id WHERE account = ?1) AS total,
          (SELECT coalesce(sum(unread), 0) FROM feed
            JOIN feedCount ON feedCount.feedID = feed.id WHERE account = ?1) AS unread,
          (SELECT coalesce(sum(starred), 0) FROM feed
            JOIN feedCount ON feedCount.feedID = feed.id WHERE account = ?1) AS starred,
          (SELECT count(*) FROM feed WHERE account = ?1) AS feeds, warning, unreadThere
        FROM account WHERE id = ?1
        """, [account.id])
      guard let row else { return AccountState(account: account) }
      return AccountState(
        account: account, lastAttempt: date(row["lastAttempt"]),
        lastSuccess: date(row["lastSuccess"]), error: StoredError.decode(row["error"]),
        failures: row["failures"], nextAttempt: date(row["nextAttempt"]), waiting: row["waiting"],
        refused: try refusedCount(of: account.id),
        missing: account.capabilities.contains(.items)
          ? try view.items.missingCount(of: account.id) : 0,
        counts: ArticleCounts(total: row["total"], unread: row["unread"], starred: row["starred"]),
        unreadThere: row["unreadThere"], feeds: row["feeds"],
        warning: StoredText.line(row["warning"] as String?))
    }
  }

  package func summaries() throws -> [AccountSummary] {
    try view.accounts.all().filter { $0.capabilities.contains(.subscriptions) }.compactMap {
      account in
      let row = try db.row(
        """
        SELECT error, nextAttempt,
          (SELECT count(*) FROM outbox
            WHERE account = ?1 AND state <> \(OutboxItemState.sent.rawValue)) AS waiting,
          lastSuccess IS NULL AND NOT isSignedOut AND NOT needsSignIn AS isNew
        FROM account WHERE id = ?1
        """, [account.id])
      return try row.map { row in
        AccountSummary(
          account: account, error: StoredError.decode(row["error"]),
          nextAttempt: date(row["nextAttempt"]),
          waiting: row["waiting"], refused: try refusedCount(of: account.id), isNew: row["isNew"])
      }
    }
  }

  /// Changes that the server of an account has refused, which are not sent again by themselves.
  package func refusedCount(of account: AccountID) throws -> Int {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT error FROM outbox
          WHERE account = ? AND state <> \(OutboxItemState.sent.rawValue) AND error IS NOT NULL
          """), arguments: [account]
    ).count { StoredError.decode($0)?.isRefusal == true }
  }

  /// When a sign-in that was refused is tried again; nil where the last one was not refused.
  fileprivate func nextSignIn(to account: AccountID) throws -> Date? {
    let row = try db.row("SELECT error, nextAttempt FROM account WHERE id = ?", [account])
    guard let row, StoredError.decode(row[0])?.status == 401 else { return nil }
    return date(row[1])
  }

  /// Whether it is too early for the second sign-in after a refused one.
  package func isSignInPaused(of account: AccountID, at now: Date) throws -> Bool {
    // A time beyond the pause was noted before the clock was set back.
    let latest = now.addingTimeInterval(SyncEdit.refusalPause)
    return try nextSignIn(to: account).map { $0 > now && $0 <= latest } ?? false
  }

  package func holds(_ claim: SyncClaim) throws -> Bool {
    try claimant(of: claim.account) == claim.claimant
  }

  /// Whether another owner than `claimant` syncs an account.
  ///
  /// - Parameter horizon: the end of a claim made now; a later one was made before the clock was
  ///   set back.
  package func isSyncing(
    _ account: AccountID, byOthersThan claimant: String, at now: Date, horizon: Date
  ) throws -> Bool {
    try db.value(
      """
      SELECT EXISTS (
        SELECT 1 FROM account WHERE id = ? AND claimant <> ? AND claimedUntil BETWEEN ? AND ?
          AND isHeldClaim(claimant))
      """, [account, claimant, seconds(now), seconds(horizon)]) ?? false
  }

  package func lastSync(of account: AccountID) throws -> Date? {
    try Int64.fetchOne(
      db, sql: "SELECT lastAttempt FROM account WHERE id = ?", arguments: [account]
    ).map { Date(timeIntervalSince1970: Double($0)) }
  }

  /// The error of the last sync; nil where it worked.
  package func error(of account: AccountID) throws -> SourceError? {
    try StoredError.decode(db.value("SELECT error FROM account WHERE id = ?", [account]))
  }

  package func claimant(of account: AccountID) throws -> String? {
    try db.value("SELECT claimant FROM account WHERE id = ?", [account])
  }
}

extension SyncEdit {
  /// Claims an account for a sync. Returns whether it was free.
  package func claim(
    of account: AccountID, by claimant: String, until: Date, now: Date
  ) throws -> Bool {
    try db.run(
      """
      UPDATE account SET claimant = ?1, claimedUntil = ?2
      WHERE id = ?3 AND (
        claimant IS NULL OR claimant = ?1 OR claimedUntil NOT BETWEEN ?4 AND ?2
          OR NOT isHeldClaim(claimant))
      """, [claimant, seconds(until), account, seconds(now)])
    guard db.changesCount > 0 else { return false }
    // Left by a sync that was killed.
    try edit.outbox.removeSent(of: account)
    return true
  }

  package func renew(claimedBy claimant: String, until: Date) throws {
    try db.run(
      "UPDATE account SET claimedUntil = ? WHERE claimant = ?", [seconds(until), claimant])
  }

  package func release(claimedBy claimant: String) throws {
    let accounts: [Int64] = try db.values("SELECT id FROM account WHERE claimant = ?", [claimant])
    for account in accounts { try edit.outbox.removeSent(of: AccountID(account)) }
    try db.run(
      "UPDATE account SET claimant = NULL, claimedUntil = NULL WHERE claimant = ?", [claimant])
  }

  /// Seconds after a refused sign-in from which another refusal pauses the account.
  static let refusalPause = 60.0

  /// Records the end of a sync, for the account and its feeds. A second refused sign-in in a row
  /// pauses the account; one may be a server that is starting. Returns the error with the next
  /// step.
  ///
  /// - Parameters:
  ///   - error: nil where it worked.
  ///   - unsent: why changes were not sent; nil where all were.
  @discardableResult
  package func record(
    of account: AccountID, error: SourceError?, unsent: SourceError? = nil, now: Date
  ) throws -> SourceError? {
    var (error, next) = (error, error?.nextAttempt)
    var needsSignIn = false
    if error?.status == 401 {
      let again = try view.sync.nextSignIn(to: account)
      needsSignIn = again.map { $0 <= now } ?? false
      let latest = now.addingTimeInterval(Self.refusalPause)
      next = needsSignIn ? nil : min(again ?? latest, latest)
      error?.next = try view.accounts.account(account)?.nextStep(needsSignIn: needsSignIn, at: next)
    }
    // A sync that was skipped after failures is no failure: the earlier error stays.
    try db.run(
      """
      UPDATE account SET lastAttempt = ?2, nextAttempt = ?4,
        error = CASE WHEN ?5 OR error IS NULL THEN coalesce(?3, ?7) ELSE error END,
        lastSuccess = CASE WHEN ?3 IS NULL THEN ?2 ELSE lastSuccess END,
        failures = CASE WHEN ?3 IS NULL THEN 0 ELSE failures + ?5 END, needsSignIn = ?6
      WHERE id = ?1
      """,
      [
        account, seconds(now), error.map(StoredError.encode), seconds(next), error?.kind != .paused,
        needsSignIn, unsent.map(StoredError.encode),
      ])
    // Feeds that are fetched from their own addresses have states of their own.
    if try view.accounts.account(account)?.capabilities.contains(.logs) == true { return error }
    guard let error else {
      try recordUnchanged(feedsOf: account, now: now)
      return nil
    }
    let feeds: [Int64] = try db.values("SELECT id FROM feed WHERE account = ?", [account])
    for feed in feeds { try edit.fetches.recordFailure(FeedID(feed), error, now: now) }
    return error
  }

  /// Thousands of feeds with every sync: written at once.
  private func recordUnchanged(feedsOf account: AccountID, now: Date) throws {
    try db.run(
      """
      UPDATE feedState SET lastAttempt = ?2, lastSuccess = ?2, nextAttempt = NULL, error = NULL,
        isGone = 0, claimant = NULL, claimedUntil = NULL, failingSince = NULL, failures = 0
      WHERE feedID IN (SELECT id FROM feed WHERE account = ?1)
      """, [account, seconds(now)])
  }
}

extension Account {
  /// The next step after a refused sign-in.
  ///
  /// - Parameter time: when it is tried again; nil for the next sync.
  func nextStep(needsSignIn: Bool, at time: Date?) -> String {
    if needsSignIn { return wayIn }
    let time = time.map { "at \($0.timeOfDay)" } ?? "with the next refresh"
    return
      "the password is tried again \(time); for another one: L in the reader, or telex login \(base)"
  }
}

/// Right of one sync to apply the answers of its server. It ends with a sign-in or sign-out, and
/// when another process takes it over.
package struct SyncClaim: Hashable, Sendable {
  package let account: AccountID
  package let claimant: String

  package init(of account: AccountID, by claimant: String) {
    self.account = account
    self.claimant = claimant
  }
}

extension Date {
  /// The next full minute in the local zone, as messages name the time of an attempt: `10:16`.
  package var timeOfDay: String {
    let parts = Calendar.current.dateComponents([.hour, .minute], from: addingTimeInterval(59))
    let (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
