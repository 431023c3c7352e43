package import Foundation
internal import GRDB
package import News

/// Feeds that move to another account with their articles and marks.
///
/// A server calls articles by ids of its own. `feed.adoptsUpTo` is the number of the last article that was stored
/// before the move: what the other account hands out with the link and the date of one of these is that one, as
/// long as no id of a server stands for it. What was read or starred here is read or starred there from then on.
extension StoreEdit {
  /// Moves a feed, and puts into the outbox what the servers of both accounts are to be told: the former one
  /// ends the subscription, the other one adds it with its name and its folders. What waits to be sent about
  /// the feed's articles goes, since the former server loses them.
  ///
  /// - Parameters:
  ///   - tellsFormer: whether the former account has a server that keeps subscriptions.
  ///   - change: what the other account is told of the feed; nil where it keeps no subscriptions.
  /// - Returns: the feed that has the articles: the other account's, where that has one at the same address.
  package func queueTransfer(
    of feed: FeedID, to account: Account, tellsFormer: Bool, _ change: TransferredFeed?, now: Date
  ) throws -> FeedID {
    guard let known = try view.subscription(of: feed) else { return feed }
    let former = AccountID(known.account)
    let isUnknownThere = try isUnsent(.addFeed, of: feed) && known.remoteID == nil
    try forgetFormerServer(of: feed, in: former)
    if tellsFormer, !isUnknownThere {
      try insert(
        SubscriptionChange(.remove, url: known.url, id: known.remoteID), of: nil, in: known.account,
        now: now)
    }
    let givesItems = account.capabilities.contains(.items)
    let twin = try view.feeds(url: known.url).first { $0.account.id == account.id }?.id
    if let twin, givesItems { try alignArticles(of: feed, with: twin, now: now) }
    try move(feed, into: account.id, now: now)
    let moved = twin ?? feed
    try db.execute(
      sql: "UPDATE feed SET adoptsUpTo = (SELECT max(id) FROM article) WHERE id = ?",
      arguments: [moved.rawValue])
    if twin == nil {
      try db.execute(
        sql: "UPDATE feed SET remoteID = NULL, missingSince = NULL WHERE id = ?",
        arguments: [feed.rawValue])
      try forgetFetches(of: feed)
      try db.execute(sql: "DELETE FROM gap WHERE feedID = ?", arguments: [feed.rawValue])
      try endPages(of: feed)
      if let change {
        try queueChange(.add, of: feed, now: now)
        if let title = change.title { try queueTitle(title, of: feed, now: now) }
        if !change.folders.isEmpty { try queueFolders(change.folders, of: feed, now: now) }
      }
    }
    if !givesItems { try queueMarks(of: moved, now: now) }
    try takeArrivingMarks(of: moved)
    return moved
  }

  /// Whether a change of a subscription is in the outbox that nobody has tried to send.
  func isUnsent(_ kind: OutboxKind, of feed: FeedID) throws -> Bool {
    try Row.fetchOne(
      db,
      sql: """
        SELECT 1 FROM outbox WHERE feedID = ? AND kind = ?
          AND state = \(OutboxState.waiting.rawValue) AND attempts = 0
        """, arguments: [feed.rawValue, kind.rawValue]) != nil
  }

  /// Removes the ids of a feed's articles, and what waits to be said about the feed. A change that is on its way
  /// stays without its feed: its answer says nothing of where the feed is now.
  private func forgetFormerServer(of feed: FeedID, in account: AccountID) throws {
    try db.execute(
      sql: """
        DELETE FROM item WHERE articleID IN (SELECT id FROM article WHERE feedID = :feed);
        DELETE FROM outbox WHERE account = :account
          AND kind IN (\(OutboxKind.ofMarks), '\(OutboxKind.tag.rawValue)')
          AND articleID IN (SELECT id FROM article WHERE feedID = :feed);
        DELETE FROM outbox WHERE feedID = :feed AND state = \(OutboxState.waiting.rawValue);
        UPDATE outbox SET feedID = NULL WHERE feedID = :feed;
        """, arguments: ["feed": feed.rawValue, "account": account.rawValue])
  }

