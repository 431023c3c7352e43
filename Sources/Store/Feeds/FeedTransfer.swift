package import Foundation
internal import GRDB
package import News

/// Feeds that move to another account with their articles and marks.
///
/// One id is different articles at two servers. So the articles of a moved feed get ids that
/// no server has (`MovedEntry`), until an article of the other account with the same link and date
/// is recognised as one of them, and takes over its marks. `feed.adoptsUpTo` is the number of the
/// last article before the move.
extension FeedsEdit {
  /// Moves a feed, and queues the removal at the former server and the subscription at the new one.
  /// Unsent changes of the feed's articles are dropped.
  ///
  /// - Parameters:
  ///   - tellsFormer: whether the former account has a server that keeps subscriptions.
  ///   - change: the subscription for the new server; nil where it keeps none.
  /// - Returns: the feed that has the articles, which may have been there before; nil where the
  ///   feed has left the former account meanwhile.
  package func queueTransfer(
    of feed: FeedID, from former: Account, to account: Account, tellsFormer: Bool,
    _ change: TransferredFeed?, now: Date
  ) throws -> FeedID? {
    guard let known = try view.subscriptions.subscription(of: feed),
      known.account == former.id.rawValue, account.id != former.id
    else { return nil }
    let isUnknownThere = try isUnsent(.addFeed, of: feed) && known.remoteID == nil
    try forgetFormerServer(of: feed, in: former.id)
    try renameEntries(of: feed, from: former, to: account)
    if tellsFormer, !isUnknownThere {
      try edit.subscriptions.insert(
        SubscriptionChange(.remove, url: known.url, id: known.remoteID), of: nil, in: known.account,
        now: now)
    }
    let givesItems = account.capabilities.contains(.items)
    let twin = try view.feeds.all(url: known.url).first { $0.account.id == account.id }?.id
    if let twin { try alignArticles(of: feed, with: twin) }
    try edit.accounts.move(feed, into: account.id, now: now)
    let moved = twin ?? feed
    try db.run("UPDATE feed SET adoptsUpTo = (SELECT max(id) FROM article) WHERE id = ?", [moved])
    if twin == nil {
      try db.run("UPDATE feed SET remoteID = NULL, missingSince = NULL WHERE id = ?", [feed])
      try forgetFetches(of: feed)
      try db.run("DELETE FROM gap WHERE feedID = ?", [feed])
      try edit.subscriptions.endPages(of: feed)
      if let change {
        try dropRemoval(of: known.url, in: account.id)
        try edit.subscriptions.queueChange(.add, of: feed, now: now)
        if let title = change.title { try edit.subscriptions.queueTitle(title, of: feed, now: now) }
        if !change.folders.isEmpty {
          try edit.subscriptions.queueFolders(change.folders, of: feed, now: now)
        }
      }
    }
    if !givesItems { try queueMarks(of: moved, now: now) }
    try applyArrivingMarks(of: moved)
    return moved
  }

