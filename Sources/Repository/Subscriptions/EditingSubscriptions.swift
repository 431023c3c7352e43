package import News
internal import Store
internal import Text

/// Changes of subscriptions. Those kept by a server are made here at once, and sent with the
/// outbox.
extension FeedRepository {
  /// Subscribes to a feed in an account whose server keeps subscriptions, after a search where no
  /// server looks.
  ///
  /// - Parameter title: nil where the server decides.
  /// - Throws: `SourceError` where the account takes no subscriptions; nothing is stored.
  package func subscribe(
    to url: String, in id: AccountID, title: String? = nil, folders: [String] = []
  ) async throws -> (feed: Feed, isNew: Bool) {
    _ = try await requireAddition(
      of: url, to: id, title: title, folders: folders)
    return try await subscribe(
      to: url, found: try await located(url, for: id), in: id, title: title, folders: folders)
  }

  /// As `subscribe(to:in:title:folders:)`, without a search and without a network.
  ///
  /// - Parameter located: what `find(_:for:)` has found.
  package func subscribe(
    to url: String, found located: LocatedFeed?, in id: AccountID, title: String? = nil,
    folders: [String] = []
  ) async throws -> (feed: Feed, isNew: Bool) {
    let folders = try await requireAddition(of: url, to: id, title: title, folders: folders)
    let page = located.map { PreparedPage($0.page) }
    let time = context.now()
    let (feed, isNew) = try await store.edit { edit in
      let queued = try edit.subscriptions.queueFeed(
        located?.url ?? url, to: id, title: title, folders: folders,
        isUserEntered: located?.isUserEntered ?? true, now: time)
      if let page { try edit.articles.merge(page, into: queued.feed, at: .newest, now: time) }
      if queued.isNew { try edit.actions.noteAdded(queued.feed, isTold: true, now: time) }
      return (try edit.view.feeds.feed(queued.feed), queued.isNew)
    }
    guard let feed else { throw SourceError.removedMeanwhile(WebAddress.redacted(url)) }
    return (feed, isNew)
  }

  /// Searches for the feed that an account is to subscribe to. Nothing is stored.
  ///
  /// - Returns: nil where the account's server searches, or without a network.
  /// - Throws: `SourceError` where the account takes no subscriptions, or there is no feed.
  package func find(_ url: String, for id: AccountID) async throws -> LocatedFeed? {
    _ = try await requireAddition(of: url, to: id, title: nil, folders: [])
    return try await located(url, for: id)
  }

  private func requireAddition(
    of url: String, to id: AccountID, title: String?, folders: [String]
  ) async throws -> [String] {
    var wanted: SubscriptionEdits = .add
    if title != nil { wanted.insert(.rename) }
    if !folders.isEmpty { wanted.insert(.file) }
    return try await require(wanted, folders, of: id, subject: WebAddress.redacted(url))
  }

  /// The feed at an address, for an account without a server; nil for others. Without a network the
  /// address is taken for a feed's, and tried later.
  private func located(_ url: String, for id: AccountID) async throws -> LocatedFeed? {
    let account = try await store.view { try $0.accounts.account(id) }
    guard let account, account.capabilities.contains(.logs) else { return nil }
    do {
      let located = try await context.sources.locate(url)
      guard located.page.service == nil else {
        throw SourceError(
          .address, stage: .arguments, subject: WebAddress.redacted(url),
          message: "this feed belongs to an account at its own server",
          next: "add it without an account")
      }
      return located
    } catch let error as SourceError where error.isConnectivity {
      return nil
    }
  }

  /// Renames a feed, on its server too where that keeps names.
  ///
  /// - Parameter title: nil removes the user's name.
  /// - Returns: whether the server is told.
  @discardableResult
  package func rename(_ feed: FeedID, to title: String?) async throws -> Bool {
    let known = try await known(feed)
    let time = context.now()
    let isTold = title != nil && edits(of: known.account)?.contains(.rename) == true
    try await store.edit { try $0.actions.rename(feed, to: title, isTold: isTold, now: time) }
    return isTold
  }

