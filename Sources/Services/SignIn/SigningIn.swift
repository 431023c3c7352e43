internal import Foundation
internal import HTTP
package import News
internal import Text

/// Signing in and out at servers.
extension SignIns {
  /// Signs in at an address: proves the secret at the server, and stores it in the vault. The
  /// caller stores the account.
  ///
  /// Only the origin itself can accept the secret: redirects to another are refused, and an address
  /// that answers without it proves nothing. Until it is proven nothing is stored, and what was
  /// stored before stays.
  ///
  /// The user waits for the answer: a pause longer than `longestPause` ends the attempt.
  ///
  /// - Parameters:
  ///   - scheme: nil to detect it: the Feed API's tokens where the address is one, else Basic.
  ///   - onPause: called before each wait that the server asks for, or after a failure.
  /// - Throws: `SourceError`, with status 401 for a refused secret, and with `retryAfter` where the
  ///   server wants a pause.
  package func signIn(
    at url: String, user: String, secret: String, scheme: SignIn.Scheme?,
    onPause: @escaping @Sendable (Duration) -> Void = { _ in }
  ) async throws -> SignIn {
    do {
      return try await signedIn(
        at: url, user: user, secret: secret, scheme: scheme, onPause: onPause)
    } catch let error as HTTPError {
      var told = SourceError(error, url: url)
      if error.status == 401 { told.next = "check the name and the password" }
      if error.kind == .insecureRedirect {
        told.next = "if you trust the server it leads to, sign in there"
      }
      throw told
    }
  }

  /// The longest pause of a server that a sign-in waits for.
  private static let longestPause: Duration = .seconds(10)

  /// Checks that a server answers at an address, before the user types a password.
  ///
  /// - Throws: `SourceError` where none does, and with `retryAfter` where it wants a long pause.
  package func reach(_ url: String) async throws {
    let url = WebAddress.withoutUser(url)
    let address = try HTTPURL(url)
    // A feed of its account may have a proxy.
    let user = try await list().first { $0.origin == address.origin }?.user ?? ""
    var client = client(for: SignIn(origin: address.origin, user: user, scheme: .basic))
    client.retries.policy.maxAttempts = 1
    // Signing in tries TLS first.
    var addresses = [url]
    if !address.isSecure, !address.isLoopback {
      addresses.insert("https" + url.dropFirst("http".count), at: 0)
    }
    client.gate.reopen(addresses)
    var failure: SourceError?
    for url in addresses {
      var request = HTTPRequest(.get, url)
      request.staysAtOrigin = true
      request.limits.total = .seconds(20)
      guard let error = try await client.failure(of: request) else { return }
      let told = SourceError(error, url: url)
      guard told.isConnectivity || told.kind == .tls || error.namesLongPause else { return }
      failure = failure ?? told
    }
    if let failure { throw failure }
  }

  private func signedIn(
    at url: String, user: String, secret: String, scheme: SignIn.Scheme?,
    onPause: @escaping @Sendable (Duration) -> Void
  ) async throws -> SignIn {
    let url = WebAddress.withoutUser(url)
    let address = try HTTPURL(url)
    guard address.isSecure || address.isLoopback else {
      throw HTTPError(
        .badRequest, "A password is not sent to \(address.host) over plain http.",
        host: address.host)
    }
    let asked = SignIn(origin: address.origin, user: user, scheme: scheme ?? .basic)
    var client = client(for: asked)
    client.retries.policy.longestWait = Self.longestPause
    client.retries.onWait = { onPause($0.wait) }
    let found = try await proven(
      try await found(scheme, at: url, by: client), user, secret, by: client)
    let account = SignIn(
      origin: try Self.origin(of: found) ?? address.origin, user: user, scheme: found)
    switch found {
    case .bearer(let base):
      let vault = vault
      try await vault.exclusively(account) { [client] in
        let pair = try await client.signIn(user, secret, base: base)
        try await vault.write(pair.secret, account)
      }
    case .syncServer:
      let vault = vault
      try await vault.exclusively(account) { try await vault.write(secret, account) }
    case .folder: break
    case .basic, .apiKey:
      try await prove(Credential(account, secret: secret), at: url, by: client)
      try await vault.write(secret, account)
    }
    note(account)
    return account
  }

