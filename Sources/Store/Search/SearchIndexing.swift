internal import GRDB
internal import News

/// Changes of a transaction to the search index, written together at its end.
///
/// FTS5 collects words in memory and writes a segment when it has enough of them, but also whenever
/// SQLite starts a statement that it may have to roll back alone, such as an insert with a trigger.
/// Texts that are inserted between the rows of articles would therefore be a segment each, and merging
/// those would cost more than everything else together.
///
/// Articles that the index lacks (`IndexCompletion`) are left to their turn.
///
/// Belongs to one transaction, and so to one thread at a time.
final class SearchIndexing {
  private enum Step {
    case add(IndexedArticle)
    /// The index keeps no copy of texts: removing one needs exactly the text that was added.
    case remove(IndexedArticle)
  }

  /// A row of the view `indexedArticle`.
  private struct IndexedArticle {
    var id: Int64
    var title: String
    var authors: String
    var text: String

    var arguments: StatementArguments { [id, title, authors, text] }
  }

  private var steps: [Step] = []
  /// Articles up to this id are not in the index; unknown before the first step.
  private var lastUnindexed: Int64?

  /// - Parameters:
  ///   - authors: as the column of `article` has them.
  ///   - text: as `articleText` makes it of what is stored.
  func add(_ id: Int64, title: String?, authors: String?, text: String, in db: Database) throws {
    guard try isIndexed(id, in: db) else { return }
    steps.append(
      .add(
        IndexedArticle(
          id: id, title: SearchText.indexed(title ?? ""),
          authors: SearchText.indexed(authors.map(AuthorList.names) ?? ""),
          text: SearchText.indexed(text))))
  }

  /// Adds an article as it is stored.
  func add(_ id: Int64, in db: Database) throws {
    if try isIndexed(id, in: db), let article = try stored(id, in: db) {
      steps.append(.add(article))
    }
  }

  /// Removes an article whose row is about to change.
  func remove(_ id: Int64, in db: Database) throws {
    if try isIndexed(id, in: db), let article = try stored(id, in: db) {
      steps.append(.remove(article))
    }
  }

  /// Removes all articles of a feed that is about to be deleted.
  func removeAll(of feed: FeedID, in db: Database) throws {
    try write(to: db)
    try db.run(
      """
      INSERT INTO search (search, rowid, title, authors, text)
      SELECT 'delete', id, title, authors, text FROM indexedArticle
      WHERE id IN (SELECT id FROM article WHERE feedID = ? AND id > ?)
      """, [feed, lastUnindexed(in: db)])
  }

  private func stored(_ id: Int64, in db: Database) throws -> IndexedArticle? {
    try db.row("SELECT title, authors, text FROM indexedArticle WHERE id = ?", [id]).map {
      IndexedArticle(id: id, title: $0[0], authors: $0[1], text: $0[2])
    }
  }

  private func isIndexed(_ id: Int64, in db: Database) throws -> Bool {
    try id > lastUnindexed(in: db)
  }

  private func lastUnindexed(in db: Database) throws -> Int64 {
    if let lastUnindexed { return lastUnindexed }
    let last: Int64 = try db.value("SELECT lastID FROM unindexed") ?? 0
    lastUnindexed = last
    return last
  }

  /// Writes the changes, in the order in which they were made.
  func write(to db: Database) throws {
    guard !steps.isEmpty else { return }
    do {
      try writeSteps(to: db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // Only tables of the index itself have a constraint here: it does not fit together.
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: error.message)
    }
    steps = []
  }

  /// What of FTS5's settings differs from what it comes with: the memory in which words are collected, in bytes, so that
  /// a batch of a refresh is one segment; and how many segments of a level are merged to one of the next. Over 10,000
  /// articles in batches of 64 feeds both take two fifths of the time to write the index, for 2 % more of it, and a
  /// search looks at as many segments.
  static let settings = ["hashsize": 4 << 20, "automerge": 8]
  /// Less is written as quickly with any settings.
  private static let worthSettings = 256

  /// Settings are kept in the database, and made where they are not there yet.
  private func makeSettings(in db: Database) throws {
    for (name, value) in Self.settings {
      let current: Int? = try db.value("SELECT v FROM search_config WHERE k = ?", [name])
      guard current != value else { continue }
      try db.run("INSERT INTO search (search, rank) VALUES (?, ?)", [name, value])
    }
  }

  private func writeSteps(to db: Database) throws {
    if steps.count >= Self.worthSettings { try makeSettings(in: db) }
    let insert = try db.cachedStatement(
      sql: "INSERT INTO search (rowid, title, authors, text) VALUES (?, ?, ?, ?)")
    let delete = try db.cachedStatement(
      sql: """
        INSERT INTO search (search, rowid, title, authors, text) VALUES ('delete', ?, ?, ?, ?)
        """)
    for step in steps {
      switch step {
      case .add(let article): try insert.execute(arguments: article.arguments)
      case .remove(let article): try delete.execute(arguments: article.arguments)
      }
    }
  }

  /// Makes the whole index anew.
  static func rebuild(in db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO search (search) VALUES ('rebuild');
        DELETE FROM unindexed;
        """)
  }
}
