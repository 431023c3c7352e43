internal import Foundation
internal import GRDB
package import News
internal import Text

/// What has become of a store that was found damaged.
package struct StoreRecovery: Hashable, Sendable {
  /// What was done about it.
  package enum Outcome: Hashable, Sendable {
    /// Nothing yet: it takes a while.
    case begun
    /// Indexes, or the search index, were made anew from the rows they stand for. Nothing was lost.
    case rebuilt
    /// What could be read was carried into a new database.
    case carried(Carried)
    /// It was nothing that Telex has written; a new database was begun.
    case foreign
    /// It was an empty file; a new database was begun in it.
    case empty
    /// Another process has put a new database in its place.
    case followed
  }

  /// How much was carried into a new database.
  package struct Carried: Hashable, Sendable {
    package var feeds = 0
    package var articles = 0
    /// Articles that are known to have been there and could not be read.
    package var lostArticles = 0
    /// Of these, how many keep their place and their marks, and their text where that can be read; they
    /// become what their feed brings again.
    package var keptPlaces = 0
    package var lostFeeds = 0
    /// Feeds of which only the address is left. They are not fetched by themselves: the way to them and
    /// the sign-in are lost too.
    package var bareFeeds = 0
    /// Articles whose marks could not be read; they are unread and without a star.
    package var lostMarks = 0
    /// What else some of could not be read, in the words of the user.
    package var incomplete: [String] = []
    /// Nothing at all could be read.
    package var isUnreadable = false
    /// Articles that are there without their text; it comes with the next refresh where its feed still
    /// has it.
    package var withoutText = 0
  }

  package var outcome: Outcome
  /// Where the damaged file lies now, with its log beside it.
  package var setAside: String?

  /// One or two sentences without a full stop.
  package var message: String {
    switch outcome {
    case .begun: "the database is damaged; what can be read is being saved"
    case .rebuilt: "the database was damaged; its indexes were made anew, and nothing was lost"
    case .empty: "the database file was empty; a new database was begun in it"
    case .foreign: "there was no database of Telex's but another file; a new database was begun"
    case .followed: "another database lies in the place of the one that was open"
    case .carried(let carried): carried.message
    }
  }

  package var next: String? {
    setAside.map {
      outcome == .foreign ? "it is kept as \($0)" : "the damaged file is kept as \($0)"
    }
  }

  /// In the form in which the screen and the verbs tell of errors.
  package func error(subject: String) -> SourceError {
    SourceError(.store, stage: .store, subject: subject, message: message, next: next)
  }
}

extension StoreRecovery.Carried {
  fileprivate var message: String {
    func counted(_ count: Int, _ thing: String) -> String {
      "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
    var losses: [String] = []
    if isUnreadable {
      return "the database was damaged, and nothing of it could be read; a new one was begun"
    }
    if bareFeeds > 0 {
      losses.append(
        "\(counted(bareFeeds, "feed")) lost all but the address, and \(bareFeeds == 1 ? "is" : "are") "
          + "asked when you say so")
    }
    if lostFeeds > 0 { losses.append("\(counted(lostFeeds, "feed")) could not be read") }
    if lostArticles > 0 {
      let places =
        switch keptPlaces {
        case 0: ""
        case lostArticles: " and wait for their feeds"
        default: ", of which \(keptPlaces) wait for their feeds"
        }
      losses.append("\(counted(lostArticles, "article")) could not be read\(places)")
    }
    if lostMarks > 0 { losses.append("\(counted(lostMarks, "article")) lost the marks") }
    if withoutText > 0 { losses.append("\(counted(withoutText, "article")) lost the text") }
    if !incomplete.isEmpty {
      losses.append("some of these may be missing: \(incomplete.joined(separator: ", "))")
    }
    if losses.isEmpty { losses = ["nothing is known to be missing"] }
    return "the database was damaged; \(counted(feeds, "feed")) and "
      + "\(counted(articles, "article")) were carried into a new one; "
      + losses.joined(separator: "; ")
  }
}

/// Carries what can be read of a damaged database into a new one.
///
/// SQLite has no way of its own to do this. Rows are read in the order of their ids, and what errors
/// is stepped over; where a table cannot be read an index may still tell what stood in it. Rows
/// below a damaged inner page of a table's tree are not searched for.
struct RowCarrier {
  let source: Database
  let target: Database
  let patience: Patience

