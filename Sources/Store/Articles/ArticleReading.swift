internal import Foundation
internal import GRDB
package import News

extension ArticlesView {
  /// An article with its content; nil where it was removed.
  package func article(_ id: ArticleID) throws -> Article? {
    guard
      let row = try db.row(
        """
        SELECT article.id, article.feedID, coalesce(feed.ownTitle, feed.title, feed.url) AS feedTitle,
          article.entryID, article.url, article.title, article.authors, article.published,
          article.updated, articleBody.content, articleBody.summary, articleBody.details,
          articleStatus.isRead, articleStatus.isStarred, articleStatus.sortDate,
          articleStatus.readBlock, articleStatus.readOffset, articleStatus.score,
          articleStatus.isChanged,
          (SELECT keptAt FROM formerText WHERE formerText.articleID = article.id) AS keptAt
        FROM article JOIN articleBody ON articleBody.articleID = article.id
          JOIN articleStatus ON articleStatus.articleID = article.id
          JOIN feed ON feed.id = article.feedID
        WHERE article.id = ?
        """, [id])
    else { return nil }
    var entry = Entry(
      id: row["entryID"], url: StoredText.link(row["url"] as String?),
      title: StoredText.line(row["title"] as String?), authors: AuthorList.decode(row["authors"]),
      published: date(row["published"]), updated: date(row["updated"]),
      contentHTML: StoredText.markup(BodyCodec.decode(row["content"])),
      summary: StoredText.line(BodyCodec.decode(row["summary"])))
    EntryDetails.decode(row["details"]).add(to: &entry)
    var place: ReadingPosition?
    if let block = row["readBlock"] as Int?, let offset = row["readOffset"] as Int? {
      place = ReadingPosition(block: block, offset: offset)
    }
    let tags = try view.tags.all(on: id).map(\.name)
    var article = Article(
      id: id, feedID: row["feedID"], feedTitle: StoredText.title(row["feedTitle"] as String),
      entry: entry, status: ArticleStatus(isRead: row["isRead"], isStarred: row["isStarred"]),
      position: TimelinePosition(date: row["sortDate"], id: row["id"]),
      otherFeeds: try otherFeeds(with: id), readingPosition: place,
      tags: tags.filter { !Later.isDueTag($0) })
    article.laterUntil = tags.compactMap(Later.dueTime(ofTag:)).max()
    article.score = row["score"]
    (article.isChanged, article.changed) = (row["isChanged"], date(row["keptAt"]))
    article.fullText = try view.fullTexts.text(of: id)
    if entry.comments?.count != nil {
      article.keptComments =
        try db.value("SELECT count(*) FROM comment WHERE articleID = ?", [id]) ?? 0
    }
    if !entry.enclosures.isEmpty { article.playback = try view.playback.all(in: id) }
    return article
  }

  func contains(_ article: ArticleID) throws -> Bool {
    try db.exists("SELECT 1 FROM article WHERE id = ?", [article])
  }

  /// The number of the article of a feed with an entry key (`PreparedPage.key(ofEntry:)`).
  func number(of key: Int64, in feed: FeedID) throws -> Int64? {
    try db.value("SELECT id FROM article WHERE feedID = ? AND entryKey = ?", [feed, key])
  }

  /// The duplicates of articles in other feeds, without the articles themselves.
  func duplicates(of articles: [ArticleID]) throws -> [ArticleID] {
    let statement = try db.cachedStatement(
      sql: """
        WITH root(id) AS (
          SELECT coalesce(duplicateOf, articleID) FROM articleStatus WHERE articleID = ?)
        SELECT articleID FROM articleStatus INDEXED BY statusDuplicate
          WHERE duplicateOf IS NOT NULL AND duplicateOf = (SELECT id FROM root)
        UNION SELECT id FROM root
        """)
    var found: Set<ArticleID> = []
    for article in articles {
      let ids = try Int64.fetchAll(statement, arguments: [article])
      found.formUnion(ids.map { ArticleID($0) })
    }
    return found.subtracting(articles).sorted()
  }

