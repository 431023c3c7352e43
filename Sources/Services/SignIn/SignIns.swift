internal import Foundation
package import HTTP
package import News
internal import Synchronization

/// Storage of secrets: the device's keyring, a file, or a command that prints them.
package struct SecretVault: Sendable {
  /// Nil where there is none. Throws `SourceError` of kind `secret` where one cannot be read now,
  /// as from a locked keyring, and no command prints it.
  package var read: @Sendable (SignIn) async throws -> String?
  package var write: @Sendable (String, SignIn) async throws -> Void
  package var remove: @Sendable (SignIn) async throws -> Void
  /// The password of an account that a command prints; nil for others.
  package var password: @Sendable (SignIn) async throws -> String?
  /// Runs the work while no other process uses the tokens of this account. The wait for others has
  /// no limit, but may end with an error.
  package var exclusively: @Sendable (SignIn, _ work: Work) async throws -> Void
  /// The other process that delays such work, as an error; nil for none.
  package var holdUp: @Sendable (SignIn) -> SourceError?

  package typealias Work = @Sendable () async throws -> Void

  package init(
    read: @escaping @Sendable (SignIn) async throws -> String?,
    write: @escaping @Sendable (String, SignIn) async throws -> Void,
    remove: @escaping @Sendable (SignIn) async throws -> Void,
    password: @escaping @Sendable (SignIn) async throws -> String? = { _ in nil },
    exclusively: @escaping @Sendable (SignIn, _ work: Work) async throws -> Void = {
      try await $1()
    },
    holdUp: @escaping @Sendable (SignIn) -> SourceError? = { _ in nil }
  ) {
    self.read = read
    self.write = write
    self.remove = remove
    self.password = password
    self.exclusively = exclusively
    self.holdUp = holdUp
  }
}

