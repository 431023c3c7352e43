internal import GRDB
internal import News

/// Changes of a transaction to the search index, written together at its end.
///
/// FTS5 collects words in memory and writes a segment when it has enough of them, but also whenever
/// SQLite starts a statement that it may have to roll back alone, such as an insert with a trigger.
/// Texts that are inserted between the rows of articles would therefore be a segment each, and merging
/// those would cost more than everything else together.
///
/// Belongs to one transaction, and so to one thread at a time.
final class SearchIndexing {
  private enum Step {
    case add(id: Int64, title: String, text: String)
    /// The index keeps no copy of texts: removing one needs exactly the text that was added.
    case remove(id: Int64, title: String, text: String)
  }

  private var steps: [Step] = []

  func add(_ id: Int64, title: String?, text: String) {
    steps.append(.add(id: id, title: title ?? "", text: text))
  }

  /// Removes an article whose row is about to change.
  func remove(_ id: Int64, in db: Database) throws {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT title, text FROM searchSource WHERE id = ?"),
      arguments: [id])
    guard let row else { return }
    steps.append(.remove(id: id, title: row[0], text: row[1]))
  }

  /// Removes all articles of a feed that is about to be deleted.
  func removeAll(of feed: FeedID, in db: Database) throws {
    try write(to: db)
    try db.execute(
      sql: """
        INSERT INTO search (search, rowid, title, text)
        SELECT 'delete', id, title, text FROM searchSource
        WHERE id IN (SELECT id FROM article WHERE feedID = ?)
        """, arguments: [feed.rawValue])
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

  private func writeSteps(to db: Database) throws {
    let insert = try db.cachedStatement(
      sql: "INSERT INTO search (rowid, title, text) VALUES (?, ?, ?)")
    let delete = try db.cachedStatement(
      sql: "INSERT INTO search (search, rowid, title, text) VALUES ('delete', ?, ?, ?)")
    for step in steps {
      switch step {
      case .add(let id, let title, let text): try insert.execute(arguments: [id, title, text])
      case .remove(let id, let title, let text): try delete.execute(arguments: [id, title, text])
      }
    }
  }
}
