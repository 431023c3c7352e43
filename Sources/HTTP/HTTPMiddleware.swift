/// One thing that is done to every request or with every response: a user agent, a token, a log.
///
/// A client's middlewares form a chain: `prepare` runs in order before an attempt is sent, `observe`
/// in the opposite order once its head has arrived or it has failed. Redirects in between are not
/// seen.
package struct HTTPMiddleware: Sendable {
  /// May change the request, wait, and throw to refuse it.
  package var prepare: @Sendable (inout HTTPRequest) async throws -> Void
  package var observe: @Sendable (HTTPExchange) -> Void
  /// Told once the body is there too; not for streams.
  package var finish: @Sendable (HTTPRequest, HTTPResponse) -> Void

  package init(
    prepare: @escaping @Sendable (inout HTTPRequest) async throws -> Void = { _ in },
    observe: @escaping @Sendable (HTTPExchange) -> Void = { _ in },
    finish: @escaping @Sendable (HTTPRequest, HTTPResponse) -> Void = { _, _ in }
  ) {
    self.prepare = prepare
    self.observe = observe
    self.finish = finish
  }
}

/// What became of one attempt, for those who only watch.
package struct HTTPExchange: Sendable {
  /// As it was sent on the first hop. Its description leaves credentials out; the URL may hold a
  /// query, see `HTTPURL.redacted`.
  package var request: HTTPRequest
  package var result: Result<HTTPResponseHead, any Error>
  /// From the call to the head, redirects included.
  package var duration: Duration
}