  /// Files a feed in folders, and out of all others.
  ///
  /// - Throws: `SourceError` where its server refuses that; nothing changes.
  package func file(_ feed: FeedID, into folders: [String]) async throws {
    let place = try await place(of: feed, in: folders)
    let time = context.now()
    try await store.edit {
      try $0.actions.file(feed, into: place.folders, isTold: place.isTold, now: time)
    }
  }

  /// Files several feeds in folders as one action for `undo`.
  ///
  /// - Throws: `SourceError` where a feed is gone, or its server refuses that; nothing changes.
  package func file(_ feeds: [FeedID], into folders: [String]) async throws {
    var (places, told): ([(feed: FeedID, folders: [String])], Set<FeedID>) = ([], [])
    for feed in feeds {
      let place = try await place(of: feed, in: folders)
      places.append((feed, place.folders))
      if place.isTold { told.insert(feed) }
    }
    let time = context.now()
    try await store.edit { [places, told] edit in
      try edit.actions.file(places, told: told, now: time)
    }
  }

  /// The folders in which a feed can lie, and whether its server keeps them.
  private func place(
    of feed: FeedID, in folders: [String]
  ) async throws -> (folders: [String], isTold: Bool) {
    let known = try await known(feed)
    guard edits(of: known.account) != nil else { return (folders, false) }
    let taken = try await require(
      .file, folders, of: known.account.id, subject: known.displayTitle)
    return (taken, true)
  }

  /// Moves all feeds of a folder into another, which may exist. A folder goes with its last feed,
  /// unless the user has made it.
  ///
  /// - Parameter path: empty for no folder.
  /// - Returns: the number of moved feeds.
  /// - Throws: `SourceError` where the server refuses that; nothing changes.
  package func move(_ folder: FolderID, to path: String) async throws -> Int {
    let time = context.now()
    var isTold = false
    if folder.account != .local,
      let account = try await store.view({ try $0.accounts.account(folder.account) }),
      edits(of: account) != nil
    {
      _ = try await require(.file, [path], of: account.id, subject: folder.path)
      isTold = true
    }
    return try await store.edit { [isTold] in
      try $0.actions.move(folder, to: path, isTold: isTold, now: time)
    }
  }

  /// Unsubscribes from a feed, which can come back for thirty days with its articles, marks and
  /// settings.
  ///
  /// - Parameter erases: whether nothing of it is kept.
  /// - Throws: `SourceError` where its server refuses that; nothing changes.
  package func unsubscribe(_ feed: FeedID, erases: Bool = false) async throws {
    let known = try await store.view { try $0.feeds.feed(feed) }
    let isTold = if let known { try await isEnded(byServerOf: known) } else { false }
    let time = context.now()
    await pages.overtake([feed])
    try await store.edit { edit in
      guard erases else { return try edit.actions.remove(feed, isTold: isTold, now: time) }
      if isTold {
        try edit.subscriptions.queueRemoval(of: feed, now: time)
      } else {
        try edit.feeds.unsubscribe(feed)
      }
      try edit.removals.drop(of: [feed])
    }
    await secrets.forgetDiscarded()
  }

  /// Unsubscribes from several feeds as one action for `undo`.
  ///
  /// - Returns: how many there were.
  /// - Throws: `SourceError` where a server refuses that; nothing changes.
  package func unsubscribe(_ feeds: [FeedID]) async throws -> Int {
    var told: Set<FeedID> = []
    for feed in feeds {
      if let known = try await store.view({ try $0.feeds.feed(feed) }),
        try await isEnded(byServerOf: known)
      {
        told.insert(feed)
      }
    }
    let time = context.now()
    await pages.overtake(feeds)
    let count = try await store.edit { [told] edit in
      try edit.actions.remove(feeds, told: told, now: time)
    }
    await secrets.forgetDiscarded()
    return count
  }

  /// Whether the server of a feed keeps the subscription, and is told of its end.
  ///
  /// - Throws: `SourceError` where that server ends none.
  private func isEnded(byServerOf feed: Feed) async throws -> Bool {
    guard edits(of: feed.account) != nil else { return false }
    _ = try await require(.remove, [], of: feed.account.id, subject: feed.displayTitle)
    return true
  }

