// The front door of HTTP. A request goes from here through the middlewares and redirects to a
// `Transport`, which in the product is `CurlTransport`. `RetryingSend` wraps `response(for:)` for
// those who want it repeated; `Endpoint` describes calls to an API as values. Everything fails with
// `HTTPError` or `CancellationError`.

internal import Foundation

/// Sends requests, follows redirects, and adds the headers that every request carries.
///
/// A value: clients that share a transport share its connections. Never blocks the calling thread.
package struct HTTPClient: Sendable {
  package struct Configuration: Sendable {
    package var userAgent = "Telex"
    /// As in `de, en;q=0.5`; not sent where it is nil.
    package var acceptLanguage: String?
    package var middlewares: [HTTPMiddleware] = []
    package var makeRequestID: @Sendable () -> String = { UUID().uuidString.lowercased() }

    package init() {}
  }

  /// A redirect's body is read to its end, so that its connection can be used again, up to this size.
  private static let worthDraining = 64 << 10

  let transport: any Transport
  private let configuration: Configuration

  package init(transport: some Transport, configuration: Configuration = Configuration()) {
    self.transport = transport
    self.configuration = configuration
  }

  /// The response with its whole body, whatever its status: see `HTTPResponse.validated()`.
  package func response(for request: HTTPRequest) async throws -> HTTPResponse {
    let start = ContinuousClock.now
    let request = try await prepared(request)
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
    for middleware in configuration.middlewares.reversed() { middleware.finish(request, response) }
    return response
  }

  /// The response as soon as its head is there, after redirects, whatever its status.
  package func stream(for request: HTTPRequest) async throws -> HTTPStream {
    try await stream(prepared: try await prepared(request), since: .now)
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
    var request = request
    request.deadline = request.effectiveDeadline(from: .now)
    request.limits.total = nil
    addCommonHeaders(to: &request)
    for middleware in configuration.middlewares { try await middleware.prepare(&request) }
    return request
  }

  /// The way that a prepared request goes from here.
  func redirects(of request: HTTPRequest) throws -> RedirectRule {
    let url = try HTTPURL(request.url)
    var request = request
    try HTTPClient.moveCredentials(of: url, to: &request)
    request.url = url.description
    return RedirectRule(request, at: url)
  }

  private func follow(_ request: HTTPRequest) async throws -> HTTPStream {
    var rule = try redirects(of: request)
    while true {
      var stream = try await transport.stream(rule.request)
      if try rule.follow(stream.head) {
        try await HTTPClient.drain(stream)
        continue
      }
      stream.head.url = rule.url.description
      stream.head.redirectCount = rule.count
      stream.head.permanentURL = rule.permanentURL
      return stream
    }
  }

  private func addCommonHeaders(to request: inout HTTPRequest) {
    request.headers.setDefault("User-Agent", configuration.userAgent)
    request.headers.setDefault("Accept", "*/*")
    if let language = configuration.acceptLanguage {
      request.headers.setDefault("Accept-Language", language)
    }
    request.headers["X-Request-ID"] = request.id ?? configuration.makeRequestID()
    request.headers["X-Request-Attempt"] = String(request.attempt)
  }

  private func observe(
    _ request: HTTPRequest, _ result: Result<HTTPResponseHead, any Error>,
    since start: ContinuousClock.Instant
  ) {
    let exchange = HTTPExchange(
      request: request, result: result, duration: start.duration(to: .now))
    for middleware in configuration.middlewares.reversed() { middleware.observe(exchange) }
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
