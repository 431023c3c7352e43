internal import Foundation
package import HTTP
package import News
internal import Synchronization
internal import Text

/// Where secrets lie: the machine's keyring, a file, or a command that prints them.
package struct SecretVault: Sendable {
  package var read: @Sendable (SignIn) async throws -> String?
  package var write: @Sendable (String, SignIn) async throws -> Void
  package var remove: @Sendable (SignIn) async throws -> Void
  /// The password of an account that is not stored, because a command prints it; nil for others.
  package var password: @Sendable (SignIn) async throws -> String?
  /// Runs the work while no other process does anything to the tokens of this account. It is not run
  /// while another does, however long that takes; the wait may end with an error.
  package var exclusively: @Sendable (SignIn, _ work: Work) async throws -> Void
  /// Which other process keeps such work of this account from beginning, as an error; nil where none does.
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

/// Who is signed in where: finds the credential for each request, by the account that it is for and the
/// origin that it goes to. Each account has a session of its own, with tokens that are renewed once at a
/// time.
package final class SignIns: Sendable {
  /// How long a server may take to give tokens or to renew them, attempts and waits included. What
  /// waits for another process to do so waits longer.
  fileprivate static let patience: Duration = .seconds(30)
  /// What other processes change is seen after so long.
  private static let memory: Duration = .seconds(1)

  private struct State {
    var table = SignInTable()
    /// Who has signed in last in this process, by origin.
    var latest: [String: SignIn] = [:]
    var read: ContinuousClock.Instant?
    var signed: [SignIn: Authorization] = [:]
  }

  private let list: @Sendable () async throws -> [SignIn]
  private let vault: SecretVault
  /// Without an authorizer: it gets the tokens themselves.
  private let client: ResilientClient
  private let state = Mutex(State())

  /// - Parameters:
  ///   - list: the sign-ins as they are stored, those of the configuration last.
  ///   - client: sends the requests of signing in; those to be signed go through another.
  package init(
    list: @escaping @Sendable () async throws -> [SignIn], vault: SecretVault,
    client: ResilientClient
  ) {
    self.list = list
    self.vault = vault
    self.client = client
  }

  /// What signs the requests of an account, or of a search for feeds.
  package func authorizer(for signer: Signer) -> any Authorizer {
    SignerAuthorizer(signIns: self, signer: signer)
  }

  /// The sign-in that opens what a user looks for at an address; nil where there is none.
  ///
  /// - Throws: `SourceError` where the user has to say which of several is meant.
  package func signIn(at url: String, for user: String?) async throws -> SignIn? {
    guard let origin = try? Self.origin(of: url) else { return nil }
    return try await signIn(at: origin, for: Signer.user(user))
  }

  fileprivate func authorization(
    for origin: String, by signer: Signer
  ) async throws -> Authorization? {
    guard let signIn = try await signIn(at: origin, for: signer) else { return nil }
    return try await authorization(by: signIn)
  }

  private func authorization(by account: SignIn) async throws -> Authorization {
    let origin = account.origin
    // Here, so that no way to the wire goes around it.
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
    case .basic, .apiKey:
      guard let secret = try await vault.read(account) else {
        var error = HTTPError(
          .status, "The password for \(account.origin) is not in the keyring any more.",
          host: (try? HTTPURL(origin).host) ?? "")
        error.status = 401
        throw error
      }
      found = .credential(Credential(account, secret: secret))
    }
    // Two that come together share what the first has made.
    return state.withLock { state in
      let kept = state.signed[account] ?? found
      state.signed[account] = kept
      return kept
    }
  }

  /// What was sent to an origin was refused: it is looked up again, another process may have changed
  /// it. A session finds that out by itself.
  fileprivate func refused(at origin: String) {
    state.withLock { state in
      state.signed = state.signed.filter { account, authorization in
        guard case .credential = authorization else { return true }
        return account.origin != origin
      }
    }
  }

  /// Forgets what it knows of a sign-in: the user has signed in or out there. Others stay as they are.
  package func forget(_ signIn: SignIn) {
    state.withLock { state in
      state.read = nil
      state.signed = state.signed.filter { !$0.key.isSame(as: signIn) }
    }
  }

  private func signIn(at origin: String, for signer: Signer) async throws -> SignIn? {
    let now = ContinuousClock.now
    let isKnown = state.withLock { state in state.read.map { now - $0 < Self.memory } ?? false }
    if !isKnown {
      let accounts = try await list()
      state.withLock { state in
        state.table = SignInTable(accounts)
        state.read = now
        // One that has signed out, here or elsewhere, leaves nothing behind.
        let current = Set(accounts)
        state.signed = state.signed.filter { current.contains($0.key) }
      }
    }
    return try state.withLock { state in
      try state.table.signIn(at: origin, for: signer, latest: state.latest[origin])
    }
  }

  private func session(of account: SignIn, base: String) -> BearerSession {
    let (vault, client) = (vault, client)
    return BearerSession(
      backing: BearerSession.Backing(
        load: {
          if let stored = try await vault.read(account) { return TokenPair(secret: stored) }
          guard let password = try await vault.password(account) else { return nil }
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
          let renewal = FeedAPICatalogue.Renewal(refreshToken: pair.refreshToken)
          let endpoint = try FeedAPICatalogue.renew(renewal, key: pair.renewalKey)
          let session = try await client.value(of: endpoint, base: base) {
            $0.limits.total = Self.patience
            $0.staysAtOrigin = true
          }
          return TokenPair(session, now: Date())
        },
        exclusively: { work in try await vault.exclusively(account, work) },
        holdUp: { vault.holdUp(account) }),
      host: (try? HTTPURL(base).host) ?? base)
  }
}

