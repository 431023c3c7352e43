internal import GRDB
package import News
internal import Text

package import struct Foundation.Date

extension TagsView {
  /// The tags on an article in the order of their names: those of its feed's account, and local ones.
  package func all(on article: ArticleID) throws -> [Tag] {
    try db.rows(
      """
      SELECT id, account, name FROM tag
      WHERE id IN (SELECT tag FROM articleTag WHERE articleID = ?) ORDER BY name, account
      """, [article]
    ).map { row in Tag(id: row[0], account: row[1], name: StoredText.name(row[2] as String)) }
  }

  package func summaries() throws -> [TagSummary] {
    try db.rows(
      """
      SELECT tag.name, nullif(account.base, ''), count(articleTag.articleID) FROM tag
        JOIN account ON account.id = tag.account LEFT JOIN articleTag ON articleTag.tag = tag.id
      WHERE NOT (\(Self.isDueTag))
      GROUP BY tag.id ORDER BY tag.name, tag.account
      """
    ).map { row in
      TagSummary(
        name: StoredText.name(row[0] as String),
        account: StoredText.address(row[1] as String?), count: row[2])
    }
  }

  /// The names of tags in use, each once.
  package func names() throws -> [String] {
    try db.values(
      """
      SELECT name FROM tag
      WHERE EXISTS (SELECT 1 FROM articleTag WHERE tag = tag.id) AND NOT (\(Self.isDueTag))
      GROUP BY name ORDER BY name COLLATE NOCASE
      """
    ).map { StoredText.name($0) }
  }

  /// The number of unread articles with each tag, without duplicates.
  package func unread() throws -> [String: Int] {
    try db.rows(
      """
      SELECT tag.name, count(DISTINCT coalesce(duplicateOf, articleStatus.articleID)) FROM tag
        JOIN articleTag ON articleTag.tag = tag.id
        JOIN articleStatus ON articleStatus.articleID = articleTag.articleID AND isRead = 0
      GROUP BY tag.name
      """
    ).reduce(into: [:]) { $0[StoredText.name($1[0] as String)] = $1[1] }
  }
}

// MARK: - Later

extension TagsView {
  /// SQL for tags with a due time (`Later.dueTag`); `:` follows the digits.
  fileprivate static let isDueTag =
    "tag.name > '\(Later.dueTagPrefix)' AND tag.name < '\(Later.dueTagPrefix):'"

  /// SQL for the articles with a tag that a condition is true of.
  private static func articles(_ condition: String) -> String {
    "SELECT articleID FROM articleTag JOIN tag ON tag.id = articleTag.tag WHERE \(condition)"
  }

  /// SQL for the articles in Later, waiting ones included.
  static let allLater = articles("isNamed(tag.name, '\(Later.tag)')")

  /// SQL for the articles that wait for a time.
  static let waiting = articles(
    """
    tag.name > '\(Later.dueTagPrefix)' || strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
      AND tag.name < '\(Later.dueTagPrefix):'
    """)

  /// SQL for the articles with a due time.
  static let timed = articles(isDueTag)

  /// Whether the time of an article has come between two moments.
  package func hasBecomeDue(after start: Date, until end: Date) throws -> Bool {
    try db.exists(
      Self.articles("tag.name > ? AND tag.name <= ?"), [Later.dueTag(start), Later.dueTag(end)])
  }

  /// The tags with due times on some articles.
  func dueTags(on articles: [ArticleID]) throws -> [String] {
    try db.values(
      """
      SELECT DISTINCT tag.name FROM tag JOIN articleTag ON articleTag.tag = tag.id
      WHERE articleID IN (SELECT value FROM json_each(?)) AND \(Self.isDueTag)
      """, [jsonList(articles.map(\.rawValue))])
  }

  /// Those of some articles that are in Later, and the names of the tag there, of any case.
  func laterTags(
    on articles: [ArticleID]
  ) throws -> (articles: Set<ArticleID>, names: Set<String>) {
    try db.rows(
      """
      SELECT articleID, tag.name FROM tag JOIN articleTag ON articleTag.tag = tag.id
      WHERE articleID IN (SELECT value FROM json_each(?)) AND isNamed(tag.name, '\(Later.tag)')
      """, [jsonList(articles.map(\.rawValue))]
    ).reduce(into: (articles: [], names: [])) { found, row in
      found.articles.insert(ArticleID(row[0]))
      found.names.insert(row[1])
    }
  }
}

extension TagsEdit {
  func removeUnusedDueTags() throws {
    try db.run(
      """
      DELETE FROM tag WHERE \(TagsView.isDueTag)
        AND NOT EXISTS (SELECT 1 FROM articleTag WHERE articleTag.tag = tag.id)
      """)
  }

  /// Adds a tag to an account, or returns the one of this name.
  ///
  /// - Throws: `SourceError` for a blank name, or an unknown account.
  @discardableResult
  package func save(_ name: String, of account: AccountID) throws -> TagID {
    let name = PlainText.sanitizedName(name)
    guard !name.allSatisfy(\.isWhitespace), try view.accounts.account(account) != nil else {
      throw SourceError(
        .address, stage: .arguments, subject: name, message: "this is no name of a tag")
    }
    try db.run("INSERT OR IGNORE INTO tag (account, name) VALUES (?, ?)", [account, name])
    let number: Int64? = try db.value(
      "SELECT id FROM tag WHERE account = ? AND name = ?", [account, name])
    return TagID(number ?? db.lastInsertedRowID)
  }

