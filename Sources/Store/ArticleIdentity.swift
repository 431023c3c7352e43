internal import GRDB
internal import News

/// Recognises articles that come under another id than before, and those that another feed has
/// brought already.
struct ArticleIdentity {
  let db: Database
  let feed: FeedID
  /// The ids that the page at hand gives: an article that is still there under its own is another.
  let pageKeys: Set<Int64>
  /// Whether the feed had articles before this page.
  let hasArticles: Bool

  /// The article of this feed that a new entry is, under another id.
  ///
  /// With the same link it is one whose id is nothing but that link, one of the same date, or one that
  /// says the very same without a date. The same title alone will not do: a picture of the day has one
  /// link and one title for ever. With another link it is one of the same title and date.
  func known(_ article: PreparedPage.Article) throws -> Row? {
    guard hasArticles else { return nil }
    let published = seconds(article.entry.published)
    if let link = article.linkKey {
      let isIDLink = PreparedPage.key(ofLink: article.entry.id) == link
      let linked = try rows(
        "SELECT \(Self.columns) FROM article WHERE linkKey = ? AND feedID = ?",
        [link, feed.rawValue]
      ).filter { row in
        if let published { if row[2] as Int64? == published { return true } }
        if isIDLink, PreparedPage.key(ofLink: row[6]) == link { return true }
        return published == nil && row[1] == article.digest
      }
      // Of several that might be it, none is: two articles are not to become one.
      if let first = linked.first { return linked.count == 1 ? first : nil }
    }
    guard let published, article.entry.title != nil else { return nil }
    let dated = try rows(
      """
      SELECT \(Self.columns) FROM articleStatus INDEXED BY statusByFeed
        JOIN article ON article.id = articleStatus.articleID
      WHERE articleStatus.feedID = ? AND sortDate = ? AND published = ?
      """, [feed.rawValue, published, published]
    ).filter { isSameTitle($0[3], article.entry.title) }
    return dated.count == 1 ? dated.first : nil
  }

  /// The article of another feed that has the same link and title, or link and id, and is not of
  /// another day: the one that came first.
  func original(of article: PreparedPage.Article) throws -> Int64? {
    guard let link = article.linkKey else { return nil }
    let statement = try db.cachedStatement(
      sql: """
        SELECT coalesce(articleStatus.duplicateOf, article.id), article.title, article.entryKey,
          article.published
        FROM article JOIN articleStatus ON articleStatus.articleID = article.id
        WHERE article.linkKey = ? AND article.feedID <> ? ORDER BY article.id LIMIT 16
        """)
    let published = seconds(article.entry.published)
    return try Row.fetchAll(statement, arguments: [link, feed.rawValue])
      .first { row in
        if let published, let other = row[3] as Int64?, abs(published - other) > Self.days {
          return false
        }
        return row[2] == article.key || isSameTitle(row[1], article.entry.title)
      }
      .map { $0[0] }
  }

  /// Seconds that the dates of one article may lie apart in two feeds.
  private static let days: Int64 = 2 * 86_400

  /// As `write` reads them, with what an article is recognised by.
  private static let columns = """
    article.id, article.digest, article.published, article.title, article.entryKey, article.updated,
      article.entryID
    """

  private func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
    try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
      .filter { !pageKeys.contains($0[4]) }
  }

  private func isSameTitle(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return false }
    return a == b || a.lowercased() == b.lowercased()
  }
}
