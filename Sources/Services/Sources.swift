// Services: the sources of articles.
//
// `Sources` makes the source of each account. Errors of the network and of the parser leave this
// target as `SourceError`.

internal import Foundation
package import HTTP
package import News
package import Text

/// Sources of all accounts, with one client in common.
package struct Sources: NewsSources {
  var fetcher: Fetcher
  let signIns: SignIns?
  let syncClients = SyncClients()
  /// The user whose sign-in searches use; nil for nobody named.
  private(set) var user: String?
  private let secrets: FeedSecrets
  private let proxyPassword: @Sendable (Feed) async throws -> String?
  let live: (client: HTTPClient, wire: LiveClient.Wire)?
  /// Protocols other than HTTP.
  let wires: [any FeedWire]

  /// - Parameters:
  ///   - limits: of every request.
  ///   - deadline: of all requests together, with waits and retries; for a command with a time
  ///     limit.
  ///   - live: the client and the protocol of live connections; nil to open none. They stay open,
  ///     so their client should not be `client`.
  ///   - signIns: sign the requests of each account; nil for the authorizer of `client`.
  ///   - wires: protocols other than HTTP that the program was built with.
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

  /// Sources whose searches use the sign-in of a user, for origins where several are signed in.
  package func acting(for user: String) -> Sources {
    var sources = self
    sources.user = user
    if let signIns { sources.fetcher.sign(as: .user(user), by: signIns) }
    return sources
  }

  /// Sources with another proxy for feeds without their own.
  package func routed(by route: ProxyChoice) -> Sources {
    var sources = self
    sources.fetcher.route = { route }
    return sources
  }

  /// Sources with another `User-Agent`.
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

  /// A fetcher with the feed's own proxy and headers, the sign-in of its account, and, at the
  /// feed's origin, the feed's own password.
  func fetcher(for feed: Feed) -> Fetcher {
    var fetcher = fetcher(signing: feed.signIn)
    // An address whose password could not be moved to the secrets: documents that the feed names at
    // its server are requested with it, too.
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

  func connections(of feed: Feed) -> ConnectionPolicy {
    connections(to: feed.url, isUserEntered: feed.isUserEntered)
  }

  /// The hosts that a request may reach: the host of an entered address may be anywhere, this
  /// device included; all others must be public.
  func connections(to url: String, isUserEntered: Bool) -> ConnectionPolicy {
    guard isUserEntered, let host = WebAddress.host(of: url) else { return .publicOnly }
    return .typed(host: host)
  }
}

extension ProxyChoice {
  /// - Parameter password: for the user in the proxy's address.
  /// - Throws: `HTTPError` for an invalid address.
  package init(_ proxy: FeedProxy, password: String?) throws {
    switch proxy {
    case .direct: self = .direct
    case .via(let text): self = .via(try ProxyAddress(text).address(password: password))
    }
  }
}