  /// Tables in the order of what they are worth, and so that no row refers to a later one. `feedCount`
  /// is counted anew.
  private static let tables = [
    "account", "signIn", "feed", "feedFolder", "folderOutline", "feedState", "article",
    "articleStatus",
    "articleBody", "gap", "outbox", "readBatch", "tag", "articleTag", "discardedSignIn", "upkeep",
  ]

  /// What the user calls the rows of those that nothing else tells of.
  private static let words = [
    "feedFolder": "folders", "folderOutline": "notes of other programs on folders",
    "account": "accounts", "signIn": "sign-ins", "feedState": "what is known of the fetches",
    "gap": "gaps",
    "outbox": "what waits to be sent", "tag": "tags", "articleTag": "tags of articles",
  ]

  /// - Returns: how much there was to carry.
  func carryAll() throws -> StoreRecovery.Carried {
    var carried = StoreRecovery.Carried()
    let known = Set(sourceTables())
    for table in Self.tables where try target.tableExists(table) {
      let isWhole = try known.contains(table) && carry(table)
      if !isWhole, let words = Self.words[table] { carried.incomplete.append(words) }
      switch table {
      case "feed":
        (carried.bareFeeds, carried.lostFeeds) = try nameFeeds()
        try takeInFeedsOfLostAccounts()
      case "feedState":
        try target.execute(
          sql: """
            INSERT OR IGNORE INTO feedState (feedID) SELECT id FROM feed;
            INSERT OR IGNORE INTO feedCount (feedID) SELECT id FROM feed;
            """)
      case "article":
        try target.execute(sql: "DELETE FROM article WHERE feedID NOT IN (SELECT id FROM feed)")
      case "articleStatus":
        try keepPlaces()
        (carried.lostArticles, carried.lostMarks) = try completeMarks()
      case "articleBody":
        carried.withoutText = try completeBodies()
      default: break
      }
    }
    try dropOrphans()
    try keepSequences()
    let (all, unreadable) = try target.makeStatement(
      sql: "SELECT count(*), coalesce(sum(entryID = ''), 0) FROM article"
    ).counts()
    carried.articles = all - unreadable
    carried.keptPlaces = unreadable
    carried.lostArticles += unreadable
    if carried.lostArticles > 0 || carried.withoutText > 0 || carried.lostFeeds > 0 {
      // What is missing comes again where its feed still has it.
      try target.execute(
        sql: "UPDATE feedState SET etag = NULL, lastModified = NULL, bodyDigest = NULL")
    }
    carried.feeds = try Int.fetchOne(target, sql: "SELECT count(*) FROM feed") ?? 0
    try target.execute(sql: "INSERT INTO search (search) VALUES ('rebuild')")
    return carried
  }

  // MARK: - Rows

  private func sourceTables() -> [String] {
    (try? String.fetchAll(source, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")) ?? []
  }

  private func columnNames(of table: String, in db: Database) -> [String] {
    (try? String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table]))
      ?? []
  }

  /// - Returns: whether all of it could be read.
  private func carry(_ table: String) throws -> Bool {
    let there = Set(columnNames(of: table, in: source))
    let columns = try Column.all(of: table, in: target).filter { there.contains($0.name) }
    guard !columns.isEmpty else { return false }
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let insert = try target.makeStatement(
      sql: """
        INSERT OR IGNORE INTO \(table) (\(names))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """)
    // What is no value of its column is damage that no check of SQLite's has found.
    var isSound = true
    let take = { (row: Row) in
      try checkTime()
      var values: [DatabaseValue] = []
      for (index, column) in columns.enumerated() {
        guard let value = column.value(row[index]) else {
          isSound = false
          return
        }
        values.append(value)
      }
      try insert.execute(arguments: StatementArguments(values))
    }
    let hasRowID = try !target.tableHasNoRowID(table)
    let reader = RowReader(
      db: source, table: table, key: hasRowID ? "rowid" : nil, columns: names, highest: highestID)
    return try reader.forEach(take) { try checkTime() } && isSound
  }

