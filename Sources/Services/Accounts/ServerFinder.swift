internal import Foundation
package import HTTP
internal import News
internal import Text

/// Detects the sync server at an address by requests without credentials (`ServerSearch`).
package struct ServerFinder: Sendable {
  private let client: HTTPClient
  private let limits: HTTPLimits
  private let route: @Sendable () async throws -> ProxyChoice?

  /// - Parameters:
  ///   - client: used without its retries and sign-ins.
  ///   - route: the proxy of requests; nil for that of the settings.
  package init(
    _ client: ResilientClient, limits: HTTPLimits = HTTPLimits(),
    route: @escaping @Sendable () async throws -> ProxyChoice? = { nil }
  ) {
    self.client = client.client
    var limits = limits
    limits.total = min(limits.total ?? .seconds(20), .seconds(20))
    // Anything larger is a page.
    limits.maxBodyBytes = 256 << 10
    self.limits = limits
    self.route = route
  }

  /// The server at an address that the user typed: its own, one of its pages or that of its API.
  ///
  /// - Throws: `SourceError` or `CancellationError`.
  package func server(at typed: String) async throws -> RecognisedServer {
    var search = try ServerSearch(typed)
    var action = search.begin()
    while true {
      switch action {
      case .probe(let probe): action = search.received(try await answer(to: probe))
      case .found(let server): return server
      case .failed(let error): throw error
      }
    }
  }

  private func answer(to probe: ServerProbe) async throws -> ServerProbeAnswer {
    var request = probe.request
    request.limits = limits
    request.staysAtOrigin = true
    request.proxy = try await route()
    do {
      let response = try await client.response(for: request)
      let now = Date()
      return .response(
        status: response.head.status, body: response.body,
        retryAfter: RetryAfter.wait(response.head.headers, now: now).map {
          now.addingTimeInterval($0 / .seconds(1))
        })
    } catch let error as HTTPError {
      // Too much for an answer of an API is a page.
      if error.kind == .tooLarge { return .response(status: 200, body: Array("<".utf8)) }
      var told = SourceError(error, url: request.url)
      if error.kind == .insecureRedirect {
        told.next = "if you trust the server it leads to, give its address"
      }
      return .failure(told, isUnanswered: error.meansNoSecureServer || error.kind == .protocolError)
    }
  }
}
