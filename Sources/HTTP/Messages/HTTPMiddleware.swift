/// Hook into every request and response of a client, such as a credential or a log.
///
/// The middlewares of a client and those of a request (`HTTPRequest.middlewares`) form one chain:
/// `prepare` runs in order before an attempt is sent, the others in reverse order when its head has
/// arrived or it has failed, and when its body has ended. Redirects in between are not reported.
package struct HTTPMiddleware: Sendable {
  /// May change the request, wait, or throw to refuse it.
  package var prepare: @Sendable (inout HTTPRequest) async throws -> Void
  /// Called when the head of the response has arrived, or the attempt has failed.
  package var observe: @Sendable (HTTPExchange) -> Void
  /// Called when the body has been received.
  package var finish: @Sendable (HTTPRequest, HTTPResponse) -> Void
  /// Called when a streamed response has ended: completely, with a failure or by cancellation.
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

package struct HTTPExchange: Sendable {
  /// As it was sent on the first hop. Its description leaves credentials out; the URL may hold a
  /// query, see `HTTPURL.redacted`.
  package var request: HTTPRequest
  package var result: Result<HTTPResponseHead, any Error>
  /// From the call to the head, redirects included; to the failure, where there is one.
  package var duration: Duration
}

package struct HTTPStreamEnd: Sendable {
  package var request: HTTPRequest
  package var head: HTTPResponseHead
  /// Bytes of the body that were passed on.
  package var bodyBytes: Int
  /// A `CancellationError` where nobody read on.
  package var result: Result<HTTPMetrics, any Error>
  package var duration: Duration
}

extension HTTPMiddleware {
  /// The default headers of every request.
  static func common(userAgent: String, acceptLanguage: String?) -> HTTPMiddleware {
    HTTPMiddleware(prepare: { request in
      request.headers.setDefault("User-Agent", userAgent)
      request.headers.setDefault("Accept", "*/*")
      if let acceptLanguage { request.headers.setDefault("Accept-Language", acceptLanguage) }
    })
  }

  package static func credential(_ credential: Credential) -> HTTPMiddleware {
    HTTPMiddleware(prepare: { credential.add(to: &$0) })
  }

  /// Signs a request with an access token (RFC 6750).
  package static func bearer(_ token: String) -> HTTPMiddleware {
    HTTPMiddleware(prepare: { $0.headers["Authorization"] = "Bearer \(token)" })
  }
}
