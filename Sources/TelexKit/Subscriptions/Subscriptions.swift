internal import Foundation
package import News
internal import Repository
internal import Services
internal import Store
internal import Text

/// Use cases about the subscriptions of a store: listing, finding, changing and ending them.
package struct Subscriptions: Sendable {
  let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  package func feeds() throws -> [Feed] { try composition.store.viewNow { try $0.feeds.all() } }

  // MARK: Smart feeds

  /// In the order of their names.
  package func smartFeeds() throws -> [SmartFeed] {
    try composition.store.viewNow { try $0.smartFeeds.all() }
  }

  /// A smart feed by its name; case does not count.
  ///
  /// - Throws: `SourceError` of stage `.arguments` where there is none.
  package func smartFeed(named name: String) throws -> SmartFeed {
    guard let found = try smartFeeds().first(where: { $0.isNamed(name) }) else {
      throw SourceError.argument(
        name, "there is no such smart feed", next: "telex smart lists the smart feeds")
    }
    return found
  }

  /// Saves a smart feed, or replaces the query of an existing one.
  package func saveSmartFeed(_ name: String, _ query: ArticleQuery) async throws {
    let time = Date.now
    try await composition.store.edit { try $0.actions.makeSmartFeed(name, query, now: time) }
  }

  package func renameSmartFeed(_ id: SmartFeedID, to name: String) async throws {
    let time = Date()
    try await composition.store.edit { try $0.actions.callSmartFeed(id, name, now: time) }
  }

  package func removeSmartFeed(_ id: SmartFeedID) async throws {
    let time = Date()
    try await composition.store.edit { try $0.actions.endSmartFeed(id, now: time) }
  }

  /// A feed by its number or its address, as a user types them.
  ///
  /// - Throws: `SourceError` of stage `.arguments` where there is none.
  package func feed(named name: String) throws -> Feed {
    let found = try feeds(named: name)
    guard found.count < 2 else {
      let numbers = found.map { "\($0.id.rawValue)" }.joined(separator: ", ")
      throw SourceError.argument(
        WebAddress.withoutUser(name), "several accounts have a feed at this address: \(numbers)",
        next: "name it by its number")
    }
    guard let found = found.first else {
      throw SourceError.argument(
        WebAddress.withoutUser(name), "there is no such feed",
        next: "telex list prints the feeds")
    }
    return found
  }

  /// Whether no feed has this number or address.
  package func isGone(_ name: String) throws -> Bool { try feeds(named: name).isEmpty }

  /// The feeds that a number or an address may mean, the local account's first.
  func feeds(named name: String) throws -> [Feed] {
    let url = (try? WebAddress.normalized(name)).map { WebAddress.withoutUser($0) }
    return try composition.store.viewNow { view in
      if let number = Int64(name) { return try view.feeds.feed(FeedID(number)).map { [$0] } ?? [] }
      let feeds = try view.feeds.all(url: name)
      return try feeds.isEmpty ? url.map { try view.feeds.all(url: $0) } ?? [] : feeds
    }
  }

  /// A folder by its path. Folders of two accounts differ even if they have one name.
  ///
  /// - Parameters:
  ///   - server: an address of the account's server, or `local`; nil for any account.
  ///   - user: of the account, where there are several.
  /// - Throws: `SourceError` of stage `.arguments` where there is no such folder, or several
  ///   accounts have one.
  package func folder(
    named name: String, at server: String? = nil, user: String? = nil
  ) throws -> FolderID {
    let path = FolderPath.typed(name)
    let owner = try server.map { try self.owner(at: $0, user: user) }
    let (known, accounts) = try composition.store.viewNow { view in
      let folders =
        try view.feeds.all().flatMap(\.folderIDs)
        + view.outlines.ofFolders().map { FolderID($0.path) }
      return (folders, try view.accounts.all())
    }
    let owners = Set(known.map(\.account)).filter { account in
      let folder = FolderID(path, of: account)
      return (owner == nil || owner == account) && known.contains(where: folder.contains)
    }
    guard !path.isEmpty, let first = owners.first else {
      throw SourceError.argument(
        name, "there is no such folder", next: "telex folders lists the folders")
    }
    guard owners.count == 1 else {
      let names = accounts.filter { owners.contains($0.id) }
        .map { $0.id == .local ? "local" : $0.displayName }
      throw SourceError.argument(
        name, "several accounts have such a folder: \(names.joined(separator: ", "))",
        next: "say whose with --account URL, or --account local")
    }
    return FolderID(path, of: first)
  }

  /// All feeds of the account at a server, as a folder.
  ///
  /// - Throws: `SourceError` of stage `.arguments` where nobody is signed in there.
  package func account(at server: String, user: String? = nil) throws -> FolderID {
    let signIn = try Logins(composition).signIn(at: try Logins.entered(server), user: user)
    guard let account = signIn.account else {
      throw SourceError.argument(
        server, "there is no account there", next: "telex accounts lists the accounts")
    }
    return FolderID("", of: account)
  }

  package func account(of folder: FolderID) async throws -> Account? {
    try await composition.store.view { try $0.accounts.account(folder.account) }
  }

  /// The account whose folders the account at a server has.
  private func owner(at server: String, user: String?) throws -> AccountID {
    if server == "local" { return .local }
    let signIn = try Logins(composition).signIn(at: try Logins.entered(server), user: user)
    return try composition.store.viewNow { view in
      try signIn.account.flatMap(view.accounts.account)?.folderOwner ?? .local
    }
  }

  /// Searches for the feed at a new address for a subscription. Nothing is stored.
  ///
  /// - Throws: `SourceError` where there is none, or several.
  package func newPlace(of feed: FeedID, at address: String) async throws -> LocatedFeed {
    try await composition.repository.newPlace(of: feed, at: address)
  }

  /// Changes the address of a feed. Articles, marks, title and folders stay.
  ///
  /// - Throws: `SourceError` where the address is invalid, or another feed's; nothing changes.
  package func move(_ feed: FeedID, to address: String) async throws {
    try await composition.repository.move(feed, to: address)
  }

  /// As `move(_:to:)`, to a feed that was found.
  package func move(_ feed: FeedID, to located: LocatedFeed) async throws {
    try await composition.repository.move(feed, to: located)
  }

  /// Moves a feed to another account with its articles and marks; both servers are told with the
  /// outbox.
  ///
  /// - Parameters:
  ///   - server: an address of the account's server, or `local`.
  ///   - user: of the account, where there are several.
  /// - Throws: `SourceError` where there is no such account, or one of the two cannot do its part;
  ///   nothing changes.
  package func transfer(_ feed: FeedID, toAccountAt server: String, user: String?) async throws
    -> Feed
  {
    let account =
      server == "local" ? .local : try Logins(composition).account(at: server, user: user).id
    return try await transfer(feed, to: account)
  }

  /// As `transfer(_:toAccountAt:user:)`, to an account that is known.
  package func transfer(_ feed: FeedID, to account: AccountID) async throws -> Feed {
    try await composition.repository.transfer(feed, to: account)
  }

  package func language(of feed: FeedID) async throws -> String? {
    try await composition.store.view { try $0.feeds.feed(feed)?.language }
  }

  /// What is set for one feed; nothing where it is gone.
  package func settings(of feed: FeedID) async throws -> FeedSettings {
    try await composition.store.view { try $0.feeds.feed(feed)?.settings } ?? FeedSettings()
  }

  /// Changes settings of a feed, in the words of a user; `default` resets one.
  ///
  /// - Throws: `SourceError` of stage `.arguments` for an invalid value; nothing changes.
  package func set(_ values: [(FeedSetting, String)], of feed: Feed) async throws -> Feed {
    // Read where it is written: another process may have set something else meanwhile.
    _ = try await set(values, of: [feed.id])
    return try self.feed(named: "\(feed.id.rawValue)")
  }

  /// Changes settings of several feeds as one action for `Articles.undo`.
  ///
  /// - Returns: the existing feeds.
  /// - Throws: as `set(_:of:)`.
  package func set(
    _ values: [(FeedSetting, String)], of feeds: [FeedID]
  ) async throws -> [Feed] {
    let now = Date()
    try await composition.store.edit { edit in
      _ = try edit.actions.set(feeds, now: now) { settings in
        for (setting, text) in values { try setting.set(text, in: &settings) }
      }
    }
    return try known(feeds)
  }

  func known(_ feeds: [FeedID]) throws -> [Feed] {
    try composition.store.viewNow { view in try feeds.compactMap(view.feeds.feed) }
  }

  /// Sets the proxy of a feed, and stores its password with the secrets.
  package func setProxy(_ change: ProxyChange, of feed: Feed) async throws -> Feed {
    try await composition.vault.give(
      change.proxy, change.password, toFeedAt: feed.url, known: feed
    ) {
      let now = Date()
      try await composition.store.edit { try $0.actions.set(change.proxy, of: feed.id, now: now) }
      return try self.feed(named: "\(feed.id.rawValue)")
    }
  }

  /// Changes the recipe of a GraphQL connection, or the secret in a header of a feed on the web.
  ///
  /// - Returns: the changed feed, and warnings about its newest page.
  /// - Throws: `SourceError` where the server's answer does not fit the recipe; nothing changes.
  package func setConnection(
    _ change: ConnectionChange, of feed: Feed
  ) async throws -> (feed: Feed, warnings: [String]) {
    let isOther = feed.recipe.flatMap(DocumentRecipe.init) != nil || feed.isCommand
    guard !isOther, feed.recipe != nil || feed.format == .graphQL else {
      if let secret = change.secretAlone, feed.account.id == .local, WebAddress.isWeb(feed.url) {
        try await composition.repository.setSecret(secret.text, header: secret.header, of: feed)
        return (try self.feed(named: "\(feed.id.rawValue)"), [])
      }
      throw SourceError.argument(
        feed.displayTitle, "this feed is not a connection of a GraphQL server",
        next: "telex add ADDRESS --graphql FILE adds one")
    }
    var located = try await change.located(at: feed.url, among: [feed], by: composition.sources)
    located.url = feed.url
    let known = try await composition.repository.subscribe(located, at: feed.url)
    return (known.feed, located.page.warnings)
  }

  /// Deletes the name and password, token or key of a feed.
  ///
  /// - Throws: `SourceError` of stage `.arguments` where there are none.
  package func forgetSecret(of feed: Feed) async throws -> Feed {
    guard feed.signIn != nil else {
      throw SourceError(
        .secret, stage: .arguments, subject: feed.displayTitle,
        message: "no secret is kept for this feed alone",
        next: "telex logout URL forgets a sign-in at its server")
    }
    try await composition.repository.forgetSecret(of: feed)
    return try self.feed(named: "\(feed.id.rawValue)")
  }

  /// Changes how the document of a feed is obtained.
  ///
  /// - Returns: the changed feed, and warnings about its newest page.
  /// - Throws: `SourceError` where no document comes that way; nothing changes.
  package func setDocument(
    _ change: DocumentChange, of feed: Feed
  ) async throws -> (feed: Feed, warnings: [String]) {
    let recipe = feed.recipe.flatMap(DocumentRecipe.init)
    func refused(_ message: String) -> SourceError {
      SourceError(
        .program, stage: .arguments, subject: feed.displayTitle, message: message,
        next: "nothing has changed; telex add subscribes to another feed")
    }
    let isGraphQL = feed.format == .graphQL || feed.recipe.flatMap(GraphQLRecipe.init) != nil
    guard feed.account.id == .local, !isGraphQL else {
      throw refused("how this feed is asked for is not set that way")
    }
    guard change.isCommand ? feed.isCommand : true else {
      throw refused("this feed is not the output of a program")
    }
    let changed = change.applied(to: recipe ?? DocumentRecipe())
    guard changed.command != nil || !feed.isCommand else {
      throw refused("which program it is the output of is not known here: give --command too")
    }
    guard !changed.isEmpty else {
      let located = try await composition.sources.locate(feed.url)
      guard located.url == feed.url else { throw refused("there is no feed at its own address") }
      return (
        try await composition.repository.setRecipe(nil, of: feed, located), located.page.warnings
      )
    }
    let located = try await composition.sources.feed(
      at: feed.url, by: changed, known: feed)
    let stored = try await composition.repository.setRecipe(changed.stored, of: feed, located)
    return (stored, located.page.warnings)
  }

  /// Renames a feed, on its server too where that keeps names.
  ///
  /// - Parameter title: nil removes the user's name.
  /// - Returns: the changed feed, and whether its server is told.
  /// - Throws: as `name(typed:for:)`.
  package func rename(_ feed: FeedID, to title: String?) async throws -> (feed: Feed, isTold: Bool)
  {
    let name = try title.map { try Self.name(typed: $0, for: feed) }
    let isTold = try await composition.repository.rename(feed, to: name)
    return (try self.feed(named: "\(feed.rawValue)"), isTold)
  }

  /// A name for a feed, as a user types it.
  ///
  /// - Throws: `SourceError` of stage `.arguments` for an empty name.
  package static func name(typed title: String, for feed: FeedID) throws -> String {
    let title = PlainText.sanitized(title)
    guard !title.isEmpty else {
      throw SourceError.argument(
        "\(feed.rawValue)", "the name is empty", next: "nothing has changed")
    }
    return title
  }

  /// Files a feed in folders, and out of all others, on its server too where that keeps folders.
  ///
  /// - Throws: `SourceError` where its server refuses that; nothing changes.
  package func file(_ feed: FeedID, into folders: [String]) async throws -> Feed {
    try await composition.repository.file(feed, into: FolderPath.typed(folders))
    return try self.feed(named: "\(feed.rawValue)")
  }

  /// Files several feeds in folders as one action for `Articles.undo`.
  ///
  /// - Returns: the existing feeds.
  /// - Throws: `SourceError` where a server refuses that; nothing changes.
  package func file(_ feeds: [FeedID], into folders: [String]) async throws -> [Feed] {
    try await composition.repository.file(feeds, into: FolderPath.typed(folders))
    return try known(feeds)
  }

  /// Searches for the feed that an account without a server is to subscribe to. Nothing is stored.
  ///
  /// - Returns: nil for other accounts, whose servers search, and without a network.
  /// - Throws: `SourceError` where there is no feed, or the account takes none.
  package func find(_ address: String, for account: Account) async throws -> LocatedFeed? {
    try await composition.repository.find(try entered(address, for: account), for: account.id)
  }

  /// As `add(_:to:title:folders:)`, without a search and without a network.
  ///
  /// - Parameter located: the result of `find(_:for:)`.
  package func add(
    _ address: String, found located: LocatedFeed?, to account: Account
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await composition.repository.subscribe(
      to: try entered(address, for: account), found: located, in: account.id)
  }

  private func entered(_ address: String, for account: Account) throws -> String {
    let url = try WebAddress.entered(address)
    guard WebAddress.withoutUser(url) == url else {
      throw SourceError.argument(
        WebAddress.redacted(url), "a name and password are not given to \(account.displayName)",
        next: "add it without --account")
    }
    return url
  }

  /// Subscribes in an account whose server keeps subscriptions. The feed is stored at once; the
  /// server is told when it can be reached.
  ///
  /// - Parameter address: of the feed, which the server searches; Telex does for an account without
  ///   one.
  /// - Throws: `SourceError` where the address is invalid, or the account takes no feeds.
  package func add(
    _ address: String, to account: Account, title: String? = nil, folders: [String] = []
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await composition.repository.subscribe(
      to: try entered(address, for: account), in: account.id,
      title: FeedAddition.title(title), folders: FolderPath.typed(folders))
  }

  /// Sends the outbox. Changes that cannot be sent stay, with their reasons.
  ///
  /// - Parameter accounts: nil for all. No other is waited for.
  /// - Returns: the changes that still wait.
  /// - Throws: `CancellationError`.
  @discardableResult
  package func deliver(to accounts: Set<AccountID>? = nil) async throws -> [WaitingChange] {
    do {
      if let accounts {
        try await composition.repository.deliverOutbox(to: accounts)
      } else {
        try await composition.repository.deliverOutbox()
      }
    } catch is SourceError {}
    return try await composition.store.view { try $0.outbox.snapshot().changes }
  }

  /// Unsubscribes from a feed; `Articles.undo` brings it back for thirty days. Its server is told
  /// with the outbox.
  package func remove(_ id: FeedID) async throws {
    try await composition.repository.unsubscribe(id)
  }

  /// Merges two subscriptions to one feed, and forgets the proxy password of `id`.
  package func merge(_ id: FeedID, into other: FeedID) async throws {
    let feed = try await composition.store.view { try $0.feeds.feed(id) }
    try await composition.repository.merge(id, into: other)
    if let feed { try? await composition.vault.forgetProxyPassword(of: feed) }
  }

  /// Unsubscribes from several feeds as one action for `Articles.undo`.
  ///
  /// - Returns: how many there were.
  package func remove(_ feeds: [FeedID]) async throws -> Int {
    try await composition.repository.unsubscribe(feeds)
  }

  /// Unsubscribes from a feed, with its articles and its proxy password, for good. The text stays
  /// in the files until `eraseRemoved`.
  ///
  /// - Returns: the error of deleting the password; nil for none.
  @discardableResult
  package func erase(_ id: FeedID) async throws -> SourceError? {
    let feed = try await composition.store.view { try $0.feeds.feed(id) }
    try await composition.repository.unsubscribe(id, erases: true)
    do {
      if let feed { try await composition.vault.forgetProxyPassword(of: feed) }
      return nil
    } catch let error as SourceError { return error }
  }

  package func removed() throws -> [RemovedFeed] {
    try composition.store.viewNow { try $0.removals.feeds() }
  }

  /// Erases a removed feed that could still come back.
  ///
  /// - Returns: nil where no such feed has this number or address.
  package func eraseRemoved(named name: String) async throws -> RemovedFeed? {
    let url = (try? WebAddress.normalized(name)).map { WebAddress.withoutUser($0) }
    guard
      let feed = try removed().first(where: {
        "\($0.feed.rawValue)" == name || $0.url == name || $0.url == url
      })
    else { return nil }
    try await composition.store.edit { try $0.removals.drop(of: [feed.feed]) }
    await composition.forget([feed])
    return feed
  }

  /// Erases removed articles from the files: free pages, the search index, the log. A failure is a
  /// notice: the next refresh repeats it.
  ///
  /// - Throws: `CancellationError`.
  package func eraseRemoved() async throws { try await composition.eraseRemoved() }
}
