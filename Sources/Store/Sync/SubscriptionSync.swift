package import Foundation
internal import GRDB
package import News

/// Changes of feeds by the list of a server.
package struct SubscriptionChanges: Hashable, Sendable {
  package var added: [FeedID] = []
  /// Feeds that two syncs in a row have missed in the list.
  package var ended: [FeedID] = []
  /// Why feeds that are not listed go on here; nil where there are none.
  package var warning: String?
}

extension SubscriptionsEdit {
  /// Applies the subscriptions of a server to the feeds of its account.
  ///
  /// A feed ends only when two syncs in a row have missed it, and not where the list lacks
  /// suspiciously many (`SubscriptionChanges.warning`).
  ///
  /// - Parameter walk: nil outside of a sync, where no feed is taken for missing.
  package func apply(
    _ subscriptions: [Subscription], of account: AccountID, in walk: SyncWalk?, now: Date
  ) throws -> SubscriptionChanges {
    if let walk { try edit.sync.check(walk) }
    var changes = SubscriptionChanges()
    var known: [String: KnownSubscription] = [:]
    var byAddress: [String: KnownSubscription] = [:]
    for subscription in try knownSubscriptions(of: account) {
      known[subscription.remoteID ?? subscription.url] = subscription
      byAddress[subscription.url] = subscription
    }
    let waiting = WaitingSubscriptions(try view.subscriptions.waiting(of: account))
    var listed: Set<Int64> = []
    for subscription in subscriptions where !waiting.removes(subscription) {
      // A server may give a feed another id, after it was removed and added there.
      let found = known[subscription.id] ?? byAddress[subscription.url]
      guard let found, !listed.contains(found.feed) else {
        let feed = try edit.feeds.subscribe(
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
    guard walk != nil else { return changes }
    for subscription in known.values where listed.contains(subscription.feed) {
      if subscription.missingSince != nil { try setMissing(nil, subscription.feed) }
    }
    // A feed that was never listed and has articles of another account is not missing: the server
    // has refused it, or lists it under another address.
    let missing = try known.values.filter {
      try !listed.contains($0.feed) && !waiting.adds($0.feed)
        && ($0.remoteID != nil || !hasArticles($0.feed))
    }
    try end(missing.sorted { $0.feed < $1.feed }, listed: listed.count, &changes, now: now)
    try db.run(
      "UPDATE account SET warning = ?2 WHERE id = ?1 AND warning IS NOT ?2",
      [account, changes.warning])
    return changes
  }

  /// Ends missing feeds that were missing before.
  private func end(
    _ missing: [KnownSubscription], listed: Int, _ changes: inout SubscriptionChanges, now: Date
  ) throws {
    let again = missing.filter { $0.missingSince != nil }
    for subscription in missing where subscription.missingSince == nil {
      try setMissing(now, subscription.feed)
    }
    guard !missing.isEmpty else { return }
    if listed == 0 {
      changes.warning = "the server lists no feeds any more; those that are here stay"
      return
    }
    if again.count > 3, again.count * 3 > listed + missing.count {
      changes.warning = """
        the server does not list \(again.count) of \(listed + missing.count) feeds any more; they stay \
        here until they are removed
        """
      return
    }
    var waiting = 0
    for subscription in again {
      if try hasUnsent(subscription.feed) {
        waiting += 1
        continue
      }
      try edit.feeds.unsubscribe(FeedID(subscription.feed))
      changes.ended.append(FeedID(subscription.feed))
    }
    if waiting > 0 {
      changes.warning = """
        changes wait for \(waiting) feeds that the server does not list any more; telex outbox shows them
        """
    }
  }

  private func setMissing(_ since: Date?, _ feed: Int64) throws {
    try db.run("UPDATE feed SET missingSince = ? WHERE id = ?", [seconds(since), feed])
  }

  private func hasArticles(_ feed: Int64) throws -> Bool {
    try db.exists("SELECT 1 FROM articleStatus WHERE feedID = ? LIMIT 1", [feed])
  }

  func hasUnsent(_ feed: Int64) throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM outbox WHERE state < \(OutboxItemState.sent.rawValue) AND (feedID = ?1
        OR articleID IN (SELECT id FROM article WHERE feedID = ?1)) LIMIT 1
      """, [feed])
  }

  private struct KnownSubscription {
    var feed: Int64
    var url: String
    var remoteID: String?
    var title: String?
    var link: String?
    var folders: [String]
    var missingSince: Int64?
  }

  private func knownSubscriptions(of account: AccountID) throws -> [KnownSubscription] {
    var folders: [Int64: [String]] = [:]
    let lying = try db.cursor(
      """
      SELECT feedID, folder FROM feedFolder WHERE feedID IN (SELECT id FROM feed WHERE account = ?)
      """, [account])
    while let row = try lying.next() { folders[row[0], default: []].append(row[1]) }
    return try db.rows(
      """
      SELECT id, url, remoteID, title, link, missingSince FROM feed WHERE account = ? ORDER BY id
      """, [account]
    ).map { row in
      KnownSubscription(
        feed: row["id"], url: row["url"], remoteID: row["remoteID"], title: row["title"],
        link: row["link"], folders: folders[row["id"]] ?? [], missingSince: row["missingSince"])
    }
  }

  /// A feed with an id at its server has no older pages: its articles come with the sync.
  func setRemoteID(_ subscription: Subscription, of feed: Int64) throws {
    try db.run(
      """
      UPDATE OR IGNORE feed SET remoteID = ?, url = ?, title = coalesce(?, title),
        link = coalesce(?, link) WHERE id = ?
      """, [subscription.id, subscription.url, subscription.title, subscription.link, feed])
    try endPages(of: FeedID(feed))
  }

  /// Notes that there are no older pages to ask for, where the articles of an account come with its sync.
  func endPages(of feed: FeedID) throws {
    try db.run(
      """
      UPDATE feedState SET paging = \(Paging.end.rawValue)
      WHERE feedID = ?1 AND (
        SELECT account.capabilities & \(AccountCapabilities.items.rawValue) FROM feed
          JOIN account ON account.id = feed.account WHERE feed.id = ?1)
      """, [feed])
  }

  package func setFolders(_ folders: [String], of feed: FeedID) throws {
    try db.run("DELETE FROM feedFolder WHERE feedID = ?", [feed])
    try addFolders(folders, to: feed)
  }

  func addFolders(_ folders: [String], to feed: FeedID) throws {
    for folder in folders where !folder.isEmpty {
      try db.run(
        """
        INSERT OR IGNORE INTO feedFolder (feedID, folder, account)
          SELECT ?1, ?2, \(AccountCondition.folderOwner) FROM feed
            JOIN account ON account.id = feed.account
          WHERE feed.id = ?1
        """, [feed, folder])
    }
  }
}
