internal import GRDB
package import News

// A new form of the search index is filled in the background, newest articles first. A row of
// `unindexed` has the highest id that is missing; without one the index is complete.

extension Store {
  /// Ids that one transaction takes. Others who write wait for it, as a rule for less than a twentieth of a second.
  private static let slice: Int64 = 200
  /// Slices between two announcements.
  private static let announced = 20

  /// Adds missing articles to the search index. The next call continues after a kill.
  ///
  /// - Throws: `SourceError`, or `CancellationError`.
  package func completeIndex() async throws {
    guard try await view({ try $0.search.indexProgress() }) != nil else { return }
    var slices = 0
    while try await indexSlice() {
      slices += 1
      if slices % Self.announced == 0 { announce() }
    }
    announce()
  }

  /// - Returns: whether there is more to do.
  func indexSlice() async throws -> Bool {
    try await writing { db in
      var isMore = false
      try db.inTransaction(.immediate) {
        if let last: Int64 = try db.value("SELECT lastID FROM unindexed") {
          try Self.index(upTo: last, in: db)
          isMore = true
        }
        return .commit
      }
      return isMore
    }
  }

  private static func index(upTo last: Int64, in db: Database) throws {
    try db.run(
      """
      INSERT INTO search (rowid, title, authors, text)
      SELECT id, title, authors, text FROM indexedArticle
      WHERE id > :first AND id <= :last ORDER BY id
      """, ["first": last - slice, "last": last])
    let next: Int64? = try db.value("SELECT max(id) FROM article WHERE id <= ?", [last - slice])
    if let next {
      try db.run("UPDATE unindexed SET lastID = ?", [next])
    } else {
      try db.run("DELETE FROM unindexed")
    }
  }
}

extension SearchView {
  /// How much of the articles the search index has; nil where that is all of them.
  package func indexProgress() throws -> IndexProgress? {
    guard let last: Int64 = try db.value("SELECT lastID FROM unindexed") else { return nil }
    let highest: Int64? = try db.value("SELECT max(id) FROM article")
    let indexed = max(0, (highest ?? last) - last)
    return IndexProgress(percent: Int(indexed * 100 / max(1, highest ?? last)))
  }
}
