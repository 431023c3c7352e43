internal import Foundation
internal import HTTP
internal import NetworkMonitor
package import News
internal import Repository
internal import Secrets
internal import Services
internal import Store

/// Puts the parts together: the one place that knows them all.
package struct Composition: Sendable {
  package let settings: Settings
  let store: Store
  let sources: Sources
  let repository: FeedRepository
  let signIns: SignIns
  let vault: Vault
  /// Told what a user should hear of meanwhile, on any thread.
  let tell: @Sendable (Notice) -> Void

  /// - Parameters:
  ///   - folder: the store's; nil for the usual one.
  ///   - program: what other processes are told that wait for this one.
  ///   - deadline: bounds everything that the network is asked for, and the wait for other processes.
  ///   - way: that of all requests of this process, but those of feeds with their own; nil for
  ///     that of the settings.
  ///   - tell: told what a user should hear of meanwhile, on any thread.
  package init(
    folder: String?, settings: Settings, program: String = "telex",
    deadline: ContinuousClock.Instant? = nil, way: ProxyWish? = nil,
    tell: @escaping @Sendable (Notice) -> Void
  ) throws {
    self.settings = settings
    self.tell = tell
    let route = try way?.route
    let folder = folder ?? Folders.store
    let store = try Store(folder: folder, deadline: deadline) { articles in
      if articles >= 10_000 { tell(.storeConversion(articles: articles)) }
    } willHeal: {
      tell(.storeRepair(message: $0.message))
    } willWait: {
      tell(.storeWait(holder: $0))
    }
    let gate = OriginGate(settings.gate)
    let client = ResilientClient(try Self.httpClient(settings), gate: gate)
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
      list: { try await store.view { try $0.allSignIns() }.completed(by: configured) },
      vault: vault.access,
      client: ResilientClient(signIn, gate: gate))
    self.store = store
    let all = Sources(
      client: client, limits: settings.limits, deadline: deadline,
      live: try settings.live.map { (try Self.httpClient(settings), $0) }, signIns: signIns,
      secrets: vault.feedSecrets,
      proxyPassword: { try await passwords.proxyPassword(of: $0) })
    sources = route.map(all.routed(by:)) ?? all
    var refresh = settings.refresh
    refresh.program = program
    refresh.deadline = deadline
    repository = FeedRepository(store: store, sources: sources, settings: refresh)
  }

  /// Hands on what is done from now on about a store that is found damaged, and what was done before.
  ///
  /// - Parameter handler: called on any thread.
  package func onRepair(_ handler: @escaping @Sendable (SourceError) -> Void) {
    let folder = store.folder
    store.onRecovery { handler($0.error(subject: folder)) }
  }

  /// Saves what can be read of a damaged store, with all marks; the damaged file is kept.
  package func repair() async throws { _ = try await store.repair() }

  /// Lets the snapshots of the repository show what other processes change in the store.
  package func watchOtherProcesses() { store.watchOtherProcesses() }

  /// Follows whether there is a network, and does again what failed for want of it, until the task is
  /// cancelled.
  package func followNetwork() async { await repository.follow(NetworkMonitor().states()) }

  /// Listens to the servers that tell by themselves what is new, until the task is cancelled.
  package func listen() async { await repository.listen() }

  /// Takes what was removed out of the files, in silence: what fails is done after the next refresh.
  package func eraseQuietly() async { try? await store.erase() }

  /// Whether a token is being renewed: the old one may be spent by now, and the new one would be lost
  /// with the process.
  package static var isRenewingSignIn: Bool { BearerSession.isRenewing }

  /// Signs in and keeps the account.
  @discardableResult
  func signIn(
    at url: String, user: String, secret: String, scheme: SignIn.Scheme? = nil
  ) async throws -> SignIn {
    let origin = try SignIns.origin(of: url)
    let configured = settings.accounts.map { origin, account in account.account(at: origin) }
    let there = try await store.view { try $0.allSignIns() }.filter { $0.origin == origin }
    // A secret from before there could be several accounts is given its place while it is clear whose it is.
    for other in there where other.isOfAccount { _ = try? await vault.access.read(other) }
    let signIn = try await signIns.signIn(at: url, user: user, secret: secret, scheme: scheme)
    let same = there.first { $0.isSame(as: signIn) }?.account
    // Local feeds have one credential at an origin: another one takes its place. Accounts stand side by
    // side.
    let others =
      signIn.isOfAccount ? [] : there.filter { !$0.isOfAccount && !$0.isSame(as: signIn) }
    for other in others { _ = try await signIns.signOut(other) }
    try await store.edit { edit in
      for other in others { try edit.remove(other) }
      guard let (service, base) = Sources.service(of: signIn) else {
        return try edit.save(signIn, now: Date())
      }
      // Feeds that were read here with a sign-in of the configuration stay with that one.
      for other in configured where other.origin == origin && !other.isSame(as: signIn) {
        guard let (service, base) = Sources.service(of: other) else { continue }
        try edit.save(service, base: base, user: other.user, now: Date())
      }
      if let same { try edit.setBase(base, of: same) }
      try edit.save(service, base: base, user: signIn.user, now: Date())
    }
    signIns.forget(signIn)
    return signIn
  }

  /// Takes what was removed out of the files. A failure is a notice: the next refresh does it again.
  ///
  /// - Throws: `CancellationError`.
  func eraseRemoved() async throws {
    do {
      try await store.erase()
    } catch let error as SourceError where error.kind != .cancelled {
      tell(.incompleteErasure(error))
    }
    tellOfDamaged()
  }

  /// What was taken out of the store may still be in a damaged one of before, which is never deleted.
  func tellOfDamaged() {
    for path in store.setAside { tell(.damagedStoreKept(path: path)) }
  }

  /// Where somebody is signed in, by a verb or by the configuration, which goes before; in the order of the
  /// origins.
  func allSignIns() throws -> [SignIn] {
    let configured = settings.accounts.map { origin, account in account.account(at: origin) }
    return try store.viewNow { try $0.allSignIns() }
      .completed(by: configured.sorted { $0.origin < $1.origin })
  }

  /// Without an authorizer.
  static func client(_ settings: Settings) throws -> ResilientClient {
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
  func allSignIns() throws -> [SignIn] {
    (try accounts().compactMap(Sources.signIn(of:)) + signIns()).sorted {
      ($0.origin, $0.user) < ($1.origin, $1.user)
    }
  }
}

extension [SignIn] {
  /// Those of a store with those of the configuration behind them, which take the place of the same user's,
  /// and of a stored credential at their origin.
  func completed(by configured: [SignIn]) -> [SignIn] {
    let configured = configured.map { signIn in
      var signIn = signIn
      signIn.account = first { $0.isSame(as: signIn) }?.account
      return signIn
    }
    return filter { stored in
      !configured.contains {
        $0.isSame(as: stored)
          || ($0.origin == stored.origin && !$0.isOfAccount && !stored.isOfAccount)
      }
    } + configured
  }
}

extension StoreEdit {
  /// Removes a sign-in with its account, where it has one, and with what waits to be sent in its name.
  func remove(_ signIn: SignIn) throws {
    if let account = signIn.account {
      try remove(account)
    } else {
      try removeSignIn(at: signIn.origin)
    }
  }
}
