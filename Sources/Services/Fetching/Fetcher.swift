internal import HTTP
internal import News
internal import Text

internal import struct Foundation.Date

/// Fetches documents with limits, retries and a deadline, and maps failures to `SourceError`.
struct Fetcher: Sendable {
  var client: ResilientClient
  private(set) var limits: HTTPLimits
  let deadline: ContinuousClock.Instant?
  /// Nil for the proxy of the settings.
  var route: @Sendable () async throws -> ProxyChoice? = { nil }
  var settings = RequestSettings()
  var report: @Sendable (SourceEvent) -> Void = { _ in }
  /// The name and password for requests to one origin.
  var signature: FeedSignature?
  /// Signs requests to a Feed API; nil for the client's authorizer.
  private(set) var apiAuthorizer: (any Authorizer)?

  /// The size of the largest document, in bytes.
  var limit: Int { limits.maxBodyBytes ?? 32 << 20 }

  /// A fetcher of documents of at most so many bytes.
  func limited(to most: Int?) -> Fetcher {
    guard let most else { return self }
    var fetcher = self
    fetcher.limits.maxBodyBytes = min(most, limit)
    return fetcher
  }

  /// Signs all requests with the sign-ins of a party.
  mutating func sign(as party: Signer.Party, by signIns: SignIns) {
    client.authorizer = signIns.authorizer(for: Signer(party))
    apiAuthorizer = signIns.authorizer(for: Signer(party, asking: .api))
  }

  /// A fetcher for the Feed API.
  var askingAPI: Fetcher {
    var fetcher = self
    fetcher.client.authorizer = apiAuthorizer ?? client.authorizer
    return fetcher
  }

  /// The document at `url`; a 304 and a 204 are answers, an error status is thrown.
  ///
  /// - Parameter takesCut: whether a document that was cut off is returned rather than thrown
  ///   (`HTTPResponse.cut`).
  /// - Throws: `SourceError` or `CancellationError`.
  func document(
    at url: String, accept: String, known: KnownPage = KnownPage(),
    connections: ConnectionPolicy, takesCut: Bool = false
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(
      .get, url, headers: ["Accept": accept], limits: limits, connections: connections)
    request.keepsCookies = true
    request.isPolled = true
    request.setCondition(known.validators)
    return try await response(to: request, takesCut: takesCut)
  }

  func response(to request: HTTPRequest, takesCut: Bool = false) async throws -> HTTPResponse {
    do { return try await answer(to: request, takesCut: takesCut) } catch let error as HTTPError {
      throw problem(error, of: request.url)
    }
  }

  /// As `response(to:takesCut:)`, with the error of the network as it is.
  func answer(to request: HTTPRequest, takesCut: Bool) async throws -> HTTPResponse {
    do { return try await answer(to: request) } catch let error as HTTPError where takesCut {
      guard let response = HTTPResponse(cutBy: error) else { throw error }
      report(.answered(status: response.head.status, redirectedTo: nil, isForGood: false))
      return response
    }
  }

  /// The failure of a request as it is shown to the user.
  func problem(_ error: HTTPError, of url: String) -> SourceError {
    var problem = SourceError(error, url: url)
    // Without its headers the other server may refuse the request.
    if error.unstoredURL != nil, let headers = stayingHeaders {
      problem.next =
        "it redirects to another server for good, and \(headers.staying): \(headers.next)"
    }
    return problem
  }

  /// Headers that only the feed's server gets.
  private var stayingHeaders: StayingHeaders? {
    if let header = signature?.keptHeader { return .secret(header: header) }
    return settings.hasHeaders ? .open : nil
  }

  /// The request with its proxy and the user's own headers.
  func routed(_ request: HTTPRequest) async throws -> HTTPRequest {
    var request = request
    request.proxy = try await route()
    settings.apply(to: &request)
    // Where a request with a secret fails there, the address stays.
    request.keepsAddress = signature?.keptHeader != nil
    return request
  }

  func value<Response: Sendable>(
    of endpoint: Endpoint<Response>, in response: HTTPResponse, to request: HTTPRequest
  ) throws -> Response {
    try endpoint.value(of: response, to: request, through: client.client)
  }

