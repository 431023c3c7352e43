internal import Foundation
internal import GRDB
internal import News

/// Detection of duplicates: articles of several feeds. The one that was stored first is the
/// original of the others (`articleStatus.duplicateOf`).
struct Duplicates {
  let edit: StoreEdit
  /// The time of marks that follow from it.
  let now: Date
  private var db: Database { edit.db }

  /// The largest difference between the dates of one article in two feeds, in seconds.
  private static let hours: UInt64 = 6 * 3600
  /// Feeds in which an article is looked up, at most.
  private static let feeds = 32
  /// Articles of a feed with the same second that are compared, at most.
  private static let simultaneous = 64
  /// New originals among the former duplicates of a changed article, at most.
  private static let originals = 8

  /// The original of an article: one of another feed with the same link, the same title or id, and
  /// about the same date. The one with the same id wins, then the oldest. An original has at most
  /// one duplicate in each feed.
  ///
  /// The 32 oldest feeds with the link are searched. Where a feed has the link more than once, only
  /// articles with the same id or date are compared: all episodes of a podcast may link to one
  /// page.
  ///
  /// - Parameter isLinkShared: whether other entries of the page have the same link. Then ids or
  ///   dates to the second have to agree.
  func original(
    of article: PreparedPage.Article, in feed: FeedID, isLinkShared: () -> Bool
  ) throws -> Int64? {
    guard let link = article.linkKey else { return nil }
    let mine = article.traits
    /// Articles that are the only ones of their feeds with the link.
    var single: [StoredArticle] = []
    /// Feeds in which several articles have the link.
    var repeating: [FeedID] = []
    for other in try feeds(with: link, beside: feed) where other != feed {
      let found = try articles(with: link, in: other)
      if found.count > 1 { repeating.append(other) } else { single += found }
    }
    if single.isEmpty, repeating.isEmpty { return nil }
    var named = single.filter { $0.traits.id == mine.id }
    for other in repeating {
      if let row = try self.article(mine.id, with: link, in: other) { named.append(row) }
    }
    if let root = try root(of: named, for: article, in: feed) { return root }
    let isShared = try !repeating.isEmpty || isLinkShared() || hasOthers(article, feed)
    guard isShared else { return try root(of: single, for: article, in: feed) }
    guard let published = mine.published else { return nil }
    var simultaneous = single.filter { $0.traits.published == published }
    for other in repeating { simultaneous += try articles(with: link, of: published, in: other) }
    return try root(of: simultaneous, for: article, in: feed)
  }

  /// The oldest original of the matching candidates that has no duplicate in this feed yet.
  private func root(
    of candidates: [StoredArticle], for article: PreparedPage.Article, in feed: FeedID
  ) throws -> Int64? {
    var first: Int64?
    for candidate in candidates where try isOne(article, candidate) {
      let root: Int64? = try db.value(
        """
        SELECT root.articleID FROM articleStatus JOIN articleStatus AS root
          ON root.articleID = coalesce(articleStatus.duplicateOf, articleStatus.articleID)
        WHERE articleStatus.articleID = ?1 AND root.feedID <> ?2
          AND NOT EXISTS (
            SELECT 1 FROM articleStatus AS copy
            WHERE copy.duplicateOf IS NOT NULL AND copy.duplicateOf = root.articleID
              AND copy.feedID = ?2)
        """, [candidate.id, feed])
      if let root { first = min(first ?? root, root) }
    }
    return first
  }

  /// The oldest feeds with a link that share marks with `mine`, found by leaps in the index.
  private func feeds(with link: Int64, beside mine: FeedID) throws -> [FeedID] {
    try db.values(
      """
      WITH RECURSIVE holder(feed) AS (
        SELECT (
          SELECT feedID FROM article WHERE linkKey = ?1 ORDER BY feedID LIMIT 1)
        UNION ALL
        SELECT (
          SELECT feedID FROM article WHERE linkKey = ?1 AND feedID > holder.feed
          ORDER BY feedID LIMIT 1)
        FROM holder WHERE holder.feed IS NOT NULL
        LIMIT \(Self.feeds + 1))
      SELECT feed FROM holder JOIN feed AS other ON other.id = holder.feed
        JOIN account ON account.id = other.account
      WHERE \(AccountCondition.markOwner) = (
        SELECT \(AccountCondition.markOwner) FROM feed AS mine
          JOIN account ON account.id = mine.account WHERE mine.id = ?2)
      ORDER BY holder.feed
      """, [link, mine.rawValue])
  }

