internal import Discovery
internal import Foundation
package import HTTP
package import News
internal import Text

/// What a request to an address goes through, and what is found there.
package struct Diagnosis: Sendable {
  package enum Document: Sendable {
    case feed(Page)
    /// The Feed API, with its first page or why that does not come.
    case api(Result<Page, SourceError>)
    /// A page that leads to feeds; or, with an error, one that names some which cannot be had.
    case page([FeedLink], SourceError?)
    case unreadable(SourceError)
  }

  /// Whether "has it changed?" is answered as it should be.
  package enum Revalidation: Sendable, Hashable {
    /// 304.
    case notModified
    /// 200, with the bytes that are here already.
    case sentAgain
    /// 200 with other bytes: it has changed in between, or changes each time.
    case changed
    case status(Int)
    case failed(SourceError)
  }

  /// As it was asked for, with its query.
  package var url: String
  package var host: String
  package var isSecure: Bool
  /// How the host is reached.
  package var route: ProxyChoice
  /// What the name stands for; nil behind a proxy, whose business that is, and for a host that is a
  /// number.
  package var addresses: Result<[IPAddress], SourceError>?
  package var trace = HTTPTrace()
  /// What kept the request from an answer, or the answer's status where that is an error.
  package var problem: SourceError?
  package var tlsFailure: TLSFailure?
  /// What was shown where a certificate was not trusted.
  package var refusedCertificate: Certificate?
  package var document: Document?
  /// nil where the server gave nothing to ask by.
  package var revalidation: Revalidation?
  package var validators = Validators()
  /// Positive where this machine is ahead.
  package var clockSkew: Duration?
}

extension Sources {
  /// Sends a request as a refresh would, and looks at each step of it; then asks once more, whether it
  /// has changed. Where it is no feed, its feeds are looked for as for a subscription (`FeedSearch`).
  /// Each request has its own limits, and is sent once.
  ///
  /// - Parameters:
  ///   - proxies: the transport's.
  ///   - feed: the one at the address, which may have a proxy of its own, and a password: that signs
  ///     the request, where no name and password stand in the address.
  /// - Throws: `SourceError` for an address that cannot be used, or `CancellationError`.
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
    var request = try await single.routed(
      single.request(address, connections: connections(to: address, isUserEntered: isUserEntered)))
    try await single.sign(&request)
    diagnosis.trace = try await single.client.trace(request)
    diagnosis.clockSkew = diagnosis.trace.hops.last?.head.clockSkew(now: Date())
    var sources = self
    sources.fetcher = single
    /// What looking for feeds from here comes to.
    func feeds(from beginning: FeedSearch.Beginning) async throws -> [FeedLink] {
      let search = FeedSearch(address, isUserEntered: isUserEntered, from: beginning)
      return try await sources.feeds(foundBy: search).links
    }
    do {
      if let error = diagnosis.trace.error { throw error }
      guard let response = try diagnosis.trace.response?.validated() else { return diagnosis }
      diagnosis.validators = response.validators
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
      if let problem = diagnosis.problem, problem.status != nil {
        // What it finds none by is the problem that is told already.
        let found = try? await feeds(from: .failure(problem))
        try Task.checkCancellation()
        diagnosis.document = found.map { .page($0, nil) }
      }
    }
    return diagnosis
  }

  /// How far this machine's clock is ahead of the servers of these feeds: the smallest of the
  /// differences, for one that is right is enough. nil where none answers in time.
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
            connections: connections(to: feed.url, isUserEntered: feed.isUserEntered)))
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

  /// A fetcher that tries once.
  private func once(_ fetcher: Fetcher) -> Fetcher {
    var client = fetcher.client
    var policy = RetryPolicy()
    policy.maxAttempts = 1
    client.retries = RetryingSend(policy: policy)
    return Fetcher(
      client: client, limits: fetcher.limits, deadline: fetcher.deadline, route: fetcher.route,
      signature: fetcher.signature)
  }

  private func addresses(of url: HTTPURL) async throws -> Result<[IPAddress], SourceError> {
    do {
      return .success(
        try await NameLookup.addresses(of: url.host, limit: fetcher.limits.connect))
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
        FeedLink(
          url: feed.url, title: feed.page.description?.title, foundAt: feed.foundAt)
      ]
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
