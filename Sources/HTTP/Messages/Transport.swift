/// Sends one request and receives its response: a single hop, without following redirects or
/// judging the status.
package protocol Transport: Sendable {
  /// Returns when the head has arrived.
  ///
  /// - Throws: `HTTPError`, or `CancellationError` when the task is cancelled; the connection is
  ///   closed then.
  func stream(_ request: HTTPRequest) async throws -> HTTPStream

  /// The route of the first hop of a request.
  func route(of request: HTTPRequest) async throws -> ProxyChoice
}

extension Transport {
  package func route(of request: HTTPRequest) async throws -> ProxyChoice {
    request.proxy ?? .direct
  }
}

/// Transport with a route for each request.
struct RoutedTransport: Transport {
  let transport: any Transport
  let route: @Sendable (HTTPRequest) async throws -> ProxyChoice?

  func stream(_ request: HTTPRequest) async throws -> HTTPStream {
    try await transport.stream(routed(request))
  }

  func route(of request: HTTPRequest) async throws -> ProxyChoice {
    try await transport.route(of: routed(request))
  }

  private func routed(_ request: HTTPRequest) async throws -> HTTPRequest {
    var request = request
    if request.proxy == nil { request.proxy = try await route(request) }
    return request
  }
}