  /// Sets or removes a tag, and queues the change where the account takes tags. Articles of other
  /// accounts are ignored, unless the tag is local. Returns how many articles have changed.
  @discardableResult
  package func set(
    _ tag: TagID, _ isSet: Bool, on articles: [ArticleID], now: Date = Date()
  ) throws -> Int {
    let row = try db.row("SELECT account, name FROM tag WHERE id = ?", [tag])
    guard let row else { return 0 }
    var count = 0
    for article in articles where try put(tag, isSet, on: [article]) > 0 {
      count += 1
      // A local tag is not sent.
      if AccountID(row[0]) != .local {
        try edit.outbox.queueTag(row[1], isSet, on: article, now: now)
      }
    }
    return count
  }

  /// Sets or removes a tag by its name: of the article's account where that takes tags, else a
  /// local one. Both are removed. Returns how many articles have changed.
  ///
  /// - Throws: `SourceError` for a blank name.
  package func set(
    named name: String, _ isSet: Bool, on articles: [ArticleID], now: Date
  ) throws -> Int {
    try setReporting(named: name, isSet, on: articles, now: now).count
  }

  /// Sets or removes a tag as `set(named:)`, and returns the articles that have changed.
  func setReporting(
    named name: String, _ isSet: Bool, on articles: [ArticleID], now: Date
  ) throws -> [ArticleID] {
    let owner = try db.cachedStatement(
      sql: """
        SELECT CASE WHEN \(AccountCondition.takesTags) THEN account.id
            ELSE \(AccountID.local.rawValue) END
          FROM article JOIN feed ON feed.id = article.feedID JOIN account ON account.id = feed.account
        WHERE article.id = ?
        """)
    let known = try db.cachedStatement(
      sql: """
        SELECT tag.id FROM tag JOIN articleTag ON articleTag.tag = tag.id
        WHERE articleTag.articleID = ? AND tag.name = ?
        """)
    let name = PlainText.sanitizedName(name)
    var changed: [ArticleID] = []
    for article in articles {
      guard let account = try Int64.fetchOne(owner, arguments: [article]) else { continue }
      let there = try Int64.fetchAll(known, arguments: [article, name])
      if isSet, there.isEmpty {
        let tag = try save(name, of: AccountID(account))
        if try set(tag, true, on: [article], now: now) > 0 { changed.append(article) }
      } else if !isSet, !there.isEmpty {
        for tag in there { try set(TagID(tag), false, on: [article], now: now) }
        changed.append(article)
      }
    }
    return changed
  }

  /// Sets or removes a tag without queueing it, as for a change by another machine.
  func put(_ tag: TagID, _ isSet: Bool, on articles: [ArticleID]) throws -> Int {
    let statement = try db.cachedStatement(
      sql: isSet
        ? """
        INSERT OR IGNORE INTO articleTag (tag, articleID)
          SELECT tag.id, article.id FROM article JOIN feed ON feed.id = article.feedID
            JOIN tag ON tag.account IN (feed.account, \(AccountID.local.rawValue))
          WHERE tag.id = ? AND article.id = ?
        """ : "DELETE FROM articleTag WHERE tag = ? AND articleID = ?")
    var count = 0
    for article in articles {
      try statement.execute(arguments: [tag, article])
      count += db.changesCount
    }
    return count
  }

  /// Replaces the tags of a feed that moves to another account by tags of that account with the
  /// same names. Local tags stay.
  func move(of feed: FeedID, into account: AccountID) throws {
    let moved = """
      SELECT articleTag.articleID, tag.name FROM article
        JOIN articleTag ON articleTag.articleID = article.id JOIN tag ON tag.id = articleTag.tag
      WHERE article.feedID = :feed AND tag.account NOT IN (\(AccountID.local.rawValue), :account)
      """
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO tag (account, name)
          SELECT DISTINCT :account, name FROM (\(moved)) ORDER BY name;
        INSERT OR IGNORE INTO articleTag (tag, articleID)
          SELECT tag.id, articleID FROM (\(moved)) AS moved
            JOIN tag ON tag.account = :account AND tag.name = moved.name;
        DELETE FROM articleTag
          WHERE articleID IN (SELECT id FROM article WHERE feedID = :feed)
            AND tag IN (
              SELECT id FROM tag WHERE account NOT IN (\(AccountID.local.rawValue), :account))
        """, arguments: ["feed": feed, "account": account])
  }
}

package struct TagID: StoreID {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Name that the user gives to articles; many servers call it a label.
///
/// Unique within its account. Tags of the local account may be on any article, those of another
/// account on the articles of its feeds.
package struct Tag: Hashable, Sendable, Identifiable {
  package let id: TagID
  package var account: AccountID
  package var name: String
}
