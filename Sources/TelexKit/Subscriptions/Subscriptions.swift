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

  /// All feeds with their counts, in the order of the sidebar.
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
      throw SourceError(
        .address, stage: .arguments, subject: name, message: "there is no such smart feed",
        next: "telex smart names those there are")
    }
    return found
  }

  /// Keeps a query by a name; a smart feed that has the name takes the query.
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
      throw SourceError(
        .address, stage: .arguments, subject: WebAddress.withoutUser(name),
        message: "several accounts have a feed at this address: \(numbers)",
        next: "name it by its number")
    }
    guard let found = found.first else {
      throw SourceError(
        .address, stage: .arguments, subject: WebAddress.withoutUser(name),
        message: "there is no such feed",
        next: "telex list names those there are")
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

  /// A folder by its path, as a user types it. Folders of two accounts are two, however they are called.
  ///
  /// - Parameters:
  ///   - server: an address of the server whose account has it, or `local`; nil for any account.
  ///   - user: of the account at that server, where there are several.
  /// - Throws: `SourceError` of stage `.arguments` where no feed and no folder lies there, or where several
  ///   accounts have a folder at this path.
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
      throw SourceError(
        .address, stage: .arguments, subject: name, message: "there is no such folder",
        next: "telex folders names those there are")
    }
    guard owners.count == 1 else {
      let names = accounts.filter { owners.contains($0.id) }
        .map { $0.id == .local ? "local" : $0.displayName }
      throw SourceError(
        .address, stage: .arguments, subject: name,
        message: "several accounts have such a folder: \(names.joined(separator: ", "))",
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
      throw SourceError(
        .address, stage: .arguments, subject: server, message: "there is no account there",
        next: "telex accounts names those there are")
    }
    return FolderID("", of: account)
  }

  /// The account that has a folder; nil where it is gone.
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

  /// Looks for the feed that another is to be moved to, at an address as the user types it. Nothing is
  /// stored.
  ///
  /// - Throws: `SourceError` where there is none, or there are several to choose from.
  package func newPlace(of feed: FeedID, at address: String) async throws -> LocatedFeed {
    try await composition.repository.newPlace(of: feed, at: address)
  }

  /// Asks a feed at another address from now on. Its articles, marks, title and folders stay.
  ///
  /// - Throws: `SourceError` where the address is none, or another feed's; nothing changes then.
  package func move(_ feed: FeedID, to address: String) async throws {
    try await composition.repository.move(feed, to: address)
  }

  /// As `move(_:to:)`, to a feed that was found.
  package func move(_ feed: FeedID, to located: LocatedFeed) async throws {
    try await composition.repository.move(feed, to: located)
  }

  /// Moves a feed to another account with its articles and marks; the servers of both are told with the outbox.
  ///
  /// - Parameters:
  ///   - server: an address of the account's server, as at a sign-in, or `local`.
  ///   - user: of the account at that server, where there are several.
  /// - Returns: the feed where it is now.
  /// - Throws: `SourceError` where there is no such account, or one of the two cannot do its part; nothing changes
  ///   then.
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

  /// The language that a feed names; nil where it names none.
  package func language(of feed: FeedID) async throws -> String? {
    try await composition.store.view { try $0.feeds.feed(feed)?.language }
  }

  /// What is set for one feed; nothing where it is gone.
  package func settings(of feed: FeedID) async throws -> FeedSettings {
    try await composition.store.view { try $0.feeds.feed(feed)?.settings } ?? FeedSettings()
  }

  /// Sets something for one feed, each in the words of a user; `default` takes it back.
  ///
  /// - Returns: the changed feed.
  /// - Throws: `SourceError` of stage `.arguments` for a value that is none; nothing changes then.
  package func set(_ wishes: [(FeedSetting, String)], of feed: Feed) async throws -> Feed {
    // Read where it is written: another process may have set something else meanwhile.
    _ = try await set(wishes, of: [feed.id])
    return try self.feed(named: "\(feed.id.rawValue)")
  }

  /// Sets the same for several feeds, so that one `Articles.undo` takes it back.
  ///
  /// - Returns: those that there are, as they are now.
  /// - Throws: as `set(_:of:)`.
  package func set(
    _ wishes: [(FeedSetting, String)], of feeds: [FeedID]
  ) async throws -> [Feed] {
    let now = Date()
    try await composition.store.edit { edit in
      _ = try edit.actions.set(feeds, now: now) { settings in
        for (setting, text) in wishes { try setting.set(text, in: &settings) }
      }
    }
    return try known(feeds)
  }

  private func known(_ feeds: [FeedID]) throws -> [Feed] {
    try composition.store.viewNow { view in try feeds.compactMap(view.feeds.feed) }
  }

  /// Sets the proxy of a feed, and keeps the password of that proxy with the secrets.
  ///
  /// - Returns: the changed feed.
  package func setProxy(_ wish: ProxyWish, of feed: Feed) async throws -> Feed {
    try await composition.vault.give(
      wish.proxy, wish.password, toFeedAt: feed.url, known: feed
    ) {
      let now = Date()
      try await composition.store.edit { try $0.actions.set(wish.proxy, of: feed.id, now: now) }
      return try self.feed(named: "\(feed.id.rawValue)")
    }
  }

  /// Asks for a connection of a GraphQL server in another way from now on, or for a feed on the web with a secret
  /// in a header. Its articles stay.
  ///
  /// - Returns: the changed feed, and what was wrong with the newest page.
  /// - Throws: `SourceError` where the server does not answer as the recipe says; nothing changes then.
  package func setConnection(
    _ wish: ConnectionWish, of feed: Feed
  ) async throws -> (feed: Feed, warnings: [String]) {
    let isOther = feed.recipe.flatMap(DocumentRecipe.init) != nil || feed.isCommand
    guard !isOther, feed.recipe != nil || feed.format == .graphQL else {
      if let secret = wish.secretAlone, feed.account.id == .local, WebAddress.isWeb(feed.url) {
        try await composition.repository.setSecret(secret.text, header: secret.header, of: feed)
        return (try self.feed(named: "\(feed.id.rawValue)"), [])
      }
      throw SourceError(
        .address, stage: .arguments, subject: feed.displayTitle,
        message: "this feed is not a connection of a GraphQL server",
        next: "telex add ADDRESS --graphql FILE adds one")
    }
    var located = try await wish.located(at: feed.url, among: [feed], by: composition.sources)
    located.url = feed.url
    let known = try await composition.repository.subscribe(located, at: feed.url)
    return (known.feed, located.page.warnings)
  }

  /// Asks for a feed without a name and password, token or key from now on, and forgets them.
  ///
  /// - Returns: the changed feed.
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

  /// Obtains the document of a feed in another way from now on. Its articles stay.
  ///
  /// - Returns: the changed feed, and what was wrong with its newest page.
  /// - Throws: `SourceError` where no document comes that way; nothing changes then.
  package func setDocument(
    _ wish: DocumentWish, of feed: Feed
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
    guard wish.isCommand ? feed.isCommand : true else {
      throw refused("this feed is not the output of a program")
    }
    let changed = wish.applied(to: recipe ?? DocumentRecipe())
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

  /// Gives a feed another name, as a user types it; where its server keeps names of feeds, there as well.
  ///
  /// - Parameter title: nil takes the user's name back.
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
  /// - Throws: `SourceError` of stage `.arguments` for a name of nothing but space.
  package static func name(typed title: String, for feed: FeedID) throws -> String {
    let title = PlainText.sanitized(title)
    guard !title.isEmpty else {
      throw SourceError(
        .address, stage: .arguments, subject: "\(feed.rawValue)", message: "the name is empty",
        next: "nothing has changed")
    }
    return title
  }

  /// Puts a feed into folders, by their paths as a user types them, and out of all others; where its server
  /// keeps folders, there as well.
  ///
  /// - Throws: `SourceError` where its server does not take that; nothing changes then.
  package func file(_ feed: FeedID, into folders: [String]) async throws -> Feed {
    try await composition.repository.file(feed, into: FolderPath.typed(folders))
    return try self.feed(named: "\(feed.rawValue)")
  }

  /// Puts several feeds into folders, and out of all others, so that one `Articles.undo` takes it back.
  ///
  /// - Returns: those that there are, as they are now.
  /// - Throws: `SourceError` where a server does not take that; nothing changes then.
  package func file(_ feeds: [FeedID], into folders: [String]) async throws -> [Feed] {
    try await composition.repository.file(feeds, into: FolderPath.typed(folders))
    return try known(feeds)
  }

  /// Looks for the feed at an address that an account without a server is to subscribe to. Nothing is stored.
  ///
  /// - Parameter address: of the feed, as a user types it.
  /// - Returns: nil for other accounts, whose servers look for it, and without a network.
  /// - Throws: `SourceError` where the address is none, no feed is there, or the account takes no feeds.
  package func find(_ address: String, for account: Account) async throws -> LocatedFeed? {
    try await composition.repository.find(try entered(address, for: account), for: account.id)
  }

  /// As `add(_:to:title:folders:)`, without a search and without a network.
  ///
  /// - Parameter located: what `find(_:for:)` has found.
  package func add(
    _ address: String, found located: LocatedFeed?, to account: Account
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await composition.repository.subscribe(
      to: try entered(address, for: account), found: located, in: account.id)
  }

  private func entered(_ address: String, for account: Account) throws -> String {
    let url = try WebAddress.entered(address)
    guard WebAddress.withoutUser(url) == url else {
      throw SourceError(
        .address, stage: .arguments, subject: WebAddress.redacted(url),
        message: "a name and password are not given to \(account.displayName)",
        next: "add it without --account")
    }
    return url
  }

  /// Subscribes to a feed in an account whose server keeps the subscriptions. It is in the store at once; the
  /// server is told when it can be reached.
  ///
  /// - Parameter address: of the feed, as a user types it. The server looks for the feed; Telex does for an account
  ///   without one.
  /// - Throws: `SourceError` where the address is none, or the account takes no feeds.
  package func add(
    _ address: String, to account: Account, title: String? = nil, folders: [String] = []
  ) async throws -> (feed: Feed, isNew: Bool) {
    try await composition.repository.subscribe(
      to: try entered(address, for: account), in: account.id,
      title: FeedAddition.title(title), folders: FolderPath.typed(folders))
  }

  /// Tells the servers of accounts what waits for them. What cannot be sent stays in the outbox, with its reason.
  ///
  /// - Parameter accounts: those whose servers are told; nil for all. No other is waited for.
  /// - Returns: the changes that still wait for the server of an account.
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

  /// Ends a subscription; `Articles.undo` brings it back for thirty days. A server that keeps it is told with the
  /// outbox.
  package func remove(_ id: FeedID) async throws {
    try await composition.repository.unsubscribe(id)
  }

  /// Makes one subscription of two that lead to one feed, and forgets the password of the proxy of the one that goes.
  package func merge(_ id: FeedID, into other: FeedID) async throws {
    let feed = try await composition.store.view { try $0.feeds.feed(id) }
    try await composition.repository.merge(id, into: other)
    if let feed { try? await composition.vault.forgetProxyPassword(of: feed) }
  }

  /// Ends several subscriptions, so that one `Articles.undo` brings them back, as `remove(_:)` does.
  ///
  /// - Returns: how many there were.
  package func remove(_ feeds: [FeedID]) async throws -> Int {
    try await composition.repository.unsubscribe(feeds)
  }

  /// Ends a subscription with its articles for good, and forgets the password of its proxy. The text stays in
  /// the files until `eraseRemoved`. A server that keeps the subscription is told with the outbox.
  ///
  /// - Returns: why the password could not be deleted; nil where it was.
  @discardableResult
  package func erase(_ id: FeedID) async throws -> SourceError? {
    let feed = try await composition.store.view { try $0.feeds.feed(id) }
    try await composition.repository.unsubscribe(id, erases: true)
    do {
      if let feed { try await composition.vault.forgetProxyPassword(of: feed) }
      return nil
    } catch let error as SourceError { return error }
  }

  /// Feeds that were removed and can come back, the last removed first.
  package func removed() throws -> [RemovedFeed] {
    try composition.store.viewNow { try $0.removals.feeds() }
  }

  /// Erases a feed that was removed before, and can come back until then.
  ///
  /// - Returns: whether there was one: by its number or its address.
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

  /// Erases removed articles from the files: the database with its free pages, the search index, the log.
  /// A failure is a notice: the next refresh repeats it.
  ///
  /// - Throws: `CancellationError`.
  package func eraseRemoved() async throws { try await composition.eraseRemoved() }
}
