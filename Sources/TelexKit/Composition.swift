// TelexKit: what any front end needs. The front door is `Composition`, which puts the store, the sources and the
// repository together; every use case is a type that is made with it and returns values:
//
// - `Subscriptions`, `FeedAddition` (finding and adding a feed) and the lists of feeds (OPML),
// - `Articles`, `Comments`, `Outbox`, `ArticleImport`, and the snapshots that follow the store,
// - `FeedRefresh` and `FeedFetch`, `Logins` (accounts and sign-ins), `Doctor`.
//
// `Settings` are the values of `config.toml`; `Vault` holds the secrets. Nothing here prints.
// Where a comment says nothing else, errors are `SourceError` or `CancellationError`.

internal import Foundation
internal import HTTP
internal import NetworkMonitor
package import News
internal import Repository
internal import Secrets
internal import Services
internal import Store
internal import Text

/// The store, the sources, the repository and the vault, put together for a front end.
package struct Composition: Sendable {
  package let settings: Settings
  let store: Store
  let sources: Sources
  let repository: FeedRepository
  let signIns: SignIns
  let vault: Vault
  private let offline: OfflineSwitch
  /// Receives notices for the user, on any thread.
  let tell: @Sendable (Notice) -> Void
  /// Runs downloads; nil where another process does.
  let helper: HelperProcess?

  /// - Parameters:
  ///   - folder: of the store; nil for the default.
  ///   - program: the name of this program, for other processes that wait for it.
  ///   - deadline: of all requests, and of the wait for other processes.
  ///   - way: the proxy of feeds without their own; nil for that of the settings.
  ///   - tell: receives notices for the user, on any thread.
  package init(
    folder: String?, settings: Settings, program: String = "telex",
    deadline: ContinuousClock.Instant? = nil, way: ProxyChange? = nil, helper: HelperProcess? = nil,
    tell: @escaping @Sendable (Notice) -> Void
  ) throws {
    self.settings = settings
    self.tell = tell
    self.helper = helper
    let route = try way?.route
    let folder = folder ?? Folders.store
    let store = try Store(
      folder: folder, deadline: deadline, journalLimit: settings.journalLimit,
      joinsStories: settings.joinsStories
    ) {
      tell(.storeRepair(message: $0.message))
    } willWait: {
      tell(.storeWait(holder: $0))
    }
    let gate = OriginGate(settings.gate)
    let offline = OfflineSwitch(isOn: settings.isOffline)
    self.offline = offline
    let client = ResilientClient(try Self.httpClient(settings, offline), gate: gate)
    vault = Vault(
      folder: folder + "/secrets", settings: settings, deadline: deadline,
      onFallback: { tell(.secretFile(place: "\($0)")) },
      willWait: { tell(.signInWait(holder: $0)) })
    let passwords = vault
    let configured = settings.signIns
    signIns = SignIns(
      list: { try await store.view { try $0.allSignIns() }.completed(by: configured) },
      vault: vault.access,
      client: ResilientClient(try Self.httpClient(settings, offline), gate: gate)
    ) { signIn, request in
      if let route { return route }
      let feed = try await store.view { view in
        try view.feeds.all().first {
          $0.proxy != nil && HTTPURL.isSameOrigin($0.url, request.url) && $0.isReached(with: signIn)
        }
      }
      guard let feed, let proxy = feed.proxy else { return nil }
      return try ProxyChoice(proxy, password: await passwords.proxyPassword(of: feed))
    }
    self.store = store
    let all = Sources(
      client: client, limits: settings.limits, deadline: deadline,
      live: try settings.live.map { (try Self.httpClient(settings, offline), $0) },
      signIns: signIns,
      secrets: vault.feedSecrets, wires: FeedWires.installed,
      proxyPassword: { try await passwords.proxyPassword(of: $0) })
    sources = route.map(all.routed(by:)) ?? all
    var refresh = settings.refresh
    refresh.program = program
    refresh.deadline = deadline
    repository = FeedRepository(store: store, sources: sources, settings: refresh)
  }

  /// Sets the handler of repairs of a damaged store, also of those before this call.
  ///
  /// - Parameter handler: called on any thread.
  package func onRepair(_ handler: @escaping @Sendable (SourceError) -> Void) {
    let folder = store.folder
    store.onRecovery { handler($0.error(subject: folder)) }
  }

  /// Repairs a damaged store. Readable data is kept, with all marks; the damaged file is renamed.
  package func repair() async throws { _ = try await store.repair() }

  /// Lets the snapshots of the repository show changes by other processes.
  package func watchOtherProcesses() { store.watchOtherProcesses() }

  /// Follows the network and repeats what failed without one, until the task is cancelled.
  package func followNetwork() async {
    let states = NetworkMonitor().states().map { state in
      if case .online = state { try? Transfers(self).adopt() }
      return state
    }
    await repository.follow(states)
  }

  /// Whether the user has turned the network off.
  package var isOffline: Bool { offline.isOn }

  /// Turns the network off by the choice of the user, or on again. What waits then goes on as at the return of a network.
  ///
  /// - Throws: where the list of downloads cannot be changed; requests obey the choice all the same.
  package func setOffline(_ isOffline: Bool) async throws {
    offline.isOn = isOffline
    await repository.setOffline(isOffline)
    try isOffline ? Transfers(self).hold() : Transfers(self).adopt()
  }

  /// Waits while the system reports no network.
  ///
  /// - Parameters:
  ///   - limit: the longest wait; nil for none.
  ///   - willWait: called before a wait.
  package static func waitForNetwork(atMost limit: Duration?, willWait: () -> Void) async throws {
    guard await connectivity().isOffline else { return }
    willWait()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await state in NetworkMonitor().states() where !state.isOffline { return }
      }
      if let limit { group.addTask { try? await Task.sleep(for: limit) } }
      await group.next()
      group.cancelAll()
    }
    try Task.checkCancellation()
  }

  /// The state of the network, if that is known soon.
  static func connectivity() async -> Connectivity {
    await withTaskGroup(of: Connectivity?.self) { group in
      group.addTask {
        for await state in NetworkMonitor().states() { return state }
        return nil
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(2))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next().flatMap { $0 } ?? .unknown
    }
  }

  /// Whether a request has failed because this machine has no network, rather than because of its address.
  func lacksNetwork(_ error: SourceError) async -> Bool {
    guard error.isConnectivity else { return false }
    if error.kind == .offline || repository.isOffline { return true }
    guard let host = WebAddress.host(of: error.subject), !WebAddress.isLoopback(error.subject)
    else {
      return false
    }
    if await Self.connectivity() == .offline { return true }
    guard error.kind == .dns else { return false }
    // A wrong name has an answer. Without a way to whoever knows the names there is none.
    do {
      _ = try await NameLookup.addresses(of: host, limit: .seconds(2))
      return false
    } catch let error as HTTPError {
      return error.kind != .dns || error.detail == String(cString: gai_strerror(EAI_AGAIN))
    } catch {
      return false
    }
  }

  /// Completes the search index. A failure is repeated with the next refresh or start.
  package func completeIndex() async {
    try? await store.completeIndex()
    try? await store.orderTitles(begins: false)
  }

  /// Completes the order of titles for long lists. A failure is repeated the next time.
  package func orderTitles() async { try? await store.orderTitles(begins: true) }

  /// Trims the journal to the bound of the settings. A failure is repeated the next time.
  package func trimJournal() async {
    let limit = settings.journalLimit
    guard (try? await store.view({ try $0.journal.hasMore(beyond: limit) })) == true else { return }
    try? await store.edit { try $0.journal.trim() }
  }

  /// Sends changes by the user soon after they were made, until the task is cancelled.
  package func sendChanges() async { await repository.sending.follow() }

  /// Sends the last changes of the user before the program ends, within a time limit.
  package func finishSending(within limit: Duration) async {
    await repository.sending.finish(within: limit)
  }

  /// Receives live events until the task is cancelled.
  package func listen() async { await repository.listen() }

  /// Whether an access token is being renewed: ending the process would lose the new one, while the
  /// old one may be invalid already.
  package static var isRenewingSignIn: Bool { BearerSession.isRenewing }

  /// Signs in and keeps the account.
  @discardableResult
  func signIn(
    at url: String, user: String, secret: String, scheme: SignIn.Scheme? = nil,
    onPause: @escaping @Sendable (Duration) -> Void = { _ in }
  ) async throws -> SignIn {
    let origin = try SignIns.origin(of: url)
    let configured = settings.signIns
    var there = try await store.view { try $0.allSignIns() }.filter { $0.origin == origin }
    // A secret from before there could be several accounts is given its place while it is clear whose it is.
    for other in there where other.isOfAccount { _ = try? await vault.access.read(other) }
    let signIn = try await signIns.signIn(
      at: url, user: user, secret: secret, scheme: scheme, onPause: onPause)
    // The API of a server may lie at another origin than what was typed.
    there = try await store.view { try $0.allSignIns(evenFormer: true) }
      .filter { $0.origin == signIn.origin }
    let same = there.first { $0.isSame(as: signIn) }?.account
    // Local feeds have one credential at an origin: another one takes its place. Accounts stand side by
    // side.
    let others =
      signIn.isOfAccount ? [] : there.filter { !$0.isOfAccount && !$0.isSame(as: signIn) }
    for other in others { _ = try await signIns.signOut(other) }
    try await store.edit { edit in
      for other in others { try edit.remove(other) }
      guard let (service, base) = Sources.service(of: signIn) else {
        return try edit.signIns.save(signIn, now: Date())
      }
      // Feeds that were read here with a sign-in of the configuration stay with that one.
      for other in configured where other.origin == signIn.origin && !other.isSame(as: signIn) {
        guard let (service, base) = Sources.service(of: other) else { continue }
        try edit.accounts.save(service, base: base, user: other.user, now: Date())
      }
      if let same { try edit.accounts.setBase(base, of: same) }
      try edit.accounts.noteSignIn(
        to: edit.accounts.save(service, base: base, user: signIn.user, now: Date()))
    }
    signIns.forget(signIn)
    return signIn
  }

  package var pictureFiles: PictureFiles {
    PictureFiles(store: store.folder, mostBytes: settings.pictures.mostBytes)
  }

  /// Erases removed articles from the files of the store, and the pictures of removed feeds. A
  /// failure is a notice: the next refresh repeats it.
  ///
  /// - Throws: `CancellationError`.
  func eraseRemoved() async throws {
    await forgetPictures()
    do {
      try await store.erase()
    } catch let error as SourceError where error.kind != .cancelled {
      tell(.incompleteErasure(error))
    }
    tellOfDamaged()
  }

  /// Forgets removed feeds whose time to come back has ended. A failure is repeated by the next
  /// refresh.
  func expireRemovals() async {
    let time = Date.now
    guard (try? await store.view({ try $0.removals.hasExpired(now: time) })) == true,
      let expired = try? await store.edit({ try $0.removals.expire(now: time) })
    else { return }
    await forget(expired)
    await forgetPictures()
    await repository.secrets.forgetDiscarded()
  }

  private func forgetPictures() async {
    guard let feeds = try? await store.view({ try $0.feeds.all() }) else { return }
    pictureFiles.keepOnly(feeds: Set(feeds.map(\.id)))
  }

  /// Forgets the proxy passwords of feeds that cannot come back.
  func forget(_ feeds: [RemovedFeed]) async {
    for feed in feeds {
      try? await vault.forgetProxyPassword(
        of: Feed(id: feed.feed, url: feed.url, proxy: feed.proxy))
    }
  }

  /// Runs work that may end the time of removed feeds, and forgets the proxy passwords of those
  /// that cannot come back any more.
  func forgettingRemoved(_ work: () async throws -> Void) async throws {
    let before = try await store.view { try $0.removals.feeds() }
    try await work()
    let left = Set(try await store.view { try $0.removals.feeds() }.map(\.removal))
    await forget(before.filter { !left.contains($0.removal) })
  }

  /// Reports damaged databases that were kept by repairs: removed articles may still be in them.
  func tellOfDamaged() {
    for path in store.setAside { tell(.damagedStoreKept(path: path)) }
  }

  /// The sign-ins of the configuration, before those of the store, in the order of their origins.
  func allSignIns() throws -> [SignIn] {
    let configured = settings.signIns
    return try store.viewNow { try $0.allSignIns() }
      .completed(by: configured.sorted { $0.origin < $1.origin })
  }

  /// A client without an authorizer.
  static func client(_ settings: Settings) throws -> ResilientClient {
    ResilientClient(
      try httpClient(settings, OfflineSwitch(isOn: settings.isOffline)),
      gate: OriginGate(settings.gate))
  }

  /// A client with its own connections, so that feeds, sign-ins and live events do not wait for
  /// each other. No thread runs before the first request.
  private static func httpClient(
    _ settings: Settings, _ offline: OfflineSwitch
  ) throws -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.offline = offline
    configuration.userAgent = Version.userAgent
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
    // Connections for all feeds that the settings allow to be fetched at once.
    network.maxConnectionsPerHost = max(
      network.maxConnectionsPerHost, settings.refresh.perHost)
    network.maxConnections = max(network.maxConnections, settings.refresh.concurrent)
    return HTTPClient(transport: CurlTransport(network), configuration: configuration)
  }
}

extension StoreView {
  /// The stored sign-ins of accounts, and the credentials of local feeds.
  ///
  /// - Parameter evenFormer: whether accounts count whose users have signed out.
  func allSignIns(evenFormer: Bool = false) throws -> [SignIn] {
    let accounts = try accounts.all()
      .compactMap(evenFormer ? Sources.signIn(ofFormer:) : Sources.signIn(of:))
    return (accounts + (try signIns.all())).sorted {
      ($0.origin, $0.user) < ($1.origin, $1.user)
    }
  }
}

extension Feed {
  /// Whether a sign-in uses the feed's proxy: one of its account, or of the same user who signs in
  /// anew.
  fileprivate func isReached(with signIn: SignIn) -> Bool {
    if let id = signIn.account { return account.id == id }
    return account.user.isEmpty || account.user == signIn.user
  }
}

extension [SignIn] {
  /// Sign-ins of a store followed by those of the configuration, which replace the same user's and
  /// a stored credential at their origin.
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
  /// Removes a sign-in with its account and its outbox.
  func remove(_ signIn: SignIn) throws {
    if let account = signIn.account {
      try accounts.remove(account)
    } else {
      try signIns.remove(at: signIn.origin)
    }
  }
}