  /// Proves that the origin answers with the credential, and not without it.
  ///
  /// Both requests share cookies, as in a browser: some servers sign nobody in without the cookie
  /// of their refusal. The request without the credential is first, so that no session opens the
  /// door to it.
  ///
  /// - Throws: `HTTPError`, or `SourceError` where nothing is proven.
  private func prove(
    _ credential: Credential, at url: String, by client: ResilientClient
  ) async throws {
    var request = HTTPRequest(.get, url)
    request.staysAtOrigin = true
    request.keepsCookies = true
    request.cookieSession = CookieSession()
    guard try await client.isClosed(to: request) else {
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

  /// Ends the session at the server, if it can be reached, and removes the secret. The caller
  /// removes the account.
  ///
  /// - Returns: the failure at the server, if any.
  package func signOut(_ account: SignIn) async throws -> SourceError? {
    if case .folder = account.scheme { return nil }
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
    noteEnd(of: account)
    return problem
  }

  private func endSession(of account: SignIn, base: String) async throws {
    guard case .bearer(let session) = try await authorization(by: account) else { return }
    let client = client(for: account)
    do {
      var request = try FeedAPICatalogue.signOut().request(base: base)
      request.staysAtOrigin = true
      _ = try await session.answer(to: request) {
        try await client.response(for: $0, isSigned: false)
      }
    } catch let error as HTTPError where error.status == 401 {
      // The session has ended already.
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

  /// The origin of the API, which alone gets the password; nil for that of the typed pages.
  private static func origin(of scheme: SignIn.Scheme) throws -> String? {
    guard case .syncServer(_, let base) = scheme else { return nil }
    return try HTTPURL(base).origin
  }

  /// The origins that an address may mean: its own, and that of a known service's API.
  package static func origins(of url: String) throws -> [String] {
    if let folder = try FolderAddress.normalized(url) { return [folder] }
    let own = try origin(of: url)
    guard let host = WebAddress.host(of: url), let known = RecognisedServer.known(host: host)
    else { return [own] }
    let others = known.wires.compactMap { try? origin(of: $0.base) }
    return [own] + Set(others).subtracting([own]).sorted()
  }

  /// The possible schemes of an address, best first; never empty.
  private func found(
    _ scheme: SignIn.Scheme?, at url: String, by client: ResilientClient
  ) async throws -> [SignIn.Scheme] {
    if let scheme { return [scheme] }
    let about: FeedAPICatalogue.About?
    do {
      about = try await client.value(of: FeedAPICatalogue.about(), base: url) {
        $0.staysAtOrigin = true
      }
    } catch let error as HTTPError where error.namesPause {
      // Other questions would only prolong the pause.
      throw error
    } catch { about = nil }
    if about?.api == FeedAPICatalogue.About.name { return [.bearer(base: url)] }
    return try await syncServer(at: url, by: client) ?? [.basic]
  }

  /// The schemes of the sync server at an address; nil for none. Servers are probed without
  /// credentials, and not at an address that asks for one: it may be that of a feed.
  private func syncServer(
    at url: String, by client: ResilientClient
  ) async throws -> [SignIn.Scheme]? {
    if !ServerAddress.isOfAPI(url), try await client.asksForSignIn(at: url) { return nil }
    let server: RecognisedServer
    do { server = try await ServerFinder(client).server(at: url) } catch let error as SourceError
      where error.kind == .address || error.status == 401
    {
      // There is none. After other failures, the password is not sent to try it.
      return nil
    }
    return try server.schemes(at: url)
  }

}

extension ResilientClient {
  /// Whether a request is refused without a credential.
  fileprivate func isClosed(to request: HTTPRequest) async throws -> Bool {
    guard let failure = try await failure(of: request) else { return false }
    guard failure.isClosedDoor else { throw failure }
    return true
  }

  /// Whether an address asks for a sign-in.
  fileprivate func asksForSignIn(at url: String) async throws -> Bool {
    var request = HTTPRequest(.get, url)
    request.staysAtOrigin = true
    let status = try await failure(of: request)?.status
    return status == 401 || status == 403
  }

  /// The failure of an unsigned request; nil for an answer.
  fileprivate func failure(of request: HTTPRequest) async throws -> HTTPError? {
    do {
      _ = try await response(for: request, isSigned: false)
      return nil
    } catch let error as HTTPError {
      return error
    }
  }

  func signIn(
    _ user: String, _ password: String, base: String
  ) async throws -> TokenPair {
    let session = try await value(of: FeedAPICatalogue.signIn(user, password), base: base) {
      $0.limits.total = SignIns.timeLimit
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
  /// Whether a busy server has named the end of its pause.
  fileprivate var namesPause: Bool { (status == 429 || status == 503) && retryAfter != nil }

  /// Whether that is longer than a moment.
  fileprivate var namesLongPause: Bool {
    namesPause && (retryAfter.map { $0.timeIntervalSinceNow > 2 } ?? false)
  }

  /// Whether a credential is required: by a refusal, a missing document, or a redirect to a
  /// sign-in. Failing and busy servers have not answered that.
  fileprivate var isClosedDoor: Bool {
    switch kind {
    case .status: (400..<500).contains(status ?? 0) && status != 408 && status != 429
    case .insecureRedirect, .redirectLoop, .tooManyRedirects: true
    default: false
    }
  }
}

extension Credential {
  init(_ account: SignIn, secret: String) {
    self =
      if case .apiKey(let header) = account.scheme {
        .apiKey(header: header, key: secret)
      } else {
        .basic(user: account.user, password: secret)
      }
  }
}

extension TokenPair {
  /// In seconds: a year. Tokens are renewed before their end, so that a longer time changes
  /// nothing.
  private static let longestLife: Double = 366 * 86_400

  init(_ session: FeedAPICatalogue.Session, now: Date) {
    self.init(
      accessToken: session.accessToken, refreshToken: session.refreshToken,
      expires: now.addingTimeInterval(max(0, min(session.expiresIn, Self.longestLife))))
  }

  /// Both tokens in one value, so that a pair is replaced as a whole.
  var secret: String {
    (try? HTTPCoding.encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  init?(secret: String) {
    guard let pair = try? HTTPCoding.decoder.decode(TokenPair.self, from: Data(secret.utf8))
    else { return nil }
    self = pair
  }
}
