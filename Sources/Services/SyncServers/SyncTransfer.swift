package import HTTP
internal import News
internal import Text

/// Base address and user of an account at a sync server, and the limits of its requests.
package struct SyncServerSettings: Sendable {
  /// The address of the API, without a slash at its end.
  package var base: String
  package var user: String
  package var limits = HTTPLimits()
  /// The longest silence over marks and subscriptions: some servers fetch a new feed at once.
  package var slowSilence: Duration = .seconds(120)
  /// For all calls together, in a command with a time limit.
  package var deadline: ContinuousClock.Instant?
  /// Nil for the proxy of the settings.
  package var route: @Sendable () async throws -> ProxyChoice? = { nil }

  package init(base: String, user: String) {
    self.base = base
    self.user = user
  }

  var host: String { (try? HTTPURL(base).host) ?? base }

  /// A request within these limits, to this server only, over https or to this device.
  func bounded(_ request: HTTPRequest, isSlow: Bool) async throws -> HTTPRequest {
    var request = request
    let address = try HTTPURL(request.url)
    guard address.isSecure || address.isLoopback else {
      throw HTTPError(
        .badRequest, "A password is not sent to \(address.host) over plain http.",
        host: address.host)
    }
    request.limits = limits
    if isSlow { request.limits.silence = max(request.limits.silence, slowSilence) }
    request.deadline = deadline
    request.connections = .anywhere
    request.proxy = try await route()
    // The credential is for this server only, and no other can answer for it.
    request.staysAtOrigin = true
    request.sendsID = true
    return request
  }
}

/// Looks a password or key up when it is needed; nil where there is none. Throws `SourceError`
/// where it cannot be read now.
package typealias PasswordLookup = @Sendable () async throws -> String?

/// Sender of the calls of a sync server's API, to this server only, over https or to this device.
struct SyncTransfer: Sendable {
  enum Pace {
    /// A read.
    case quick
    /// The server may work for minutes before it answers.
    case slow
    /// Never repeated automatically: its effect depends on the state at the server.
    case once
  }

  let settings: SyncServerSettings
  let client: ResilientClient
  /// Adds the credential.
  let sign: @Sendable (inout HTTPRequest) async throws -> Void

  init(
    settings: SyncServerSettings, client: ResilientClient,
    sign: @escaping @Sendable (inout HTTPRequest) async throws -> Void = { _ in }
  ) {
    self.settings = settings
    self.client = client
    self.sign = sign
  }

  /// Signs each request with a password or key.
  ///
  /// - Parameter credential: makes one of what `secret` finds.
  init(
    settings: SyncServerSettings, client: ResilientClient, secret: @escaping PasswordLookup,
    credential: @escaping @Sendable (String) -> HTTP.Credential
  ) {
    self.init(settings: settings, client: client) { request in
      guard let secret = try await secret() else {
        throw HTTPError.missingPassword(at: settings.host)
      }
      credential(secret).add(to: &request)
    }
  }

  var host: String { settings.host }

  /// - Parameter isTaken: whether a redirect is the API's answer to a repetition.
  /// - Throws: `SourceError` or `CancellationError`.
  func send<Response: Sendable>(
    _ endpoint: Endpoint<Response>, _ pace: Pace = .quick,
    isTaken: (HTTPResponse) -> Bool = { _ in false }
  ) async throws -> Response {
    try await convertingErrors {
      let request = try await prepared(try endpoint.request(base: settings.base), pace)
      let response = try await client.response(for: request, isSigned: false)
      if request.method == .get {
        try SyncAnswer.checkRead(response)
      } else if !isTaken(response) {
        try SyncAnswer.checkTaken(response)
        try SyncAnswer.checkNoPage(response)
      }
      return try endpoint.value(of: response, to: request, through: client.client)
    }
  }

  /// Reads JSON.
  ///
  /// - Parameter subject: what is requested, as in "the list of feeds".
  func read<Wire: Decodable & Sendable>(
    _ type: Wire.Type, _ path: [String], _ subject: String, _ query: [String: String?] = [:]
  ) async throws -> Wire {
    try await send(
      Endpoint(.get, path, query: query, headers: Self.accept) {
        try SyncAnswer.json(type, in: $0, subject)
      })
  }

  /// Sends a change, of which only the success matters.
  func write(
    _ method: HTTPMethod, _ path: [String], _ body: HTTPBody? = nil, _ pace: Pace = .slow
  ) async throws {
    try await send(Endpoint(empty: method, path, headers: Self.accept, body: body), pace)
  }

  /// Sends a removal, which may be a repetition.
  func remove(_ path: [String]) async throws {
    try await SourceError.passing([404]) { try await write(.delete, path) }
  }

  static let accept: HTTPHeaders = ["Accept": "application/json"]

  /// Sends a request whose address is no path below the base.
  ///
  /// - Parameter decode: called for a status of success only.
  func send<Response: Sendable>(
    _ request: HTTPRequest, _ pace: Pace, decode: (HTTPResponse) throws -> Response
  ) async throws -> Response {
    try await convertingErrors {
      let request = try await prepared(request, pace)
      let response = try await client.response(for: request, isSigned: false)
      if request.method == .get {
        try SyncAnswer.checkRead(response)
      } else {
        try SyncAnswer.checkTaken(response)
      }
      return try decode(response)
    }
  }

  private func prepared(_ request: HTTPRequest, _ pace: Pace) async throws -> HTTPRequest {
    var request = try await settings.bounded(request, isSlow: pace != .quick)
    request.isToggle = pace == .once
    try await sign(&request)
    return request
  }

  private func convertingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as CancellationError {
      throw error
    } catch {
      var told = SourceError(ofSync: error, base: settings.base)
      if (error as? HTTPError)?.status == 401 {
        told.next = "check the name and the password, or the key for the API: telex login URL"
      }
      throw told
    }
  }
}

extension SourceError {
  /// The failure of a call of a sync server's API.
  ///
  /// - Parameter base: the address of the API.
  init(ofSync error: any Error, base: String) {
    let subject = WebAddress.redacted(base)
    let host = (try? HTTPURL(base).host) ?? base
    switch error {
    case let error as SourceError: self = error
    case let error as HTTPError: self.init(error, url: base)
    case let error as DecodingError:
      self.init(HTTPError.decoding(error, host: host), url: base)
    case let problem as SyncProblem:
      self.init(
        .decoding, stage: .parse, subject: subject, message: "\(host) \(problem.message)",
        next: problem.next, status: problem.status)
    default:
      self.init(
        .decoding, stage: .fetch, subject: subject, message: "the server cannot be asked",
        next: "try again later")
    }
  }
}

extension SourceError {
  /// Runs a call for which these statuses mean that nothing is left to do.
  ///
  /// - Returns: nil after such a status.
  @discardableResult
  static func passing<Value>(
    _ statuses: Set<Int>, _ body: () async throws -> Value
  ) async throws -> Value? {
    do { return try await body() } catch let error as SourceError
      where error.status.map(statuses.contains) == true
    { return nil }
  }
}

extension HTTPError {
  /// A password or key that is surely gone, so that only a sign-in helps. One in a keyring that
  /// cannot be read now is a `SourceError` of kind `secret` instead.
  static func missingPassword(at host: String) -> HTTPError {
    unauthorized("The password for \(host) is not kept here any more.", host)
  }

  static func refusedPassword(at host: String) -> HTTPError {
    unauthorized("\(host) does not take this name and password.", host)
  }

  private static func unauthorized(_ message: String, _ host: String) -> HTTPError {
    var error = HTTPError(.status, message, host: host)
    error.status = 401
    return error
  }
}
