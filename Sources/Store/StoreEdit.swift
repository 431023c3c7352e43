package import Foundation
internal import GRDB
package import News
internal import Text

/// A transaction: everything done through it is committed together, or not at all.
package struct StoreEdit {
  let db: Database
  let indexing = SearchIndexing()

  /// What the transaction sees, its own changes included; but a search sees them only once it is
  /// committed.
  package var view: StoreView { StoreView(db: db) }

  /// Runs the body as the whole of a transaction that has begun.
  static func run<Value>(in db: Database, _ body: (StoreEdit) throws -> Value) throws -> Value {
    let edit = StoreEdit(db: db)
    let value = try body(edit)
    try edit.indexing.write(to: db)
    return value
  }
}

// MARK: - Subscriptions

extension StoreEdit {
  /// Subscribes to a feed. One that is there already is returned as it is, with the folders added.
  ///
  /// - Parameters:
  ///   - account: whose feed it is; nil for one that the user adds by its address.
  ///   - title: the reader's own name for a new feed.
  ///   - foundTitle: what a new feed is called until it says so itself.
  ///   - link: the page of a new feed, until the feed names it.
  ///   - isUserEntered: whether the reader typed this address; once typed, always typed.
  ///   - signIn: whose password opens it; takes the place of what a feed that is there had. The address
  ///     holds neither name nor password.
  @discardableResult
  package func subscribe(
    url: String, of account: AccountID? = nil, title: String? = nil, foundTitle: String? = nil,
    link: String? = nil, folders: [String] = [], isUserEntered: Bool, signIn: FeedSignIn? = nil,
    now: Date
  ) throws -> (feed: FeedID, isNew: Bool) {
    let known = try feed(url, in: account)
    func run(_ sql: String, _ arguments: StatementArguments) throws {
      try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }
    let id: Int64
    if let known {
      id = known
      try run("UPDATE feed SET isTyped = max(isTyped, ?) WHERE id = ?", [isUserEntered, id])
    } else {
      try run(
        """
        INSERT INTO feed (account, url, title, ownTitle, link, isTyped, addedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          (account ?? .local).rawValue, url, foundTitle, title, link, isUserEntered, seconds(now),
        ])
      id = db.lastInsertedRowID
      try run("INSERT INTO feedState (feedID) VALUES (?)", [id])
      try run("INSERT INTO feedCount (feedID) VALUES (?)", [id])
    }
    if let signIn { try setSignIn(signIn, of: FeedID(id)) }
    for folder in folders where !folder.isEmpty {
      try run(
        """
        INSERT OR IGNORE INTO feedFolder (feedID, folder, account)
          SELECT feed.id, ?, \(AccountCondition.folderOwner) FROM feed
            JOIN account ON account.id = feed.account
          WHERE feed.id = ?
        """, [folder, id])
    }
    return (FeedID(id), known == nil)
  }

  /// Gives a feed the reader's own name.
  package func setTitle(_ title: String, of feed: FeedID) throws {
    try db.execute(
      sql: "UPDATE feed SET ownTitle = ? WHERE id = ?", arguments: [title, feed.rawValue])
  }

  private func feed(_ url: String, in account: AccountID?) throws -> Int64? {
    guard let account else { return try view.feedNumber(at: url) ?? feedWithInternationalHost(url) }
    return try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM feed WHERE url = ? AND account = ?"),
      arguments: [url, account.rawValue])
  }

  /// The feed at an address whose host is in ASCII, where it is stored with the name that this
  /// stands for.
  private func feedWithInternationalHost(_ url: String) throws -> Int64? {
    guard url.contains("xn--") else { return nil }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT feed.id, feed.url FROM feed JOIN account ON account.id = feed.account
        WHERE \(AccountCondition.addsByAddress)
        """)
    while let row = try rows.next() {
      let other: String = row[1]
      if other != url, WebAddress.withASCIIHost(other) == url { return row[0] }
    }
    return nil
  }

  /// Ends a subscription. Its articles go with it, at once for every reader, and from the files with
  /// `Store.erase`; so does what waits to be sent about them, which no server could be told of any more.
  package func unsubscribe(_ feed: FeedID) throws {
    let id: StatementArguments = [feed.rawValue]
    try noteErasure()
    try indexing.removeAll(of: feed, in: db)
    try db.execute(
      sql: "DELETE FROM outbox WHERE articleID IN (SELECT id FROM article WHERE feedID = ?)",
      arguments: id)
    let account = try Int64.fetchOne(
      db, sql: "SELECT account FROM feed WHERE id = ?", arguments: id)
    try db.execute(sql: "DELETE FROM feed WHERE id = ?", arguments: id)
    guard let account, account != AccountID.local.rawValue else { return }
    try removeEmptyBatchesFromOutbox(of: AccountID(account))
    try removeIfUnused(AccountID(account))
  }

  /// Follows a permanent redirect. A host that the reader has not typed may lead to public addresses
  /// only. Where the new address is subscribed already, the old one stays:
  /// two feeds are never made one behind the reader's back.
  ///
  /// The feed's own password goes with it within its origin only.
  ///
  /// - Parameters:
  ///   - isUserEntered: whether the reader has typed the new address.
  ///   - signIn: whose password opens the new address; nil for that of the old.
  /// - Returns: whether the address was changed.
  @discardableResult
  package func move(
    _ feed: FeedID, to url: String, isUserEntered: Bool = false, signIn: FeedSignIn? = nil
  ) throws -> Bool {
    guard let row = try view.feed(feed) else { return false }
    let before = row.url
    let url = WebAddress.carryingUser(of: before, to: url)
    let isSameHost = WebAddress.host(of: before) == WebAddress.host(of: url)
    try db.execute(
      sql: "UPDATE OR IGNORE feed SET url = ?, isTyped = isTyped AND ? OR ? WHERE id = ?",
      arguments: [url, isSameHost, isUserEntered, feed.rawValue])
    guard db.changesCount > 0 else { return false }
    let kept = row.signIn.flatMap { WebAddress.isAt(url, origin: $0.origin) ? $0 : nil }
    if (signIn ?? kept) != row.signIn { try setSignIn(signIn ?? kept, of: feed) }
    return true
  }

  /// Sets the way to a feed; nil for that of the settings.
  package func setProxy(_ proxy: FeedProxy?, of feed: FeedID) throws {
    try db.execute(
      sql: "UPDATE feed SET proxy = ? WHERE id = ?", arguments: [proxy?.text, feed.rawValue])
  }

  /// Forgets what asking a feed has come to, as if it had never been asked: what was said at another
  /// address says nothing of this one. Its articles stay, and when it last worked.
  package func forgetFetches(of feed: FeedID) throws {
    try db.execute(
      sql: """
        UPDATE feedState SET etag = NULL, lastModified = NULL, bodyDigest = NULL,
          lastAttempt = NULL, nextAttempt = NULL, error = NULL, isGone = 0, paging = ?,
          cursor = NULL, claimant = NULL, claimedUntil = NULL, lastStatus = NULL,
          lastAttempts = NULL, redirectedTo = NULL, failingSince = NULL, failures = 0
        WHERE feedID = ?
        """, arguments: [Paging.notStarted.rawValue, feed.rawValue])
  }
}

// MARK: - Fetch state

extension StoreEdit {
  /// The newest page was fetched and is what it was before: no article is touched.
  package func recordUnchanged(
    _ feed: FeedID, _ validators: Validators, _ exchange: ExchangeSummary? = nil, now: Date
  ) throws {
    try recordExchange(feed, exchange)
    try db.cachedStatement(
      sql: """
        UPDATE feedState SET lastAttempt = ?2, lastSuccess = ?2, nextAttempt = NULL, error = NULL,
          isGone = 0, claimant = NULL, claimedUntil = NULL, failingSince = NULL, failures = 0,
          etag = coalesce(?3, etag), lastModified = coalesce(?4, lastModified)
        WHERE feedID = ?1
        """
    ).execute(arguments: [
      feed.rawValue, seconds(now), validators.etag, validators.lastModified,
    ])
  }