/// The sign-ins as a client asks for them.
private struct SignerAuthorizer: Authorizer {
  let signIns: SignIns
  let signer: Signer

  func authorization(for origin: String) async throws -> Authorization? {
    try await signIns.authorization(for: origin, by: signer)
  }

  func refused(at origin: String) { signIns.refused(at: origin) }
}

// MARK: - Signing in and out

extension SignIns {
  /// Signs in at an address: asks the server whether it takes the secret, and keeps it in the vault.
  /// The account has to be stored by the caller.
  ///
  /// Only the origin itself can say that it takes the secret: redirects to another one are refused, and
  /// an address that answers without the secret too proves nothing. Until it is proven nothing is
  /// kept, and what was kept before stays.
  ///
  /// - Parameter scheme: nil to find out: the Feed API's tokens where the address is one, else Basic.
  /// - Throws: `SourceError`, with status 401 where the server does not take it; nothing is kept then.
  package func signIn(
    at url: String, user: String, secret: String, scheme: SignIn.Scheme?
  ) async throws -> SignIn {
    do {
      return try await signedIn(at: url, user: user, secret: secret, scheme: scheme)
    } catch let error as HTTPError {
      var told = SourceError(error, url: url)
      if error.status == 401 { told.next = "check the name and the password" }
      if error.kind == .insecureRedirect {
        told.next = "if you trust the server it leads to, sign in there"
      }
      throw told
    }
  }

  private func signedIn(
    at url: String, user: String, secret: String, scheme: SignIn.Scheme?
  ) async throws -> SignIn {
    let url = WebAddress.withoutUser(url)
    let address = try HTTPURL(url)
    guard address.isSecure || address.isLoopback else {
      throw HTTPError(
        .badRequest, "A password is not sent to \(address.host) over plain http.",
        host: address.host)
    }
    let found = try await found(scheme, at: url)
    let account = SignIn(origin: address.origin, user: user, scheme: found)
    switch found {
    case .bearer(let base):
      let (client, vault) = (client, vault)
      try await vault.exclusively(account) {
        let pair = try await client.signIn(user, secret, base: base)
        try await vault.write(pair.secret, account)
      }
    case .basic, .apiKey:
      try await prove(Credential(account, secret: secret), at: url)
      try await vault.write(secret, account)
    }
    forget(account)
    state.withLock { $0.latest[account.origin] = account }
    return account
  }

  /// Returns where the origin gives what is at the address with the credential, and not without it.
  ///
  /// Both requests share the cookies of one session, as those of a browser do: some servers sign nobody
  /// in who does not bring back what their refusal set. The one without the credential goes first, so
  /// that no session of somebody who is signed in opens the door to it.
  ///
  /// - Throws: `HTTPError`, or `SourceError` where nothing is proven.
  private func prove(_ credential: Credential, at url: String) async throws {
    var request = HTTPRequest(.get, url)
    request.staysAtOrigin = true
    request.keepsCookies = true
    request.cookieSession = CookieSession()
    guard try await isClosed(to: request) else {
      throw SourceError(
        .secret, stage: .fetch, subject: WebAddress.redacted(url),
        message:
          "this address answers without a sign-in too, which proves nothing; nothing was kept",
        next: "give an address there that asks for one")
    }
    credential.add(to: &request)
    let answer = try await client.response(for: request, isSigned: false)
    guard [.success, .empty].contains(answer.head.statusClass) else {
      throw HTTPError(
        .protocolError, "The server answers a sign-in with \(answer.head.status).",
        host: (try? HTTPURL(url).host) ?? "")
    }
  }

