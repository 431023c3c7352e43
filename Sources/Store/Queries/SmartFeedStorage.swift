internal import GRDB
package import News
internal import Text

package import struct Foundation.Date

extension SmartFeedsView {
  /// In the order of their names.
  package func all() throws -> [SmartFeed] {
    try db.rows("SELECT id, name, query FROM smartFeed ORDER BY name COLLATE NOCASE").map { row in
      SmartFeed(
        id: row[0], name: StoredText.name(row[1] as String),
        text: PlainText.sanitized(row[2] as String))
    }
  }

  /// The number of unread articles of each smart feed, up to `ArticleCounts.searchLimit`.
  package func unread() throws -> [SmartFeedID: Int] {
    var counts: [SmartFeedID: Int] = [:]
    for feed in try all() {
      guard let query = feed.query else { continue }
      // One that cannot be asked keeps no other from being counted.
      counts[feed.id] =
        (try? view.timeline.counts(of: .matching(query, in: .unread), isMerged: true).unread) ?? 0
    }
    return counts
  }
}

extension SmartFeedsEdit {
  /// Adds a smart feed, or replaces the query of the one with this name.
  ///
  /// - Throws: `SourceError` for a blank name, or a query that another one has.
  @discardableResult
  package func save(
    _ name: String, _ query: ArticleQuery, now: Date
  ) throws -> SmartFeedID {
    let name = try Self.checkedName(name)
    let all = try view.smartFeeds.all()
    let known = all.first { $0.isNamed(name) }
    if let other = all.first(where: { $0.text == query.text && $0.id != known?.id }) {
      throw SourceError(
        .address, stage: .arguments, subject: query.text,
        message: "the smart feed \(other.name) has this query already")
    }
    guard let known else {
      try db.run(
        "INSERT INTO smartFeed (name, query, createdAt) VALUES (?, ?, ?)",
        [name, query.text, seconds(now)])
      return SmartFeedID(db.lastInsertedRowID)
    }
    try db.run(
      "UPDATE smartFeed SET name = ?, query = ? WHERE id = ?", [name, query.text, known.id])
    return known.id
  }

  /// - Throws: `SourceError` where another one has the name, or there is nothing to read in it.
  package func rename(_ id: SmartFeedID, to name: String) throws {
    let name = try Self.checkedName(name)
    guard try !view.smartFeeds.all().contains(where: { $0.isNamed(name) && $0.id != id }) else {
      throw SourceError(
        .address, stage: .arguments, subject: name, message: "another smart feed has this name")
    }
    try db.run("UPDATE smartFeed SET name = ? WHERE id = ?", [name, id])
  }

  package func remove(_ id: SmartFeedID) throws {
    try db.run("DELETE FROM smartFeed WHERE id = ?", [id])
  }

  /// Turns a smart feed into an earlier or later form. Returns false where it has changed since, or
  /// name or query are taken.
  func turn(_ from: StoredSmartFeed?, into to: StoredSmartFeed?, now: Date) throws -> Bool {
    let all = try view.smartFeeds.all()
    if let from {
      guard all.map(StoredSmartFeed.init).contains(from) else { return false }
    }
    guard let to else {
      guard let from else { return false }
      try remove(SmartFeedID(from.id))
      return true
    }
    let isTaken = all.contains { other in
      other.id.rawValue != from?.id
        && (other.id.rawValue == to.id || other.isNamed(to.name) || other.text == to.query)
    }
    guard !isTaken else { return false }
    try db.run(
      """
      INSERT INTO smartFeed (id, name, query, createdAt) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (id) DO UPDATE SET name = ?2, query = ?3
      """, [to.id, to.name, to.query, seconds(now)])
    return true
  }

  private static func checkedName(_ typed: String) throws -> String {
    let name = PlainText.sanitizedName(typed)
    guard !name.allSatisfy(\.isWhitespace) else {
      throw SourceError(
        .address, stage: .arguments, subject: name, message: "this is no name of a smart feed")
    }
    return name
  }

  package func keepMoment(_ moment: StoredMoment, _ time: Date) throws {
    try db.run(
      "INSERT OR REPLACE INTO moment (name, time) VALUES (?, ?)", [moment.rawValue, seconds(time)])
  }
}

/// A time that is kept once.
package enum StoredMoment: String, Sendable {
  /// When the last refresh began that has brought something.
  case refresh
}
