package import Foundation
internal import GRDB
package import News

/// What taking over the subscriptions of a server came to.
package struct SubscriptionChanges: Hashable, Sendable {
  package var added: [FeedID] = []
  /// Feeds that the server does not list.
  package var missing: [FeedID] = []

  package init() {}
}

extension StoreEdit {
  /// Makes the feeds of an account those that its server lists, with their names and folders.
  ///
  /// - Parameter removesMissing: whether feeds that are not listed end here as well, with their articles.
  package func take(
    _ subscriptions: [Subscription], of account: AccountID, removesMissing: Bool, now: Date
  ) throws -> SubscriptionChanges {
    var changes = SubscriptionChanges()
    var known: [String: KnownSubscription] = [:]
    var byAddress: [String: KnownSubscription] = [:]
    for subscription in try knownSubscriptions(of: account) {
      known[subscription.remoteID ?? subscription.url] = subscription
      byAddress[subscription.url] = subscription
    }
    let waiting = WaitingSubscriptions(try view.waitingSubscriptions(of: account))
    var listed: Set<Int64> = []
    for subscription in subscriptions where !waiting.removes(subscription) {
      // A server may give a feed another id, after it was removed and added there.
      let found = known[subscription.id] ?? byAddress[subscription.url]
      guard let found, !listed.contains(found.feed) else {
        let feed = try subscribe(
          url: subscription.url, of: account, foundTitle: subscription.title,
          link: subscription.link, isUserEntered: false, now: now
        ).feed
        guard listed.insert(feed.rawValue).inserted else { continue }
        changes.added.append(feed)
        try setRemoteID(subscription, of: feed.rawValue)
        try setFolders(subscription.folders, of: feed)
        continue
      }
      listed.insert(found.feed)
      if found.remoteID != subscription.id || found.url != subscription.url
        || found.title != subscription.title || found.link != subscription.link
      {
        var subscription = subscription
        if waiting.renames(found.feed) { subscription.title = nil }
        try setRemoteID(subscription, of: found.feed)
      }
      if Set(found.folders) != Set(subscription.folders), !waiting.files(found.feed) {
        try setFolders(subscription.folders, of: FeedID(found.feed))
      }
    }
    for subscription in known.values.sorted(by: { $0.feed < $1.feed })
    where !listed.contains(subscription.feed) && !waiting.adds(subscription.feed) {
      changes.missing.append(FeedID(subscription.feed))
      if removesMissing { try unsubscribe(FeedID(subscription.feed)) }
    }
    return changes
  }

  private struct KnownSubscription {
    var feed: Int64
    var url: String
    var remoteID: String?
    var title: String?
    var link: String?
    var folders: [String]
  }

  private func knownSubscriptions(of account: AccountID) throws -> [KnownSubscription] {
    var folders: [Int64: [String]] = [:]
    let lying = try Row.fetchCursor(
      db,
      sql: """
        SELECT feedID, folder FROM feedFolder WHERE feedID IN (SELECT id FROM feed WHERE account = ?)
        """, arguments: [account.rawValue])
    while let row = try lying.next() { folders[row[0], default: []].append(row[1]) }
    return try Row.fetchAll(
      db, sql: "SELECT id, url, remoteID, title, link FROM feed WHERE account = ? ORDER BY id",
      arguments: [account.rawValue]
    ).map { row in
      KnownSubscription(
        feed: row[0], url: row[1], remoteID: row[2], title: row[3], link: row[4],
        folders: folders[row[0]] ?? [])
    }
  }

  /// Articles of a feed that has an id at its server come with the sync: it has no older pages to ask for.
  func setRemoteID(_ subscription: Subscription, of feed: Int64) throws {
    try db.execute(
      sql: """
        UPDATE OR IGNORE feed SET remoteID = ?, url = ?, title = coalesce(?, title),
          link = coalesce(?, link) WHERE id = ?
        """,
      arguments: [
        subscription.id, subscription.url, subscription.title, subscription.link, feed,
      ])
    try endPages(of: FeedID(feed))
  }

  /// Notes that there are no older pages to ask for, where the articles of an account come with its sync.
  func endPages(of feed: FeedID) throws {
    try db.execute(
      sql: """
        UPDATE feedState SET paging = \(Paging.end.rawValue)
        WHERE feedID = ?1 AND (
          SELECT account.capabilities & \(AccountCapabilities.items.rawValue) FROM feed
            JOIN account ON account.id = feed.account WHERE feed.id = ?1)
        """, arguments: [feed.rawValue])
  }

  /// Puts a feed into folders, and out of all others.
  package func setFolders(_ folders: [String], of feed: FeedID) throws {
    try db.execute(sql: "DELETE FROM feedFolder WHERE feedID = ?", arguments: [feed.rawValue])
    let insert = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO feedFolder (feedID, folder, account)
          SELECT ?1, ?2, \(AccountCondition.folderOwner) FROM feed
            JOIN account ON account.id = feed.account
          WHERE feed.id = ?1
        """)
    for folder in folders where !folder.isEmpty {
      try insert.execute(arguments: [feed.rawValue, folder])
    }
  }
}
