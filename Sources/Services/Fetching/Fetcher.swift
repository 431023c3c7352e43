internal import HTTP
internal import News
internal import Text

/// Fetches documents: with the limits, the retries and the deadline of its owner, and with errors
/// that say what happened to whom.
struct Fetcher: Sendable {
  var client: ResilientClient
  let limits: HTTPLimits
  let deadline: ContinuousClock.Instant?
  /// The way that requests go; nil for that of the settings.
  var route: @Sendable () async throws -> ProxyChoice? = { nil }
  /// Told how the fetching goes.
  var report: @Sendable (SourceEvent) -> Void = { _ in }
  /// What is asked of one origin is signed with it.
  var signature: FeedSignature?

  /// Bytes of the largest document.
  var limit: Int { limits.maxBodyBytes ?? 32 << 20 }

  /// The document at `url`; a 304 is an answer like any other, an error status is thrown.
  ///
  /// - Throws: `SourceError` or `CancellationError`.
  ///
  /// - Parameter takesCut: whether the beginning of a document is better than nothing
  ///   (`HTTPResponse.cut`).
  func document(
    at url: String, accept: String, known: KnownPage = KnownPage(),
    connections: ConnectionPolicy, takesCut: Bool = false
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(
      .get, url, headers: ["Accept": accept], limits: limits, connections: connections)
    request.keepsCookies = true
    request.setCondition(known.validators)
    return try await response(to: request, takesCut: takesCut)
  }

  func response(to request: HTTPRequest, takesCut: Bool = false) async throws -> HTTPResponse {
    do {
      do {
        return try await answer(to: request)
      } catch let error as HTTPError where takesCut {
        guard let response = HTTPResponse(cutBy: error) else { throw error }
        report(.answered(status: response.head.status, redirectedTo: nil))
        return response
      }
    } catch let error as HTTPError {
      throw SourceError(error, url: request.url)
    }
  }

  /// The request on the way that it is to go.
  func routed(_ request: HTTPRequest) async throws -> HTTPRequest {
    var request = request
    request.proxy = try await route()
    return request
  }

  /// What an API answers.
  func value<Response: Sendable>(
    of endpoint: Endpoint<Response>, in response: HTTPResponse, to request: HTTPRequest
  ) throws -> Response {
    try endpoint.value(of: response, to: request, through: client.client)
  }

  /// The same, for who has to know what the network said.
  ///
  /// - Throws: `HTTPError`, `CancellationError`, or `SourceError` where a secret cannot be had.
  func answer(to request: HTTPRequest) async throws -> HTTPResponse {
    var request = try await routed(request)
    request.deadline = deadline
    let response: HTTPResponse
    do {
      response = try await sendSigned(request)
    } catch let error as HTTPError where error.status == 412 && request.hasCondition {
      // What it was given to compare with is its own: it does not know it any more.
      request.setCondition(Validators())
      response = try await sendSigned(request)
    }
    let head = response.head
    // Compared without the credentials that the address may hold.
    let isElsewhere = head.redirectCount > 0 && head.permanentURL != head.url
    report(.answered(status: head.status, redirectedTo: isElsewhere ? head.url : nil))
    return response
  }

  /// The answer as soon as its head is there, whatever its status; sent once.
  ///
  /// - Throws: as `answer(to:)`.
  func stream(_ request: HTTPRequest) async throws -> HTTPStream {
    var request = try await routed(request)
    request.deadline = deadline
    var signed = request
    try await sign(&signed)
    let stream = try await client.stream(for: signed)
    guard stream.head.status == 401, await hasOtherSignIn(than: signed) else { return stream }
    return try await client.stream(for: request)
  }

  private func sendSigned(_ request: HTTPRequest) async throws -> HTTPResponse {
    var signed = request
    try await sign(&signed)
    do {
      return try await send(signed)
    } catch let error as HTTPError where error.status == 401 {
      guard await hasOtherSignIn(than: signed) else { throw error }
      return try await send(request)
    }
  }

  private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await client.response(for: request) { [report] notice in
      report(
        .waiting(
          RetryWait(
            attempt: notice.attempt, maxAttempts: notice.maxAttempts, until: notice.until)))
    }
  }
}

extension HTTPRequest {
  /// Asks for the document only if it has changed (RFC 9110 §13.1).
  mutating func setCondition(_ validators: Validators) {
    headers["If-None-Match"] = validators.etag
    headers["If-Modified-Since"] = validators.lastModified
  }

  fileprivate var hasCondition: Bool {
    headers["If-None-Match"] != nil || headers["If-Modified-Since"] != nil
  }
}

extension HTTPResponse {
  /// What came of a document before it was cut.
  fileprivate init?(cutBy error: HTTPError) {
    guard let partial = error.partial, partial.head.statusClass == .success, !partial.body.isEmpty
    else { return nil }
    self.init(head: partial.head, body: partial.body)
    cut = error
    cut?.partial = nil
  }

  /// None of a document that was cut: the next request asks for all of it.
  var validators: Validators {
    if cut != nil { return Validators() }
    return Validators(etag: head.headers["ETag"], lastModified: head.headers["Last-Modified"])
  }

  /// Minutes that the server calls the document fresh; a day at most: a host that gives all its
  /// files a year does not mean the news.
  var minutesFresh: Int? {
    let control = CacheControl(head.headers)
    guard !control.isNoStore, !control.isNoCache else { return nil }
    return control.maxAge.map { min($0 / 60, 24 * 60) }
  }

  var bodyDigest: Int64 {
    var digest = StableDigest()
    digest.add(body)
    return digest.stored
  }
}
