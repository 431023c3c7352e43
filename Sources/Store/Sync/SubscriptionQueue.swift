package import Foundation
internal import GRDB
package import News

extension SubscriptionsEdit {
  /// Subscribes to a feed, here and at the server of its account.
  ///
  /// - Parameters:
  ///   - title: nil where the server decides.
  ///   - folders: of the feed at the server.
  @discardableResult
  package func queueFeed(
    _ url: String, to account: AccountID, title: String? = nil, folders: [String] = [],
    isUserEntered: Bool, now: Date
  ) throws -> (feed: FeedID, isNew: Bool) {
    let (feed, isNew) = try edit.feeds.subscribe(
      url: url, of: account, foundTitle: title, folders: folders, isUserEntered: isUserEntered,
      now: now)
    if isNew {
      try dropUnsentRemoval(of: url, in: account)
      try endPages(of: feed)
      try queueChange(.add, of: feed, now: now)
    }
    if let title { try queueTitle(title, of: feed, now: now) }
    if !folders.isEmpty {
      try queueFolders(view.feeds.feed(feed)?.folders ?? [], of: feed, now: now)
    }
    return (feed, isNew)
  }

  /// Drops an unsent removal, so that the server still has the feed. Returns whether there was one.
  @discardableResult
  func dropUnsentRemoval(of url: String, in account: AccountID) throws -> Bool {
    try db.run(
      """
      DELETE FROM outbox WHERE account = ? AND kind = ? AND feedID IS NULL
        AND text ->> 'url' = ? AND state = \(OutboxItemState.waiting.rawValue)
      """, [account, OutboxKind.removeFeed.rawValue, url])
    return db.changesCount > 0
  }

  /// Sets the title of a feed, here and at its server.
  package func queueTitle(_ title: String, of feed: FeedID, now: Date) throws {
    // A server's name for a feed is its title; with logs, the title is that of the feed's own
    // document.
    let keepsLogs = try view.feeds.feed(feed)?.account.capabilities.contains(.logs) == true
    try db.execute(
      sql: keepsLogs
        ? "UPDATE feed SET ownTitle = ? WHERE id = ?"
        : "UPDATE feed SET title = ?, ownTitle = NULL WHERE id = ?", arguments: [title, feed])
    try queueChange(.rename(title), of: feed, now: now)
  }

  /// Sets the folders of a feed, here and at its server.
  package func queueFolders(_ folders: [String], of feed: FeedID, now: Date) throws {
    try setFolders(folders, of: feed)
    try queueChange(.file(folders), of: feed, now: now)
  }

  /// Ends a subscription, here and at its server, unless that has never heard of it.
  ///
  /// - Parameter erases: whether nothing of it is kept here.
  package func queueRemoval(of feed: FeedID, erases: Bool = true, now: Date) throws {
    guard let known = try view.subscriptions.subscription(of: feed) else { return }
    let isUnknownThere = try known.remoteID == nil && edit.feeds.isUnsent(.addFeed, of: feed)
    try edit.feeds.unsubscribe(feed, erases: erases)
    guard !isUnknownThere else { return }
    try insert(
      SubscriptionChange(.remove, url: known.url, id: known.remoteID), of: nil, in: known.account,
      now: now)
  }

  func queueChange(_ kind: SubscriptionChange.Kind, of feed: FeedID, now: Date) throws {
    guard let known = try view.subscriptions.subscription(of: feed) else { return }
    try db.run(
      """
      DELETE FROM outbox WHERE feedID = ? AND kind = ?
        AND state = \(OutboxItemState.waiting.rawValue)
      """, [feed, OutboxKind(kind).rawValue])
    try insert(
      SubscriptionChange(kind, url: known.url, id: known.remoteID), of: feed, in: known.account,
      now: now)
  }

