package import Foundation
internal import GRDB
package import News

// Removed feeds and articles. Their rows leave the tables and are kept as `ArchivedRow`s until they
// are restored or expire.

extension RemovalsView {
  /// The feeds that can come back, the last removed first.
  package func feeds() throws -> [RemovedFeed] {
    try db.rows(
      """
      SELECT * FROM removal WHERE isFeed
      ORDER BY id DESC
      """
    ).map { row in
      RemovedFeed(
        removal: row["id"], feed: row["feedID"], url: StoredText.address(row["url"] as String),
        title: StoredText.title(row["title"] as String?),
        proxy: (row["proxy"] as String?).map(FeedProxy.init(text:)),
        removedAt: Date(seconds: row["removedAt"]), articles: row["articles"])
    }
  }

  package func hasExpired(now: Date) throws -> Bool {
    try db.exists(
      "SELECT 1 FROM removal WHERE removedAt < ? LIMIT 1", [RemovalsEdit.lastRemoval(now: now)])
  }
}

extension RemovalsEdit {
  /// Earlier removals cannot be undone.
  fileprivate static func lastRemoval(now: Date) -> Int64 {
    (seconds(now) ?? 0) - Int64(days) * 86_400
  }

  /// Days for which what was removed can come back.
  package static let days = 30

  /// Ends a subscription, and archives its rows. Returns whether there was such a feed.
  ///
  /// - Parameters:
  ///   - action: the number in the journal.
  ///   - isTold: whether its server is told.
  func archive(_ feed: FeedID, by action: Int64, isTold: Bool, now: Date) throws -> Bool {
    guard let known = try view.feeds.feed(feed) else { return false }
    let removal = try beginRemoval(
      of: known, by: action, isFeed: true, articles: known.counts.total, now: now)
    try keepRows("account", "id = ?", [known.account.id.rawValue], in: removal)
    for table in StoreTable.all where table.isArchived {
      guard let column = table.feedColumn else { continue }
      try keepRows(table.name, "\(column) = ?", [feed.rawValue], in: removal)
    }
    try keepArticles("SELECT id FROM article WHERE feedID = \(feed.rawValue)", in: removal)
    try keepWaiting(of: feed, in: removal)
    if isTold {
      try edit.subscriptions.queueRemoval(of: feed, erases: false, now: now)
    } else {
      try edit.feeds.unsubscribe(feed, erases: false)
    }
    // The password is needed again when it comes back.
    if let signIn = known.signIn { try edit.signIns.removeDiscarded(signIn) }
    return true
  }

  /// Deletes articles, keeps them from coming again, and archives their rows. Returns those that
  /// are gone: not those of synced accounts, which would come again.
  func archive(_ articles: [ArticleID], by action: Int64, now: Date) throws -> [ArticleID] {
    let find = try db.cachedStatement(
      sql: """
        SELECT article.feedID, article.entryKey FROM article JOIN feed ON feed.id = article.feedID
        WHERE article.id = ? AND feed.account = \(AccountID.local.rawValue)
        """)
    let bury = try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO tombstone (feedID, entryKey, listedAt) VALUES (?, ?, ?)")
    var gone: [FeedID: [Int64]] = [:]
    for article in articles {
      guard let row = try Row.fetchOne(find, arguments: [article]) else { continue }
      gone[FeedID(row[0]), default: []].append(article.rawValue)
      try bury.execute(arguments: [row[0] as Int64, row[1] as Int64, seconds(now)])
    }
    for (id, articles) in gone {
      guard let feed = try view.feeds.feed(id) else { continue }
      let removal = try beginRemoval(
        of: feed, by: action, isFeed: false, articles: articles.count, now: now)
      let ids = articles.map(String.init).joined(separator: ",")
      try keepArticles(ids, in: removal)
      for article in articles { try edit.indexing.remove(article, in: db) }
      try db.execute(sql: "DELETE FROM article WHERE id IN (\(ids))")
    }
    return gone.values.flatMap { $0.map { ArticleID($0) } }
  }

