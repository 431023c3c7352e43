// Services: the sources of articles.
//
// The front door is `Sources`, which makes the source of each account: `LocalAccount` for feeds on the
// web and in files, `FeedAPIAccount` for the cursor-paged API. Errors of the network and of the parser
// leave this target as `SourceError`.

internal import Foundation
package import HTTP
package import News
package import Text

/// The sources of all accounts, with one client in common.
package struct Sources: NewsSources {
  var fetcher: Fetcher
  let signIns: SignIns?
  let syncClients = SyncClients()
  /// The user whose sign-in opens what is looked for at an address; nil where nobody was named.
  private(set) var user: String?
  private let secrets: FeedSecrets
  /// Looks up the password of a feed's own proxy.
  private let proxyPassword: @Sendable (Feed) async throws -> String?
  let live: (client: HTTPClient, wire: LiveClient.Wire)?
  /// Protocols other than HTTP.
  let wires: [any FeedWire]

  /// - Parameters:
  ///   - limits: of every request.
  ///   - deadline: of all requests together, with their waits and retries; for a command with a time
  ///     limit of its own.
  ///   - live: the client and the protocol of live connections; nil to open none. They stay open, so
  ///     their client should not be `client`.
  ///   - signIns: sign the requests of each account with its own sign-in; nil for the authorizer of
  ///     `client`.
  ///   - wires: protocols other than HTTP that the program was built with.
  ///   - secrets: access to the passwords of single feeds.
  ///   - proxyPassword: looks up the password of a feed's own proxy.
  package init(
    client: ResilientClient, limits: HTTPLimits = HTTPLimits(),
    deadline: ContinuousClock.Instant? = nil,
    live: (client: HTTPClient, wire: LiveClient.Wire)? = nil, signIns: SignIns? = nil,
    secrets: FeedSecrets = .none, wires: [any FeedWire] = [],
    proxyPassword: @escaping @Sendable (Feed) async throws -> String? = { _ in nil }
  ) {
    self.live = live
    self.wires = wires
    self.signIns = signIns
    self.secrets = secrets
    self.proxyPassword = proxyPassword
    fetcher = Fetcher(client: client, limits: limits, deadline: deadline)
    if let signIns { fetcher.sign(as: .user(nil), by: signIns) }
  }

  /// These sources, with the sign-in of a user for what is looked for at an address: where several are
  /// signed in, one has to be named.
  package func acting(for user: String) -> Sources {
    var sources = self
    sources.user = user
    if let signIns { sources.fetcher.sign(as: .user(user), by: signIns) }
    return sources
  }

  /// These sources with another proxy for all feeds that have none of their own.
  package func routed(by route: ProxyChoice) -> Sources {
    var sources = self
    sources.fetcher.route = { route }
    return sources
  }

  /// Sources whose requests carry another name of the program (`User-Agent`).
  package func asking(as userAgent: String) -> Sources {
    var settings = FeedSettings()
    settings.userAgent = userAgent
    var sources = self
    sources.fetcher.settings = RequestSettings(settings, home: nil)
    return sources
  }

  package func onWay(of feed: Feed) -> any NewsSources {
    var sources = self
    sources.fetcher.route = route(of: feed)
    sources.fetcher.settings = RequestSettings(feed.settings, home: nil)
    return sources
  }

  /// The feed's own proxy, or that of the settings.
  private func route(of feed: Feed) -> @Sendable () async throws -> ProxyChoice? {
    guard let proxy = feed.proxy else { return fetcher.route }
    let password = proxyPassword
    return { try await ProxyChoice(proxy, password: password(feed)) }
  }

  package func reopen(_ addresses: [String]) { fetcher.client.gate.reopen(addresses) }

  package func reopenAll() { fetcher.client.gate.reopenAll() }

  package func keep(_ user: AddressUser, header: String?) async throws -> FeedSignIn {
    let signIn = FeedSignIn(
      origin: user.origin, user: user.user, key: UUID().uuidString.lowercased(), header: header)
    try await secrets.keep(user.password, signIn)
    return signIn
  }

  package func forget(_ signIn: FeedSignIn) async throws { try await secrets.remove(signIn) }

  /// A fetcher with the feed's own proxy, its own headers and the sign-in of its account; for requests to the feed's origin,
  /// with the feed's own password.
  func fetcher(for feed: Feed) -> Fetcher {
    var fetcher = fetcher(signing: feed.signIn)
    // An older version's address, whose password could not be moved to the secrets: what the feed names
    // at its server is asked for with it, too.
    if feed.signIn == nil { fetcher.signature = WebAddress.user(in: feed.url).map { .typed($0) } }
    fetcher.route = route(of: feed)
    fetcher.settings = RequestSettings(feed.settings, home: feed.url)
    if let signIns { fetcher.sign(as: .account(feed.account), by: signIns) }
    return fetcher
  }

  func fetcher(signing signIn: FeedSignIn?) -> Fetcher {
    var fetcher = fetcher
    fetcher.signature = signIn.map { .kept($0, secrets) }
    return fetcher
  }

  /// The hosts that a feed's documents and what they name may come from.
  func connections(of feed: Feed) -> ConnectionPolicy {
    connections(to: feed.url, isUserEntered: feed.isUserEntered)
  }

  /// The hosts that a request may reach. The host of an address that the user entered may be anywhere,
  /// this machine included; all others must be public.
  func connections(to url: String, isUserEntered: Bool) -> ConnectionPolicy {
    guard isUserEntered, let host = WebAddress.host(of: url) else { return .publicOnly }
    return .typed(host: host)
  }
}

extension ProxyChoice {
  /// The stored proxy of a feed.
  ///
  /// - Parameter password: for the user in the proxy's address.
  /// - Throws: `HTTPError` where that is no address of a proxy.
  package init(_ proxy: FeedProxy, password: String?) throws {
    switch proxy {
    case .direct: self = .direct
    case .via(let text): self = .via(try ProxyAddress(text).address(password: password))
    }
  }
}
