internal import GRDB
internal import News

/// The texts of an article as the columns of the search index take them.
struct IndexedText: Sendable {
  var title: String
  var authors: String
  var text: String

  fileprivate func arguments(_ id: Int64) -> StatementArguments { [id, title, authors, text] }
}

/// Changes of a transaction to the search index, written together at its end.
///
/// FTS5 writes a segment whenever SQLite starts a statement that may be rolled back alone, such as
/// an insert with a trigger. Inserted between rows of articles, each text would be a segment, whose
/// merging costs more than all else.
///
/// Articles that the index lacks are left to `IndexCompletion`. Confined to one transaction.
final class SearchIndexing {
  private enum Step {
    case add(Int64, IndexedText)
    /// The index keeps no copy of texts: removing one needs exactly the text that was added.
    case remove(Int64, IndexedText)
  }

  private var steps: [Step] = []
  /// Articles up to this id are not in the index; unknown before the first step.
  private var lastUnindexed: Int64?

  func add(_ id: Int64, _ text: IndexedText, in db: Database) throws {
    if try isIndexed(id, in: db) { steps.append(.add(id, text)) }
  }

  func add(_ id: Int64, in db: Database) throws {
    if try isIndexed(id, in: db), let article = try stored(id, in: db) {
      steps.append(.add(id, article))
    }
  }

  func remove(_ id: Int64, in db: Database) throws {
    if try isIndexed(id, in: db), let article = try stored(id, in: db) {
      steps.append(.remove(id, article))
    }
  }

  func removeAll(of feed: FeedID, in db: Database) throws {
    try write(to: db)
    try db.run(
      """
      INSERT INTO search (search, rowid, title, authors, text)
      SELECT 'delete', id, title, authors, text FROM indexedArticle
      WHERE id IN (SELECT id FROM article WHERE feedID = ? AND id > ?)
      """, [feed, lastUnindexed(in: db)])
  }

  private func stored(_ id: Int64, in db: Database) throws -> IndexedText? {
    try db.row("SELECT title, authors, text FROM indexedArticle WHERE id = ?", [id]).map {
      IndexedText(title: $0[0], authors: $0[1], text: $0[2])
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

  /// Settings of FTS5: the memory for collecting words in bytes, so that a batch of a refresh is
  /// one segment, and the number of segments that are merged. Over 10,000 articles in batches of 64
  /// feeds both save three fifths of the indexing, for 2 % more of it.
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
      case .add(let id, let article): try insert.execute(arguments: article.arguments(id))
      case .remove(let id, let article): try delete.execute(arguments: article.arguments(id))
      }
    }
  }

  static func rebuild(in db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO search (search) VALUES ('rebuild');
        DELETE FROM unindexed;
        """)
  }
}
