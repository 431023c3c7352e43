package import Foundation
internal import GRDB
package import News
internal import Text

extension FeedsEdit {
  /// Subscribes to a feed. One that is there already is returned as it is, with the folders added.
  ///
  /// - Parameters:
  ///   - account: whose feed it is; nil for one that the user adds by its address.
  ///   - title: the user's own name for a new feed.
  ///   - foundTitle: what a new feed is called until it says so itself.
  ///   - link: the page of a new feed, until the feed names it.
  ///   - isUserEntered: whether the user typed this address; once typed, always typed.
  ///   - signIn: whose password opens it; takes the place of what a feed that is there had. The address
  ///     holds neither name nor password.
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

  /// Notes that a feed is still to be looked for at the address of a new subscription.
  ///
  /// - Parameter error: why nobody could be asked.
  package func beginSearch(of feed: FeedID, after error: SourceError, now: Date) throws {
    var settings = try view.feeds.settings(of: feed)
    settings.isSought = true
    try setSettings(settings, of: feed)
    try edit.fetches.recordFailure(feed, error, now: now)
  }

  /// Gives a subscription the address of the feed that was looked for. Where another one has it, that gets the
  /// folders, the title and the settings.
  ///
  /// - Parameter isUserEntered: as for `move`.
  /// - Returns: the subscription that has the address now.
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

  /// Gives a feed the user's own name.
  package func setTitle(_ title: String, of feed: FeedID) throws {
    try db.run("UPDATE feed SET ownTitle = ? WHERE id = ?", [title, feed])
  }

  private func feed(_ url: String, in account: AccountID?) throws -> Int64? {
    guard let account else {
      return try view.feeds.number(at: url) ?? feedWithInternationalHost(url)
    }
    return try db.value("SELECT id FROM feed WHERE url = ? AND account = ?", [url, account])
  }

  /// The feed at an address whose host is in ASCII, where it is stored with the name that this
  /// stands for.
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

  /// Ends a subscription. Its articles go with it, at once for every list, and from the files with
  /// `Store.erase`; so does what waits to be sent about them, which no server could be told of any more.
  ///
  /// - Parameter erases: whether nothing of it is kept anywhere.
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

  /// Follows a permanent redirect. A host that the user has not entered may lead to public addresses
  /// only. Where the new address is subscribed already, the old one stays:
  /// two feeds are never made one without the user's knowledge.
  ///
  /// The feed's own password goes with it within its origin only.
  ///
  /// - Parameters:
  ///   - isUserEntered: whether the user has entered the new address.
  ///   - signIn: whose password opens the new address; nil for that of the old.
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

  /// Sets the way to a feed; nil for that of the settings.
  package func setProxy(_ proxy: FeedProxy?, of feed: FeedID) throws {
    try db.run("UPDATE feed SET proxy = ? WHERE id = ?", [proxy?.text, feed])
  }

  /// Sets what the user wants of one feed.
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

  /// Sets how a feed is asked for and read. Where that is another way than before, what it said so far tells
  /// nothing of the answers to come.
  ///
  /// - Parameter recipe: nil for a feed whose address tells all.
  package func setRecipe(_ recipe: FeedRecipe?, of feed: FeedID) throws {
    try db.run(
      "UPDATE feed SET recipe = ?1 WHERE id = ?2 AND recipe IS NOT ?1", [recipe?.rawValue, feed])
    if db.changesCount > 0 { try forgetFetches(of: feed) }
  }

  /// Forgets what asking a feed has come to, as if it had never been asked: what was said at another
  /// address says nothing of this one. Its articles stay, and when it last worked.
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
