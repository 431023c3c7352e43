internal import GRDB
package import News

// How far the sounds and films of articles were played. The table has a row only for what was begun.
extension PlaybackEdit {
  /// Keeps how far a file of an article has been played. Nothing where the article is gone.
  ///
  /// - Parameter file: its address.
  package func set(_ playback: Playback, of file: String, in article: ArticleID) throws {
    try db.run(
      """
      INSERT INTO playback (articleID, file, seconds, duration, isHeard)
        SELECT id, ?2, ?3, ?4, ?5 FROM article WHERE id = ?1
      ON CONFLICT (articleID, file) DO UPDATE SET seconds = excluded.seconds,
        duration = coalesce(excluded.duration, duration), isHeard = excluded.isHeard
      """, [article, file, playback.seconds, playback.duration, playback.isHeard])
    if playback.isHeard { try dequeue(file, of: article) }
  }
}

extension PlaybackView {
  /// How far the files of an article have been played, by their addresses.
  func all(in article: ArticleID) throws -> [String: Playback] {
    let statement = try db.cachedStatement(
      sql: "SELECT file, seconds, duration, isHeard FROM playback WHERE articleID = ?")
    var found: [String: Playback] = [:]
    for row in try Row.fetchAll(statement, arguments: [article]) {
      found[row["file"]] = Playback(
        seconds: max(0, row["seconds"]),
        duration: (row["duration"] as Int?).flatMap { $0 > 0 ? $0 : nil },
        isHeard: row["isHeard"])
    }
    return found
  }
}