  func insert(_ change: SubscriptionChange, of feed: FeedID?, in account: Int64, now: Date) throws {
    try db.run(
      """
      INSERT INTO outbox (key, kind, value, account, feedID, createdAt, text)
      VALUES (?, ?, 1, ?, ?, ?, ?)
      """,
      [
        UUID().uuidString.lowercased(), OutboxKind(change.kind).rawValue, account, feed,
        seconds(now), StoredJSON.encode(change),
      ])
  }

  /// Takes a change that is to be sent: nothing takes its place from now on.
  package func beginSending(_ item: OutboxItem) throws { try edit.outbox.beginSending(item) }

  /// Sets the address and the id of a queued feed as its server lists it. Where another feed of the
  /// account has the address, that one stays.
  package func link(_ feed: FeedID, to subscription: Subscription, in account: AccountID?) throws {
    // Moved to another account meanwhile.
    guard let known = try view.subscriptions.subscription(of: feed),
      known.account == account?.rawValue
    else { return }
    let twin: Int64? = try db.value(
      "SELECT id FROM feed WHERE account = ? AND url = ? AND id <> ?",
      [known.account, subscription.url, feed])
    guard twin == nil else { return try edit.feeds.unsubscribe(feed) }
    var subscription = subscription
    // A server that has not read the feed yet knows no better name; here there may be one.
    if subscription.title == subscription.url { subscription.title = nil }
    try setRemoteID(subscription, of: feed.rawValue)
  }
}

extension SubscriptionsView {
  /// Waiting changes of subscriptions, oldest first.
  package func waiting(of account: AccountID) throws -> [OutboxItem] {
    try view.outbox.items(
      where: "account = ? AND kind IN (\(OutboxKind.ofSubscriptions))", [account.rawValue],
      limit: .max)
  }

  func subscription(of feed: FeedID) throws -> (account: Int64, url: String, remoteID: String?)? {
    try db.row("SELECT account, url, remoteID FROM feed WHERE id = ?", [feed]).map {
      ($0[0], $0[1], $0[2])
    }
  }
}

/// Kinds of changes in the outbox. The values are stored.
enum OutboxKind: String, CaseIterable {
  case read, starred, readBatch, comment, editComment, tag, later
  case addFeed, removeFeed, renameFeed, fileFeed

  init(_ kind: SubscriptionChange.Kind) {
    self =
      switch kind {
      case .add: .addFeed
      case .remove: .removeFeed
      case .rename: .renameFeed
      case .file: .fileFeed
      }
  }

  var isMark: Bool { self == .read || self == .starred || self == .readBatch }

  /// Whether it is about something that the user wrote.
  var isText: Bool { self == .comment || self == .editComment }

  /// Those of marks, of texts and of subscriptions, as a list in SQL.
  static let ofMarks = list(\.isMark)
  static let ofTexts = list(\.isText)
  static let ofSubscriptions = list { !$0.isMark && !$0.isText && $0 != .tag && $0 != .later }

  private static func list(_ belongs: (OutboxKind) -> Bool) -> String {
    allCases.filter(belongs).map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }
}

/// Waiting changes of subscriptions, which a list of the server must not undo.
struct WaitingSubscriptions {
  private var added: Set<FeedID> = []
  private var renamed: Set<FeedID> = []
  private var filed: Set<FeedID> = []
  private var removed: [SubscriptionChange] = []

  init(_ items: [OutboxItem]) {
    for item in items {
      guard case .subscription(let feed, let change) = item.change else { continue }
      switch (change.kind, feed) {
      case (.add, let feed?): added.insert(feed)
      case (.rename, let feed?): renamed.insert(feed)
      case (.file, let feed?): filed.insert(feed)
      case (.remove, _): removed.append(change)
      case (_, nil): break
      }
    }
  }

  func adds(_ feed: Int64) -> Bool { added.contains(FeedID(feed)) }
  func renames(_ feed: Int64) -> Bool { renamed.contains(FeedID(feed)) }
  func files(_ feed: Int64) -> Bool { filed.contains(FeedID(feed)) }

  func removes(_ subscription: Subscription) -> Bool {
    removed.contains { $0.id == subscription.id || $0.url == subscription.url }
  }
}