  /// The response, with the error of the network as it is.
  ///
  /// - Throws: `HTTPError`, `CancellationError`, or `SourceError` where a secret is missing.
  func answer(to request: HTTPRequest) async throws -> HTTPResponse {
    var request = try await routed(request)
    request.deadline = deadline
    let response: HTTPResponse
    do {
      response = try await sendSigned(request)
    } catch let error as HTTPError where error.status == 412 && request.condition != nil {
      // The server refuses its own validators: it is asked again without them.
      request.condition = nil
      response = try await sendSigned(request)
    }
    let head = response.head
    report(
      .answered(
        status: head.status, redirectedTo: head.redirectedTo, isForGood: head.unstoredURL != nil))
    return response
  }

  /// The response as soon as its head has arrived, whatever its status. Sent once, without retries.
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
    do {
      let response = try await client.response(for: request) { [report] notice in
        report(
          .waiting(
            RetryWait(
              attempt: notice.attempt, maxAttempts: notice.maxAttempts, until: notice.until)))
      }
      if request.isPolled { reportLimit(of: response.head) }
      return response
    } catch let error as HTTPError {
      if request.isPolled, error.isLimit {
        report(.limited(at: error.url ?? request.url, until: error.retryAfter))
      }
      throw error
    }
  }

  /// Reports a server that would refuse the next request.
  private func reportLimit(of head: HTTPResponseHead) {
    let now = client.retries.clock.now()
    let limit = RateLimit(head.headers, now: now)
    guard limit.isUsedUp, let wait = limit.reset else { return }
    report(.limited(at: head.url, until: now.addingTimeInterval(wait / .seconds(1))))
  }
}

extension HTTPRequest {
  /// RFC 9110 §13.1.
  mutating func setCondition(_ validators: Validators) {
    condition =
      validators.isEmpty
      ? nil
      : HTTPCondition(
        etag: validators.etag, lastModified: validators.lastModified, url: validators.address)
  }
}

extension HTTPResponse {
  /// The part of a document that arrived before the connection broke off; nil for an empty one.
  fileprivate init?(cutBy error: HTTPError) {
    guard let partial = error.partial, partial.head.statusClass == .success, !partial.body.isEmpty
    else { return nil }
    self.init(head: partial.head, body: partial.body)
    cut = error
    cut?.partial = nil
  }

  /// None where the document was cut, so that the next request fetches all of it, and none where it
  /// comes from farther than `redirectedTo`.
  var validators: Validators {
    let address = head.redirectedTo
    guard cut == nil, address == nil || address == head.url else { return Validators() }
    return Validators(etag: head.headers["ETag"], lastModified: head.lastModified, address: address)
  }

  /// The validators to keep for an unchanged document; nil for a new one. A 304 has its own, and a
  /// 204, which some servers send instead, none.
  func unchanged(since known: KnownPage) -> Validators? {
    switch head.statusClass {
    case .notModified: validators
    case .empty: known.validators
    default: nil
    }
  }

  /// Freshness by `Cache-Control`, else by `Expires`, in minutes; a day at most, since a host that gives all its files
  /// a year does not mean feeds.
  var minutesFresh: Int? {
    let control = CacheControl(head.headers)
    guard !control.isNoStore, !control.isNoCache else { return nil }
    return (control.maxAge ?? secondsToExpiry).map { min($0 / 60, 24 * 60) }
  }

  /// Nil without a valid date; 0 for one in the past (RFC 9111 §5.3).
  private var secondsToExpiry: Int? {
    func date(_ name: String) -> Date? {
      head.headers[name].flatMap { HTTPDate.date(from: $0, now: .now) }
    }
    guard let expires = date("Expires") else { return nil }
    let seconds = expires.timeIntervalSince(date("Date") ?? .now)
    return Int(min(max(0, seconds), 86_400))
  }

  var bodyDigest: Int64 { StableDigest(of: body).stored }

  /// The new address of a feed after a permanent redirect, with the fragment of the former one.
  func moved(_ url: String) -> String? { head.permanentURL.map { $0 + url.drop { $0 != "#" } } }
}

extension HTTPResponseHead {
  /// The target of a redirect that does not change the address by itself.
  fileprivate var redirectedTo: String? {
    // Both are compared without name and password.
    redirectCount > 0 && permanentURL != url ? unstoredURL ?? url : nil
  }

  /// Nil for a date after that of the answer: by a wrong clock, changes would be missed until then
  /// (RFC 9110 §8.8.2.1).
  fileprivate var lastModified: String? {
    guard let text = headers["Last-Modified"] else { return nil }
    let now = Date.now
    guard let changed = HTTPDate.date(from: text, now: now),
      let answered = headers["Date"].flatMap({ HTTPDate.date(from: $0, now: now) })
    else { return text }
    return changed > answered ? nil : text
  }
}