  private func beginRemoval(
    of feed: Feed, by action: Int64, isFeed: Bool, articles: Int, now: Date
  ) throws -> Int64 {
    try db.run(
      """
      INSERT INTO removal (action, removedAt, isFeed, account, feedID, url, title, proxy, signIn, articles)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        action, seconds(now), isFeed, feed.account.id, feed.id, feed.url, feed.displayTitle,
        isFeed ? feed.proxy?.text : nil, isFeed ? feed.signIn.flatMap(StoredJSON.encode) : nil,
        articles,
      ])
    return db.lastInsertedRowID
  }

  /// - Parameter ids: SQL for the articles.
  private func keepArticles(_ ids: String, in removal: Int64) throws {
    for table in StoreTable.all where table.isArchived {
      guard let column = table.articleColumn else { continue }
      try keepRows(table.name, "\(column) IN (\(ids))", [], in: removal)
    }
    try keep(
      """
      SELECT articleID, tag.account, tag.name FROM articleTag JOIN tag ON tag.id = articleTag.tag
      WHERE articleID IN (\(ids))
      """, as: "articleTag", in: removal)
    // Articles of other feeds that stand behind one of these.
    try keep(
      """
      SELECT articleID, duplicateOf FROM articleStatus INDEXED BY statusDuplicate
      WHERE duplicateOf IS NOT NULL AND duplicateOf IN (\(ids))
      """, as: "twin", in: removal)
    try keep(
      """
      SELECT articleID, storyOf FROM articleStatus INDEXED BY statusStory
      WHERE storyOf IS NOT NULL AND storyOf IN (\(ids))
      """, as: "telling", in: removal)
  }

  /// Archives the outbox of a feed, which is restored if its server has not heard of the removal.
  /// An unsent subscription is queued anew.
  private func keepWaiting(of feed: FeedID, in removal: Int64) throws {
    try keepRows(
      "outbox",
      """
      kind <> '\(OutboxKind.addFeed.rawValue)' AND (feedID = ?1
        OR articleID IN (SELECT id FROM article WHERE feedID = ?1)
        OR batch IN (
          SELECT abs(batch) FROM articleStatus INDEXED BY statusByFeed
          WHERE feedID = ?1 AND batch IS NOT NULL))
      """, [feed.rawValue], in: removal)
  }

  private func keepRows(
    _ table: String, _ condition: String, _ arguments: StatementArguments, in removal: Int64
  ) throws {
    try keep("SELECT * FROM \(table) WHERE \(condition)", arguments, as: table, in: removal)
  }

  private func keep(
    _ sql: String, _ arguments: StatementArguments = [], as table: String, in removal: Int64
  ) throws {
    let insert = try db.cachedStatement(
      sql: "INSERT INTO removedRow (removal, columns, data) VALUES (?, ?, ?)")
    // Not cached: the text may name articles.
    let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
    while let row = try rows.next() {
      let kept = ArchivedRow(row, of: table)
      try insert.execute(arguments: [removal, kept.heading, kept.data])
    }
  }

  // MARK: Coming back

  /// Restores the rows of an action. Returns the feeds, how many articles came back, and how many
  /// feeds had been removed at their servers.
  ///
  /// - Parameter isTold: whether the server of a feed is told.
  func restore(
    of action: Int64, now: Date, isTold: (FeedID) -> Bool
  ) throws -> (feeds: [FeedID], articles: Int, told: Int) {
    var (feeds, articles, told): ([FeedID], Int, Int) = ([], 0, 0)
    // The last one first: the others have been removed before it.
    let removals = try db.rows(
      "SELECT id, articles, feedID FROM removal WHERE action = ? ORDER BY id DESC", [action])
    for row in removals {
      let isTold = isTold(FeedID(row[2]))
      guard let restored = try restore(row[0], isTold: isTold, now: now) else { continue }
      feeds.append(restored.feed)
      articles += row[1]
      if restored.wasTold { told += 1 }
    }
    return (feeds, articles, told)
  }

  /// Restores a removal, and unites its feed with one that has the address by now. Returns whether
  /// the server had been told.
  private func restore(
    _ removal: Int64, isTold: Bool, now: Date
  ) throws -> (feed: FeedID, wasTold: Bool)? {
    guard
      let row = try db.row("SELECT feedID, isFeed FROM removal WHERE id = ?", [removal])
    else { return nil }
    var restoring = Restoring(edit: edit, feed: row[0])
    let rows = try db.cursor(
      "SELECT columns, data FROM removedRow WHERE removal = ? ORDER BY id", [removal])
    while let row = try rows.next() {
      if let kept = ArchivedRow(heading: row[0], data: row[1]) { try restoring.restore(kept) }
    }
    guard try view.feeds.contains(restoring.feed) else { return nil }
    try restoring.finish(now: now)
    // Its password is in use again.
    try db.run("UPDATE removal SET signIn = NULL WHERE id = ?", [removal])
    try db.run("DELETE FROM removal WHERE id = ?", [removal])
    let wasTold = isTold && row[1] ? try queueAgain(restoring.feed, now: now) : false
    try restoring.restoreWaiting(isSameThere: !wasTold)
    if let twin = restoring.twin {
      try FeedUnion(edit: edit, now: now).unite(restoring.feed, into: twin)
      return (twin, wasTold)
    }
    return (restoring.feed, wasTold)
  }

  /// Queues the subscription of a restored feed, unless its server had not been told of the
  /// removal. Returns whether it had.
  private func queueAgain(_ feed: FeedID, now: Date) throws -> Bool {
    guard let known = try view.feeds.feed(feed) else { return false }
    let wasThere = try view.subscriptions.subscription(of: feed)?.remoteID != nil
    guard try !edit.subscriptions.dropUnsentRemoval(of: known.url, in: known.account.id) else {
      return false
    }
    if known.account.capabilities.contains(.items) {
      // The server hands its articles out by other ids from now on.
      try db.execute(
        sql: """
          DELETE FROM item WHERE articleID IN (SELECT id FROM article WHERE feedID = ?1);
          """, arguments: [feed])
      try edit.feeds.renameEntries(of: feed, from: known.account, to: known.account)
      try db.run(
        """
        UPDATE feed SET adoptsUpTo = (SELECT max(id) FROM article WHERE feedID = ?1) WHERE id = ?1
        """, [feed])
    }
    try db.run("UPDATE feed SET remoteID = NULL, missingSince = NULL WHERE id = ?", [feed])
    try edit.subscriptions.queueChange(.add, of: feed, now: now)
    if let title = known.title { try edit.subscriptions.queueTitle(title, of: feed, now: now) }
    if !known.folders.isEmpty {
      try edit.subscriptions.queueFolders(known.folders, of: feed, now: now)
    }
    return wasThere
  }

  // MARK: The end

  /// Drops removals of more than thirty days ago. Returns the feeds that cannot come back any more.
  package func expire(now: Date) throws -> [RemovedFeed] {
    let limit = Self.lastRemoval(now: now)
    let expired = try view.removals.feeds().filter { seconds($0.removedAt) ?? 0 < limit }
    try drop("removedAt < ?", [limit])
    return expired
  }

  /// Drops removals of feeds.
  package func drop(of feeds: [FeedID]) throws {
    for feed in feeds { try drop("feedID = ?", [feed.rawValue]) }
  }

  /// Drops removals of an account's feeds.
  package func drop(of account: AccountID) throws { try drop("account = ?", [account.rawValue]) }

  private func drop(_ condition: String, _ arguments: StatementArguments) throws {
    let feeds: [Int64] = try db.values(
      "SELECT feedID FROM removal WHERE isFeed AND \(condition)", arguments)
    let removals = try db.rows("SELECT id, action FROM removal WHERE \(condition)", arguments)
    guard !removals.isEmpty else { return }
    try edit.noteErasure()
    for feed in feeds { try edit.journal.forget(of: FeedID(feed)) }
    for row in removals {
      try db.run("DELETE FROM removal WHERE id = ?", [row[0] as Int64])
      try db.run(
        """
        DELETE FROM userAction WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM removal WHERE action = ?1)
        """, [row[1] as Int64])
    }
  }
}

private struct Restoring {
  let edit: StoreEdit
  var feed: FeedID
  /// The feed that has its address now.
  private(set) var twin: FeedID?
  /// The account of the feed, where that has another number now.
  private var account: (former: Int64, now: Int64)?
  private var articles: [Int64] = []
  private var twins: [(article: Int64, original: Int64)] = []
  private var waiting: [ArchivedRow] = []
  /// Articles that stood behind the first one of their story.
  private var tellings: [Int64: [Int64]] = [:]
  private var columns: [String: Set<String>] = [:]

  private var db: Database { edit.db }

  init(edit: StoreEdit, feed: FeedID) {
    self.edit = edit
    self.feed = feed
  }

  mutating func restore(_ row: ArchivedRow) throws {
    var row = row
    switch row.table {
    case "account": try findAccount(row)
    case "feed": try restoreFeed(row)
    case "feedFolder":
      if let account, row.integer("account") == account.former {
        row["account"] = account.now.databaseValue
      }
      try insert(row)
    case "article":
      let isNew = try insert(row)
      if isNew, let id = row.integer("id") { articles.append(id) }
    case "articleTag": try restoreTag(row)
    case "twin":
      if let article = row.integer("articleID"), let original = row.integer("duplicateOf") {
        twins.append((article, original))
      }
    case "telling":
      if let article = row.integer("articleID"), let first = row.integer("storyOf") {
        tellings[first, default: []].append(article)
      }
    case "outbox": waiting.append(row)
    case "item":
      if let account { row["account"] = account.now.databaseValue }
      if try isHere(row.integer("articleID")) { try insert(row, replaces: true) }
    default:
      guard let table = StoreTable.named(row.table), table.isArchived else { return }
      if let column = table.articleColumn, try !isHere(row.integer(column)) { return }
      try insert(row)
    }
  }

  /// Puts the articles into the search index, and each beside those that other feeds have brought.
  func finish(now: Date) throws {
    for (article, original) in twins where try isHere(article) && isHere(original) {
      try db.run(
        "UPDATE articleStatus SET duplicateOf = ? WHERE articleID = ?", [original, article])
    }
    let settle = try db.cachedStatement(
      sql: """
        UPDATE articleStatus SET duplicateOf = (
          SELECT coalesce(original.duplicateOf, original.articleID) FROM articleStatus AS original
          WHERE original.articleID = articleStatus.duplicateOf)
        WHERE articleID = ? AND duplicateOf IS NOT NULL
        """)
    try joinStories()
    let forgetTombstone = try db.cachedStatement(
      sql: """
        DELETE FROM tombstone WHERE (feedID, entryKey) IN
          (SELECT feedID, entryKey FROM article WHERE id = ?)
        """)
    for article in articles {
      try settle.execute(arguments: [article])
      try forgetTombstone.execute(arguments: [article])
      try edit.indexing.add(article, in: db)
      try edit.noteReturn(of: article)
    }
  }

  /// Queues archived changes again, behind the others.
  ///
  /// - Parameter isSameThere: whether the feed is the same at its server; one that is added anew
  ///   has other ids, and its name and folders are sent with it.
  mutating func restoreWaiting(isSameThere: Bool) throws {
    let texts: Set = [OutboxKind.comment.rawValue, OutboxKind.editComment.rawValue]
    for var row in waiting {
      let kind = String.fromDatabaseValue(row["kind"]) ?? ""
      guard isSameThere || texts.contains(kind) else { continue }
      if row.integer("articleID") != nil {
        guard try isHere(row.integer("articleID")) else { continue }
      }
      if let account { row["account"] = account.now.databaseValue }
      row["id"] = .null
      try insert(row)
    }
  }

  /// Restores stories. Articles that have joined another one stay there.
  private func joinStories() throws {
    let settle = try db.cachedStatement(
      sql: """
        UPDATE articleStatus SET storyOf = (
          SELECT coalesce(first.storyOf, first.articleID) FROM articleStatus AS first
          WHERE first.articleID = articleStatus.storyOf)
        WHERE articleID = ? AND storyOf IS NOT NULL
        """)
    for article in articles { try settle.execute(arguments: [article]) }
    let find = try db.cachedStatement(
      sql: "SELECT coalesce(storyOf, articleID) FROM articleStatus WHERE articleID = ?")
    let put = try db.cachedStatement(
      sql: """
        UPDATE articleStatus SET storyOf = ?1 WHERE articleID = ?2 OR articleID IN (
          SELECT articleID FROM articleStatus INDEXED BY statusStory
          WHERE storyOf IS NOT NULL AND storyOf = ?2)
        """)
    for (first, others) in tellings.sorted(by: { $0.key < $1.key }) {
      guard let now = try Int64.fetchOne(find, arguments: [first]) else { continue }
      for other in others {
        // The next one has taken the place of the first.
        guard let head = try Int64.fetchOne(find, arguments: [other]), head != now,
          others.contains(head)
        else { continue }
        try put.execute(arguments: [now, head])
      }
    }
  }

  private func isHere(_ article: Int64?) throws -> Bool {
    try article.map { try edit.view.articles.contains(ArticleID($0)) } ?? false
  }

  private mutating func findAccount(_ row: ArchivedRow) throws {
    guard let former = row.integer("id") else { return }
    let known: Int64? = try db.value(
      "SELECT id FROM account WHERE kind IS ? AND base IS ? AND user IS ?",
      [row["kind"], row["base"], row["user"]])
    if let known {
      account = (former, known)
    } else {
      try insert(row)
      account = (former, former)
    }
  }

  private mutating func restoreFeed(_ row: ArchivedRow) throws {
    var row = row
    if let account { row["account"] = account.now.databaseValue }
    twin = try db.value(
      "SELECT id FROM feed WHERE account IS ? AND url IS ?", [row["account"], row["url"]])
    if twin != nil { row["url"] = "telex-removed:\(feed.rawValue)".databaseValue }
    try insert(row)
    try db.run("INSERT OR IGNORE INTO feedCount (feedID) VALUES (?)", [feed])
  }

  private func restoreTag(_ row: ArchivedRow) throws {
    guard let article = row.integer("articleID"), try isHere(article),
      let name = String.fromDatabaseValue(row["name"]), let former = row.integer("account")
    else { return }
    let owner = former == account?.former ? account?.now ?? former : former
    guard try edit.view.accounts.account(AccountID(owner)) != nil else { return }
    let tag = try edit.tags.save(name, of: AccountID(owner))
    _ = try edit.tags.put(tag, true, on: [ArticleID(article)])
  }

  /// - Returns: whether it is there now, and was not before.
  @discardableResult
  private mutating func insert(_ row: ArchivedRow, replaces: Bool = false) throws -> Bool {
    let known = try knownColumns(of: row.table)
    let places = row.columns.indices.filter { known.contains(row.columns[$0]) }
    let names = places.map { "\"\(row.columns[$0])\"" }.joined(separator: ", ")
    let marks = places.map { _ in "?" }.joined(separator: ", ")
    try db.run(
      """
      INSERT OR \(replaces ? "REPLACE" : "IGNORE") INTO \(row.table) (\(names)) VALUES (\(marks))
      """, StatementArguments(places.map { row.values[$0] }))
    return db.changesCount > 0
  }

  private mutating func knownColumns(of table: String) throws -> Set<String> {
    if let known = columns[table] { return known }
    let known = Set(try db.columnNames(of: table))
    columns[table] = known
    return known
  }
}
