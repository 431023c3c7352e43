internal import Discovery
internal import Foundation
package import HTTP
package import News
internal import Text

/// Steps of a request to an address (route, host name, TLS, redirects) and the document there, for
/// `telex doctor URL`.
package struct Diagnosis: Sendable {
  package enum Document: Sendable {
    case feed(Page)
    /// The Feed API, with its first page or the reason against it.
    case api(Result<Page, SourceError>)
    /// A page that links to feeds; with an error where none of them can be fetched.
    case page([FeedLink], SourceError?)
    case unreadable(SourceError)
  }

  /// Outcome of a conditional request.
  package enum Revalidation: Sendable, Hashable {
    /// Status 304, as it should be.
    case notModified
    /// Status 200 with the same bytes: the server ignores the condition.
    case sentAgain
    /// Status 200 with other bytes: the document changed meanwhile, or with each request.
    case changed
    case status(Int)
    case failed(SourceError)
  }

  /// With its query, without name and password.
  package var url: String
  /// Without the port.
  package var host: String
  package var isSecure: Bool
  /// The proxy of the request, or `direct`.
  package var route: ProxyChoice
  /// The IP addresses of the host name; nil behind a proxy, which resolves it itself, and for a
  /// number.
  package var addresses: Result<[IPAddress], SourceError>?
  /// The request with all redirects and times.
  package var trace = HTTPTrace()
  /// The failure that ended the request, or the error status of the response.
  package var problem: SourceError?
  package var tlsFailure: TLSFailure?
  package var refusedCertificate: Certificate?
  /// Nil where no response could be read.
  package var document: Document?
  /// Nil where the response had neither ETag nor Last-Modified.
  package var revalidation: Revalidation?
  package var validators = Validators()
  /// How far this device's clock is ahead of the server's.
  package var clockSkew: Duration?
}

extension Sources {
  /// Sends a request as a refresh would and records each step; then sends it again with the
  /// validators of the response. Where the document is no feed, searches for feeds (`FeedSearch`).
  /// Each request has its own limits and is sent once.
  ///
  /// - Parameters:
  ///   - proxies: the settings of the transport.
  ///   - feed: the subscription with this address, for its own proxy and password. A name and
  ///     password in the address take precedence.
  /// - Throws: `SourceError` for an unusable address, or `CancellationError`.
  package func diagnose(
    _ address: String, isUserEntered: Bool = true, proxies: ProxySettings, of feed: Feed? = nil
  ) async throws -> Diagnosis {
    let user = WebAddress.user(in: address)
    let address = WebAddress.withoutUser(address)
    let url: HTTPURL
    do { url = try HTTPURL(address) } catch let error as HTTPError {
      throw SourceError(error, url: address)
    }
    var single = once(feed.map(fetcher(for:)) ?? fetcher)
    if let user { single.signature = .typed(user) }
    let ownRoute = try await single.route()
    var diagnosis = Diagnosis(
      url: address, host: url.host, isSecure: url.isSecure,
      route: ownRoute ?? proxies.choice(for: url))
    if diagnosis.route == .direct, IPAddress(url.host) == nil {
      diagnosis.addresses = try await addresses(of: url)
    }
    let policy = connections(to: address, isUserEntered: isUserEntered)
    let connection = feed?.recipe.flatMap(GraphQLRecipe.init).map {
      GraphQLSource(url: address, recipe: $0, fetcher: single, connections: policy)
    }
    let made = feed?.recipe.flatMap(DocumentRecipe.init).map {
      RecipeFeed(url: address, recipe: $0, fetcher: single, connections: policy)
    }
    var request = try await single.routed(
      try connection?.request(after: nil) ?? single.request(address, connections: policy))
    try await single.sign(&request)
    diagnosis.trace = try await single.client.trace(request)
    diagnosis.clockSkew = diagnosis.trace.hops.last?.head.clockSkew(now: Date())
    var sources = self
    sources.fetcher = single
    func feeds(from beginning: FeedSearch.Beginning) async throws -> [FeedLink] {
      let search = FeedSearch(address, isUserEntered: isUserEntered, from: beginning)
      return try await sources.feeds(foundBy: search).links
    }
    do {
      if let error = diagnosis.trace.error { throw error }
      guard let response = try diagnosis.trace.response?.validated(),
        response.head.statusClass != .empty
      else { return diagnosis }
      if let connection {
        diagnosis.document = try await connection.document(in: response)
        return diagnosis
      }
      diagnosis.validators = response.validators
      if let made {
        do { diagnosis.document = .feed(try await made.page(of: response)) } catch let error
          as SourceError
        { diagnosis.document = .unreadable(error) }
        return diagnosis
      }
      diagnosis.document = try await single.document(in: response, of: request, else: feeds)
      if case .feed = diagnosis.document, !response.validators.isEmpty {
        diagnosis.revalidation = try await single.revalidation(of: response, request)
      }
    } catch let error as HTTPError {
      diagnosis.tlsFailure = error.tlsFailure
      diagnosis.problem = SourceError(
        error, url: diagnosis.trace.failedAt?.description ?? diagnosis.trace.head.url)
      if let place = diagnosis.trace.failedAt, error.tlsFailure?.isOfCertificate == true {
        diagnosis.refusedCertificate = await CertificateLook.certificate(
          at: place, proxy: ownRoute ?? proxies.choice(for: place),
          connections: request.connections,
          limit: fetcher.limits.connect)
      }
      if connection == nil, let problem = diagnosis.problem, problem.status != nil {
        // Where the search finds nothing, `problem` already says why.
        let found = try? await feeds(from: .failure(problem))
        try Task.checkCancellation()
        diagnosis.document = found.map { .page($0, nil) }
      }
    }
    return diagnosis
  }

