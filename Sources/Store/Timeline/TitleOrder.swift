internal import GRDB
internal import News

// Lists by title use an index over the first bytes of sort texts, which is made in the background
// when such a list is first read. Articles without a key are sorted beside it.

/// The row of `titleOrder`: how far the keys of titles are stored.
struct TitleOrderState {
  /// `SortText.folding` of the keys.
  let folding: Int64
  /// Articles up to this id have a row in `titleKey`, later ones have none.
  let lastID: Int64
  /// Whether all were there once, and the index was made over them.
  let isWhole: Bool
}

extension TimelineView {
  /// Nil where no list was sorted by titles yet.
  func titleOrderState() throws -> TitleOrderState? {
    try db.row("SELECT folding, lastID, isWhole FROM titleOrder").map {
      TitleOrderState(folding: $0[0], lastID: $0[1], isWhole: $0[2])
    }
  }

  /// Articles without a key, up to `limit`. The index has to be there.
  func untitled(since last: Int64, limit: Int) throws -> [Int64] {
    try db.values(
      """
      SELECT id FROM (SELECT id FROM article WHERE id > ?1 ORDER BY id LIMIT ?2)
      UNION ALL
      SELECT titledID FROM (
        SELECT titledID FROM titleKey INDEXED BY titleByKey WHERE key IS NULL LIMIT ?2)
      LIMIT ?2
      """, [last, limit])
  }

  /// Whether an article that should have a row has none.
  fileprivate func lacksTitles() throws -> Bool {
    guard let state = try titleOrderState(), state.isWhole else { return false }
    return try db.value(
      """
      SELECT (
          SELECT count(*) FROM article INDEXED BY articleArrival WHERE +id <= ?) > (SELECT count(*) FROM titleKey)
      """, [state.lastID]) ?? false
  }

  fileprivate func hasTitlesToOrder(begins: Bool) throws -> Bool {
    guard let state = try titleOrderState(), state.folding == SortText.folding else {
      let bound = ArticleSelection.fewSorted
      return try begins && view.queries.count("SELECT 1 FROM article", [], upTo: bound) == bound
    }
    guard state.isWhole else { return true }
    return try untitled(since: state.lastID, limit: Store.fewUntitled).count == Store.fewUntitled
  }
}

extension StoreEdit {
  /// An article that was inserted has an id of before.
  func noteReturn(of article: Int64) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO titleKey (titledID)
        SELECT ?1 WHERE ?1 <= (SELECT lastID FROM titleOrder)
      """, [article])
  }
}

extension Store {
  /// Articles that one transaction takes. Others who write wait for it.
  private static let slice = 1_000
  /// Fewer than so many without a key are left as they are.
  fileprivate static let fewUntitled = 200

  /// Stores keys of new and changed titles, and makes the index. The next call continues after a
  /// kill.
  ///
  /// - Parameter begins: whether to begin where no list was sorted by titles yet.
  /// - Throws: `SourceError`, or `CancellationError`.
  package func orderTitles(begins: Bool) async throws {
    // Another program may have put articles back.
    if begins, try await view({ try $0.timeline.lacksTitles() }) { try await noteMissing() }
    guard try await view({ try $0.timeline.hasTitlesToOrder(begins: begins) }) else { return }
    while try await orderSlice() { try Task.checkCancellation() }
  }

  private func noteMissing() async throws {
    try await writing { db in
      try db.run(
        """
        INSERT OR IGNORE INTO titleKey (titledID)
          SELECT id FROM article WHERE id <= (SELECT lastID FROM titleOrder)
            AND id NOT IN (SELECT titledID FROM titleKey)
        """)
    }
  }

  /// - Returns: whether there is more to do.
  func orderSlice() async throws -> Bool {
    try await writing { db in
      var isMore = false
      try db.inTransaction(.immediate) {
        isMore = try Self.orderSlice(in: db)
        return .commit
      }
      return isMore
    }
  }

  private static func orderSlice(in db: Database) throws -> Bool {
    guard let state = try StoreView(db: db).timeline.titleOrderState(),
      state.folding == SortText.folding
    else {
      try db.execute(
        sql: """
          DROP INDEX IF EXISTS titleByKey;
          DELETE FROM titleKey;
          DELETE FROM titleOrder;
          """)
      try db.run(
        "INSERT INTO titleOrder (folding, lastID, isWhole) VALUES (?, 0, 0)", [SortText.folding])
      return true
    }
    let next: Int64? = try db.value(
      "SELECT max(id) FROM (SELECT id FROM article WHERE id > ? ORDER BY id LIMIT ?)",
      [state.lastID, slice])
    if let next {
      try db.run(
        """
        INSERT OR REPLACE INTO titleKey (titledID, key)
          SELECT id, \(SortText.keyOfArticle) FROM article WHERE id > ? AND id <= ?
        """, [state.lastID, next])
      try db.run("UPDATE titleOrder SET lastID = ?", [next])
      return true
    }
    guard state.isWhole else {
      // At once, over keys in the order of ids: a growing index would be rewritten with each slice.
      try db.execute(
        sql: """
          CREATE INDEX titleByKey ON titleKey(key);
          UPDATE titleOrder SET isWhole = 1;
          """)
      return true
    }
    try db.run(
      """
      UPDATE titleKey
        SET key = (SELECT \(SortText.keyOfArticle) FROM article WHERE article.id = titledID)
        WHERE titledID IN (
          SELECT titledID FROM titleKey INDEXED BY titleByKey WHERE key IS NULL LIMIT ?)
      """, [slice])
    return db.changesCount > 0
  }
}
