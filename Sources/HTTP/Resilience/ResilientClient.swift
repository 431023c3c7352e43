/// `HTTPClient` for unreliable networks. The layers of a request, from the outside in:
///
/// 1. identical GETs share one transfer (`Coalescer`),
/// 2. transient failures are retried (`RetryingSend`),
/// 3. the credential of the origin is added, and renewed after a 401 (`Authorizer`),
/// 4. each attempt passes the circuit breaker and the rate window (`OriginGate`),
/// 5. and goes through the middlewares and redirects (`HTTPClient`).
///
/// A value: copies share the gate and the coalescer.
package struct ResilientClient: Sendable {
  package let client: HTTPClient
  package let gate: OriginGate
  package var retries: RetryingSend
  package var authorizer: (any Authorizer)?
  private let coalescer = Coalescer()

  package init(
    _ client: HTTPClient, gate: OriginGate = OriginGate(), retries: RetryingSend = RetryingSend(),
    authorizer: (any Authorizer)? = nil
  ) {
    self.client = client
    self.gate = gate
    self.retries = retries
    self.authorizer = authorizer
  }

  /// The first response whose status is no error.
  ///
  /// - Parameters:
  ///   - isSigned: whether the credential of the request's origin is added, where there is one.
  ///   - onWait: called before each wait for another attempt.
  /// - Throws: `HTTPError` or `CancellationError`.
  package func response(
    for request: HTTPRequest, isSigned: Bool = true,
    onWait: @escaping @Sendable (RetryNotice) -> Void = { _ in }
  ) async throws -> HTTPResponse {
    let (request, authorization) = isSigned ? try await signed(request) : (request, nil)
    do {
      return try await shared(request, authorization, onWait)
    } catch let error as HTTPError where error.status == 401 {
      if case .credential = authorization, let origin = try? HTTPURL(request.url).origin {
        authorizer?.refused(at: origin)
      }
      throw error
    }
  }

  private func shared(
    _ request: HTTPRequest, _ authorization: Authorization?,
    _ onWait: @escaping @Sendable (RetryNotice) -> Void
  ) async throws -> HTTPResponse {
    let identity: Coalescer.Identity? =
      switch authorization {
      case .bearer(let session): .session(ObjectIdentifier(session))
      case .credential(let credential): .credential(credential)
      case nil: nil
      }
    return try await coalescer.response(for: request, identity: identity) {
      [self] request in
      var retries = retries
      let report = retries.onWait
      retries.onWait = { notice in
        report(notice)
        onWait(notice)
      }
      return try await retries.response(for: request) { attempt in
        try await send(attempt, authorization) { try await client.response(for: $0) }
      }
    }
  }

  /// The response as soon as its head has arrived, whatever its status. Sent once, without retries, and
  /// never shared: the caller can resume a stream that breaks off.
  package func stream(for request: HTTPRequest, isSigned: Bool = true) async throws -> HTTPStream {
    let (request, authorization) = isSigned ? try await signed(request) : (request, nil)
    return try await send(request, authorization) { try await client.stream(for: $0) }
  }

  private func send<Answer: HTTPAnswer>(
    _ request: HTTPRequest, _ authorization: Authorization?,
    _ transfer: (HTTPRequest) async throws -> Answer
  ) async throws -> Answer {
    let route = try await client.transport.route(of: request)
    guard case .bearer(let session) = authorization else {
      return try await gate.answer(to: request, by: route, send: transfer)
    }
    return try await session.answer(to: request) { signed in
      try await gate.answer(to: signed, by: route, send: transfer)
    }
  }

  /// The request with the credential of its origin, and how it is authorised. A session signs each
  /// attempt by itself.
  func signed(_ request: HTTPRequest) async throws -> (HTTPRequest, Authorization?) {
    let authorization = try await authorization(of: request)
    var request = request
    if case .credential(let credential) = authorization {
      request.middlewares.append(.credential(credential))
    }
    return (request, authorization)
  }

  private func authorization(of request: HTTPRequest) async throws -> Authorization? {
    let url = try HTTPURL(request.url)
    guard request.headers["Authorization"] == nil, url.userInfo == nil,
      let authorization = try await authorizer?.authorization(for: url)
    else { return nil }
    guard url.isSecure || url.isLoopback else {
      throw HTTPError(
        .badRequest,
        "You are signed in to \(url.host), and a credential is not sent over plain http.",
        host: url.host)
    }
    return authorization
  }
}
