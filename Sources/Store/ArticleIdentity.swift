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

  /// The article of this feed that a new entry is, under another id: one with the same link, and the
  /// same title or date; or one that has moved, with the same title and date.
  func known(_ article: PreparedPage.Article) throws -> Row? {
    guard hasArticles else { return nil }
    let published = seconds(article.entry.published)
    if let link = article.linkKey {
      let linked = try rows(
        "SELECT \(Self.columns) FROM article WHERE linkKey = ? AND feedID = ?",
        [link, feed.rawValue]
      ).filter { row in
        isSameTitle(row[3], article.entry.title)
          || published != nil && row[2] as Int64? == published
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

  /// The article of another feed that has the same link and title, or link and id: the one that came
  /// first.
  func original(of article: PreparedPage.Article) throws -> Int64? {
    guard let link = article.linkKey else { return nil }
    let statement = try db.cachedStatement(
      sql: """
        SELECT coalesce(articleStatus.duplicateOf, article.id), article.title, article.entryKey
        FROM article JOIN articleStatus ON articleStatus.articleID = article.id
        WHERE article.linkKey = ? AND article.feedID <> ? ORDER BY article.id LIMIT 16
        """)
    return try Row.fetchAll(statement, arguments: [link, feed.rawValue])
      .first { $0[2] == article.key || isSameTitle($0[1], article.entry.title) }
      .map { $0[0] }
  }

  /// As `write` reads them, with what an article is recognised by.
  private static let columns = """
    article.id, article.digest, article.published, article.title, article.entryKey, article.updated
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
