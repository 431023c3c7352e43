internal import Foundation
internal import GRDB
internal import News

// Deleted articles, by their ids: what a source lists under these is not stored again.
extension TombstonesEdit {
  /// Days for which the id of a deleted article is kept after its source has listed it last.
  private static let daysOfTombstones = 90

  /// Keeps an absent article from being stored. Returns whether it was not kept away before.
  func bury(_ key: Int64, of feed: FeedID, now: Date) throws -> Bool {
    try db.run(
      """
      INSERT OR IGNORE INTO tombstone (feedID, entryKey, listedAt)
        SELECT ?1, ?2, ?3
        WHERE NOT EXISTS (SELECT 1 FROM article WHERE feedID = ?1 AND entryKey = ?2)
      """, [feed, key, seconds(now)])
    return db.changesCount > 0
  }

  /// The articles of a page without the deleted ones.
  ///
  /// - Parameter isNewest: whether the page is the current one of the feed, so that ids it has
  ///   lacked for long are dropped.
  func withoutDeleted(
    _ articles: [PreparedPage.Article], of feed: FeedID, isNewest: Bool, now: Date
  ) throws -> [PreparedPage.Article] {
    let buried: Set<Int64> = try Set(
      db.values("SELECT entryKey FROM tombstone WHERE feedID = ?", [feed]))
    guard !buried.isEmpty else { return articles }
    let listed = articles.filter { buried.contains($0.key) }
    if isNewest, let now = seconds(now) {
      let keep = try db.cachedStatement(
        sql: "UPDATE tombstone SET listedAt = ? WHERE feedID = ? AND entryKey = ?")
      for article in listed { try keep.execute(arguments: [now, feed, article.key]) }
      try db.run(
        "DELETE FROM tombstone WHERE feedID = ? AND listedAt < ?",
        [feed, now - Int64(Self.daysOfTombstones) * 86_400])
    }
    return listed.isEmpty ? articles : articles.filter { !buried.contains($0.key) }
  }
}