  /// A command with a deadline ends at it, and leaves the damaged database to the next.
  private func checkTime() throws {
    guard patience.isOver else { return }
    throw SourceError(
      .store, stage: .store, subject: "the damaged database",
      message: "saving what can be read of it takes longer than allowed; nothing was changed",
      next: "telex doctor --repair without a --timeout")
  }

  private struct Column {
    let name: String
    let type: String
    let isRequired: Bool

    static func all(of table: String, in db: Database) throws -> [Column] {
      try Row.fetchAll(
        db, sql: "SELECT name, type, \"notnull\" OR pk FROM pragma_table_info(?)",
        arguments: [table]
      ).map { Column(name: $0[0], type: $0[1], isRequired: $0[2]) }
    }

    /// Nil where a row with this value is none.
    func value(_ value: DatabaseValue) -> DatabaseValue? {
      let fits =
        switch value.storage {
        case .null: false
        case .int64: type == "INTEGER"
        // Text that is no text is read as something else by every other part.
        case .string(let text): type == "TEXT" && !text.contains("\u{0}")
        case .blob: type == "BLOB"
        case .double: false
        }
      if fits { return value }
      return isRequired ? nil : .null
    }
  }

  /// No row of any table has a higher id.
  private var highestID: Int64 {
    let numbers = rows("SELECT seq FROM sqlite_sequence").compactMap { $0.integer(0) }
      .filter { $0 > 0 && $0 < 1 << 40 }
    return numbers.max() ?? 4_000_000
  }

  // MARK: - What the indexes still tell

  /// Feeds whose rows cannot be read, but whose address is in the index of addresses.
  ///
  /// They are as good as gone until the user asks for them: how they are reached was lost too, and a feed
  /// that was read over Tor must not be asked directly.
  ///
  /// - Returns: how many of these there are, and how many feeds are known to be missing.
  private func nameFeeds() throws -> (bare: Int, lost: Int) {
    var bare: [Int64] = []
    let account = try hasAccountsOfFeeds ? ", account" : ""
    let insert = try target.makeStatement(
      sql: """
        INSERT OR IGNORE INTO feed (id, url, isTyped, addedAt\(account))
        VALUES (?, ?, 0, 0\(account.isEmpty ? "" : ", ?"))
        """)
    for row in rows(
      """
      SELECT rowid, url\(account) FROM feed INDEXED BY sqlite_autoindex_feed_1 WHERE url >= ''
      ORDER BY url
      """)
    {
      guard let id = row.integer(0), let url = row.text(1) else { continue }
      var arguments: StatementArguments = [id, url]
      if !account.isEmpty { arguments += [row.integer(2) ?? AccountID.local.rawValue] }
      try insert.execute(arguments: arguments)
      if target.changesCount > 0 { bare.append(id) }
    }
    // Articles of a feed that nothing tells of belong to nothing.
    let named = Set(try Int64.fetchAll(target, sql: "SELECT id FROM feed"))
    var other: Set<Int64> = []
    for table in ["feedState", "feedFolder", "feedCount"] {
      for row in rows("SELECT feedID FROM \(table)") {
        if let id = row.integer(0), !named.contains(id) { other.insert(id) }
      }
    }
    try holdBack(
      bare, "its title, its sign-in and the way to it were lost with a damaged database",
      next: "set them again, then fetch it")
    return (bare.count, other.count)
  }

