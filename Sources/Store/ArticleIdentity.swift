internal import GRDB
internal import News

/// Recognises articles that come under another id than before, and those that another feed has
/// brought already.
struct ArticleIdentity {
  let db: Database
  let feed: FeedID
  /// The ids that the page at hand gives: an article that is still there under its own is another.
  let pageKeys: Set<Int64>
  /// The newest article that was there before this page; nil where the feed had none.
  let lastBefore: Int64?

  /// Of more articles that it might be than this, it is none.
  private static let candidates = 8
  /// Seconds that the dates of one article may lie apart in two feeds.
  private static let hours: Int64 = 6 * 3600

  /// The article of this feed that a new entry is, under another id.
  ///
  /// With the same link it is one whose id is nothing but that link, one of the same date, or one that
  /// says the very same without a date. The same title alone will not do: a picture of the day has one
  /// link and one title for ever. With another link it is one of the same title and moment, where
  /// neither has an id but for its link.
  func known(_ article: PreparedPage.Article) throws -> Row? {
    guard let lastBefore else { return nil }
    let published = seconds(article.entry.published)
    if let link = article.linkKey {
      let linked = try rows(
        "SELECT \(Self.columns) FROM article WHERE linkKey = ? AND feedID = ? AND id <= ?",
        [link, feed.rawValue, lastBefore])
      let same = linked.filter { row in
        if Self.isID(article.entry.id, of: link), Self.isID(row[6], of: link) { return true }
        guard let published else { return row[2] == nil && row[1] == article.digest }
        return row[2] == published
          && (!Self.isDay(published) || isSameTitle(row[3], article.entry.title))
      }
      // Of several that might be it, none is: two articles are not to become one.
      if let first = same.first { return same.count == 1 ? first : nil }
    }
    guard let published, !Self.isDay(published), Self.hasNoID(article.entry.id, article.linkKey)
    else { return nil }
    let dated = try rows(
      """
      SELECT \(Self.columns) FROM articleStatus INDEXED BY statusByFeed
        JOIN article ON article.id = articleStatus.articleID
      WHERE articleStatus.feedID = ? AND sortDate = ? AND articleID <= ? AND published = ?
      """, [feed.rawValue, published, lastBefore, published]
    ).filter { isSameTitle($0[3], article.entry.title) && Self.hasNoID($0[6], $0[7]) }
    return dated.count == 1 ? dated.first : nil
  }

  /// The article of another feed that has the same link and title, or link and id, and is not of
  /// another time: the one that came first.
  func original(of article: PreparedPage.Article) throws -> Int64? {
    guard let link = article.linkKey else { return nil }
    let published = seconds(article.entry.published)
    // Two ranges of the index, however many articles of this feed have the same link.
    for side in ["<", ">"] {
      let statement = try db.cachedStatement(
        sql: """
          SELECT root.articleID, article.title, article.entryKey, article.published
          FROM article JOIN articleStatus ON articleStatus.articleID = article.id
            JOIN articleStatus AS root
              ON root.articleID = coalesce(articleStatus.duplicateOf, article.id)
          WHERE article.linkKey = ?1 AND article.feedID \(side) ?2 AND root.feedID <> ?2 LIMIT 16
          """)
      let found = try Row.fetchAll(statement, arguments: [link, feed.rawValue]).first { row in
        if let published, let other = row[3] as Int64?, abs(published - other) > Self.hours {
          return false
        }
        return row[2] == article.key || isSameTitle(row[1], article.entry.title)
      }
      if let found { return found[0] }
    }
    return nil
  }

  /// As `write` reads them, with what an article is recognised by.
  private static let columns = """
    article.id, article.digest, article.published, article.title, article.entryKey, article.updated,
      article.entryID, article.linkKey
    """

  /// None where there are too many to be looked at.
  private func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
    let found = try Row.fetchAll(
      db.cachedStatement(sql: sql + " LIMIT \(Self.candidates + 1)"), arguments: arguments)
    return found.count > Self.candidates ? [] : found.filter { !pageKeys.contains($0[4]) }
  }

  /// Whether a moment is a day's beginning: feeds that know the day only write it so.
  private static func isDay(_ seconds: Int64) -> Bool { seconds % 86_400 == 0 }

  private static func isID(_ id: String, of link: Int64) -> Bool {
    PreparedPage.key(ofLink: id) == link
  }

  /// Whether an entry's id says no more than its link, or was made up for want of one.
  private static func hasNoID(_ id: String, _ link: Int64?) -> Bool {
    id.hasPrefix("telex:") || link.map { isID(id, of: $0) } == true
  }

  private func isSameTitle(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return false }
    return a == b || a.lowercased() == b.lowercased()
  }
}
