internal import Foundation
internal import GRDB
package import News

/// Read access to one consistent snapshot of the store, valid inside the closure that received it.
package struct StoreView {
  let db: Database
}

// MARK: - Feeds

extension StoreView {
  /// All subscriptions, in the order they were added.
  package func feeds() throws -> [Feed] {
    var folders: [Int64: [String]] = [:]
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: "SELECT feedID, folder FROM feedFolder ORDER BY feedID, folder"))
    while let row = try rows.next() { folders[row[0], default: []].append(StoredText.name(row[1])) }

    let accounts = try accounts()
    let feeds = try Row.fetchCursor(
      db.cachedStatement(sql: FeedRecord.query + " ORDER BY feed.id"))
    var result: [Feed] = []
    while let row = try feeds.next() {
      let record = FeedRecord(row)
      // There are few: a dictionary of them would cost more than it saves.
      let account = accounts.first { $0.id == record.account } ?? .local
      result.append(record.feed(of: account, in: folders[record.id] ?? []))
    }
    return result
  }

  /// A subscription; nil where it was removed.
  package func feed(_ id: FeedID) throws -> Feed? {
    try feed(where: "feed.id = ?", [id.rawValue])
  }

  /// The feed with an address in the local account, or in an account whose server keeps no list of
  /// subscriptions.
  package func feed(url: String) throws -> Feed? {
    try feedNumber(at: url).flatMap { try feed(FeedID($0)) }
  }

  /// The feeds with an address in all accounts, that of the local one first.
  package func feeds(url: String) throws -> [Feed] {
    let ids = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT id FROM feed WHERE url = ? ORDER BY account"),
      arguments: [url])
    return try ids.compactMap { try feed(FeedID($0)) }
  }

  func feedNumber(at url: String) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT feed.id FROM feed JOIN account ON account.id = feed.account
          WHERE feed.url = ? AND \(AccountCondition.addsByAddress) ORDER BY account LIMIT 1
          """), arguments: [url])
  }

  /// The address of a feed; nil where it was removed.
  package func address(of feed: FeedID) throws -> String? {
    try String.fetchOne(
      db.cachedStatement(sql: "SELECT url FROM feed WHERE id = ?"), arguments: [feed.rawValue]
    ).map { StoredText.address($0) }
  }

  private func feed(where condition: String, _ arguments: StatementArguments) throws -> Feed? {
    let statement = try db.cachedStatement(sql: "\(FeedRecord.query) WHERE \(condition)")
    guard let row = try Row.fetchOne(statement, arguments: arguments) else { return nil }
    let record = FeedRecord(row)
    let folders = try String.fetchAll(
      db, sql: "SELECT folder FROM feedFolder WHERE feedID = ? ORDER BY folder",
      arguments: [record.id])
    return record.feed(
      of: try account(record.account) ?? .local, in: folders.map { StoredText.name($0) })
  }

  /// Whether a subscription exists.
  package func hasFeed(_ feed: FeedID) throws -> Bool {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT 1 FROM feed WHERE id = ?"), arguments: [feed.rawValue]) != nil
  }

  /// The validators and the digest of the newest page of a feed, for the next request.
  package func knownPage(of feed: FeedID) throws -> KnownPage {
    let statement = try db.cachedStatement(
      sql: "SELECT etag, lastModified, bodyDigest FROM feedState WHERE feedID = ?")
    guard let row = try Row.fetchOne(statement, arguments: [feed.rawValue]) else {
      return KnownPage()
    }
    return KnownPage(
      validators: Validators(etag: row[0], lastModified: row[1]), bodyDigest: row[2])
  }

  /// The cursor of the next older page of a feed; nil at the end, or where no page was fetched yet.
  package func olderCursor(of feed: FeedID) throws -> News.Cursor? {
    let statement = try db.cachedStatement(sql: "SELECT cursor FROM feedState WHERE feedID = ?")
    return try String.fetchOne(statement, arguments: [feed.rawValue]).map(News.Cursor.init)
  }

  /// Whether a feed has an article with this entry id (`Entry.id`).
  package func hasEntry(_ id: String, of feed: FeedID) throws -> Bool {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT 1 FROM article WHERE feedID = ? AND entryKey = ?"),
      arguments: [feed.rawValue, PreparedPage.key(ofEntry: id)]) != nil
  }

  /// A feed that may have live events, with its address.
  package struct Listened: Hashable, Sendable {
    package let id: FeedID
    package let url: String
  }

  /// The feeds of accounts whose service has live events.
  package func feedsToListenTo() throws -> Set<Listened> {
    let statement = try db.cachedStatement(
      sql: """
        SELECT feed.id, feed.url FROM feed JOIN feedState ON feedState.feedID = feed.id
          JOIN account ON account.id = feed.account
        WHERE \(AccountCondition.isLive) AND feedState.isGone = 0
        """)
    let rows = try Row.fetchAll(statement)
    return Set(
      rows.map { Listened(id: FeedID($0[0]), url: StoredText.address($0[1] as String)) })
  }

  /// The id of the last live event that was handled; nil before the first.
  package func liveEventID(of feed: FeedID) throws -> String? {
    let statement = try db.cachedStatement(
      sql: "SELECT liveEventID FROM feedState WHERE feedID = ?")
    return try String.fetchOne(statement, arguments: [feed.rawValue])
  }

  /// A gap by its id, with the cursor of its first missing page; the cursor is nil where the source
  /// cannot be asked for it.
  package func gap(_ id: Int64) throws -> (gap: Gap, cursor: News.Cursor?)? {
    guard
      let row = try Row.fetchOne(
        db, sql: "SELECT \(Self.gapColumns) FROM gap WHERE id = ?", arguments: [id])
    else { return nil }
    return (gap(row: row), (row[6] as String?).map(News.Cursor.init))
  }

  static let gapColumns = "id, feedID, newerDate, newerID, olderDate, olderID, cursor"

  func gap(row: Row) -> Gap {
    Gap(
      id: row[0], feedID: FeedID(row[1]),
      newer: TimelinePosition(date: row[2], id: row[3]),
      older: TimelinePosition(date: row[4], id: row[5]), canLoad: (row[6] as String?) != nil)
  }
}

// MARK: - Articles

extension StoreView {
  /// An article with its content; nil where it was removed.
  package func article(_ id: ArticleID) throws -> Article? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT article.id, article.feedID, coalesce(feed.ownTitle, feed.title, feed.url),
          article.entryID, article.url, article.title, article.authors, article.published,
          article.updated, articleBody.content, articleBody.summary, articleBody.details,
          articleStatus.isRead, articleStatus.isStarred, articleStatus.sortDate,
          articleStatus.readBlock, articleStatus.readOffset
        FROM article JOIN articleBody ON articleBody.articleID = article.id
          JOIN articleStatus ON articleStatus.articleID = article.id
          JOIN feed ON feed.id = article.feedID
        WHERE article.id = ?
        """)
    guard let row = try Row.fetchOne(statement, arguments: [id.rawValue]) else { return nil }
    var entry = Entry(
      id: row[3], url: StoredText.address(row[4] as String?),
      title: StoredText.line(row[5] as String?), authors: AuthorList.decode(row[6]),
      published: date(row[7]), updated: date(row[8]),
      contentHTML: StoredText.markup((row[9] as Data?).flatMap(BodyCodec.decode)),
      summary: StoredText.line((row[10] as Data?).flatMap(BodyCodec.decode)))
    EntryDetails.decode(row[11]).add(to: &entry)
    var place: ReadingPosition?
    if let block = row[15] as Int?, let offset = row[16] as Int? {
      place = ReadingPosition(block: block, offset: offset)
    }
    return Article(
      id: id, feedID: FeedID(row[1]), feedTitle: StoredText.title(row[2] as String), entry: entry,
      status: ArticleStatus(isRead: row[12], isStarred: row[13]),
      position: TimelinePosition(date: row[14], id: row[0]),
      otherFeeds: try otherFeeds(with: id), readingPosition: place)
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
      let ids = try Int64.fetchAll(statement, arguments: [article.rawValue])
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
            """), arguments: [other.rawValue]
      ).map { StoredText.title($0) }
    }
  }

  /// Calls `body` with each article of a feed, newest first; one at a time is in memory.
  package func forEachArticle(of feed: FeedID, _ body: (Article) throws -> Void) throws {
    let ids = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT articleID FROM articleStatus INDEXED BY statusByFeed WHERE feedID = ?
          ORDER BY sortDate DESC, articleID DESC
          """), arguments: [feed.rawValue])
    for id in ids {
      if let article = try article(ArticleID(id)) { try body(article) }
    }
  }

  /// The position of an article, which is the same in all timelines.
  package func position(of id: ArticleID) throws -> TimelinePosition? {
    let statement = try db.cachedStatement(
      sql: "SELECT sortDate FROM articleStatus WHERE articleID = ?")
    return try Int64.fetchOne(statement, arguments: [id.rawValue]).map {
      TimelinePosition(date: $0, id: id.rawValue)
    }
  }

  /// The position of the oldest stored article of a feed.
  package func oldestPosition(of feed: FeedID) throws -> TimelinePosition? {
    try edge(of: feed, isNewest: false)
  }

  func edge(of feed: FeedID, isNewest: Bool) throws -> TimelinePosition? {
    let order = isNewest ? "DESC" : "ASC"
    return try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT sortDate, articleID FROM articleStatus INDEXED BY statusByFeed WHERE feedID = ?
          ORDER BY sortDate \(order), articleID \(order) LIMIT 1
          """), arguments: [feed.rawValue]
    ).map { TimelinePosition(date: $0[0], id: $0[1]) }
  }

  /// The counts of all feeds together; an article that several feeds contain counts once.
  package func countsOfDistinct() throws -> ArticleCounts {
    var counts = try counts()
    let statement = try db.cachedStatement(
      sql: """
        SELECT count(*), coalesce(sum(isRead = 0), 0)
        FROM articleStatus INDEXED BY statusDuplicate WHERE duplicateOf IS NOT NULL
        """)
    if let row = try Row.fetchOne(statement) {
      counts.total -= row[0]
      counts.unread -= row[1]
    }
    return counts
  }

  /// The sum of the counts of all feeds.
  package func counts() throws -> ArticleCounts {
    let statement = try db.cachedStatement(
      sql: """
        SELECT coalesce(sum(total), 0), coalesce(sum(unread), 0), coalesce(sum(starred), 0)
        FROM feedCount
        """)
    guard let row = try Row.fetchOne(statement) else { return ArticleCounts() }
    return ArticleCounts(total: row[0], unread: row[1], starred: row[2])
  }
}

func date(_ seconds: Int64?) -> Date? {
  seconds.map { Date(timeIntervalSince1970: Double($0)) }
}

func seconds(_ date: Date?) -> Int64? {
  date.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) }
}
