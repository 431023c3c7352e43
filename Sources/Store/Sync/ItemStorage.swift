package import Foundation
internal import GRDB
package import News

/// An id in a set that a server has listed, as the store compares it.
package struct ItemKey: Hashable, Sendable {
  let rawValue: Int64

  package init(_ id: String) { rawValue = PreparedPage.key(ofEntry: id) }
}

// The ids that the server of an account has listed lie in `item`: with the article behind each, once it is
// stored, and with the marks that the server was last known to have. An id without an article waits for
// its contents, which a sync fetches whenever it was interrupted.
extension StoreEdit {
  /// Notes ids that a server lists. Those that are known stay as they are.
  ///
  /// - Parameters:
  ///   - ids: in the order of the server, the newest first.
  ///   - offset: how many of the same walk were noted before.
  /// - Returns: how many are new.
  @discardableResult
  package func note(
    _ ids: [String], of account: AccountID, in walk: SyncWalk, offset: Int = 0
  ) throws -> Int {
    let insert = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO item (account, key, id, rank) VALUES (?, ?, ?, ?)")
    var count = 0
    for (index, id) in ids.enumerated() {
      try insert.execute(arguments: [
        account.rawValue, ItemKey(id).rawValue, id, walk.rank(at: offset + index),
      ])
      count += db.changesCount
    }
    return count
  }

