internal import News

enum SubscriptionsStrings {
  static let theFeed = "the feed"
  static func noFeeds(_ key: String) -> String { "No feeds yet. Press \(key) to subscribe to one." }
  static func addInList(_ key: String) -> String { "\(key) in a list subscribes to a feed." }
  static let noFeedSelected = "No feed is selected. Select one in the sidebar."
  static func lookingForFeed(at place: String) -> String { "looking for a feed at \(place) …" }
  static func searchCancelled(add key: String) -> String {
    "Cancelled the search. \(key) offers the address again."
  }
  static func moveCancelled(change key: String) -> String {
    "Cancelled the change of address. \(key) offers the address again."
  }
  static func pastedNoAddress(help key: String) -> String {
    "The pasted text is not the address of a feed. \(key) shows the keys."
  }
  static func subscribed(to feed: Feed, isNew: Bool) -> String {
    if feed.awaitsNetwork {
      return "Subscribed to \(feed.displayTitle). Telex looks for the feed when you are online."
    }
    return isNew
      ? "Subscribed to \(feed.displayTitle)."
      : "You are already subscribed to \(feed.displayTitle)."
  }
  static func foundAt(_ site: String) -> String {
    "The address has no feed, but \(site) links to this one."
  }
  static func moved(_ feed: String) -> String {
    "Moved \(feed). Refreshing the feed at the new address …"
  }
  static func merged(_ feed: String, _ other: String) -> String { "Merged \(feed) into \(other)." }
  static func signingIn(at host: String, isReached: Bool) -> String {
    isReached ? "signing in to \(host) …" : "waiting for \(host) …"
  }
  static func signInCancelled(_ key: String) -> String { "Cancelled the sign-in. \(key) signs in." }
  static func answers(_ host: String, signIn key: String) -> String {
    "\(host) answers. \(key) signs in."
  }
  static let joiningFolder = "Reading the changes of your other devices …"
  static func signedIn(at host: String) -> String { "Signed in to \(host)." }
  static func unsubscribe(from feed: String) -> String {
    "Unsubscribe from \(feed) and delete its articles"
  }
  static func unsubscribe(from count: Int) -> String {
    "Unsubscribe from \(count) feeds and delete their articles"
  }
  static func unsubscribed(from feed: String) -> String { "Unsubscribed from \(feed)." }
  static func unsubscribed(from count: Int, undo key: String) -> String {
    "\(unsubscribed(from: quantity(count, "feed"))) \(MarksStrings.undo(key))"
  }
  static func removeSmartFeed(_ name: String) -> String { "Remove the smart feed \(name)" }
  static func renamed(to title: String) -> String { "Renamed the feed to \(title)." }
  static func addedFolder(_ path: String, move key: String) -> String {
    "Created the folder \(path). \(key) moves the selected feed to a folder."
  }
  static func removeFolder(_ path: String, hasFeeds: Bool) -> String {
    "Remove the folder \(path)\(hasFeeds ? ", not its feeds" : "")"
  }
  static func removedFolder(feeds: Int, undo key: String) -> String {
    "Removed the folder\(feeds > 0 ? ", not its \(quantity(feeds, "feed"))" : ""). "
      + MarksStrings.undo(key)
  }
  static func movedFolder(to path: String, feeds: Int, undo key: String) -> String {
    "Moved the folder\(feeds > 0 ? " with \(quantity(feeds, "feed"))" : "") to \(path). "
      + MarksStrings.undo(key)
  }
  static func filed(_ feeds: [Feed], in folders: [String], undo key: String) -> String {
    let place = folders.isEmpty ? "out of all folders" : "to \(folders.joined(separator: "; "))"
    return "Moved \(name(of: feeds)) \(place). \(MarksStrings.undo(key))"
  }
  static func transferred(_ feed: String, to account: String?) -> String {
    "Moved \(feed) \(account.map { "to \($0)" } ?? "out of its account")."
  }
  static func set(_ feeds: [Feed], undo key: String) -> String {
    "Changed a setting of \(name(of: feeds)). \(MarksStrings.undo(key))"
  }
  private static func name(of feeds: [Feed]) -> String {
    feeds.count == 1 ? feeds[0].displayTitle : quantity(feeds.count, "feed")
  }
  static func removed(_ count: Int) -> String {
    "You are no longer subscribed to \(count == 1 ? "this feed" : "these feeds")."
  }
  static func takes(_ field: FeedSetting) -> String { "\(field.rawValue) takes \(field.values)." }
  static func sorted(_ order: FeedOrder) -> String {
    switch order {
    case .name: "Feeds are sorted by name."
    case .unread: "Feeds are sorted by unread articles, most first."
    case .added: "Feeds are sorted by time of subscription, oldest first."
    }
  }
  static func refreshed(new count: Int, resting: String?) -> String {
    let news = count == 0 ? "No new articles" : quantity(count, "new article")
    return [news, resting].compactMap(\.self).joined(separator: "; ") + "."
  }
  static func refreshFailed(_ failed: Int, gone: Int, health key: String?) -> String {
    let failures = failed > 0 ? "\(quantity(failed, "feed")) failed" : nil
    let ends = gone > 0 ? "\(quantity(gone, "feed")) \(gone == 1 ? "is" : "are") gone" : nil
    let counts = [failures, ends].compactMap(\.self).joined(separator: ", ")
    return counts + (key.map { ". \($0) shows why." } ?? ".")
  }
}

extension ReaderState {
  /// Shows that a change waits for the server of its account, and why.
  mutating func notify(_ change: WaitingChange) -> [Effect] {
    if let error = change.error, change.isRefused { return notify(error) }
    let reason = change.error.map { ": \($0.message)" } ?? "."
    return notify("The change is waiting to be sent\(reason) \(key(.outbox)) shows the outbox.")
  }
}
