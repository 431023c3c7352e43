package import Foundation
internal import GRDB
package import News

/// Feeds that were added and removed by the logs of an account.
package struct LogSubscriptionChanges: Hashable, Sendable {
  package var added: [FeedID] = []
  package var ended: [FeedID] = []
}

extension LogsEdit {
  /// Applies subscriptions, names and folders of the registers to an account's feeds. Changes in
  /// the outbox win, and a feed with unsent marks is not removed yet.
  package func applySubscriptions(
    fromLogsOf account: AccountID, now: Date
  ) throws -> LogSubscriptionChanges {
    var changes = LogSubscriptionChanges()
    let feeds = try view.logs.feedsByAddress(of: account)
    let waiting = WaitingSubscriptions(try view.subscriptions.waiting(of: account))
    for (address, wanted) in try wantedFeeds(of: account).sorted(by: { $0.key < $1.key }) {
      guard let feed = feeds[address] else {
        guard wanted.isSubscribed, !waiting.removes(Subscription(url: address)) else { continue }
        changes.added.append(try subscribe(to: address, wanted, of: account, now: now))
        continue
      }
      guard wanted.isSubscribed else {
        if try !waiting.adds(feed) && !edit.subscriptions.hasUnsent(feed) {
          try edit.feeds.unsubscribe(FeedID(feed))
          changes.ended.append(FeedID(feed))
        }
        continue
      }
      let known = try view.feeds.feed(FeedID(feed))
      if let title = wanted.title, !waiting.renames(feed) { try setOwnTitle(title, of: feed) }
      if let folders = wanted.folders, !waiting.files(feed),
        Set(folders) != Set(known?.folders ?? [])
      {
        try edit.subscriptions.setFolders(folders, of: FeedID(feed))
      }
    }
    return changes
  }

  private func subscribe(
    to address: String, _ wanted: WantedFeed, of account: AccountID, now: Date
  ) throws -> FeedID {
    let feed = try edit.feeds.subscribe(
      url: address, of: account, folders: wanted.folders ?? [], isUserEntered: wanted.isTyped,
      now: now
    ).feed
    try setAddress(address, of: feed)
    if let title = wanted.title { try setOwnTitle(title, of: feed.rawValue) }
    return feed
  }

  private func setOwnTitle(_ title: String, of feed: Int64) throws {
    try db.run(
      """
      UPDATE feed SET ownTitle = nullif(?1, '') WHERE id = ?2 AND ownTitle IS NOT nullif(?1, '')
      """, [title, feed])
  }

  private struct WantedFeed {
    var isSubscribed = false
    var isTyped = false
    var title: String?
    var folders: [String]?
  }

  private func wantedFeeds(of account: AccountID) throws -> [String: WantedFeed] {
    var feeds: [String: WantedFeed] = [:]
    // Feeds that were only named are not removed.
    var decided: Set<String> = []
    let rows = try db.cursor(
      "SELECT feed, kind, value FROM register WHERE account = ? AND article = ''", [account])
    while let row = try rows.next() {
      let (address, value) = (row[0] as String, row[2] as String)
      switch row[1] as String {
      case LogRegister.feed:
        feeds[address, default: WantedFeed()].isSubscribed = value == "1"
        decided.insert(address)
      case LogRegister.typed: feeds[address, default: WantedFeed()].isTyped = value == "1"
      case LogRegister.title: feeds[address, default: WantedFeed()].title = value
      case LogRegister.folders:
        feeds[address, default: WantedFeed()].folders =
          value.split(separator: "\n").map(String.init)
      default: break
      }
    }
    return feeds.filter { decided.contains($0.key) }
  }
}
