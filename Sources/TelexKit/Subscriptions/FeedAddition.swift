internal import Foundation
package import News
internal import Repository
internal import Services
internal import Store
internal import Text

/// Use case: subscribing to a feed at an address. `find` searches for feeds, `add` subscribes to one.
package struct FeedAddition: Sendable {
  private let composition: Composition
  private let sources: Sources
  /// The sources that are searched: those of the subscription whose feed is still to be looked for at the address.
  private let finder: any FeedFinder
  private let signIn: FeedSignIn?
  private let address: String
  private let folders: [String]
  private let way: ProxyChange?
  private let userAgent: String?
  private let before: [Feed]
  private let connection: ConnectionChange?
  private let document: DocumentChange?

  /// - Parameters:
  ///   - address: of a feed, a page or a file.
  ///   - folders: paths; empty ones are left out.
  ///   - way: the proxy of the feed; nil leaves it as it is. `Composition` takes the same for the
  ///     search.
  ///   - userAgent: of the search and the feed's requests; nil leaves it as it is.
  ///   - user: whose account gets the feed, where several are signed in at the address.
  ///   - connection: a connection of a GraphQL server; nil to find out.
  ///   - document: how its document is obtained, if not as the feed at the address.
  /// - Throws: `SourceError` of stage `.arguments` where nobody of that name is signed in there.
  package init(
    _ composition: Composition, at address: String, folders: [String] = [],
    way: ProxyChange? = nil, userAgent: String? = nil, user: String? = nil,
    connection: ConnectionChange? = nil, document: DocumentChange? = nil
  ) throws {
    self.composition = composition
    self.connection = connection
    self.document = document
    var settings = FeedSettings()
    if let userAgent { try FeedSetting.userAgent.set(userAgent, in: &settings) }
    self.userAgent = settings.userAgent
    var sources = composition.sources
    if let user {
      let origin = try SignIns.origin(of: WebAddress.withoutUser(WebAddress.entered(address)))
      let there = try composition.allSignIns().filter { $0.origin == origin }
      guard there.contains(where: { $0.user == user }) else {
        throw Logins.notSignedIn(at: origin, as: user)
      }
      sources = sources.acting(for: user)
    }
    if let name = settings.userAgent { sources = sources.asking(as: name) }
    self.sources = sources
    self.address = address
    self.folders = FolderPath.typed(folders)
    self.way = way
    before = try composition.store.viewNow { try $0.feeds.all() }
    let url = (try? WebAddress.entered(address)).map { WebAddress.withoutUser($0) }
    let sought = before.first { $0.settings.isSought && $0.url == url }
    if let sought, way == nil {
      finder = sources.onWay(of: sought)
    } else {
      finder = sources
    }
    signIn = sought?.signIn
  }

  /// Searches for feeds at the address.
  package func find() async throws -> FoundFeeds {
    if let document {
      return .feed(
        try await document.located(
          at: address, among: before, by: sources, secret: connection?.secretAlone))
    }
    guard let connection else { return try await finder.discover(address, signIn: signIn) }
    return .feed(try await connection.located(at: address, among: before, by: sources))
  }

  /// Subscribes to a found feed.
  ///
  /// - Parameter title: nil for the feed's own title.
  package func add(_ located: LocatedFeed, title: String? = nil) async throws -> AddedFeed {
    try await added(at: located.url, of: located.signIn?.account) {
      try await composition.repository.subscribe(
        located, at: address, folders: folders, title: Self.title(title), proxy: way?.proxy,
        userAgent: userAgent)
    }
  }

  /// Keeps the address where a search failed without a network. The next refresh that reaches it
  /// searches again.
  ///
  /// - Returns: nil where the search failed for another reason, or more than the address is to be
  ///   kept.
  package func keep(after error: any Error, title: String? = nil) async throws -> AddedFeed? {
    guard connection == nil, document == nil, let error = error as? SourceError,
      await composition.lacksNetwork(error)
    else { return nil }
    return try await added(at: try WebAddress.entered(address), of: nil) {
      try await composition.repository.keep(
        address, folders: folders, title: Self.title(title), proxy: way?.proxy,
        userAgent: userAgent, after: error)
    }
  }

  /// Subscribes, and keeps the password of the feed's proxy.
  private func added(
    at url: String, of account: AccountID?,
    _ subscribe: () async throws -> (feed: Feed, isNew: Bool)
  ) async throws -> AddedFeed {
    guard let way else { return AddedFeed(try await subscribe(), to: before) }
    let url = WebAddress.withoutUser(url)
    let known = try await composition.store.view { view in
      guard let account else { return try view.feeds.feed(url: url) }
      return try view.feeds.all(url: url).first { $0.account.id == account }
    }
    var isNew = false
    let feed = try await composition.vault.give(
      way.proxy, way.password, toFeedAt: url, known: known
    ) {
      let added = try await subscribe()
      isNew = added.isNew
      if way.proxy == nil {
        let now = Date()
        try await composition.store.edit {
          try $0.actions.set(nil as FeedProxy?, of: added.feed.id, now: now)
        }
      }
      return added.feed
    }
    return AddedFeed((feed, isNew), to: before)
  }

  /// Subscribes to the first of several links that is a feed.
  package func add(oneOf links: [FeedLink], title: String? = nil) async throws -> AddedFeed {
    try await add(
      try await finder.locate(oneOf: links, namedBy: address), title: title)
  }

  static func title(_ typed: String?) -> String? {
    typed.map(PlainText.sanitized).flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Result of adding a feed: a new subscription, or an existing one with its changes.
package struct AddedFeed: Sendable {
  /// A change of an existing subscription by adding it again.
  package enum Change: Hashable, Sendable {
    case title(String)
    /// The folders that it was not in before, by their paths.
    case folders([String])
    /// The number of new articles.
    case articles(Int)
    /// It is asked for in another way.
    case recipe
    /// It is asked for by this name of the program.
    case userAgent(String)
  }

  package let feed: Feed
  package let isNew: Bool
  package let known: Feed?

  init(_ added: (feed: Feed, isNew: Bool), to before: [Feed]) {
    (feed, isNew) = added
    known = isNew ? nil : before.first { $0.id == added.feed.id }
  }

  package var changes: [Change] {
    guard let known else { return [] }
    var changes: [Change] = []
    if feed.displayTitle != known.displayTitle { changes.append(.title(feed.displayTitle)) }
    let folders = feed.folders.filter { !known.folders.contains($0) }
    if !folders.isEmpty { changes.append(.folders(folders)) }
    if feed.recipe != known.recipe { changes.append(.recipe) }
    if let userAgent = feed.settings.userAgent, userAgent != known.settings.userAgent {
      changes.append(.userAgent(userAgent))
    }
    let articles = feed.counts.total - known.counts.total
    if articles > 0 { changes.append(.articles(articles)) }
    return changes
  }
}