/// All sign-ins: finds the credential for each request by its account and origin. Each account has
/// its own session, whose tokens are renewed once at a time.
package final class SignIns: Sendable {
  /// The time for getting or renewing tokens, with attempts and waits. Waits for other processes
  /// are longer.
  static let timeLimit: Duration = .seconds(30)
  /// The time after which changes by other processes are seen.
  private static let memory: Duration = .seconds(1)

  private struct State {
    var table = SignInTable()
    /// By origin, in this process.
    var latest: [String: SignIn] = [:]
    var read: ContinuousClock.Instant?
    /// Counts changes that invalidate a list that was read before.
    var generation = 0
    var signed: [SignIn: Authorization] = [:]
  }

  let list: @Sendable () async throws -> [SignIn]
  let vault: SecretVault
  private let client: ResilientClient
  private let route: Route
  private let state = Mutex(State())

  /// - Parameters:
  ///   - list: the stored sign-ins, those of the configuration last.
  ///   - client: sends the requests of signing in, without an authorizer.
  ///   - route: the proxy of such a request; nil for that of the settings.
  package init(
    list: @escaping @Sendable () async throws -> [SignIn], vault: SecretVault,
    client: ResilientClient, route: @escaping Route = { _, _ in nil }
  ) {
    self.list = list
    self.vault = vault
    self.client = client
    self.route = route
  }

  /// The proxy of a request for signing in; nil for that of the settings.
  package typealias Route = @Sendable (SignIn, HTTPRequest) async throws -> ProxyChoice?

  /// The client for one sign-in, with its own proxy.
  func client(for signIn: SignIn) -> ResilientClient {
    let route = route
    return ResilientClient(
      client.client.routed { try await route(signIn, $0) }, gate: client.gate,
      retries: client.retries)
  }

  /// The authorizer of an account or a search.
  package func authorizer(for signer: Signer) -> any Authorizer {
    SignerAuthorizer(signIns: self, signer: signer)
  }

  /// The sign-in of a request to an address.
  ///
  /// - Throws: `SourceError` where the user has to choose one of several.
  package func signIn(at url: String, for signer: Signer) async throws -> SignIn? {
    guard let url = try? HTTPURL(url) else { return nil }
    return try await signIn(at: url, for: signer)
  }

  fileprivate func authorization(
    for url: HTTPURL, by signer: Signer
  ) async throws -> Authorization? {
    guard let signIn = try await signIn(at: url, for: signer) else { return nil }
    return try await authorization(by: signIn)
  }

  /// Nil for an account whose service signs its own requests.
  func authorization(by account: SignIn) async throws -> Authorization? {
    let origin = account.origin
    // Checked here, on every path to the network.
    let address = try HTTPURL(origin)
    guard address.isSecure || address.isLoopback else {
      throw HTTPError(
        .badRequest,
        "You are signed in to \(address.host), and a credential is not sent over plain http.",
        host: address.host)
    }
    if let known = state.withLock({ $0.signed[account] }) { return known }
    let found: Authorization
    switch account.scheme {
    case .bearer(let base): found = .bearer(session(of: account, base: base))
    case .syncServer, .folder: return nil
    case .basic, .apiKey:
      guard let secret = try await vault.read(account) else {
        throw HTTPError.missingPassword(at: (try? HTTPURL(origin).host) ?? origin)
      }
      found = .credential(Credential(account, secret: secret))
    }
    // Concurrent requests share the first result.
    return state.withLock { state in
      let kept = state.signed[account] ?? found
      state.signed[account] = kept
      return kept
    }
  }

  /// The stored password of an account, or the output of its command.
  func password(of account: SignIn) async throws -> String? {
    if let kept = try await vault.read(account) { return kept }
    return try await vault.password(account)
  }

  /// Forgets the refused secret of an origin, since another process may have changed it. Sessions
  /// notice by themselves.
  fileprivate func refused(at origin: String) {
    state.withLock { state in
      state.signed = state.signed.filter { account, authorization in
        guard case .credential = authorization else { return true }
        return account.origin != origin
      }
    }
  }

  /// Notes the latest sign-in at an origin.
  func note(_ signIn: SignIn) {
    forget(signIn)
    state.withLock { $0.latest[signIn.origin] = signIn }
  }

  /// Notes a sign-out.
  func noteEnd(of signIn: SignIn) {
    forget(signIn)
    state.withLock { state in
      if state.latest[signIn.origin]?.isSame(as: signIn) == true {
        state.latest[signIn.origin] = nil
      }
    }
  }

  /// Forgets the state of a sign-in after a change by the user. Others stay.
  package func forget(_ signIn: SignIn) {
    state.withLock { state in
      state.read = nil
      state.generation += 1
      state.signed = state.signed.filter { !$0.key.isSame(as: signIn) }
    }
  }

  private func signIn(at url: HTTPURL, for signer: Signer) async throws -> SignIn? {
    let now = ContinuousClock.now
    let isKnown = state.withLock { state in state.read.map { now - $0 < Self.memory } ?? false }
    if !isKnown {
      let generation = state.withLock { $0.generation }
      let accounts = try await list()
      state.withLock { state in
        // A sign-in or sign-out happened meanwhile: the list counts for this request alone.
        guard state.generation == generation else { return state.table = SignInTable(accounts) }
        state.table = SignInTable(accounts)
        state.read = now
        // Sign-outs, here or elsewhere, leave nothing behind.
        let current = Set(accounts)
        state.signed = state.signed.filter { current.contains($0.key) }
      }
    }
    return try state.withLock { state in
      try state.table.signIn(at: url, for: signer, latest: state.latest[url.origin])
    }
  }

  private func session(of account: SignIn, base: String) -> BearerSession {
    let (vault, client) = (vault, client(for: account))
    return BearerSession(
      backing: BearerSession.Backing(
        load: {
          let stored = try await vault.read(account)
          if let pair = stored.flatMap(TokenPair.init(secret:)) { return pair }
          guard let password = try await vault.password(account) else {
            guard stored != nil else { return nil }
            throw SourceError(
              .secret, stage: .config, subject: account.origin,
              message: "the secret that is kept for this account cannot be read",
              next: "sign in there again", status: 401)
          }
          let pair = try await client.signIn(account.user, password, base: base)
          try await vault.write(pair.secret, account)
          return pair
        },
        save: { pair in
          if let pair {
            try await vault.write(pair.secret, account)
          } else {
            try await vault.remove(account)
          }
        },
        renew: { pair in
          let endpoint = try FeedAPICatalogue.renew(pair.refreshToken, key: pair.renewalKey)
          let session = try await client.value(of: endpoint, base: base) {
            $0.limits.total = Self.timeLimit
            $0.staysAtOrigin = true
          }
          return TokenPair(session, now: Date())
        },
        exclusively: { work in try await vault.exclusively(account, work) },
        holdUp: { vault.holdUp(account) }),
      host: (try? HTTPURL(base).host) ?? base)
  }
}

private struct SignerAuthorizer: Authorizer {
  let signIns: SignIns
  let signer: Signer

  func authorization(for url: HTTPURL) async throws -> Authorization? {
    try await signIns.authorization(for: url, by: signer)
  }

  func refused(at origin: String) { signIns.refused(at: origin) }
}
