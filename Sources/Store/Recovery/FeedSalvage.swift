internal import GRDB
internal import News

/// Recovery of feeds from indexes, and of those with a lost account.
struct FeedSalvage {
  let source: DamagedDatabase
  let target: Database

  /// Feeds with lost rows, by the index of addresses. Returns how many there are, and how many are
  /// missing.
  ///
  /// They are not fetched until the user asks: their proxy was lost too, and a feed that was read
  /// over Tor must not be requested directly.
  func nameFeeds() throws -> (bare: Int, lost: Int) {
    var bare: [Int64] = []
    let insert = try target.makeStatement(
      sql: """
        INSERT OR IGNORE INTO feed (id, url, account, isTyped, addedAt) VALUES (?, ?, ?, 0, 0)
        """)
    for row in source.rows(
      """
      SELECT rowid, url, account FROM feed INDEXED BY sqlite_autoindex_feed_1 WHERE url >= ''
      ORDER BY url
      """)
    {
      guard let id = row.integer(0), let url = row.text(1) else { continue }
      try insert.execute(arguments: [id, url, row.integer(2) ?? AccountID.local])
      if target.changesCount > 0 { bare.append(id) }
    }
    // Articles of an unknown feed cannot be assigned.
    let named = Set(try Int64.fetchAll(target, sql: "SELECT id FROM feed"))
    var other: Set<Int64> = []
    for table in ["feedState", "feedFolder", "feedCount"] {
      for row in source.rows("SELECT feedID FROM \(table)") {
        if let id = row.integer(0), !named.contains(id) { other.insert(id) }
      }
    }
    try holdBack(
      bare, "its title, its sign-in and the way to it were lost with a damaged database",
      next: "set them again, then fetch it")
    return (bare.count, other.count)
  }

  /// Moves feeds with a lost account to the local one, without fetching them: public contents may
  /// differ. Where the address is taken there, the account is recreated without a name, so that no
  /// article is lost.
  func moveFeedsOfLostAccounts() throws {
    let lost = try Int64.fetchAll(
      target, sql: "SELECT id FROM feed WHERE account NOT IN (SELECT id FROM account)")
    guard !lost.isEmpty else { return }
    try target.execute(
      sql: """
        UPDATE OR IGNORE feed SET account = 1 WHERE account NOT IN (SELECT id FROM account);
        INSERT INTO account (id, kind, base, user, capabilities, createdAt)
          SELECT DISTINCT account, 'lost', 'account ' || account, '',
            \(AccountCapabilities.pages.rawValue), 0
          FROM feed WHERE account NOT IN (SELECT id FROM account);
        """)
    try holdBack(
      lost, "its account was lost with a damaged database",
      next: "sign in there again, then fetch it")
  }

  private func holdBack(_ feeds: [Int64], _ message: String, next: String) throws {
    let statement = try target.makeStatement(
      sql: """
        INSERT INTO feedState (feedID, isGone, error) VALUES (?1, 1, ?2)
        ON CONFLICT (feedID) DO UPDATE SET isGone = 1, error = ?2
        """)
    for feed in feeds {
      let error = SourceError(
        .store, stage: .store, subject: "feed \(feed)", message: message, next: next)
      try statement.execute(arguments: [feed, StoredError.encode(error)])
    }
  }
}