  /// How far this device's clock is ahead of the servers of these feeds: the smallest difference,
  /// since one correct server is enough. Nil where none answers in time.
  ///
  /// - Parameter limit: of each request; all are sent at once.
  package func clockSkew(
    of feeds: [Feed], limit: Duration
  ) async throws -> (host: String, skew: Duration)? {
    let single = once(fetcher)
    return try await withThrowingTaskGroup(of: (String, Duration)?.self) { group in
      for feed in feeds {
        var request = try await fetcher(for: feed).routed(
          HTTPRequest(
            .head, WebAddress.withoutUser(feed.url), limits: fetcher.limits,
            connections: connections(of: feed)))
        request.limits.total = limit
        group.addTask { [request] in
          do {
            let stream = try await single.client.stream(for: request, isSigned: false)
            return stream.head.clockSkew(now: Date()).map {
              ((try? HTTPURL(stream.head.url).host) ?? "", $0)
            }
          } catch is HTTPError {
            return nil
          }
        }
      }
      var found: [(String, Duration)] = []
      for try await skew in group.compactMap({ $0 }) { found.append(skew) }
      return found.min { abs($0.1) < abs($1.1) }.map { (host: $0.0, skew: $0.1) }
    }
  }

  /// A fetcher without retries.
  private func once(_ fetcher: Fetcher) -> Fetcher {
    var client = fetcher.client
    var policy = RetryPolicy()
    policy.maxAttempts = 1
    client.retries = RetryingSend(policy: policy)
    return Fetcher(
      client: client, limits: fetcher.limits, deadline: fetcher.deadline, route: fetcher.route,
      settings: fetcher.settings, signature: fetcher.signature)
  }

  private func addresses(of url: HTTPURL) async throws -> Result<[IPAddress], SourceError> {
    do {
      return .success(try await NameLookup.addresses(of: url.host, limit: fetcher.limits.connect))
    } catch let error as HTTPError {
      return .failure(SourceError(error, url: url.description))
    }
  }
}

private func abs(_ duration: Duration) -> Duration {
  duration < .zero ? .zero - duration : duration
}

extension FoundFeeds {
  fileprivate var links: [FeedLink] {
    switch self {
    case .choice(let links): links
    case .feed(let feed):
      [
        FeedLink(url: feed.url, title: feed.page.description?.title, foundAt: feed.foundAt)
      ]
    }
  }
}

extension GraphQLSource {
  fileprivate func document(in response: HTTPResponse) async throws -> Diagnosis.Document {
    do { return .feed(try await read(response, at: nil)) } catch let error as SourceError {
      return .unreadable(error)
    }
  }
}

extension Fetcher {
  /// As `document(at:accept:known:connections:)` sends it.
  fileprivate func request(_ url: String, connections: ConnectionPolicy) -> HTTPRequest {
    var request = HTTPRequest(
      .get, url, headers: ["Accept": "\(WebFeed.accept), text/html;q=0.7"], limits: limits,
      connections: connections)
    request.deadline = deadline
    request.keepsCookies = true
    return request
  }

  fileprivate func document(
    in response: HTTPResponse, of request: HTTPRequest,
    else feeds: (FeedSearch.Beginning) async throws -> [FeedLink]
  ) async throws -> Diagnosis.Document {
    let base = response.head.permanentURL ?? request.url
    do {
      if let page = try await firstPageOfAPI(
        at: base, response, connections: request.connections)
      {
        return .api(.success(page))
      }
    } catch let error as SourceError {
      return .api(.failure(error))
    }
    do {
      return .feed(try await parse(response))
    } catch let error as SourceError {
      do {
        let page = SearchDocument(response, content: .page(error, text: response.pageText))
        return .page(try await feeds(.document(page, error)), nil)
      } catch let failure as SourceError {
        let links = response.feedLinks.best
        return links.isEmpty ? .unreadable(failure) : .page(links, failure)
      }
    }
  }

  fileprivate func revalidation(
    of response: HTTPResponse, _ request: HTTPRequest
  ) async throws -> Diagnosis.Revalidation {
    var request = request
    request.setCondition(response.validators)
    let trace = try await client.trace(request)
    if let error = trace.error { return .failed(SourceError(error, url: request.url)) }
    guard let again = trace.response else { return .status(0) }
    switch again.head.status {
    case 304: return .notModified
    case 200: return again.body == response.body ? .sentAgain : .changed
    default: return .status(again.head.status)
    }
  }
}