  /// A fetch failed: why, and until when the server is left alone. Articles stay, and a feed
  /// that is gone stays gone until it answers.
  package func recordFailure(
    _ feed: FeedID, _ error: SourceError, _ exchange: ExchangeSummary? = nil, now: Date
  ) throws {
    // Being left alone after failures is not another one, and says nothing of the wire: why it
    // failed stays.
    let counts = error.kind != .paused
    if counts { try recordExchange(feed, exchange) }
    try db.cachedStatement(
      sql: """
        UPDATE feedState SET lastAttempt = ?2, nextAttempt = ?4,
          error = CASE WHEN ?6 OR error IS NULL THEN ?3 ELSE error END,
          isGone = max(isGone, ?5), claimant = NULL, claimedUntil = NULL,
          failingSince = coalesce(failingSince, ?2), failures = failures + ?6
        WHERE feedID = ?1
        """
    ).execute(arguments: [
      feed.rawValue, seconds(now), StoredError.encode(error), seconds(error.nextAttempt),
      error.status == 410, counts,
    ])
  }

  /// Keeps which event of its server was the last that has been taken.
  package func setLiveEventID(of feed: FeedID, _ id: String) throws {
    try db.execute(
      sql: "UPDATE feedState SET liveEventID = ? WHERE feedID = ?", arguments: [id, feed.rawValue])
  }

