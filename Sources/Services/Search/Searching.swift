internal import Discovery
internal import HTTP
internal import News
internal import Syndication
internal import Text

extension Sources {
  /// Performs a search for feeds: asks for what it wants to see, and reads what comes.
  ///
  /// What others have written leads to public hosts only, but to the host that the user typed.
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
      return .failure(
        SourceError(error, url: request.url), isUnanswered: error.meansNoSecureServer)
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
    switch request.kind {
    case .document, .guess:
      return try await fetcher.document(
        at: request.url, accept: WebFeed.accept, connections: connections, takesCut: true)
    case .page, .secureAddress:
      var headers: HTTPHeaders = ["Accept": "\(WebFeed.accept), text/html;q=0.7"]
      headers["Cookie"] = SiteFeeds.refusalOfConsent(at: request.url)
      var page = HTTPRequest(
        .get, request.url, headers: headers, limits: fetcher.limits, connections: connections)
      page.keepsCookies = true
      return request.kind == .page
        ? try await fetcher.response(to: page, takesCut: true) : try await fetcher.answer(to: page)
    }
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
      // The usual places are many, and what pages there name is not looked at.
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
      url: response.head.url, permanentURL: response.head.permanentURL,
      digest: response.bodyDigest, linkFields: response.head.headers.values(of: "Link"),
      content: content)
  }
}

extension HTTPResponse {
  /// The body as a page's text, in UTF-8.
  var pageText: [UInt8] { PageText.utf8(body, contentType: head.headers["Content-Type"]) }

  /// The links to feeds in the page, and in the head of its answer.
  var feedLinks: FeedLinks.Found {
    FeedLinks.named(
      in: pageText, at: head.url, linkFields: head.headers.values(of: "Link"))
  }
}

extension HTTPError {
  /// Whether nothing has answered over TLS. A certificate that was shown and is wrong is an answer:
  /// it is told, and no way is looked for around it.
  fileprivate var meansNoSecureServer: Bool {
    switch kind {
    case .refused, .cutShort, .timeout(.connect): true
    case .tls: tlsFailure == .notTLS || tlsFailure == .other
    default: false
    }
  }
}

extension SourceError {
  /// Of a feed that answers with a page now: what helps, where the page names a feed.
  func naming(feedOf response: HTTPResponse) -> SourceError {
    guard let url = response.feedLinks.declared.first?.url else { return self }
    var error = self
    error.feedURL = url
    error.next = "the page names \(WebAddress.redacted(url)): e in the health view (H) takes it"
    return error
  }
}