  /// Lets contents be fetched before those of other ids.
  package func hurry(_ keys: some Sequence<ItemKey>, of account: AccountID) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE item SET rank = rank - \(SyncWalk.urgency)
        WHERE account = ? AND key = ? AND articleID IS NULL AND rank > -\(SyncWalk.urgency)
        """)
    for key in keys { try statement.execute(arguments: [account.rawValue, key.rawValue]) }
  }

  /// Writes articles of an account, with the marks that the server was last known to have, in one
  /// transaction with what is noted of their ids. Ids that were asked for and are not among them are asked
  /// for again by later syncs, a few times.
  ///
  /// - Parameters:
  ///   - pages: the articles of each feed.
  ///   - asked: the ids that were asked for.
  package func merge(
    _ pages: [PreparedItems], asked: [String], of account: AccountID, now: Date
  ) throws -> MergeResult {
    var result = MergeResult()
    var left = Set(asked.map { ItemKey($0).rawValue })
    let known = try KnownMarks(db, account, pages)
    for page in pages {
      let merged = try merge(page.page, into: page.feed, at: .synced(read: known.read), now: now)
      result.inserted += merged.inserted
      result.updated += merged.updated
      result.known += merged.known
      for article in page.page.articles {
        // What came and cannot be stored is as if it had not come: it is not asked for for ever.
        if try link(article, in: page.feed, of: account, known, page.marks[article.key]) {
          left.remove(article.key)
        }
      }
    }
    let postpone = try db.cachedStatement(
      sql: "UPDATE item SET tries = tries + 1 WHERE account = ? AND key = ? AND articleID IS NULL")
    for key in left { try postpone.execute(arguments: [account.rawValue, key]) }
    return result
  }

  /// Notes which article an id stands for, and marks it as the server does.
  ///
  /// - Returns: false where there is no such article.
  private func link(
    _ article: PreparedPage.Article, in feed: FeedID, of account: AccountID, _ known: KnownMarks,
    _ marks: PreparedItems.Marks?
  ) throws -> Bool {
    let found = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM article WHERE feedID = ? AND entryKey = ?"),
      arguments: [feed.rawValue, article.key])
    guard let found else { return false }
    let isUnread = known.isUnread(article.key) ?? marks?.isRead.map { !$0 }
    let isStarred = known.isStarred(article.key) ?? marks?.isStarred
    try db.cachedStatement(
      sql: """
        UPDATE item SET articleID = ?3, isUnread = ?4, isStarred = ?5
        WHERE account = ?1 AND key = ?2
        """
    ).execute(arguments: [account.rawValue, article.key, found, isUnread, isStarred])
    if isStarred == true, !known.holdsStar(of: found) {
      try db.cachedStatement(
        sql: "UPDATE articleStatus SET isStarred = 1 WHERE articleID = ? AND isStarred = 0"
      ).execute(arguments: [found])
    }
    return true
  }
}

extension StoreView {
  /// Ids whose articles are to be fetched, the most wanted first: unread and starred ones, then the newest.
  package func missingItems(of account: AccountID, limit: Int) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id FROM item INDEXED BY itemMissing
          WHERE account = ? AND articleID IS NULL AND tries < \(SyncWalk.tries)
          ORDER BY rank LIMIT ?
          """), arguments: [account.rawValue, limit])
  }

  /// How many articles are still to be fetched.
  package func missingItemCount(of account: AccountID) throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT count(*) FROM item INDEXED BY itemMissing
          WHERE account = ? AND articleID IS NULL AND tries < \(SyncWalk.tries)
          """), arguments: [account.rawValue]) ?? 0
  }

  /// The article of an account that its server knows by an id.
  package func article(item id: String, of account: AccountID) throws -> Article? {
    let number = try Int64.fetchOne(
      db, sql: "SELECT articleID FROM item WHERE account = ? AND key = ?",
      arguments: [account.rawValue, ItemKey(id).rawValue])
    return try number.flatMap { try article(ArticleID($0)) }
  }

  /// The feeds of an account by what its server knows them by.
  package func subscribedFeeds(of account: AccountID) throws -> [String: FeedID] {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT coalesce(remoteID, url), id FROM feed WHERE account = ?",
      arguments: [account.rawValue])
    var feeds: [String: FeedID] = [:]
    while let row = try rows.next() { feeds[row[0]] = FeedID(row[1]) }
    return feeds
  }
}

/// Articles of one feed, ready to be written.
package struct PreparedItems: Sendable {
  struct Marks: Hashable, Sendable {
    var isRead: Bool?
    var isStarred: Bool?
  }

  let feed: FeedID
  let page: PreparedPage
  /// What the server says of each with its contents, by its key.
  let marks: [Int64: Marks]

  package init(_ items: [Item], of feed: FeedID) {
    self.feed = feed
    page = PreparedPage(Page(entries: items.map(\.entry)))
    var marks: [Int64: Marks] = [:]
    for item in items {
      marks[ItemKey(item.entry.id).rawValue] = Marks(
        isRead: item.isRead, isStarred: item.isStarred)
    }
    self.marks = marks
  }

  /// Bytes of bodies and of text for the index.
  package var weight: Int { page.weight }
}

/// The marks that a server was last known to have of some articles.
private struct KnownMarks {
  private var unread: [Int64: Bool] = [:]
  private var starred: [Int64: Bool] = [:]
  private let waiting: WaitingMarks
  /// Keys of those that are read.
  private(set) var read: Set<Int64> = []

  init(_ db: Database, _ account: AccountID, _ pages: [PreparedItems]) throws {
    waiting = try WaitingMarks(db, of: account)
    let find = try db.cachedStatement(
      sql: "SELECT isUnread, isStarred FROM item WHERE account = ? AND key = ?")
    for page in pages {
      for article in page.page.articles {
        let row = try Row.fetchOne(find, arguments: [account.rawValue, article.key])
        let marks = page.marks[article.key]
        let isUnread = (row?[0] as Bool?) ?? marks?.isRead.map { !$0 }
        if let isUnread { unread[article.key] = isUnread }
        if let isStarred = (row?[1] as Bool?) ?? marks?.isStarred {
          starred[article.key] = isStarred
        }
        if isUnread == false { read.insert(article.key) }
      }
    }
  }

  func isUnread(_ key: Int64) -> Bool? { unread[key] }
  func isStarred(_ key: Int64) -> Bool? { starred[key] }
  func holdsStar(of article: Int64) -> Bool { waiting.starred.contains(article) }
}
