/// One response of a request with redirects.
package struct HTTPHop: Sendable, Hashable {
  package var url: HTTPURL
  package var head: HTTPResponseHead
  package var metrics: HTTPMetrics
  /// The address of the next hop; nil for the last.
  package var leadsTo: HTTPURL?

  /// Whether the next hop is at another origin, which receives no credential of this one.
  package var leavesOrigin: Bool { leadsTo.map { $0.origin != url.origin } ?? false }

  /// Whether the redirect is permanent (301, 308), so that the stored address may change.
  package var isPermanent: Bool { head.status == 301 || head.status == 308 }
}

/// A request with all its hops, up to the response or the failure.
package struct HTTPTrace: HTTPAnswer {
  package var hops: [HTTPHop] = []
  /// The body of the last hop; empty after a failure.
  package var body: [UInt8] = []
  /// Why there is no response.
  package var error: HTTPError?
  /// The address of the hop that failed.
  package var failedAt: HTTPURL?
  /// The address to store from now on; see `HTTPResponseHead`.
  package var permanentURL: String?

  package init(error: HTTPError? = nil, failedAt: HTTPURL? = nil) {
    self.error = error
    self.failedAt = failedAt
  }

  /// The head of the response, or of the last hop before a failure.
  package var head: HTTPResponseHead {
    hops.last?.head ?? HTTPResponseHead(status: 0, headers: [:], url: "")
  }

  package var response: HTTPResponse? {
    guard error == nil, let last = hops.last else { return nil }
    return HTTPResponse(head: last.head, body: body, metrics: last.metrics)
  }
}

extension HTTPClient {
  /// Sends a request as `response(for:)` does, and records each hop with its TLS session. Failures are in
  /// the trace.
  ///
  /// - Throws: `CancellationError`.
  package func trace(_ request: HTTPRequest) async throws -> HTTPTrace {
    var trace = HTTPTrace()
    do {
      let request = try await prepared(request)
      var rule = try redirects(of: request)
      trace.failedAt = rule.url
      while try await trace.walk(&rule, self) {}
      trace.permanentURL = rule.permanentURL
    } catch let error as HTTPError {
      trace.error = error
    }
    return trace
  }
}

extension HTTPTrace {
  /// Sends one hop; true if there is another.
  fileprivate mutating func walk(
    _ rule: inout RedirectRule, _ client: HTTPClient
  ) async throws -> Bool {
    failedAt = rule.url
    let stream = try await client.hop(&rule) { $0.inspectsConnection = true }
    var body: [UInt8] = []
    var failure: HTTPError?
    do { body = try await stream.collected() } catch let error as HTTPError { failure = error }
    var head = stream.head
    head.redirectCount = rule.count
    head.permanentURL = rule.permanentURL
    head.unstoredURL = rule.unstoredURL
    head.url = rule.url.description
    hops.append(HTTPHop(url: rule.url, head: head, metrics: stream.metrics ?? HTTPMetrics()))
    // The body of a redirect does not matter.
    guard try rule.follow(stream.head) else {
      if let failure { throw failure }
      self.body = body
      failedAt = nil
      return false
    }
    hops[hops.count - 1].leadsTo = rule.url
    return true
  }
}

extension ResilientClient {
  /// As `HTTPClient.trace`, with the credential of the request's origin. Sent once, whatever the
  /// breaker and the rate window say.
  package func trace(_ request: HTTPRequest) async throws -> HTTPTrace {
    do {
      let (request, authorization) = try await signed(request)
      guard case .bearer(let session) = authorization else {
        return try await client.trace(request)
      }
      return try await session.answer(to: request) { try await client.trace($0) }
    } catch let error as HTTPError {
      return HTTPTrace(error: error, failedAt: try? HTTPURL(request.url))
    }
  }
}
