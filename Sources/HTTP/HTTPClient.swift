// HTTP: requests over libcurl. The front door is `HTTPClient`: a request goes from it through middlewares and
// redirects to a `Transport`, which in the product is `CurlTransport`. All fails with `HTTPError` or
// `CancellationError`.
//
// - `Messages`: requests, responses, headers, cookies, caching, redirects; `Endpoint` describes a call of an
//   API as a value.
// - `Resilience`: `ResilientClient` adds retries, a circuit breaker and rate limits.
// - `SignIn`: Basic, Digest, and tokens that are renewed (`BearerSession`).
// - `Streaming`: bodies piece by piece, content codings, lines of JSON.
// - `Live`: `LiveClient`, events over server-sent events or a WebSocket.
// - `Connections`: proxies, certificates, pinned keys, which hosts may be reached, and whether any may be.
// - `Inspection`: what the doctor shows of a connection.
// - `Curl`: the only use of libcurl.

internal import Foundation

/// Sends requests, follows redirects, and adds the headers that every request carries.
///
/// A value: clients that share a transport share its connections. Never blocks the calling thread.
package struct HTTPClient: Sendable {
  /// Options of a client.
  package struct Configuration: Sendable {
    package var userAgent = "Telex"
    /// The value of `Accept-Language`, such as `de, en;q=0.5`; nil to send none.
    package var acceptLanguage: String?
    package var middlewares: [HTTPMiddleware] = []
    package var offline = OfflineSwitch()
    /// Makes the id of requests without one.
    package var makeRequestID: @Sendable () -> String = { UUID().uuidString.lowercased() }

    package init() {}
  }

  /// A redirect's body is read to its end, so that its connection can be used again, up to this size.
  private static let worthDraining = 64 << 10

  private(set) var transport: any Transport
  private let digestOrigins = DigestOrigins()
  private let offline: OfflineSwitch
  private let makeRequestID: @Sendable () -> String
  /// The middlewares of every request and response, in order.
  private let chain: [HTTPMiddleware]

  package init(transport: some Transport, configuration: Configuration = Configuration()) {
    self.transport = transport
    makeRequestID = configuration.makeRequestID
    offline = configuration.offline
    let common = HTTPMiddleware.common(
      userAgent: configuration.userAgent, acceptLanguage: configuration.acceptLanguage)
    chain = [common] + configuration.middlewares
  }

  /// The response with its whole body, whatever its status (`HTTPResponse.validated()`). Where the body is in a coding that
  /// cannot be undone, the server is asked once more without one.
  package func response(for request: HTTPRequest) async throws -> HTTPResponse {
    let start = ContinuousClock.now
    var request = try await prepared(request)
    do {
      return try await response(prepared: request, since: start)
    } catch let error as HTTPError where error.isMiscoded && request.isRepeatable {
      request.refusesCodings = true
      return try await response(prepared: request, since: start)
    }
  }

  private func response(
    prepared request: HTTPRequest, since start: ContinuousClock.Instant
  ) async throws -> HTTPResponse {
    let stream = try await stream(prepared: request, since: start)
    var body: [UInt8] = []
    do { try await stream.collect(into: &body) } catch {
      observe(request, .failure(error), since: start)
      guard var error = error as? HTTPError, [.cutShort, .cutBody].contains(error.kind) else {
        throw error
      }
      error.partial = PartialResponse(head: stream.head, body: body)
      throw error
    }
    let response = HTTPResponse(
      head: stream.head, body: body, metrics: stream.metrics ?? HTTPMetrics())
    for middleware in responseChain(of: request) { middleware.finish(request, response) }
    return response
  }

  /// The response as soon as its head has arrived, after redirects, whatever its status.
  package func stream(for request: HTTPRequest) async throws -> HTTPStream {
    let start = ContinuousClock.now
    let request = try await prepared(request)
    let stream = try await stream(prepared: request, since: start)
    let (head, observers) = (stream.head, responseChain(of: request))
    stream.observeEnd { result, count in
      let end = HTTPStreamEnd(
        request: request, head: head, bodyBytes: count, result: result,
        duration: start.duration(to: .now))
      for middleware in observers { middleware.finishStream(end) }
    }
    return stream
  }

  /// Reports a response whose meaning cannot be read to the middlewares.
  package func note(_ error: HTTPError, of request: HTTPRequest) {
    observe(request, .failure(error), since: .now)
  }

  private func responseChain(of request: HTTPRequest) -> [HTTPMiddleware] {
    (chain + request.middlewares).reversed()
  }

  private func stream(
    prepared request: HTTPRequest, since start: ContinuousClock.Instant
  ) async throws -> HTTPStream {
    do {
      let stream = try await follow(request)
      observe(request, .success(stream.head), since: start)
      return stream
    } catch {
      observe(request, .failure(error), since: start)
      throw error
    }
  }

  /// The request as its first hop sends it, but for the credentials in its address.
  func prepared(_ request: HTTPRequest) async throws -> HTTPRequest {
    try offline.check()
    var request = request
    request.deadline = request.effectiveDeadline(from: .now)
    request.limits.total = nil
    let id = request.id ?? makeRequestID()
    request.id = id
    if request.sendsID {
      request.headers["X-Request-ID"] = id
      request.headers["X-Request-Attempt"] = String(request.attempt)
    }
    for middleware in chain + request.middlewares { try await middleware.prepare(&request) }
    return request
  }

  /// The redirects of a prepared request.
  func redirects(of request: HTTPRequest) throws -> RedirectRule {
    let url = try HTTPURL(request.url)
    var request = request
    try HTTPClient.moveCredentials(of: url, to: &request)
    request.url = url.description
    var rule = RedirectRule(request, at: url, jar: request.cookieSession?.jar ?? CookieJar())
    if digestOrigins.contains(url.origin) { _ = rule.switchToDigest() }
    return rule
  }

  /// Sends one hop, and once more with Digest where the server asks for it instead of Basic.
  func hop(
    _ rule: inout RedirectRule, _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> HTTPStream {
    var request = rule.request
    change(&request)
    let stream = try await send(request, by: rule)
    guard stream.head.status == 401 else { return stream }
    let origin = rule.url.origin
    guard stream.head.headers.asksForDigest, rule.switchToDigest() else {
      digestOrigins.note(origin, asks: false)
      return stream
    }
    try await HTTPClient.drain(stream)
    request = rule.request
    change(&request)
    let answer = try await send(request, by: rule)
    digestOrigins.note(origin, asks: answer.head.status != 401)
    return answer
  }

  private func send(_ request: HTTPRequest, by rule: RedirectRule) async throws -> HTTPStream {
    do {
      return try await transport.stream(request)
    } catch let error as HTTPError { throw rule.explained(error) }
  }

  private func follow(_ request: HTTPRequest) async throws -> HTTPStream {
    var rule = try redirects(of: request)
    while true {
      var stream = try await hop(&rule)
      defer { request.cookieSession?.jar = rule.jar }
      if try rule.follow(stream.head) {
        try await HTTPClient.drain(stream)
        continue
      }
      stream.head.url = rule.url.description
      stream.head.redirectCount = rule.count
      stream.head.becameGet = rule.becameGet
      stream.head.permanentURL = rule.permanentURL
      stream.head.unstoredURL = rule.unstoredURL
      return stream
    }
  }

  /// This client with a route for each request; nil for that of the transport's settings.
  package func routed(
    by route: @escaping @Sendable (HTTPRequest) async throws -> ProxyChoice?
  ) -> HTTPClient {
    var client = self
    client.transport = RoutedTransport(transport: transport, route: route)
    return client
  }

  /// The route of the first hop of a request.
  package func route(of request: HTTPRequest) async throws -> ProxyChoice {
    try offline.check()
    return try await transport.route(of: request)
  }

  private func observe(
    _ request: HTTPRequest, _ result: Result<HTTPResponseHead, any Error>,
    since start: ContinuousClock.Instant
  ) {
    let exchange = HTTPExchange(
      request: request, result: result, duration: start.duration(to: .now))
    for middleware in responseChain(of: request) { middleware.observe(exchange) }
  }

  /// `https://user:password@host` as Basic credentials (RFC 7617): over https or to this machine.
  private static func moveCredentials(of url: HTTPURL, to request: inout HTTPRequest) throws {
    guard let userInfo = url.userInfo, request.headers["Authorization"] == nil else { return }
    guard url.isSecure || url.isLoopback else {
      throw HTTPError(
        .badRequest, "A password is not sent to \(url.host) over plain http.", host: url.host)
    }
    let plain = userInfo.removingPercentEncoding ?? userInfo
    let pair = plain.contains(":") ? plain : plain + ":"
    request.headers["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
  }

  private static func drain(_ stream: HTTPStream) async throws {
    guard let length = stream.head.headers["Content-Length"].flatMap({ Int($0) }),
      length <= worthDraining
    else { return }
    do {
      for try await _ in stream {}
    } catch is HTTPError {
      // The redirect itself has been understood; what follows it does not matter.
    }
  }
}
