/// One thing that is done to every request or with every response: a user agent, a credential, a log.
///
/// The middlewares of a client and those of a request (`HTTPRequest.middlewares`) form one chain:
/// `prepare` runs in order before an attempt is sent, the others in the opposite order once its head has
/// arrived or it has failed, and when its body is over. Redirects in between are not seen.
package struct HTTPMiddleware: Sendable {
  /// May change the request, wait, and throw to refuse it.
  package var prepare: @Sendable (inout HTTPRequest) async throws -> Void
  package var observe: @Sendable (HTTPExchange) -> Void
  /// Told once the body is there too.
  package var finish: @Sendable (HTTPRequest, HTTPResponse) -> Void
  /// Told once a response that is read as it arrives is over: whole, broken off or called off.
  package var finishStream: @Sendable (HTTPStreamEnd) -> Void

  package init(
    prepare: @escaping @Sendable (inout HTTPRequest) async throws -> Void = { _ in },
    observe: @escaping @Sendable (HTTPExchange) -> Void = { _ in },
    finish: @escaping @Sendable (HTTPRequest, HTTPResponse) -> Void = { _, _ in },
    finishStream: @escaping @Sendable (HTTPStreamEnd) -> Void = { _ in }
  ) {
    self.prepare = prepare
    self.observe = observe
    self.finish = finish
    self.finishStream = finishStream
  }
}

/// What became of one attempt, for those who only watch.
package struct HTTPExchange: Sendable {
  /// As it was sent on the first hop. Its description leaves credentials out; the URL may hold a
  /// query, see `HTTPURL.redacted`.
  package var request: HTTPRequest
  package var result: Result<HTTPResponseHead, any Error>
  /// From the call to the head, redirects included; to the failure, where there is one.
  package var duration: Duration
}

/// How a response that was read as it arrived came to its end.
package struct HTTPStreamEnd: Sendable {
  package var request: HTTPRequest
  package var head: HTTPResponseHead
  /// Bytes of the body that were handed on.
  package var bodyBytes: Int
  /// A `CancellationError` where nobody read on.
  package var result: Result<HTTPMetrics, any Error>
  /// From the call to the end.
  package var duration: Duration
}

extension HTTPMiddleware {
  /// The headers that every request carries, but for those that it brings along.
  static func common(userAgent: String, acceptLanguage: String?) -> HTTPMiddleware {
    HTTPMiddleware(prepare: { request in
      request.headers.setDefault("User-Agent", userAgent)
      request.headers.setDefault("Accept", "*/*")
      if let acceptLanguage { request.headers.setDefault("Accept-Language", acceptLanguage) }
    })
  }

  /// Signs a request.
  package static func credential(_ credential: Credential) -> HTTPMiddleware {
    HTTPMiddleware(prepare: { credential.add(to: &$0) })
  }

  /// Signs a request with an access token (RFC 6750).
  package static func bearer(_ token: String) -> HTTPMiddleware {
    HTTPMiddleware(prepare: { $0.headers["Authorization"] = "Bearer \(token)" })
  }
}
