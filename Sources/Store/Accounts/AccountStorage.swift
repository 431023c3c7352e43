internal import GRDB
package import News
internal import Text

package import struct Foundation.Date

extension AccountsView {
  /// All accounts, the local one first, with names that tell them apart.
  package func all() throws -> [Account] {
    let accounts = try Array(
      db.cursor("SELECT * FROM account ORDER BY id").map { row in
        Account(
          id: row["id"],
          service: AccountService(
            AccountKind(rawValue: row["kind"]), AccountCapabilities(rawValue: row["capabilities"]),
            dialect: row["dialect"]), base: StoredText.address(row["base"] as String),
          user: StoredText.name(row["user"] as String),
          name: StoredText.line(row["name"] as String?), isSignedOut: row["isSignedOut"],
          needsSignIn: row["needsSignIn"])
      })
    return Account.tellingApart(accounts)
  }

  package func account(_ id: AccountID) throws -> Account? {
    id == .local ? .local : try all().first { $0.id == id }
  }
}

/// Conditions on capabilities, as SQL over the columns of `account`.
enum AccountCondition {
  static let takesMarks = has(.takesMarks)
  static let isLive = has(.live)
  static let hasStableIDs = has(.stableIDs)
  static let keepsLogs = has(.logs)
  static let takesTags = has([.logs, .labels])
  static let savesForLater = has(.later)
  /// Feeds are added to it by their addresses, as to the local account.
  static let addsByAddress =
    "account.capabilities & \(AccountCapabilities.subscriptions.rawValue) = 0"
  /// `Account.markOwner`.
  static let markOwner = """
    CASE WHEN account.capabilities & \(AccountCapabilities.takesMarks.rawValue) THEN account.id
      ELSE \(AccountID.local.rawValue) END
    """
  /// `Account.folderOwner`.
  static let folderOwner = """
    CASE WHEN \(addsByAddress) THEN \(AccountID.local.rawValue) ELSE account.id END
    """

  private static func has(_ capabilities: AccountCapabilities) -> String {
    "account.capabilities & \(capabilities.rawValue)"
  }
}

extension AccountsEdit {
  /// Adds an account. One of the same kind, base and user gets the capabilities and the name, and
  /// is signed in again. Feeds of accounts without a user at the same origin move to one with a
  /// user.
  @discardableResult
  package func save(
    _ service: AccountService, base: String, user: String, name: String? = nil, now: Date
  ) throws -> AccountID {
    try db.run(
      """
      INSERT INTO account (kind, base, user, name, capabilities, dialect, createdAt)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (kind, base, user) DO UPDATE
        SET capabilities = excluded.capabilities, name = coalesce(excluded.name, name),
          dialect = excluded.dialect, isSignedOut = 0
      """,
      [
        service.kind.rawValue, base, user, name, service.capabilities.rawValue, service.dialect,
        seconds(now),
      ])
    let number: Int64? = try db.value(
      "SELECT id FROM account WHERE kind = ? AND base = ? AND user = ?",
      [service.kind.rawValue, base, user])
    let id = AccountID(number ?? db.lastInsertedRowID)
    guard !user.isEmpty else { return id }
    for other in try view.accounts.all()
    where other.kind == service.kind && other.user.isEmpty && other.id != id
      && WebAddress.isAt(other.base, origin: base)
    {
      try moveFeeds(of: other.id, to: id, now: now)
    }
    return id
  }

  /// Updates the capabilities, of which a later version of the program may know more.
  package func setCapabilities(_ capabilities: AccountCapabilities, of account: AccountID) throws {
    try db.run(
      "UPDATE account SET capabilities = ?2 WHERE id = ?1 AND capabilities <> ?2",
      [account, capabilities.rawValue])
  }

  /// Notes a sign-in: failures and pauses no longer count, and the results of a sync that is under
  /// way are not applied (`SyncClaim`).
  package func noteSignIn(to account: AccountID) throws {
    try db.run(
      """
      UPDATE account SET isSignedOut = 0, \(Self.freshStart) WHERE id = ?
      """, [account])
  }

  /// Signs out: the outbox of the account is dropped, and its feeds stay with their articles and
  /// marks for the next sign-in. An account without feeds is removed.
  package func signOut(_ account: AccountID) throws {
    try db.run("DELETE FROM outbox WHERE account = ?", [account])
    try db.run(
      """
      UPDATE account SET isSignedOut = 1, \(Self.freshStart)
      WHERE id = ? AND id <> \(AccountID.local.rawValue) AND user <> ''
      """, [account])
    try edit.noteErasure()
    try removeIfUnused(account)
  }

  /// Nobody's claim, no failure and no pause.
  private static let freshStart = """
    claimant = NULL, claimedUntil = NULL, walk = walk + 1, needsSignIn = 0, failures = 0,
      nextAttempt = NULL, error = NULL
    """

  /// Changes the base of an account. The former base leaves the files as well (`Store.erase`).
  package func setBase(_ base: String, of account: AccountID) throws {
    try db.run("UPDATE OR IGNORE account SET base = ? WHERE id = ?", [base, account])
    try edit.noteErasure()
  }