  /// Whether a request is turned away for want of a credential.
  private func isClosed(to request: HTTPRequest) async throws -> Bool {
    do {
      _ = try await client.response(for: request, isSigned: false)
    } catch let error as HTTPError where error.isClosedDoor {
      return true
    }
    return false
  }

  /// Ends the session at the server, as far as it can be reached, and removes the secret. The
  /// account has to be removed by the caller.
  ///
  /// - Returns: what kept the server from being told, if anything did.
  package func signOut(_ account: SignIn) async throws -> SourceError? {
    var problem: SourceError?
    do {
      if try await vault.read(account) == nil {
        throw SourceError(
          .secret, stage: .config, subject: account.origin,
          message: "no secret of this account was found here",
          next: "if a keyring holds it, open that and sign in and out again")
      }
      if case .bearer(let base) = account.scheme { try await endSession(of: account, base: base) }
    } catch let error as SourceError {
      problem = error
    } catch let error as HTTPError {
      problem = SourceError(error, url: account.origin)
    }
    let vault = vault
    try await vault.exclusively(account) { try await vault.remove(account) }
    forget(account)
    state.withLock { state in
      if state.latest[account.origin]?.isSame(as: account) == true {
        state.latest[account.origin] = nil
      }
    }
    return problem
  }

  private func endSession(of account: SignIn, base: String) async throws {
    guard case .bearer(let session) = try await authorization(by: account) else { return }
    do {
      var request = try FeedAPICatalogue.signOut().request(base: base)
      request.staysAtOrigin = true
      _ = try await session.answer(to: request) {
        try await client.response(for: $0, isSigned: false)
      }
    } catch let error as HTTPError where error.status == 401 {
      // There is no session left to end.
    }
    session.replace(nil)
  }

  /// Scheme, host and port of an address.
  ///
  /// - Throws: `SourceError`.
  package static func origin(of url: String) throws -> String {
    do { return try HTTPURL(url).origin } catch let error as HTTPError {
      throw SourceError(error, url: url)
    }
  }

  private func found(_ scheme: SignIn.Scheme?, at url: String) async throws -> SignIn.Scheme {
    if let scheme { return scheme }
    let about = try? await client.value(of: FeedAPICatalogue.about(), base: url) {
      $0.staysAtOrigin = true
    }
    return about?.api == FeedAPICatalogue.About.name ? .bearer(base: url) : .basic
  }
}

extension ResilientClient {
  fileprivate func signIn(
    _ user: String, _ password: String, base: String
  ) async throws -> TokenPair {
    let credentials = FeedAPICatalogue.Credentials(user: user, password: password)
    let session = try await value(of: FeedAPICatalogue.signIn(credentials), base: base) {
      $0.limits.total = SignIns.patience
      $0.staysAtOrigin = true
    }
    return TokenPair(session, now: Date())
  }

  /// Calls an API.
  func value<Response: Sendable>(
    of endpoint: Endpoint<Response>, base: String, _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> Response {
    var request = try endpoint.request(base: base)
    change(&request)
    return try endpoint.value(
      of: try await response(for: request, isSigned: endpoint.requiresAuth), to: request,
      through: client)
  }
}

extension HTTPError {
  /// Whether a request was turned away for want of a credential: told so, told that nothing is there, or
  /// sent elsewhere to sign in. A server that fails or is busy has not said anything.
  fileprivate var isClosedDoor: Bool {
    switch kind {
    case .status: (400..<500).contains(status ?? 0) && status != 408 && status != 429
    case .insecureRedirect, .redirectLoop, .tooManyRedirects: true
    default: false
    }
  }
}

extension Credential {
  fileprivate init(_ account: SignIn, secret: String) {
    self =
      if case .apiKey(let header) = account.scheme {
        .apiKey(header: header, key: secret)
      } else {
        .basic(user: account.user, password: secret)
      }
  }
}

extension TokenPair {
  fileprivate init(_ session: FeedAPICatalogue.Session, now: Date) {
    self.init(
      accessToken: session.accessToken, refreshToken: session.refreshToken,
      expires: now.addingTimeInterval(max(0, session.expiresIn)))
  }

  /// As it lies in the vault, both tokens in one value, so that a pair is replaced as a whole.
  fileprivate var secret: String {
    (try? HTTPCoding.encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  fileprivate init?(secret: String) {
    guard let pair = try? HTTPCoding.decoder.decode(TokenPair.self, from: Data(secret.utf8))
    else { return nil }
    self = pair
  }
}
