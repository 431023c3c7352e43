package import Foundation
internal import GRDB
package import News
internal import Text

extension FeedsEdit {
  /// Subscribes to a feed. An existing one is returned as it is, with the folders added.
  ///
  /// - Parameters:
  ///   - account: nil for a feed that the user adds by its address.
  ///   - title: the user's own name for a new feed.
  ///   - foundTitle: the title of a new feed until its first fetch.
  ///   - link: the page of a new feed until its first fetch.
  ///   - isUserEntered: whether the user typed this address; never revoked.
  ///   - signIn: replaces that of an existing feed. The address has neither name nor password.
  @discardableResult
  package func subscribe(
    url: String, of account: AccountID? = nil, title: String? = nil, foundTitle: String? = nil,
    link: String? = nil, folders: [String] = [], isUserEntered: Bool, signIn: FeedSignIn? = nil,
    now: Date
  ) throws -> (feed: FeedID, isNew: Bool) {
    let known = try feed(url, in: account)
    let id: Int64
    if let known {
      id = known
      try db.run("UPDATE feed SET isTyped = max(isTyped, ?) WHERE id = ?", [isUserEntered, id])
    } else {
      try db.run(
        """
        INSERT INTO feed (account, url, title, ownTitle, link, isTyped, addedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          (account ?? .local).rawValue, url, foundTitle, title, link, isUserEntered, seconds(now),
        ])
      id = db.lastInsertedRowID
      try db.run("INSERT INTO feedState (feedID) VALUES (?)", [id])
      try db.run("INSERT INTO feedCount (feedID) VALUES (?)", [id])
    }
    if let signIn { try edit.signIns.set(signIn, of: FeedID(id)) }
    try edit.subscriptions.addFolders(folders, to: FeedID(id))
    return (FeedID(id), known == nil)
  }

  /// Notes that the feed of a new subscription is still to be found.
  ///
  /// - Parameter error: the reason.
  package func beginSearch(of feed: FeedID, after error: SourceError, now: Date) throws {
    var settings = try view.feeds.settings(of: feed)
    settings.isSought = true
    try setSettings(settings, of: feed)
    try edit.fetches.recordFailure(feed, error, now: now)
  }

  /// Sets the address of a feed that was searched for. A feed that is there already gets the
  /// folders, the title and the settings. Returns the subscription with the address.
  package func finishSearch(
    of feed: Feed, at url: String, isUserEntered: Bool, now: Date
  ) throws -> FeedID {
    var settings = feed.settings
    settings.isSought = false
    try setSettings(settings, of: feed.id)
    try forgetFetches(of: feed.id)
    if let other = try view.feeds.feed(url: url), other.id != feed.id {
      try unite(feed.id, into: other.id, now: now)
      return other.id
    }
    if url != feed.url { try move(feed.id, to: url, isUserEntered: isUserEntered) }
    return feed.id
  }

  package func setTitle(_ title: String, of feed: FeedID) throws {
    try db.run("UPDATE feed SET ownTitle = ? WHERE id = ?", [title, feed])
  }

  private func feed(_ url: String, in account: AccountID?) throws -> Int64? {
    guard let account else {
      return try view.feeds.number(at: url) ?? feedWithInternationalHost(url)
    }
    return try db.value("SELECT id FROM feed WHERE url = ? AND account = ?", [url, account])
  }

  /// The feed at an ASCII host that is stored with the international name of the host.
  private func feedWithInternationalHost(_ url: String) throws -> Int64? {
    guard url.contains("xn--") else { return nil }
    let rows = try db.cursor(
      """
      SELECT feed.id, feed.url FROM feed JOIN account ON account.id = feed.account
      WHERE \(AccountCondition.addsByAddress)
      """)
    while let row = try rows.next() {
      let other: String = row[1]
      if other != url, WebAddress.withASCIIHost(other) == url { return row[0] }
    }
    return nil
  }

  /// Ends a subscription. Its articles and their outbox go with it, and leave the files with
  /// `Store.erase`.
  ///
  /// - Parameter erases: whether nothing of it is kept.
  package func unsubscribe(_ feed: FeedID, erases: Bool = true) throws {
    let id: StatementArguments = [feed.rawValue]
    if erases {
      try edit.noteErasure()
      try edit.journal.forget(of: feed)
    }
    try edit.indexing.removeAll(of: feed, in: db)
    try db.run(
      """
      DELETE FROM outbox
      WHERE feedID = ?1 OR articleID IN (SELECT id FROM article WHERE feedID = ?1)
      """, id)
    let account: Int64? = try db.value("SELECT account FROM feed WHERE id = ?", id)
    try db.run("DELETE FROM feed WHERE id = ?", id)
    guard let account, account != AccountID.local.rawValue else { return }
    try edit.outbox.removeEmptyBatches(of: AccountID(account))
    try edit.accounts.removeIfUnused(AccountID(account))
  }

  /// Follows a permanent redirect, unless the new address is subscribed already: feeds are never
  /// united without the user's knowledge. A host that the user has not entered may lead to public
  /// addresses only. The feed's own password stays within its origin.
  ///
  /// - Parameters:
  ///   - isUserEntered: whether the user has entered the new address.
  ///   - signIn: of the new address; nil for that of the old one.
  /// - Returns: whether the address was changed.
  @discardableResult
  package func move(
    _ feed: FeedID, to url: String, isUserEntered: Bool = false, signIn: FeedSignIn? = nil
  ) throws -> Bool {
    guard let row = try view.feeds.feed(feed) else { return false }
    let before = row.url
    let url = WebAddress.carryingUser(of: before, to: url)
    let isSameHost = WebAddress.host(of: before) == WebAddress.host(of: url)
    try db.run(
      "UPDATE OR IGNORE feed SET url = ?, isTyped = isTyped AND ? OR ? WHERE id = ?",
      [url, isSameHost, isUserEntered, feed])
    guard db.changesCount > 0 else { return false }
    try noteOtherURL(before, of: feed)
    let kept = row.signIn.flatMap { WebAddress.isAt(url, origin: $0.origin) ? $0 : nil }
    if (signIn ?? kept) != row.signIn { try edit.signIns.set(signIn ?? kept, of: feed) }
    return true
  }

  package func setProxy(_ proxy: FeedProxy?, of feed: FeedID) throws {
    try db.run("UPDATE feed SET proxy = ? WHERE id = ?", [proxy?.text, feed])
  }

  package func setSettings(_ settings: FeedSettings, of feed: FeedID) throws {
    try db.run(
      "UPDATE feed SET settings = ? WHERE id = ?", [StoredSettings.encode(settings), feed])
    if !settings.joinsStories { try edit.stories.leave(feed) }
  }

  /// Notes an address that stands for a feed in lists beside its own.
  package func noteOtherURL(_ url: String, of feed: FeedID) throws {
    var settings = try view.feeds.settings(of: feed)
    settings.note(WebAddress.withoutUser(url))
    try setSettings(settings, of: feed)
  }

  /// Sets the recipe of a feed. A new one resets the state of its fetches.
  ///
  /// - Parameter recipe: nil for a plain address.
  package func setRecipe(_ recipe: FeedRecipe?, of feed: FeedID) throws {
    try db.run(
      "UPDATE feed SET recipe = ?1 WHERE id = ?2 AND recipe IS NOT ?1", [recipe?.rawValue, feed])
    if db.changesCount > 0 { try forgetFetches(of: feed) }
  }

  /// Resets the state of a feed's fetches, which belongs to a former address or recipe. Its
  /// articles and its last success stay.
  package func forgetFetches(of feed: FeedID) throws {
    try db.run(
      """
      UPDATE feedState SET etag = NULL, lastModified = NULL, bodyDigest = NULL,
        lastAttempt = NULL, nextAttempt = NULL, error = NULL, remark = NULL, isGone = 0, paging = ?,
        cursor = NULL, claimant = NULL, claimedUntil = NULL, lastStatus = NULL,
        lastAttempts = NULL, redirectedTo = NULL, failingSince = NULL, failures = 0
      WHERE feedID = ?
      """, [Paging.notStarted.rawValue, feed])
  }
}
