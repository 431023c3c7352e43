internal import Foundation
package import HTTP
package import News
package import Repository
internal import Secrets
package import Services
package import Store

/// Puts the parts together: the one place that knows them all.
package struct Composition: Sendable {
  package let settings: Settings
  package let store: Store
  package let sources: Sources
  package let repository: FeedRepository
  package let signIns: SignIns
  package let vault: Vault
  /// Told what a user should hear of meanwhile, on any thread.
  package let tell: @Sendable (Notice) -> Void

  /// - Parameters:
  ///   - folder: the store's; nil for the usual one.
  ///   - program: what other processes are told that wait for this one.
  ///   - deadline: bounds everything that the network is asked for, and the wait for other processes.
  ///   - route: the way of all requests of this process, but those of feeds with their own; nil for
  ///     that of the settings.
  ///   - tell: told what a user should hear of meanwhile, on any thread.
  package init(
    folder: String?, settings: Settings, program: String = "telex",
    deadline: ContinuousClock.Instant? = nil, route: ProxyChoice? = nil,
    tell: @escaping @Sendable (Notice) -> Void
  ) throws {
    self.settings = settings
    self.tell = tell
    let folder = folder ?? Folders.store
    let store = try Store(folder: folder, deadline: deadline) { articles in
      if articles >= 10_000 { tell(.storeConversion(articles: articles)) }
    } willHeal: {
      tell(.storeRepair(message: $0.message))
    } willWait: {
      tell(.storeWait(holder: $0))
    }
    let gate = OriginGate(settings.gate)
    var client = ResilientClient(try Self.httpClient(settings), gate: gate)
    vault = Vault(
      folder: folder + "/secrets", settings: settings, deadline: deadline,
      onFallback: { tell(.secretFile(place: "\($0)")) },
      willWait: { tell(.signInWait(holder: $0)) })
    let passwords = vault
    let configured = settings.accounts.map { origin, account in account.account(at: origin) }
    // Signing in at a server goes the way that its feeds go.
    let signIn = try Self.httpClient(settings).routed { request in
      if let route { return route }
      let feed = try await store.view { view in
        try view.feeds().first { feed in
          feed.proxy != nil && HTTPURL.isSameOrigin(feed.url, request.url)
        }
      }
      guard let feed, let proxy = feed.proxy else { return nil }
      return try ProxyChoice(proxy, password: await passwords.proxyPassword(of: feed))
    }
    signIns = SignIns(
      list: { try await store.view { try $0.allSignIns() } + configured }, vault: vault.access,
      client: ResilientClient(signIn, gate: gate))
    client.authorizer = signIns
    self.store = store
    let all = Sources(
      client: client, limits: settings.limits, deadline: deadline,
      live: try settings.live.map { (try Self.httpClient(settings), $0) },
      secrets: vault.feedSecrets,
      proxyPassword: { try await passwords.proxyPassword(of: $0) })
    sources = route.map(all.routed(by:)) ?? all
    var refresh = settings.refresh
    refresh.program = program
    refresh.deadline = deadline
    repository = FeedRepository(store: store, sources: sources, settings: refresh)
  }

  /// Signs in and keeps the account.
  @discardableResult
  package func signIn(
    at url: String, user: String, secret: String, scheme: SignIn.Scheme? = nil
  ) async throws -> SignIn {
    let signIn = try await signIns.signIn(at: url, user: user, secret: secret, scheme: scheme)
    let there = try await store.view { try $0.allSignIns() }.filter { $0.origin == signIn.origin }
    // Whose secret lies in the same place is the same person, at another base of the server.
    let others = there.filter { !$0.sharesSecret(with: signIn) }
    let same = there.first { $0.sharesSecret(with: signIn) }?.account
    // Somebody else was signed in there: what waits to be sent in that name is not sent in this one.
    for other in others { _ = try await signIns.signOut(other) }
    try await store.edit { edit in
      for other in others { try edit.remove(other) }
      guard let (service, base) = Sources.service(of: signIn) else {
        return try edit.save(signIn, now: Date())
      }
      if let same { try edit.setBase(base, of: same) }
      try edit.save(service, base: base, user: signIn.user, now: Date())
    }
    signIns.forget(signIn.origin)
    return signIn
  }

  /// Takes what was removed out of the files. A failure is a notice: the next refresh does it again.
  ///
  /// - Throws: `CancellationError`.
  package func eraseRemoved() async throws {
    do {
      try await store.erase()
    } catch let error as SourceError where error.kind != .cancelled {
      tell(.incompleteErasure(error))
    }
    tellOfDamaged()
  }

  /// What was taken out of the store may still be in a damaged one of before, which is never deleted.
  package func tellOfDamaged() {
    for path in store.setAside { tell(.damagedStoreKept(path: path)) }
  }

  /// Where somebody is signed in, by a verb or by the configuration, which goes before.
  package func allSignIns() throws -> [SignIn] {
    let configured = settings.accounts.map { origin, account in account.account(at: origin) }
    let origins = Set(configured.map(\.origin))
    return try store.viewNow { try $0.allSignIns() }.filter { !origins.contains($0.origin) }
      + configured.sorted { $0.origin < $1.origin }
  }

  /// Without an authorizer.
  package static func client(_ settings: Settings) throws -> ResilientClient {
    ResilientClient(try httpClient(settings), gate: OriginGate(settings.gate))
  }

  /// Connections of its own: feeds, signing in and listening do not wait for each other. No thread
  /// runs before the first request.
  private static func httpClient(_ settings: Settings) throws -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "Telex/\(Version.current)"
    configuration.acceptLanguage = AcceptLanguage.value(
      environment: Environment.values(of: AcceptLanguage.variables))
    if let path = settings.logFile {
      do {
        configuration.middlewares = [try HTTPLog(path: path).middleware]
      } catch let error as HTTPError {
        throw SourceError(
          .file, stage: .config, subject: path, message: error.message,
          next: "name another file with network.log, or none")
      }
    }
    var network = CurlTransport.Configuration(
      caFile: settings.caFile, proxy: settings.proxies)
    network.pins = settings.pins
    network.minTLS = settings.minTLS
    network.clientCertificates = settings.clientCertificates
    // Who lets more feeds be fetched at once has no use for their waiting in a line here.
    network.maxConnectionsPerHost = max(
      network.maxConnectionsPerHost, settings.refresh.perHost)
    network.maxConnections = max(network.maxConnections, settings.refresh.concurrent)
    return HTTPClient(transport: CurlTransport(network), configuration: configuration)
  }
}

package enum Version {
  package static let current = "0.1.0"
}

extension StoreView {
  /// The sign-ins that are stored: those of accounts, and the credentials of local feeds.
  package func allSignIns() throws -> [SignIn] {
    (try accounts().compactMap(Sources.signIn(of:)) + signIns()).sorted {
      ($0.origin, $0.user) < ($1.origin, $1.user)
    }
  }
}

extension StoreEdit {
  /// Removes a sign-in with its account, where it has one, and with what waits to be sent in its name.
  package func remove(_ signIn: SignIn) throws {
    if let account = signIn.account {
      try remove(account)
    } else {
      try removeSignIn(at: signIn.origin)
    }
  }
}