  /// How the last attempt went on the wire.
  package func recordExchange(_ feed: FeedID, _ exchange: ExchangeSummary?) throws {
    guard let exchange else { return }
    try db.cachedStatement(
      sql: """
        UPDATE feedState SET lastStatus = ?, lastAttempts = ?, redirectedTo = ? WHERE feedID = ?
        """
    ).execute(arguments: [
      exchange.status, exchange.attempts, exchange.redirectedTo, feed.rawValue,
    ])
  }

  /// Loading an older page failed; the rows stay, and the cursor for another try.
  package func recordPagingFailure(_ feed: FeedID) throws {
    try db.execute(
      sql: "UPDATE feedState SET paging = ? WHERE feedID = ?",
      arguments: [Paging.failed.rawValue, feed.rawValue])
  }
}

// MARK: - Marks

extension StoreEdit {
  package func setRead(_ articles: [ArticleID], _ isRead: Bool, now: Date) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE articleStatus SET isRead = ?, batch = NULL WHERE articleID = ? AND isRead <> ?
        """)
    let leaveBatch = try db.cachedStatement(
      sql: "UPDATE articleStatus SET batch = NULL WHERE articleID = ? AND batch IS NOT NULL")
    for article in articles + (try view.duplicates(of: articles)) {
      try statement.execute(arguments: [isRead, article.rawValue, isRead])
      if db.changesCount > 0 {
        try queue("read", isRead, article: article, now: now)
      } else {
        // Said once more of this one, it no longer goes with its batch.
        try leaveBatch.execute(arguments: [article.rawValue])
      }
    }
  }

  package func setStarred(_ articles: [ArticleID], _ isStarred: Bool, now: Date) throws {
    let statement = try db.cachedStatement(
      sql: "UPDATE articleStatus SET isStarred = ? WHERE articleID = ? AND isStarred <> ?")
    for article in articles {
      try statement.execute(arguments: [isStarred, article.rawValue, isStarred])
      if db.changesCount > 0 { try queue("starred", isStarred, article: article, now: now) }
    }
  }

  /// Marks as read what the timeline holds at or below `position`, as one batch that `undo` takes
  /// back.
  ///
  /// - Parameter unseen: what has come in since the reader looked stays as it is.
  /// - Returns: how many articles of the list were marked. Where the list shows an article of several
  ///   feeds once, it counts once; in feeds that are not of the list it is read as well, and counts
  ///   for nothing.
  @discardableResult
  package func markAllRead(
    _ timeline: Timeline, notNewerThan position: TimelinePosition?,
    except unseen: UnseenRegion? = nil,
    now: Date
  ) throws -> Int {
    let query = TimelineQuery(timeline, unreadOnly: true, mergesDuplicates: true)
    guard let selection = try ArticleSelection(query.predicate, in: view) else { return 0 }
    try db.execute(
      sql: "INSERT INTO readBatch (createdAt, count) VALUES (?, 0)", arguments: [seconds(now)])
    let batch = db.lastInsertedRowID
    var sql = """
      UPDATE articleStatus SET isRead = 1, batch = ?
      WHERE isRead = 0 AND \(selection.filter) AND \(selection.scope)
      """
    var arguments: StatementArguments = [batch]
    arguments += selection.scopeArguments
    if let position {
      sql += " AND (sortDate, articleID) <= (?, ?)"
      arguments += [position.date, position.id]
    }
    if let unseen {
      sql += " AND NOT (articleID > ? AND (sortDate, articleID) > (?, ?))"
      arguments += [unseen.since, unseen.above.date, unseen.above.id]
    }
    try db.execute(sql: sql, arguments: arguments)
    let count = db.changesCount
    try markDuplicatesRead(of: batch)
    if count == 0 {
      try db.execute(sql: "DELETE FROM readBatch WHERE id = ?", arguments: [batch])
    } else {
      try db.execute(
        sql: "UPDATE readBatch SET count = ? WHERE id = ?", arguments: [count, batch])
      try queue(batch, true, now: now)
    }
    return count
  }

  /// What was read in one feed is read in the others that bring it. Their batch is the negative: it is
  /// taken back with the other and not counted.
  private func markDuplicatesRead(of batch: Int64) throws {
    // The first is read with any of the others.
    try db.execute(
      sql: """
        UPDATE articleStatus SET isRead = 1, batch = -?1 WHERE isRead = 0 AND articleID IN (
          SELECT duplicateOf FROM articleStatus INDEXED BY statusDuplicate
          WHERE duplicateOf IS NOT NULL AND batch = ?1)
        """, arguments: [batch])
    // And the others are read with the first.
    try db.execute(
      sql: """
        UPDATE articleStatus INDEXED BY statusDuplicate SET isRead = 1, batch = -?1
        WHERE duplicateOf IS NOT NULL AND isRead = 0 AND duplicateOf IN (
          SELECT original.articleID FROM articleStatus AS duplicate INDEXED BY statusDuplicate
            JOIN articleStatus AS original ON original.articleID = duplicate.duplicateOf
          WHERE duplicate.duplicateOf IS NOT NULL AND original.batch IN (?1, -?1))
        """, arguments: [batch])
  }

  /// Takes the newest batch of read marks back; articles marked one by one since stay as they are.
  ///
  /// - Returns: how many articles of the list are unread again; what was read with them in other feeds
  ///   is not counted, as when they were marked.
  @discardableResult
  package func undoMarkAllRead(now: Date) throws -> Int {
    guard let batch = try Int64.fetchOne(db, sql: "SELECT max(id) FROM readBatch") else {
      return 0
    }
    try queue(batch, false, now: now)
    let sql = "UPDATE articleStatus SET isRead = 0 WHERE batch = ? AND isRead = 1"
    try db.execute(sql: sql, arguments: [-batch])
    try db.execute(sql: sql, arguments: [batch])
    let count = db.changesCount
    try db.execute(sql: "DELETE FROM readBatch WHERE id = ?", arguments: [batch])
    return count
  }

  /// Keeps how far an article has been read.
  package func setReadingPosition(_ article: ArticleID, _ position: ReadingPosition?) throws {
    try db.execute(
      sql: "UPDATE articleStatus SET readBlock = ?, readOffset = ? WHERE articleID = ?",
      arguments: [position?.block, position?.offset, article.rawValue])
  }
}
