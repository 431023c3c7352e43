internal import Foundation
internal import GRDB
internal import News

/// Copies the readable rows of a damaged database into a new one, in the order of ids. Unreadable
/// rows are skipped, unless an index has their values. Rows below a damaged inner page are not
/// searched for.
struct RowCarrier {
  let source: DamagedDatabase
  let target: Database
  let waitLimit: WaitLimit

  /// - Returns: what was carried, and what could not be read.
  func carryAll() throws -> StoreRecovery.Carried {
    var carried = StoreRecovery.Carried()
    let feeds = FeedSalvage(source: source, target: target)
    let articles = ArticleSalvage(source: source, target: target)
    let known = Set(source.tables)
    var hasAllComments = true
    for table in StoreTable.all where table.isCarried {
      let isWhole = try known.contains(table.name) && carry(table.name)
      if !isWhole, let words = table.words { carried.incomplete.append(words) }
      if table.name == "comment" { hasAllComments = isWhole }
      switch table.name {
      case "feed":
        (carried.bareFeeds, carried.lostFeeds) = try feeds.nameFeeds()
        try feeds.moveFeedsOfLostAccounts()
      case "feedState":
        try target.execute(
          sql: """
            INSERT OR IGNORE INTO feedState (feedID) SELECT id FROM feed;
            INSERT OR IGNORE INTO feedCount (feedID) SELECT id FROM feed;
            """)
      case "article":
        try target.execute(sql: "DELETE FROM article WHERE feedID NOT IN (SELECT id FROM feed)")
      case "articleStatus":
        try articles.keepPlaces()
        (carried.lostArticles, carried.lostMarks) = try articles.completeMarks()
      case "articleBody": carried.withoutText = try articles.completeBodies()
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
      // Feeds are fetched in full, to bring what is missing.
      try target.execute(
        sql: "UPDATE feedState SET etag = NULL, lastModified = NULL, bodyDigest = NULL")
    }
    if !hasAllComments {
      try target.execute(
        sql: "UPDATE conversation SET etag = NULL, lastModified = NULL, bodyDigest = NULL")
    }
    carried.feeds = try Int.fetchOne(target, sql: "SELECT count(*) FROM feed") ?? 0
    try SearchIndexing.rebuild(in: target)
    return carried
  }

  // MARK: - Rows

  /// - Returns: whether all of it could be read.
  private func carry(_ table: String) throws -> Bool {
    let there = Set((try? source.db.columnNames(of: table)) ?? [])
    let columns = try Column.all(of: table, in: target).filter { there.contains($0.name) }
    guard !columns.isEmpty else { return false }
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let insert = try target.makeStatement(
      sql: """
        INSERT OR IGNORE INTO \(table) (\(names))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """)
    // A value of another type than its column is damage that SQLite's checks do not find.
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
      db: source.db, table: table, key: hasRowID ? "rowid" : nil, columns: names,
      highest: source.highestID)
    return try reader.forEach(take) { try checkTime() } && isSound
  }

  /// A command with a deadline ends at it, and leaves the damaged database to the next.
  private func checkTime() throws {
    guard waitLimit.isOver else { return }
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

    /// Nil where a row with this value is invalid.
    func value(_ value: DatabaseValue) -> DatabaseValue? {
      let fits =
        switch value.storage {
        case .null: false
        case .int64: type == "INTEGER"
        // Text with a NUL ends there for some parts of the program.
        case .string(let text): type == "TEXT" && !text.contains("\u{0}")
        case .blob: type == "BLOB"
        case .double: false
        }
      if fits { return value }
      return isRequired ? nil : .null
    }
  }

  // MARK: - The rest

  private func dropOrphans() throws {
    for table in StoreTable.all where table.isCarried {
      let owners = try Row.fetchAll(
        target, sql: "SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?)",
        arguments: [table.name])
      for owner in owners {
        let (column, other, key): (String, String, String) = (owner[0], owner[1], owner[2])
        try target.execute(
          sql: "DELETE FROM \(table.name) WHERE \(column) NOT IN (SELECT \(key) FROM \(other))")
      }
    }
    // The outbox of a lost account goes to the present account of the feed.
    try target.execute(
      sql: """
        DELETE FROM outbox WHERE feedID NOT IN (SELECT id FROM feed);
        UPDATE articleStatus SET isChanged = 0
          WHERE isChanged <> 0 AND articleID NOT IN (SELECT articleID FROM formerText);
        UPDATE OR IGNORE feedFolder SET account = 1 WHERE account NOT IN (SELECT id FROM account);
        UPDATE OR IGNORE outbox SET account = (SELECT feed.account FROM feed WHERE feed.id = coalesce(
            (SELECT feedID FROM article WHERE article.id = outbox.articleID), outbox.feedID))
          WHERE account IS NOT NULL AND account NOT IN (SELECT id FROM account);
        DELETE FROM outbox WHERE articleID IS NOT NULL AND kind NOT IN (\(OutboxKind.ofTexts))
          AND articleID NOT IN (SELECT id FROM article);
        UPDATE articleStatus SET feedID = (SELECT feedID FROM article WHERE id = articleID)
          WHERE feedID <> (SELECT feedID FROM article WHERE id = articleID);
        UPDATE articleStatus SET duplicateOf = NULL
          WHERE duplicateOf NOT IN (SELECT articleID FROM articleStatus);
        DELETE FROM feedCount;
        INSERT INTO feedCount (feedID, total, unread, starred)
          SELECT feed.id, count(articleID), coalesce(sum(isRead = 0), 0),
            coalesce(sum(isStarred = 1), 0)
          FROM feed LEFT JOIN articleStatus ON articleStatus.feedID = feed.id GROUP BY feed.id;
        """)
  }

  /// No number is given twice, not even that of a row which was lost.
  private func keepSequences() throws {
    for row in source.rows("SELECT name, seq FROM sqlite_sequence") {
      guard let name = row.text(0), let number = row.integer(1),
        StoreTable.named(name)?.isCarried == true, number < 1 << 53
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

extension Database {
  fileprivate func tableHasNoRowID(_ table: String) throws -> Bool {
    try Bool.fetchOne(
      self, sql: "SELECT wr FROM pragma_table_list WHERE name = ?", arguments: [table]) ?? false
  }
}

extension Statement {
  func counts() throws -> (Int, Int) {
    guard let row = try Row.fetchOne(self) else { return (0, 0) }
    return (row[0], row[1])
  }
}