  /// Whether the schema is one in which feeds belong to accounts.
  private var hasAccountsOfFeeds: Bool {
    get throws { try target.columns(in: "feed").contains { $0.name == "account" } }
  }

  /// Feeds whose account cannot be read are those of the local one, and not fetched by themselves: what
  /// is public there may not be what the account had. One that the local account has too is that one.
  private func takeInFeedsOfLostAccounts() throws {
    guard try hasAccountsOfFeeds else { return }
    let lost = try Int64.fetchAll(
      target, sql: "SELECT id FROM feed WHERE account NOT IN (SELECT id FROM account)")
    guard !lost.isEmpty else { return }
    try target.execute(
      sql: """
        UPDATE OR IGNORE feed SET account = 1 WHERE account NOT IN (SELECT id FROM account);
        DELETE FROM feed WHERE account NOT IN (SELECT id FROM account);
        """)
    let kept = Set(try Int64.fetchAll(target, sql: "SELECT id FROM feed"))
    try holdBack(
      lost.filter(kept.contains), "its account was lost with a damaged database",
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
        .store, stage: .store, subject: "feed \(feed)",
        message: message, next: next)
      try statement.execute(arguments: [feed, StoredError.encode(error)])
    }
  }

  /// Articles whose rows cannot be read, but whose keys are in the index of these, or that a comment
  /// waits for: they keep their places and their marks, and become what their feed next brings of them.
  private func keepPlaces() throws {
    var keys: [(id: Int64, feed: Int64, key: Int64)] = []
    for row in rows(
      """
      SELECT rowid, feedID, entryKey FROM article INDEXED BY articleEntry WHERE feedID > 0
      ORDER BY feedID, entryKey
      """)
    {
      guard let id = row.integer(0), let feed = row.integer(1), let key = row.integer(2) else {
        continue
      }
      keys.append((id, feed, key))
    }
    let named = Set(keys.map(\.id))
    for row in rows(
      """
      SELECT outbox.articleID, feedID FROM outbox
        JOIN articleStatus ON articleStatus.articleID = outbox.articleID
      """)
    {
      guard let id = row.integer(0), let feed = row.integer(1), !named.contains(id) else {
        continue
      }
      keys.append((id, feed, PreparedPage.key(ofEntry: "unreadable \(id)")))
    }
    let insert = try target.makeStatement(
      sql: """
        INSERT OR IGNORE INTO article
          (id, feedID, entryKey, entryID, title, firstSeen, digest)
        SELECT ?1, id, ?3, '', '(title could not be read)',
          coalesce((SELECT sortDate FROM articleStatus WHERE articleID = ?1), 0), 0
        FROM feed WHERE id = ?2
        """)
    for (id, feed, key) in keys { try insert.execute(arguments: [id, feed, key]) }
  }

  /// Marks whose rows cannot be read: that an article is read or starred shows in which indexes it is.
  ///
  /// - Returns: how many articles are known to be missing, and how many lost their marks.
  private func completeMarks() throws -> (articles: Int, marks: Int) {
    let articles = Set(try Int64.fetchAll(target, sql: "SELECT id FROM article"))
    let marked = Set(try Int64.fetchAll(target, sql: "SELECT articleID FROM articleStatus"))
    var found: [Int64: (feed: Int64, date: Int64)] = [:]
    for row in rows(
      """
      SELECT articleID, feedID, sortDate FROM articleStatus INDEXED BY statusByFeed
      WHERE feedID > 0 ORDER BY feedID, sortDate, articleID
      """)
    {
      guard let id = row.integer(0), let feed = row.integer(1), let date = row.integer(2) else {
        continue
      }
      found[id] = (feed, date)
    }
    func ids(_ index: String, _ condition: String) -> (ids: Set<Int64>, isWhole: Bool) {
      var isWhole = true
      let rows = rows(
        """
        SELECT articleID FROM articleStatus INDEXED BY \(index) WHERE \(condition)
        ORDER BY sortDate, articleID
        """, isWhole: &isWhole)
      return (Set(rows.compactMap { $0.integer(0) }), isWhole)
    }
    var lostMarks = 0
    let missing = articles.subtracting(marked)
    if !missing.isEmpty {
      let unread = ids("statusUnread", "isRead = 0")
      let starred = ids("statusStarred", "isStarred = 1")
      let insert = try target.makeStatement(
        sql: """
          INSERT INTO articleStatus (articleID, feedID, sortDate, isRead, isStarred)
          SELECT id, feedID, coalesce(?2, published, firstSeen), ?3, ?4 FROM article WHERE id = ?1
          """)
      for id in missing.sorted() {
        // Where nothing tells, an article is unread: none is passed over.
        let isRead = unread.isWhole && found[id] != nil && !unread.ids.contains(id)
        if !unread.isWhole || !starred.isWhole || found[id] == nil { lostMarks += 1 }
        try insert.execute(arguments: [id, found[id]?.date, isRead, starred.ids.contains(id)])
      }
    }
    return (marked.union(found.keys).subtracting(articles).count, lostMarks)
  }

