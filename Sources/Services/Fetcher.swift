internal import HTTP
internal import News

/// Fetches documents: with the limits, the retries and the deadline of its owner, and with errors
/// that say what happened to whom.
struct Fetcher: Sendable {
  let client: ResilientClient
  let limits: HTTPLimits
  let deadline: ContinuousClock.Instant?
  /// The way that requests go; nil for that of the settings.
  var route: @Sendable () async throws -> ProxyChoice? = { nil }
  /// Told how the fetching goes.
  var report: @Sendable (SourceEvent) -> Void = { _ in }

  /// Bytes of the largest document.
  var limit: Int { limits.maxBodyBytes ?? 32 << 20 }

  /// The document at `url`; a 304 is an answer like any other, an error status is thrown.
  ///
  /// - Throws: `SourceError` or `CancellationError`.
  func document(
    at url: String, accept: String, known: KnownPage = KnownPage(),
    connections: ConnectionPolicy
  ) async throws -> HTTPResponse {
    var headers: HTTPHeaders = ["Accept": accept]
    headers["If-None-Match"] = known.validators.etag
    headers["If-Modified-Since"] = known.validators.lastModified
    let request = HTTPRequest(
      .get, url, headers: headers, limits: limits, connections: connections)
    return try await response(to: request)
  }

  func response(to request: HTTPRequest) async throws -> HTTPResponse {
    do {
      return try await answer(to: request)
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

  /// The same, for who has to know what the network said.
  ///
  /// - Throws: `HTTPError` or `CancellationError`.
  func answer(to request: HTTPRequest) async throws -> HTTPResponse {
    var request = try await routed(request)
    request.deadline = deadline
    let response = try await client.response(for: request) { [report] notice in
      report(
        .waiting(
          RetryWait(
            attempt: notice.attempt, maxAttempts: notice.maxAttempts, until: notice.until)))
    }
    let head = response.head
    // Compared without the credentials that the address may hold.
    let isElsewhere = head.redirectCount > 0 && head.permanentURL != head.url
    report(.answered(status: head.status, redirectedTo: isElsewhere ? head.url : nil))
    return response
  }
}

extension HTTPResponse {
  var validators: Validators {
    Validators(etag: head.headers["ETag"], lastModified: head.headers["Last-Modified"])
  }

  /// Minutes that the server calls the document fresh; a day at most: a host that gives all its
  /// files a year does not mean the news.
  var minutesFresh: Int? { CacheControl(head.headers).maxAge.map { min($0 / 60, 24 * 60) } }

  var bodyDigest: Int64 {
    var digest = StableDigest()
    digest.add(body)
    return digest.stored
  }
}
