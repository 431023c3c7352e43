internal import Discovery
internal import HTTP
internal import News
internal import Syndication
internal import Text

extension Sources {
  /// Performs a search for feeds. Addresses from documents and redirects reach public hosts only,
  /// or the host that the user entered.
  ///
  /// - Throws: `SourceError` or `CancellationError`.
  func feeds(foundBy search: FeedSearch) async throws -> FoundFeeds {
    var search = search
    var action = search.begin()
    while true {
      switch action {
      case .fetch(let request): action = search.received(try await answer(to: request))
      case .found(let feeds): return feeds
      case .failed(let error): throw error
      }
    }
  }

  private func answer(to request: SearchRequest) async throws -> SearchAnswer {
    let response: HTTPResponse
    do {
      response = try await self.response(to: request)
    } catch let error as HTTPError {
      let problem = fetcher.problem(error, of: request.url)
      // The server would take every other request for a bot's as well.
      if case .certain? = error.botCheck { throw problem }
      return .failure(problem, isUnanswered: error.meansNoSecureServer)
    } catch let error as SourceError {
      return .failure(error)
    }
    return .document(
      SearchDocument(response, content: try await content(of: response, to: request)))
  }

  /// - Throws: `HTTPError`, `SourceError` or `CancellationError`.
  private func response(to request: SearchRequest) async throws -> HTTPResponse {
    let connections = connections(
      to: request.url, isUserEntered: request.isUserEnteredHost(of: request.url))
    var headers: HTTPHeaders = ["Accept": WebFeed.accept]
    if request.kind == .page || request.kind == .secureAddress {
      headers["Accept"] = "\(WebFeed.accept), text/html;q=0.7"
      headers["Cookie"] = SiteFeeds.refusalOfConsent(at: request.url)
    }
    var page = HTTPRequest(
      .get, request.url, headers: headers, limits: fetcher.limits, connections: connections)
    page.keepsCookies = true
    page.isPolled = true
    return try await fetcher.answer(to: page, takesCut: request.kind != .secureAddress)
  }

  private func content(
    of response: HTTPResponse, to request: SearchRequest
  ) async throws -> SearchDocument.Content {
    do {
      if request.kind == .page || request.kind == .secureAddress,
        let page = try await firstPageOfAPI(response, askedBy: request)
      {
        return .feed(page)
      }
    } catch let error as SourceError {
      return .unusable(error)
    }
    do {
      return .feed(try await page(response))
    } catch let error as SourceError {
      // Guessed addresses are many: their pages are not searched for links.
      return .page(error, text: request.kind == .guess ? [] : response.pageText)
    }
  }

  private func firstPageOfAPI(
    _ response: HTTPResponse, askedBy request: SearchRequest
  ) async throws -> Page? {
    let base = WebAddress.withASCIIHost(
      WebAddress.carryingUser(of: request.url, to: response.head.permanentURL ?? request.url))
    return try await fetcher.firstPageOfAPI(
      at: base, response,
      connections: connections(to: base, isUserEntered: request.isUserEnteredHost(of: base)))
  }
}

extension SearchDocument {
  init(_ response: HTTPResponse, content: Content) {
    self.init(
      url: response.head.url, permanentURL: response.head.permanentURL, digest: response.bodyDigest,
      linkFields: response.head.headers.values(of: "Link"), content: content)
  }
}

extension HTTPResponse {
  /// In UTF-8.
  var pageText: [UInt8] { PageText.utf8(body, contentType: head.headers["Content-Type"]) }

  /// Links to feeds in the page and in the `Link` fields of the response.
  var feedLinks: FeedLinks.Found {
    FeedLinks.named(in: pageText, at: head.url, linkFields: head.headers.values(of: "Link"))
  }
}

extension HTTPError {
  /// Whether no server answered over TLS, so that plain http may be tried. A wrong certificate is
  /// an answer, and never bypassed.
  var meansNoSecureServer: Bool {
    switch kind {
    case .refused, .cutShort, .timeout(.connect): true
    case .tls: tlsFailure == .notTLS || tlsFailure == .other
    default: false
    }
  }
}

extension SourceError {
  /// The error about a feed whose address returns a page, with the feed that the page links to.
  func naming(feedOf response: HTTPResponse) -> SourceError {
    guard let url = response.feedLinks.declared.first?.url else { return self }
    var error = self
    error.feedURL = url
    error.next = "the page names \(WebAddress.redacted(url)): c in Health (H) takes it"
    return error
  }
}