  /// Articles whose text cannot be read are there without it, and taken from their feeds again.
  private func completeBodies() throws -> Int {
    let without = "SELECT id FROM article WHERE id NOT IN (SELECT articleID FROM articleBody)"
    let (all, unreadable) = try target.makeStatement(
      sql: """
        SELECT count(*), coalesce(sum(entryID = ''), 0) FROM article
        WHERE id NOT IN (SELECT articleID FROM articleBody)
        """
    ).counts()
    if all > 0 {
      try target.execute(
        sql: """
          UPDATE article SET digest = 0 WHERE id IN (\(without));
          INSERT INTO articleBody (articleID) \(without);
          """)
    }
    return all - unreadable
  }

  /// Rows that can be read, up to the first that cannot.
  private func rows(_ sql: String) -> [Row] {
    var isWhole = true
    return rows(sql, isWhole: &isWhole)
  }

  private func rows(_ sql: String, isWhole: inout Bool) -> [Row] {
    var result: [Row] = []
    do {
      let cursor = try Row.fetchCursor(source, sql: sql)
      while let row = try cursor.next() { result.append(row.copy()) }
    } catch {
      isWhole = false
    }
    return result
  }

  // MARK: - The rest

  private func dropOrphans() throws {
    for (table, column, owner) in [
      ("feedFolder", "feedID", "feed"), ("feedState", "feedID", "feed"),
      ("articleStatus", "articleID", "article"), ("articleBody", "articleID", "article"),
      ("gap", "feedID", "feed"), ("tag", "account", "account"), ("articleTag", "tag", "tag"),
      ("articleTag", "articleID", "article"),
    ] where try target.tableExists(table) {
      try target.execute(
        sql: "DELETE FROM \(table) WHERE \(column) NOT IN (SELECT id FROM \(owner))")
    }
    try target.execute(
      sql: """
        DELETE FROM outbox WHERE articleID IS NOT NULL AND kind <> 'comment'
          AND articleID NOT IN (SELECT id FROM article);
        UPDATE articleStatus SET feedID = (SELECT feedID FROM article WHERE id = articleID)
          WHERE feedID <> (SELECT feedID FROM article WHERE id = articleID);
        DELETE FROM feedCount;
        INSERT INTO feedCount (feedID, total, unread, starred)
          SELECT feed.id, count(articleID), coalesce(sum(isRead = 0), 0),
            coalesce(sum(isStarred = 1), 0)
          FROM feed LEFT JOIN articleStatus ON articleStatus.feedID = feed.id GROUP BY feed.id;
        """)
    if try target.columns(in: "articleStatus").contains(where: { $0.name == "duplicateOf" }) {
      try target.execute(
        sql: """
          UPDATE articleStatus SET duplicateOf = NULL
          WHERE duplicateOf NOT IN (SELECT articleID FROM articleStatus)
          """)
    }
  }