  /// Removes an account with its tags and its outbox. Its feeds move to an account of the same
  /// service without a user.
  package func remove(_ id: AccountID) throws {
    guard id != .local, let account = try view.accounts.account(id) else { return }
    try edit.noteErasure()
    try db.run("DELETE FROM outbox WHERE account = ?", [id])
    let hasFeeds: Bool? = try db.value("SELECT EXISTS (SELECT 1 FROM feed WHERE account = ?)", [id])
    if hasFeeds == true {
      let epoch = Date(timeIntervalSince1970: 0)
      let anonymous = try save(account.service, base: account.base, user: "", now: epoch)
      try moveFeeds(of: id, to: anonymous, now: epoch)
    }
    try db.run("DELETE FROM account WHERE id = ?", [id])
  }

  private func moveFeeds(of account: AccountID, to other: AccountID, now: Date) throws {
    let feeds: [Int64] = try db.values(
      "SELECT id FROM feed WHERE account = ? ORDER BY id", [account])
    for feed in feeds { try move(FeedID(feed), into: other, now: now) }
    try removeIfUnused(account)
  }

  /// Moves a feed to another account, and unites it with the feed that is there at the same
  /// address.
  func move(_ feed: FeedID, into account: AccountID, now: Date) throws {
    if let twin = try feedNumber(likeThatOf: feed, in: account) {
      return try FeedUnion(edit: edit, now: now).unite(feed, into: FeedID(twin))
    }
    let former = try view.feeds.feed(feed)?.account.markOwner
    try edit.tags.move(of: feed, into: account)
    try db.execute(
      sql: """
        UPDATE feed SET account = :account WHERE id = :feed;
        UPDATE feedFolder SET account = (
            SELECT \(AccountCondition.folderOwner) FROM account WHERE id = :account)
          WHERE feedID = :feed;
        UPDATE outbox SET account = :account
          WHERE articleID IN (SELECT id FROM article WHERE feedID = :feed)
        """, arguments: ["feed": feed, "account": account])
    if try view.accounts.account(account)?.markOwner != former { try unlinkDuplicates(of: feed) }
  }

  /// The feed of an account that has the address of another one.
  private func feedNumber(likeThatOf feed: FeedID, in account: AccountID) throws -> Int64? {
    try db.value(
      """
      SELECT id FROM feed
      WHERE url = (SELECT url FROM feed WHERE id = ?1) AND account = ?2 AND id <> ?1
      """, [feed, account])
  }

  private func unlinkDuplicates(of feed: FeedID) throws {
    try db.run(
      """
      UPDATE articleStatus SET duplicateOf = NULL
      WHERE duplicateOf IS NOT NULL AND (feedID = ?1 OR duplicateOf IN (
        SELECT articleID FROM articleStatus INDEXED BY statusByFeed WHERE feedID = ?1))
      """, [feed])
  }

  /// Removes an account without feeds and without a sign-in.
  func removeIfUnused(_ account: AccountID) throws {
    try db.run(
      """
      DELETE FROM account WHERE id = ? AND (user = '' OR isSignedOut) AND id <> \(AccountID.local.rawValue)
        AND NOT EXISTS (SELECT 1 FROM feed WHERE account = account.id)
      """, [account])
  }

  /// Moves the feed at an address from the local account, or one without a user, into an account
  /// that has none there.
  package func takeOver(_ url: String, for account: AccountID, now: Date) throws {
    let feeds = try view.feeds.all(url: url)
    guard !feeds.contains(where: { $0.account.id == account }),
      let feed = feeds.first(where: { $0.account.user.isEmpty })
    else { return }
    try move(feed.id, into: account, now: now)
  }

  /// Moves a feed of the local account whose address belongs to a service to an account of that
  /// service: the signed-in one with the longest base above it; without one, and without a
  /// credential, the one at its origin; else, or with several, one without a user.
  func assign(_ feed: FeedID, to service: AccountService, now: Date) throws {
    let row = try db.row("SELECT account, url FROM feed WHERE id = ?", [feed])
    guard let row, AccountID(row[0]) == .local else { return }
    let url: String = row[1]
    let accounts = try view.accounts.all().filter { account in
      account.kind == service.kind && !account.user.isEmpty && !account.isSignedOut
        && WebAddress.isAt(url, origin: account.base)
    }
    let above = accounts.filter { $0.isAbove(url) }
    let longest = above.map(\.base.utf8.count).max()
    var signedIn = above.filter { $0.base.utf8.count == longest }
    if signedIn.isEmpty,
      try !view.signIns.all().contains(where: { WebAddress.isAt(url, origin: $0.origin) })
    {
      signedIn = accounts
    }
    let target =
      try signedIn.count == 1 ? signedIn[0].id : save(service, base: url, user: "", now: now)
    // A feed that is there already is read there.
    guard try feedNumber(likeThatOf: feed, in: target) == nil else { return }
    try move(feed, into: target, now: now)
  }
}

extension Account {
  /// Whether an address is its base or lies below it.
  fileprivate func isAbove(_ url: String) -> Bool {
    var base = base[...]
    while base.last == "/" { base.removeLast() }
    guard url.hasPrefix(base) else { return false }
    let rest = url.dropFirst(base.count)
    return rest.isEmpty || rest.first == "/" || rest.first == "?"
  }
}
