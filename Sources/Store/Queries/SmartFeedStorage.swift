internal import GRDB
package import News
internal import Text

package import struct Foundation.Date

extension StoreView {
  /// In the order of their names.
  package func smartFeeds() throws -> [SmartFeed] {
    try Row.fetchAll(
      db.cachedStatement(sql: "SELECT id, name, query FROM smartFeed ORDER BY name COLLATE NOCASE")
    ).map { row in
      SmartFeed(
        id: SmartFeedID(row[0]), name: StoredText.name(row[1] as String),
        text: PlainText.sanitized(row[2] as String))
    }
  }

  /// The number of unread articles of each smart feed, up to `ArticleCounts.searchLimit`.
  package func unreadOfSmartFeeds() throws -> [SmartFeedID: Int] {
    var counts: [SmartFeedID: Int] = [:]
    for feed in try smartFeeds() {
      guard let query = feed.query else { continue }
      // One that cannot be asked keeps no other from being counted.
      counts[feed.id] =
        (try? self.counts(of: .matching(query, in: .unread), isMerged: true).unread) ?? 0
    }
    return counts
  }
}

extension StoreView {
  /// The names of the tags that any article has, each once, whoever keeps them.
  package func tagNames() throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT name FROM tag WHERE EXISTS (SELECT 1 FROM articleTag WHERE tag = tag.id)
          GROUP BY name ORDER BY name COLLATE NOCASE
          """)
    ).map { StoredText.name($0) }
  }

  /// The number of unread articles with each tag; one that several feeds bring counts once.
  package func unreadOfTags() throws -> [String: Int] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT tag.name, count(DISTINCT coalesce(duplicateOf, articleStatus.articleID)) FROM tag
            JOIN articleTag ON articleTag.tag = tag.id
            JOIN articleStatus ON articleStatus.articleID = articleTag.articleID AND isRead = 0
          GROUP BY tag.name
          """)
    ).reduce(into: [:]) { $0[StoredText.name($1[0] as String)] = $1[1] }
  }
}

extension StoreEdit {
  /// Adds a smart feed, or gives one of this name another query.
  ///
  /// - Throws: `SourceError` where there is nothing to read in the name, or another one has the query: two would be
  ///   one list.
  @discardableResult
  package func saveSmartFeed(
    _ name: String, _ query: ArticleQuery, now: Date
  ) throws -> SmartFeedID {
    let name = try Self.smartFeedName(name)
    let all = try view.smartFeeds()
    let known = all.first { $0.isNamed(name) }
    if let other = all.first(where: { $0.text == query.text && $0.id != known?.id }) {
      throw SourceError(
        .address, stage: .arguments, subject: query.text,
        message: "the smart feed \(other.name) has this query already")
    }
    guard let known else {
      try db.cachedStatement(sql: "INSERT INTO smartFeed (name, query, createdAt) VALUES (?, ?, ?)")
        .execute(arguments: [name, query.text, seconds(now)])
      return SmartFeedID(db.lastInsertedRowID)
    }
    try db.cachedStatement(sql: "UPDATE smartFeed SET name = ?, query = ? WHERE id = ?")
      .execute(arguments: [name, query.text, known.id.rawValue])
    return known.id
  }

  /// - Throws: `SourceError` where another one has the name, or there is nothing to read in it.
  package func renameSmartFeed(_ id: SmartFeedID, to name: String) throws {
    let name = try Self.smartFeedName(name)
    guard try !view.smartFeeds().contains(where: { $0.isNamed(name) && $0.id != id }) else {
      throw SourceError(
        .address, stage: .arguments, subject: name, message: "another smart feed has this name")
    }
    try db.cachedStatement(sql: "UPDATE smartFeed SET name = ? WHERE id = ?")
      .execute(arguments: [name, id.rawValue])
  }

  package func removeSmartFeed(_ id: SmartFeedID) throws {
    try db.cachedStatement(sql: "DELETE FROM smartFeed WHERE id = ?")
      .execute(arguments: [id.rawValue])
  }

  private static func smartFeedName(_ typed: String) throws -> String {
    let name = PlainText.sanitizedName(typed)
    guard !name.allSatisfy(\.isWhitespace) else {
      throw SourceError(
        .address, stage: .arguments, subject: name, message: "this is no name of a smart feed")
    }
    return name
  }
}

/// A time that is kept once.
package enum StoredMoment: String, Sendable {
  /// When the last refresh began that has brought something.
  case refresh
}

extension StoreEdit {
  package func keepMoment(_ moment: StoredMoment, _ time: Date) throws {
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO moment (name, time) VALUES (?, ?)")
      .execute(arguments: [moment.rawValue, seconds(time)])
  }
}