  /// Whether a change of a subscription is in the outbox and was never tried.
  func isUnsent(_ kind: OutboxKind, of feed: FeedID) throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM outbox WHERE feedID = ? AND kind = ?
        AND state = \(OutboxItemState.waiting.rawValue) AND attempts = 0
      """, [feed, kind.rawValue])
  }

  /// Removes the ids of a feed's articles and its unsent changes. A change that is on its way stays
  /// without its feed, as its answer is about the former server.
  private func forgetFormerServer(of feed: FeedID, in account: AccountID) throws {
    try db.execute(
      sql: """
        DELETE FROM item WHERE articleID IN (SELECT id FROM article WHERE feedID = :feed);
        DELETE FROM outbox WHERE account = :account
          AND kind IN (
            \(OutboxKind.ofMarks), '\(OutboxKind.tag.rawValue)', '\(OutboxKind.later.rawValue)')
          AND articleID IN (SELECT id FROM article WHERE feedID = :feed);
        DELETE FROM outbox WHERE feedID = :feed AND state = \(OutboxItemState.waiting.rawValue);
        UPDATE outbox SET feedID = NULL WHERE feedID = :feed;
        """, arguments: ["feed": feed, "account": account])
  }

  /// Drops an unsent or refused removal of a subscription.
  private func dropRemoval(of url: String, in account: AccountID) throws {
    try db.run(
      """
      DELETE FROM outbox WHERE account = ? AND kind = ? AND feedID IS NULL AND text ->> 'url' = ?
        AND (state = \(OutboxItemState.waiting.rawValue) OR error IS NOT NULL)
      """, [account, OutboxKind.removeFeed.rawValue, url])
  }

  func renameEntries(of feed: FeedID, from former: Account, to account: Account) throws {
    let rows = try db.rows(
      "SELECT id, entryID FROM article WHERE feedID = ? AND entryID <> ''", [feed])
    let rename = try db.cachedStatement(
      sql: "UPDATE OR IGNORE article SET entryKey = ?, entryID = ? WHERE id = ?")
    // Ids of moved articles last: an article that loses its id may free it for another one.
    let (moved, others) = (
      rows.filter { MovedEntry.isOne($0[1]) }, rows.filter { !MovedEntry.isOne($0[1]) }
    )
    for row in others + moved {
      let old: String = row[1]
      let new = MovedEntry.id(old, from: former, to: account)
      guard new != old else { continue }
      try rename.execute(arguments: [PreparedPage.key(ofEntry: new), new, row[0] as Int64])
    }
  }

  /// Gives articles that both feeds have the same ids, by their links, so that they are united.
  /// Different dates, or without dates different titles, keep them apart.
  private func alignArticles(of feed: FeedID, with other: FeedID) throws {
    try db.run(
      """
      WITH mine AS (
          SELECT linkKey, min(id) AS id FROM article WHERE feedID = :feed AND linkKey IS NOT NULL
          GROUP BY linkKey HAVING count(*) = 1),
        theirs AS (
          SELECT linkKey, min(id) AS id FROM article WHERE feedID = :other AND linkKey IS NOT NULL
          GROUP BY linkKey HAVING count(*) = 1)
      UPDATE OR IGNORE article SET (entryKey, entryID) = (
          SELECT twin.entryKey, twin.entryID FROM theirs JOIN article AS twin ON twin.id = theirs.id
          WHERE theirs.linkKey = article.linkKey)
      WHERE id IN (
        SELECT one.id FROM mine JOIN theirs USING (linkKey)
          JOIN article AS one ON one.id = mine.id JOIN article AS two ON two.id = theirs.id
        WHERE CASE WHEN coalesce(one.published, one.updated, two.published, two.updated) IS NOT NULL
            AND coalesce(one.published, one.updated) = coalesce(two.published, two.updated) THEN 1
          WHEN coalesce(one.published, one.updated) IS NULL
            OR coalesce(two.published, two.updated) IS NULL THEN one.title IS two.title
          ELSE 0 END)
      """, ["feed": feed, "other": other])
  }

  /// Queues the marks and tags of a feed for an account that knows articles by their own ids.
  private func queueMarks(of feed: FeedID, now: Date) throws {
    let marked = try db.rows(
      """
      SELECT articleID, isRead, isStarred FROM articleStatus
      WHERE feedID = ? AND (isRead OR isStarred)
      """, [feed])
    for row in marked { try queueMarks(ArticleID(row[0]), read: row[1], starred: row[2], now: now) }
    try queueTags(where: "article.feedID = ?", feed.rawValue, now: now)
  }

  /// Tells the account of some articles which tags they have.
  private func queueTags(where condition: String, _ number: Int64, now: Date) throws {
    let tagged = try db.rows(
      """
      SELECT articleTag.articleID, tag.name FROM article
        JOIN articleTag ON articleTag.articleID = article.id JOIN tag ON tag.id = articleTag.tag
      WHERE \(condition) AND tag.account <> \(AccountID.local.rawValue)
      """, [number])
    for row in tagged { try edit.outbox.queueTag(row[1], true, on: row[0], now: now) }
  }

  /// Applies the marks of other machines, where the account keeps logs. Queued changes win.
  private func applyArrivingMarks(of feed: FeedID) throws {
    guard let marks = try ArrivingMarks(edit, of: feed) else { return }
    let rows = try db.rows("SELECT id, entryID FROM article WHERE feedID = ?", [feed])
    for row in rows { try marks.apply(to: row[0], row[1]) }
  }

  private func queueMarks(_ article: ArticleID, read: Bool, starred: Bool, now: Date) throws {
    if read { try edit.outbox.queue(.read(true), of: article, now: now) }
    if starred { try edit.outbox.queue(.starred(true), of: article, now: now) }
  }

  /// Whether a server's id is new for an article from before its feed was moved.
  func adopts(_ article: Int64, in feed: FeedID) throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM feed WHERE id = ?1 AND ?2 <= adoptsUpTo
        AND NOT EXISTS (SELECT 1 FROM item WHERE articleID = ?2)
      """, [feed, article])
  }

  /// Queues marks and tags that the server of an adopted article lacks.
  func keepMarks(of article: Int64, isUnreadThere: Bool?, isStarredThere: Bool?, now: Date) throws {
    let row = try db.row(
      "SELECT isRead, isStarred FROM articleStatus WHERE articleID = ?", [article])
    guard let row else { return }
    try queueMarks(
      ArticleID(article), read: row[0] && isUnreadThere != false,
      starred: row[1] && isStarredThere != true, now: now)
    try queueTags(where: "article.id = ?", article, now: now)
  }
}

extension FeedsView {
  /// The number of the last article from before the move of a feed.
  func lastToAdopt(in feed: FeedID) throws -> Int64? {
    try db.value("SELECT adoptsUpTo FROM feed WHERE id = ?", [feed])
  }
}

/// Ids of moved articles that their present account does not know. Marks of these are not sent.
enum MovedEntry {
  /// Prefix of an id that the feed itself has given.
  private static let own = "telex-moved:"
  /// Prefix of an id of a server, with the number of its account.
  private static let foreign = "telex-moved#"

  /// SQL: whether a column has no such id.
  static func isNone(_ column: String) -> String { "\(column) NOT GLOB 'telex-moved[:#]*'" }

  static func isOne(_ id: String) -> Bool { id.hasPrefix(own) || id.hasPrefix(foreign) }

  static func id(_ id: String, from former: Account, to account: Account) -> String {
    let givesItems = account.capabilities.contains(.items)
    if isOne(id) { return givesItems || !id.hasPrefix(own) ? id : String(id.dropFirst(own.count)) }
    if former.capabilities.contains(.items) { return "\(foreign)\(former.id.rawValue):\(id)" }
    return givesItems ? own + id : id
  }
}

/// A moved feed as its new account is told of it.
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