  /// Two at most.
  private func articles(with link: Int64, in feed: FeedID) throws -> [StoredArticle] {
    try stored(
      """
      SELECT \(StoredArticle.columns) FROM article WHERE linkKey = ? AND feedID = ? LIMIT 2
      """, [link, feed.rawValue])
  }

  private func article(_ id: String, with link: Int64, in feed: FeedID) throws -> StoredArticle? {
    try stored(
      """
      SELECT \(StoredArticle.columns) FROM article INDEXED BY articleEntry
      WHERE feedID = ? AND entryKey = ? AND linkKey = ?
      """, [feed.rawValue, PreparedPage.key(ofEntry: id), link]
    ).first
  }

  /// Articles of one second, by their place in the timeline. One that came before its date, or was
  /// redated, is missed and comes twice.
  private func articles(
    with link: Int64, of published: Int64, in feed: FeedID
  ) throws -> [StoredArticle] {
    // The limit comes before the link, which few of them may have.
    try stored(
      """
      SELECT \(StoredArticle.columns) FROM (
          SELECT articleID FROM articleStatus INDEXED BY statusByFeed
          WHERE feedID = ?1 AND sortDate = ?2 ORDER BY articleID LIMIT \(Self.simultaneous)
        ) AS found CROSS JOIN article ON article.id = found.articleID
      WHERE linkKey = ?3 AND published = ?2
      """, [feed.rawValue, published, link])
  }

  private func hasOthers(_ article: PreparedPage.Article, _ feed: FeedID) throws -> Bool {
    try db.value(
      """
      SELECT EXISTS (
        SELECT 1 FROM article WHERE linkKey = ? AND feedID = ? AND entryKey <> ?)
      """, [article.linkKey, feed, PreparedPage.key(ofEntry: article.entry.id)]) ?? false
  }

  /// Reviews the duplicates of a changed article, all of them: one that was left out would stay
  /// hidden. Those that differ now are detached, and where it was their original, the first of them
  /// becomes that of those it agrees with. An article without duplicates may become one.
  ///
  /// - Parameter isLinkShared: as for `original`.
  func review(
    _ id: Int64, now article: PreparedPage.Article, in feed: FeedID, isLinkShared: () -> Bool
  ) throws {
    let copies = try stored(
      """
      SELECT \(StoredArticle.columns) FROM articleStatus INDEXED BY statusDuplicate
        JOIN article ON article.id = articleStatus.articleID
      WHERE duplicateOf IS NOT NULL AND duplicateOf = ? ORDER BY article.id
      """, [id])
    var leaving: [StoredArticle] = []
    for copy in copies where try !isOne(article, copy) { leaving.append(copy) }
    var roots: [StoredArticle] = []
    for copy in leaving {
      let root = roots.first { $0.feed != copy.feed && agree($0.traits, copy.traits) }
      if root == nil, roots.count < Self.originals { roots.append(copy) }
      try setOriginal(of: copy.id, root?.id)
    }
    // It still has other duplicates.
    guard leaving.count == copies.count else { return }
    guard
      let root: Int64 = try db.value(
        """
        SELECT duplicateOf FROM articleStatus
        WHERE articleID = ? AND duplicateOf IS NOT NULL
        """, [id])
    else { return try join(id, original(of: article, in: feed, isLinkShared: isLinkShared)) }
    let others = try stored(
      """
      SELECT \(StoredArticle.columns) FROM articleStatus
        JOIN article ON article.id = articleStatus.articleID
      WHERE articleID = ?1 OR duplicateOf IS NOT NULL AND duplicateOf = ?1 LIMIT 64
      """, [root])
    for other in others where other.id != id {
      if try isOne(article, other) { return }
    }
    try join(id, original(of: article, in: feed, isLinkShared: isLinkShared))
  }

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

  /// As with a new article, a mark of the original is taken over and sent.
  private func join(_ id: Int64, _ original: Int64?) throws {
    try setOriginal(of: id, original)
    guard let original else { return }
    if try edit.articles.isRead(original) {
      try edit.marks.set(.read(true), of: ArticleID(id), now: now)
    }
  }

  private func setOriginal(of id: Int64, _ original: Int64?) throws {
    try db.run("UPDATE articleStatus SET duplicateOf = ? WHERE articleID = ?", [original, id])
  }

  private func stored(_ sql: String, _ arguments: StatementArguments) throws -> [StoredArticle] {
    try db.rows(sql, arguments).map(StoredArticle.init)
  }
}
