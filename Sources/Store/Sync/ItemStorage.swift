package import Foundation
internal import GRDB
package import News

/// An id of a server's set as the store compares it.
package struct ItemKey: Hashable, Sendable {
  let rawValue: Int64

  package init(_ id: String) { rawValue = PreparedPage.key(ofEntry: id) }

  init(stored: Int64) { rawValue = stored }
}

/// An id whose article is to be fetched, with its place in the queue.
package struct MissingItem: Hashable, Sendable {
  package let id: String
  let rank: Int64
  let key: ItemKey
}

// Ids of a server lie in `item`, with their article, once it is stored, and the last known marks of
// the server. An id without an article is fetched by later syncs.
extension ItemsEdit {
  /// Notes ids of a server, and returns how many are new. Known ones stay as they are.
  ///
  /// - Parameters:
  ///   - ids: newest first.
  ///   - offset: the number of ids of the set that were noted before.
  @discardableResult
  package func note(_ ids: some Sequence<String>, in walk: SyncWalk, offset: Int = 0) throws -> Int
  {
    try edit.sync.check(walk)
    let insert = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO item (account, key, id, rank) VALUES (?, ?, ?, ?)")
    var count = 0
    for (index, id) in ids.enumerated() {
      try insert.execute(arguments: [
        walk.account, ItemKey(id).rawValue, id, walk.rank(at: offset + index),
      ])
      count += db.changesCount
    }
    return count
  }

  /// Writes articles of an account with the server's marks, and notes their ids. Ids that were
  /// asked for and did not come are asked for again, a few times.
  ///
  /// - Parameters:
  ///   - pages: the articles of each feed.
  ///   - asked: the ids that were asked for.
  package func merge(
    _ pages: [PreparedItems], asked: [MissingItem], in walk: SyncWalk, now: Date
  ) throws -> MergeResult {
    try edit.sync.check(walk)
    var result = MergeResult()
    var left = Set(asked.map(\.key.rawValue))
    let known = try KnownMarks(db, walk.account, pages)
    // A feed may have been moved to another account meanwhile.
    for page in pages
    where try view.subscriptions.subscription(of: page.feed)?.account == walk.account.rawValue {
      let merged = try edit.articles.merge(
        page.page, into: page.feed, at: .synced(read: known.read), now: now)
      result.inserted += merged.inserted
      result.updated += merged.updated
      result.known += merged.known
      for article in page.page.articles {
        if try link(article.key, in: page.feed, of: walk.account, known, now: now) {
          left.remove(article.key)
        }
      }
    }
    let postpone = try db.cachedStatement(
      sql: "UPDATE item SET tries = tries + 1 WHERE account = ? AND key = ? AND articleID IS NULL")
    for key in left { try postpone.execute(arguments: [walk.account, key]) }
    return result
  }

  /// Links an id to its article, which may be older, and marks it as the server does. Returns
  /// whether there is one.
  private func link(
    _ key: Int64, in feed: FeedID, of account: AccountID, _ known: KnownMarks, now: Date
  ) throws -> Bool {
    guard let found = try view.articles.number(of: key, in: feed) else { return false }
    let isAdopted = try edit.feeds.adopts(found, in: feed)
    // An article has one id: one that stood for it by another is asked for again if it is still listed.
    try db.run(
      "DELETE FROM item WHERE articleID = ?1 AND (account, key) <> (?2, ?3)", [found, account, key])
    let (isUnread, isStarred) = (known.isUnread(key), known.isStarred(key))
    try db.run(
      """
      UPDATE item SET articleID = ?3, isUnread = ?4, isStarred = ?5
      WHERE account = ?1 AND key = ?2
      """, [account, key, found, isUnread, isStarred])
    if isAdopted {
      try edit.feeds.keepMarks(
        of: found, isUnreadThere: isUnread, isStarredThere: isStarred, now: now)
    }
    _ = try ServerMarks(edit: edit, account: account).settle(
      found, isRead: isUnread.map { !$0 }, isStarred: isStarred)
    return true
  }
}

extension ItemsView {
  /// Ids to fetch: unread and starred ones first, then the newest.
  ///
  /// - Parameter last: the one before them.
  package func missing(
    of account: AccountID, after last: MissingItem?, limit: Int
  ) throws -> [MissingItem] {
    try db.rows(
      """
      SELECT id, rank, key FROM item INDEXED BY itemMissing
      WHERE account = ? AND articleID IS NULL AND tries < \(SyncWalk.tries)
        AND (rank, key) > (?, ?)
      ORDER BY rank, key LIMIT ?
      """, [account, last?.rank ?? .min, last?.key.rawValue ?? .min, limit]
    ).map { MissingItem(id: $0[0], rank: $0[1], key: ItemKey(stored: $0[2])) }
  }

  package func missingCount(of account: AccountID) throws -> Int {
    try db.value(
      """
      SELECT count(*) FROM item INDEXED BY itemMissing
      WHERE account = ? AND articleID IS NULL AND tries < \(SyncWalk.tries)
      """, [account]) ?? 0
  }

  /// The feeds of an account by what its server knows them by.
  package func subscribedFeeds(of account: AccountID) throws -> [String: FeedID] {
    try db.cursor("SELECT coalesce(remoteID, url), id FROM feed WHERE account = ?", [account])
      .reduce(into: [:]) { $0[$1[0]] = $1[1] }
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
  /// Marks that come with the contents, by the keys of the articles.
  let marks: [Int64: Marks]

  package init(_ items: [Item], of feed: FeedID) {
    self.feed = feed
    page = PreparedPage(Page(entries: items.map(\.entry)))
    var marks: [Int64: Marks] = [:]
    for item in items {
      marks[ItemKey(item.entry.id).rawValue] = Marks(isRead: item.isRead, isStarred: item.isStarred)
    }
    self.marks = marks
  }
}

/// Last known marks of a server: by its sets of ids, else by the articles themselves.
private struct KnownMarks {
  private var unread: [Int64: Bool] = [:]
  private var starred: [Int64: Bool] = [:]
  /// Keys of those that are read.
  private(set) var read: Set<Int64> = []

  init(_ db: Database, _ account: AccountID, _ pages: [PreparedItems]) throws {
    let find = try db.cachedStatement(
      sql: "SELECT isUnread, isStarred FROM item WHERE account = ? AND key = ?")
    for page in pages {
      for article in page.page.articles {
        let row = try Row.fetchOne(find, arguments: [account, article.key])
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
}