  /// Gives the articles that both feeds have the ids of the other's, by their links, so that they are united.
  private func alignArticles(of feed: FeedID, with other: FeedID, now: Date) throws {
    try db.execute(
      sql: """
        WITH mine AS (
            SELECT linkKey, min(id) AS id FROM article WHERE feedID = :feed AND linkKey IS NOT NULL
            GROUP BY linkKey HAVING count(*) = 1),
          theirs AS (
            SELECT linkKey, min(id) AS id FROM article WHERE feedID = :other AND linkKey IS NOT NULL
            GROUP BY linkKey HAVING count(*) = 1)
        UPDATE OR IGNORE article SET (entryKey, entryID) = (
            SELECT twin.entryKey, twin.entryID FROM theirs JOIN article AS twin ON twin.id = theirs.id
            WHERE theirs.linkKey = article.linkKey)
        WHERE id IN (SELECT mine.id FROM mine JOIN theirs USING (linkKey))
        """, arguments: ["feed": feed.rawValue, "other": other.rawValue])
  }

  /// Tells an account that knows articles by their own ids what is read, starred and tagged.
  private func queueMarks(of feed: FeedID, now: Date) throws {
    let marked = try Row.fetchAll(
      db,
      sql: """
        SELECT articleID, isRead, isStarred FROM articleStatus
        WHERE feedID = ? AND (isRead OR isStarred)
        """, arguments: [feed.rawValue])
    for row in marked { try queueMarks(ArticleID(row[0]), read: row[1], starred: row[2], now: now) }
    let tagged = try Row.fetchAll(
      db,
      sql: """
        SELECT articleTag.articleID, tag.name FROM article
          JOIN articleTag ON articleTag.articleID = article.id JOIN tag ON tag.id = articleTag.tag
        WHERE article.feedID = ? AND tag.account <> \(AccountID.local.rawValue)
        """, arguments: [feed.rawValue])
    for row in tagged { try queueTag(row[1], true, on: ArticleID(row[0]), now: now) }
  }

  /// Marks the articles as other machines have, where the account keeps logs; what was queued here counts.
  private func takeArrivingMarks(of feed: FeedID) throws {
    guard let marks = try ArrivingMarks(self, of: feed) else { return }
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, entryID FROM article WHERE feedID = ?", arguments: [feed.rawValue])
    for row in rows { try marks.apply(to: row[0], row[1]) }
  }

  private func queueMarks(_ article: ArticleID, read: Bool, starred: Bool, now: Date) throws {
    if read { try queue(.read, true, article: article, now: now) }
    if starred { try queue(.starred, true, article: article, now: now) }
  }

  /// Whether an id of a server begins to stand for an article that was stored before its feed was moved.
  func adopts(_ article: Int64, in feed: FeedID) throws -> Bool {
    try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT 1 FROM feed WHERE id = ?1 AND ?2 <= adoptsUpTo
            AND NOT EXISTS (SELECT 1 FROM item WHERE articleID = ?2)
          """), arguments: [feed.rawValue, article]) != nil
  }

  /// Tells the server that has brought an article what is read and starred here and not there.
  func keepMarks(
    of article: Int64, isUnreadThere: Bool?, isStarredThere: Bool?, now: Date
  ) throws {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT isRead, isStarred FROM articleStatus WHERE articleID = ?"),
      arguments: [article])
    guard let row else { return }
    try queueMarks(
      ArticleID(article), read: row[0] && isUnreadThere != false,
      starred: row[1] && isStarredThere != true, now: now)
  }
}

extension StoreView {
  /// The number of the last article that the articles of a moved feed's server may stand for.
  func lastToAdopt(in feed: FeedID) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT adoptsUpTo FROM feed WHERE id = ?"),
      arguments: [feed.rawValue])
  }
}

/// What the account that a feed is moved to is told of it.
package struct TransferredFeed: Hashable, Sendable {
  /// Nil where the server decides.
  package var title: String?
  /// Empty where the server decides.
  package var folders: [String]

  package init(title: String?, folders: [String]) {
    self.title = title
    self.folders = folders
  }
}
