// Services: the sources of articles.
//
// The front door is `Sources`, which knows for each account what serves it: `LocalAccount` for feeds
// on the web and in files, `FeedAPIAccount` for the cursor-paged API. Errors of the network and of the
// parser leave here as `SourceError`.

internal import Foundation
package import HTTP
package import News
package import Text

/// All sources, sharing one client.
package struct Sources: NewsSources {
  var fetcher: Fetcher
  let signIns: SignIns?
  /// The user whose sign-in opens what is looked for at an address; nil where nobody was named.
  private(set) var user: String?
  private let secrets: FeedSecrets
  /// The password of a feed's proxy, where that has one.
  private let proxyPassword: @Sendable (Feed) async throws -> String?
  let live: (client: HTTPClient, wire: LiveClient.Wire)?

  /// - Parameters:
  ///   - limits: of every request.
  ///   - deadline: bounds everything that is fetched, waits and retries included; for a command
  ///     with a time limit of its own.
  ///   - live: listens to what servers tell by themselves. Its connections last, so that they should
  ///     not be those of `client`. nil for not listening.
  ///   - signIns: sign the requests of each account with its own sign-in; nil for the authorizer of
  ///     `client`.
  ///   - secrets: where the passwords of single feeds lie.
  ///   - proxyPassword: looks up the password of the proxy that a feed has for itself.
  package init(
    client: ResilientClient, limits: HTTPLimits = HTTPLimits(),
    deadline: ContinuousClock.Instant? = nil,
    live: (client: HTTPClient, wire: LiveClient.Wire)? = nil, signIns: SignIns? = nil,
    secrets: FeedSecrets = .none,
    proxyPassword: @escaping @Sendable (Feed) async throws -> String? = { _ in nil }
  ) {
    self.live = live
    self.signIns = signIns
    self.secrets = secrets
    self.proxyPassword = proxyPassword
    fetcher = Fetcher(client: client, limits: limits, deadline: deadline)
    if let signIns { fetcher.client.authorizer = signIns.authorizer(for: .user(nil)) }
  }

  /// The same sources, with the sign-in of a user for what is looked for at an address: where several are
  /// signed in, one has to be named.
  package func acting(for user: String) -> Sources {
    var sources = self
    sources.user = user
    if let signIns { sources.fetcher.client.authorizer = signIns.authorizer(for: .user(user)) }
    return sources
  }

  /// The same sources, with every request that is not of a feed with a proxy of its own on this way.
  package func routed(by route: ProxyChoice) -> Sources {
    var sources = self
    sources.fetcher.route = { route }
    return sources
  }

  package func onWay(of feed: Feed) -> any NewsSources {
    var sources = self
    sources.fetcher.route = route(of: feed)
    return sources
  }

  /// By the feed's own proxy, where it has one.
  private func route(of feed: Feed) -> @Sendable () async throws -> ProxyChoice? {
    guard let proxy = feed.proxy else { return fetcher.route }
    let password = proxyPassword
    return { try await ProxyChoice(proxy, password: password(feed)) }
  }

  package func reopen(_ feeds: [Feed]) { fetcher.client.gate.reopen(feeds.map(\.url)) }

  package func reopenAll() { fetcher.client.gate.reopenAll() }

  package func keep(_ user: AddressUser) async throws -> FeedSignIn {
    let signIn = FeedSignIn(
      origin: user.origin, user: user.user, key: UUID().uuidString.lowercased())
    try await secrets.keep(user.password, signIn)
    return signIn
  }

  package func forget(_ signIn: FeedSignIn) async throws { try await secrets.remove(signIn) }

  /// Goes the feed's own way, and signs with the sign-in of the feed's account; what is asked of the feed's
  /// own origin, with the feed's own password.
  func fetcher(for feed: Feed) -> Fetcher {
    var fetcher = fetcher(signing: feed.signIn)
    fetcher.route = route(of: feed)
    if let signIns { fetcher.client.authorizer = signIns.authorizer(for: .account(feed.account)) }
    return fetcher
  }

  func fetcher(signing signIn: FeedSignIn?) -> Fetcher {
    var fetcher = fetcher
    fetcher.signature = signIn.map { .kept($0, secrets) }
    return fetcher
  }

  /// A typed host may be anywhere, this machine included; what others have written may lead to
  /// public addresses only.
  func connections(to url: String, isUserEntered: Bool) -> ConnectionPolicy {
    guard isUserEntered, let host = WebAddress.host(of: url) else { return .publicOnly }
    return .typed(host: host)
  }
}

extension ProxyChoice {
  /// - Parameter password: for the user in the proxy's address.
  /// - Throws: `HTTPError` where the address is none.
  package init(_ proxy: FeedProxy, password: String?) throws {
    switch proxy {
    case .direct: self = .direct
    case .via(let text): self = .via(try ProxyAddress(text).address(password: password))
    }
  }
}
