internal import Foundation
internal import GRDB
internal import News

/// Articles that several feeds bring: the first of them is the others' original.
struct Duplicates {
  let db: Database

  /// Seconds that the dates of one article may lie apart in two feeds.
  private static let hours: UInt64 = 6 * 3600
  /// On either side of a feed.
  private static let candidates = 16
  /// What has become of one article is looked at so many ways at most.
  private static let originals = 8

  /// The article of another feed that has the same link and title, or link and id, and is not of
  /// another time: of several the one that has the same id, else the one that came first. Behind one
  /// article stands one of each feed at most.
  ///
  /// Of the articles with its link, the first 16 of feeds that are older than its own are looked at,
  /// and the first 16 of younger ones.
  ///
  /// - Parameter isLinkShared: Whether other entries of its page have its link too. Such a link says
  ///   less: the ids have to agree then, or the dates to the second.
  func original(
    of article: PreparedPage.Article, in feed: FeedID, isLinkShared: () -> Bool
  ) throws -> Int64? {
    guard let link = article.linkKey else { return nil }
    var found: [(article: StoredArticle, root: Int64)] = []
    // Two ranges of the index, however many articles of this feed have the same link.
    for side in ["<", ">"] {
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(StoredArticle.columns), root.articleID
          FROM article JOIN articleStatus ON articleStatus.articleID = article.id
            JOIN articleStatus AS root
              ON root.articleID = coalesce(articleStatus.duplicateOf, article.id)
          WHERE article.linkKey = ?1 AND article.feedID \(side) ?2 AND root.feedID <> ?2
            AND NOT EXISTS (
              SELECT 1 FROM articleStatus AS copy
              WHERE copy.duplicateOf IS NOT NULL AND copy.duplicateOf = root.articleID
                AND copy.feedID = ?2)
          ORDER BY article.feedID, article.id LIMIT \(Self.candidates)
          """)
      for row in try Row.fetchAll(statement, arguments: [link, feed.rawValue]) {
        found.append((StoredArticle(row), row[10]))
      }
    }
    if found.isEmpty { return nil }
    let feeds = found.map(\.article.feed)
    let isShared = try Set(feeds).count < feeds.count || isLinkShared() || hasOthers(article, feed)
    let mine = article.traits
    let accepted = try found.filter { candidate, _ in
      let theirs = candidate.traits
      return try isOne(article, candidate)
        && (!isShared || mine.id == theirs.id
          || mine.published != nil && mine.published == theirs.published)
    }
    let named = accepted.filter { $0.article.traits.id == mine.id }
    return (named.isEmpty ? accepted : named).map(\.root).min()
  }

  /// Whether its feed has brought other articles with the link of this one.
  private func hasOthers(_ article: PreparedPage.Article, _ feed: FeedID) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM article WHERE linkKey = ? AND feedID = ? AND entryKey <> ?)
          """), arguments: [article.linkKey, feed.rawValue, article.key]) ?? false
  }

  /// An article has changed: those that it was one with, and that are none with what it has become,
  /// stand for themselves from now on. Where it was the original, the first that leaves stands for the
  /// others. One that is alone then may be one with another feed's, as when both correct a title.
  ///
  /// All that stand behind it are looked at, which are no more than there are feeds: any that were left
  /// out would stay hidden behind what they have nothing to do with.
  ///
  /// - Parameter isLinkShared: As for `original`.
  func review(
    _ id: Int64, now article: PreparedPage.Article, in feed: FeedID, isLinkShared: () -> Bool
  ) throws {
    let copies = try stored(
      """
      SELECT \(StoredArticle.columns) FROM articleStatus INDEXED BY statusDuplicate
        JOIN article ON article.id = articleStatus.articleID
      WHERE duplicateOf IS NOT NULL AND duplicateOf = ? ORDER BY article.id
      """, id)
    var leaving: [StoredArticle] = []
    for copy in copies where try !isOne(article, copy) { leaving.append(copy) }
    var roots: [StoredArticle] = []
    for copy in leaving {
      let root = roots.first { $0.feed != copy.feed && agree($0.traits, copy.traits) }
      if root == nil, roots.count < Self.originals { roots.append(copy) }
      try setOriginal(of: copy.id, root?.id)
    }
    // Others stand behind it still.
    guard leaving.count == copies.count else { return }
    guard
      let root = try Int64.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT duplicateOf FROM articleStatus
            WHERE articleID = ? AND duplicateOf IS NOT NULL
            """), arguments: [id])
    else { return try join(id, original(of: article, in: feed, isLinkShared: isLinkShared)) }
    let others = try stored(
      """
      SELECT \(StoredArticle.columns) FROM articleStatus
        JOIN article ON article.id = articleStatus.articleID
      WHERE articleID = ?1 OR duplicateOf IS NOT NULL AND duplicateOf = ?1 LIMIT 64
      """, root)
    for other in others where other.id != id {
      if try isOne(article, other) { return }
    }
    try join(id, original(of: article, in: feed, isLinkShared: isLinkShared))
  }

  /// Whether an entry and an article of another feed are one.
  private func isOne(_ article: PreparedPage.Article, _ other: StoredArticle) throws -> Bool {
    guard agree(article.traits, other.traits) else { return false }
    return try !article.entry.enclosures.areOther(than: other.files(db), counting: .notPictures)
  }

  private func agree(_ one: ArticleTraits, _ other: ArticleTraits) -> Bool {
    guard let link = one.linkKey, link == other.linkKey else { return false }
    if let here = one.published, let there = other.published,
      !areClose(here, there, within: Self.hours)
    {
      return false
    }
    return one.id == other.id || one.isTitled(like: other)
  }

  /// As with a new article: one that has been read in another feed is read.
  private func join(_ id: Int64, _ original: Int64?) throws {
    try setOriginal(of: id, original)
    guard let original else { return }
    try db.cachedStatement(
      sql: """
        UPDATE articleStatus SET isRead = 1 WHERE articleID = ?1 AND isRead = 0
          AND (SELECT isRead FROM articleStatus WHERE articleID = ?2)
        """
    ).execute(arguments: [id, original])
  }

  private func setOriginal(of id: Int64, _ original: Int64?) throws {
    try db.cachedStatement(sql: "UPDATE articleStatus SET duplicateOf = ? WHERE articleID = ?")
      .execute(arguments: [original, id])
  }

  private func stored(_ sql: String, _ id: Int64) throws -> [StoredArticle] {
    try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [id]).map(StoredArticle.init)
  }
}