  /// No number is given twice, not even that of a row which was lost.
  private func keepSequences() throws {
    for row in rows("SELECT name, seq FROM sqlite_sequence") {
      guard let name = row.text(0), let number = row.integer(1),
        Self.tables.contains(name), number < 1 << 53
      else { continue }
      try target.execute(
        sql: "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?",
        arguments: [number, name])
      if target.changesCount == 0 {
        try target.execute(
          sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [name, number])
      }
    }
  }
}

/// Reads the rows of a damaged table: by id from either end, and in between wherever one can be had.
private struct RowReader {
  let db: Database
  let table: String
  /// Nil for a table that has no ids, which is read from either end only.
  let key: String?
  let columns: String
  let highest: Int64

  /// How often a stretch that errors is looked into: a broken page that leads to many others costs a
  /// look for each id.
  private static let attempts = 1_000_000

  /// - Parameter pause: called between two looks into what errors.
  /// - Returns: whether all of it could be read.
  func forEach(_ body: (Row) throws -> Void, pause: () throws -> Void) throws -> Bool {
    guard let key else {
      // Those that come twice are ignored when they are inserted again.
      for order in ["ASC", "DESC"] {
        let primary = try String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
          arguments: [table])
        let terms = primary.map { "\($0) \(order)" }.joined(separator: ", ")
        if try walk("SELECT \(columns) FROM \(table) ORDER BY \(terms)", [], body) { return true }
      }
      return false
    }
    let select = "SELECT \(columns), \(key) FROM \(table) NOT INDEXED WHERE \(key)"
    var attempts = Self.attempts
    // Stretches of ids that are still to be read, the first last.
    var stretches: [(low: Int64, high: Int64)] = [(0, highest)]
    var isWhole = true
    while let (low, high) = stretches.popLast(), attempts > 0 {
      guard low <= high else { continue }
      try pause()
      attempts -= 1
      var last = low - 1
      let up = "\(select) BETWEEN ? AND ? ORDER BY \(key)"
      if try walk(up, [low, high], body, &last) { continue }
      isWhole = false
      var first = high + 1
      if try walk("\(up) DESC", [last + 1, high], body, &first) { continue }
      // Both ends of what is left are broken.
      guard last + 1 < first - 1 else { continue }
      let middle = last + 1 + (first - 1 - (last + 1)) / 2
      stretches.append((middle + 1, first - 1))
      stretches.append((last + 1, middle))
    }
    return isWhole
  }

  /// - Returns: whether it came to the end.
  private func walk(
    _ sql: String, _ arguments: StatementArguments, _ body: (Row) throws -> Void
  ) throws -> Bool {
    let cursor: RowCursor
    do { cursor = try Row.fetchCursor(db, sql: sql, arguments: arguments) } catch { return false }
    while true {
      let row: Row?
      do { row = try cursor.next() } catch { return false }
      guard let row else { return true }
      try body(row)
    }
  }

  private func walk(
    _ sql: String, _ arguments: StatementArguments, _ body: (Row) throws -> Void,
    _ last: inout Int64
  ) throws -> Bool {
    var reached = last
    defer { last = reached }
    return try walk(sql, arguments) { row in
      try body(row)
      if let id = row.integer(row.count - 1) { reached = id }
    }
  }
}

extension Database {
  fileprivate func tableHasNoRowID(_ table: String) throws -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT wr FROM pragma_table_list WHERE name = ?", arguments: [table]) ?? false
  }
}

extension Statement {
  fileprivate func counts() throws -> (Int, Int) {
    guard let row = try Row.fetchOne(self) else { return (0, 0) }
    return (row[0], row[1])
  }
}

extension Row {
  /// Without trust in what the database says of its columns.
  fileprivate func integer(_ index: Int) -> Int64? {
    if case .int64(let value) = (self[index] as DatabaseValue).storage { value } else { nil }
  }

  fileprivate func text(_ index: Int) -> String? {
    if case .string(let value) = (self[index] as DatabaseValue).storage { value } else { nil }
  }
}