  /// Moves a feed to another account with its articles and marks. Both servers are told with the
  /// outbox; marks follow as the other server sends the articles.
  ///
  /// - Throws: `SourceError` where an account cannot do its part, or the feed needs a password;
  ///   nothing changes.
  package func transfer(_ feed: FeedID, to id: AccountID) async throws -> Feed {
    let known = try await known(feed)
    guard let target = try await store.view({ try $0.accounts.account(id) }) else {
      throw SourceError.removedMeanwhile(known.displayTitle)
    }
    func refused(_ message: String) -> SourceError {
      SourceError(
        .address, stage: .arguments, subject: known.displayTitle, message: message,
        next: "nothing has changed")
    }
    guard known.account.id != id else {
      throw refused(
        "the feed is in \(id == .local ? "no account" : target.displayName), as you want it")
    }
    let takesFeeds: AccountCapabilities = [.subscriptions, .logs]
    guard known.account.id == .local || !known.account.capabilities.isDisjoint(with: takesFeeds)
    else {
      throw refused(
        "\(known.account.displayName) serves this feed itself; it cannot be read elsewhere")
    }
    guard id == .local || !target.capabilities.isDisjoint(with: takesFeeds), !target.isSignedOut
    else {
      throw refused("\(target.displayName) takes no feeds of other sites")
    }
    if known.recipe != nil, id != .local {
      throw refused("the feed is asked for by a recipe, which \(target.displayName) does not know")
    }
    if known.signIn != nil, id != .local, !target.capabilities.contains(.logs) {
      throw refused(
        "the feed asks for a name and password, which are not given to \(target.displayName)")
    }
    let tellsFormer = try await isEnded(byServerOf: known)
    var change: TransferredFeed?
    if let edits = edits(of: target) {
      _ = try await require(.add, [], of: id, subject: known.displayTitle)
      let folders = edits.contains(.file) ? known.folders : []
      change = TransferredFeed(
        title: edits.contains(.rename) ? known.title : nil,
        folders: edits.contains(.manyFolders) ? folders : Array(folders.prefix(1)))
    }
    let time = context.now()
    await pages.overtake([feed])
    let moved = try await store.edit { [change] edit in
      try edit.feeds.queueTransfer(
        of: feed, from: known.account, to: target, tellsFormer: tellsFormer, change, now: time
      ).flatMap(edit.view.feeds.feed)
    }
    guard let moved else { throw SourceError.removedMeanwhile(known.displayTitle) }
    await refresher.forget(feed)
    return moved
  }

  private func known(_ feed: FeedID) async throws -> Feed {
    guard let known = try await store.view({ try $0.feeds.feed(feed) }) else {
      throw SourceError.removedMeanwhile("\(feed.rawValue)")
    }
    return known
  }

  /// The changes that the server of an account takes; nil where the subscriptions are kept here
  /// alone.
  private func edits(of account: Account) -> SubscriptionEdits? {
    guard account.capabilities.contains(.subscriptions), !account.isSignedOut else { return nil }
    return context.sources.source(of: account).edits ?? []
  }

  /// Checks what the server of an account can do.
  ///
  /// - Returns: the folders in which a feed can lie there: the first where it takes one.
  private func require(
    _ wanted: SubscriptionEdits, _ folders: [String], of id: AccountID, subject: String
  ) async throws -> [String] {
    let account = try await store.view { try $0.accounts.account(id) }
    let edits = account.flatMap { self.edits(of: $0) } ?? []
    guard edits.isSuperset(of: wanted) else {
      let missing = wanted.subtracting(edits)
      let what =
        missing.contains(.add)
        ? "takes no new feeds from here"
        : missing.contains(.remove)
          ? "removes no feeds from here"
          : missing.contains(.file) ? "moves no feeds from here" : "takes no names of feeds"
      throw SourceError(
        .address, stage: .arguments, subject: subject,
        message: "\(account?.displayName ?? "this account") \(what)",
        next: "use the server's own pages; nothing has changed")
    }
    return edits.contains(.manyFolders) ? folders : Array(folders.prefix(1))
  }
}