  private func otherFeeds(with article: ArticleID) throws -> [String] {
    try duplicates(of: [article]).compactMap { other in
      try String.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT coalesce(feed.ownTitle, feed.title, feed.url) FROM article
              JOIN feed ON feed.id = article.feedID WHERE article.id = ?
            """), arguments: [other]
      ).map { StoredText.title($0) }
    }
  }

  /// Calls `body` with each article of a feed, newest first; one at a time is in memory.
  package func forEach(of feed: FeedID, _ body: (Article) throws -> Void) throws {
    let ids: [Int64] = try db.values(
      """
      SELECT articleID FROM articleStatus INDEXED BY statusByFeed WHERE feedID = ?
      ORDER BY sortDate DESC, articleID DESC
      """, [feed])
    for id in ids {
      if let article = try article(ArticleID(id)) { try body(article) }
    }
  }

  package func position(of id: ArticleID) throws -> TimelinePosition? {
    return try db.value("SELECT sortDate FROM articleStatus WHERE articleID = ?", [id]).map {
      TimelinePosition(date: $0, id: id.rawValue)
    }
  }

  package func oldestPosition(of feed: FeedID) throws -> TimelinePosition? {
    try edge(of: feed, isNewest: false)
  }

  func edge(of feed: FeedID, isNewest: Bool) throws -> TimelinePosition? {
    let order = isNewest ? "DESC" : "ASC"
    return try db.row(
      """
      SELECT sortDate, articleID FROM articleStatus INDEXED BY statusByFeed WHERE feedID = ?
      ORDER BY sortDate \(order), articleID \(order) LIMIT 1
      """, [feed]
    ).map { TimelinePosition(date: $0[0], id: $0[1]) }
  }

  /// The counts of all feeds, without the articles of feeds that the user has hidden.
  ///
  /// - Parameter isMerged: whether duplicates and the articles of a story count once. Articles of a
  ///   story are unread as long as the first one is.
  package func countsOfShown(isMerged: Bool = true) throws -> ArticleCounts {
    var counts = try counts()
    if isMerged { counts.starred = try view.timeline.counts(of: .starred, isMerged: true).starred }
    let hides = try hasHiddenFeeds()
    let isShown = "feedID NOT IN (\(StoredSettings.hiddenFeeds))"
    let isDuplicate = ArticleSelection.isDuplicate(within: isShown)
    func leaveOut(_ sql: String) throws {
      guard let row = try db.row(sql) else { return }
      counts.total -= row[0]
      counts.unread -= row[1]
    }
    if hides {
      try leaveOut(
        """
        SELECT coalesce(sum(total), 0), coalesce(sum(unread), 0) FROM feedCount
        WHERE feedID IN (\(StoredSettings.hiddenFeeds))
        """)
    }
    if isMerged {
      try leaveOut(
        """
        SELECT count(*), coalesce(sum(isRead = 0), 0)
        FROM articleStatus INDEXED BY statusDuplicate
        WHERE duplicateOf IS NOT NULL \(hides ? "AND \(isShown) AND \(isDuplicate)" : "")
        """)
    }
    if isMerged, view.tellsStories {
      // Of the rest. All that ever stood behind another is counted along its index; hardly any of it is unread.
      let others = hides ? "\(isShown) AND NOT \(isDuplicate)" : "duplicateOf IS NULL"
      let isTold = hides ? ArticleSelection.isTold(isUnread: false, true) : "1"
      try leaveOut(
        """
        SELECT count(*), 0 FROM articleStatus INDEXED BY statusStory
        WHERE storyOf IS NOT NULL AND \(isTold) AND \(others)
        """)
      let unread = counts.unread
      try leaveOut(
        """
        SELECT 0, count(*) FROM articleStatus INDEXED BY statusStoryUnread
        WHERE storyOf IS NOT NULL AND isRead = 0
          AND \(ArticleSelection.isTold(isUnread: true, hides)) AND \(others)
        """)
      counts.unreadBehind = unread - counts.unread
    }
    return counts
  }

  func hasHiddenFeeds() throws -> Bool { try db.exists(StoredSettings.hiddenFeeds + " LIMIT 1") }

  package func counts() throws -> ArticleCounts {
    guard
      let row = try db.row(
        """
        SELECT coalesce(sum(total), 0), coalesce(sum(unread), 0), coalesce(sum(starred), 0)
        FROM feedCount
        """)
    else { return ArticleCounts() }
    return ArticleCounts(total: row[0], unread: row[1], starred: row[2])
  }

  /// Stamps of articles, and the bytes of their texts in the database; none for removed articles.
  package func textStamps(
    of articles: [ArticleID]
  ) throws -> [ArticleID: (stamp: TextStamp, bytes: Int64)] {
    try db.cursor(
      """
      SELECT article.id, article.feedID, article.digest, fullText.fetchedAt,
        coalesce(length(articleBody.content), 0) + coalesce(length(articleBody.summary), 0)
          + coalesce(length(fullText.content), 0)
      FROM json_each(?) AS wanted CROSS JOIN article ON article.id = wanted.value
        CROSS JOIN articleBody ON articleBody.articleID = article.id
        LEFT JOIN fullText ON fullText.articleID = article.id AND fullText.content IS NOT NULL
      """, [jsonList(articles.map(\.rawValue))]
    ).reduce(into: [:]) {
      $0[$1[0]] = (TextStamp(feed: $1[1], digest: $1[2], fetched: $1[3]), $1[4])
    }
  }
}

/// Version of an article's text.
package struct TextStamp: Hashable, Sendable, Codable {
  package var feed: FeedID
  /// Of what the feed says.
  package var digest: Int64
  /// When the article of its page was fetched, in seconds since 1970; nil where there is none.
  package var fetched: Int64?
}
