internal import HTTP
internal import News
internal import Text

/// The Feed API at an address, with the fetcher for it.
struct FeedAPIServer: Sendable {
  let base: String
  let fetcher: Fetcher
  let connections: ConnectionPolicy

  func request<Response>(_ endpoint: Endpoint<Response>) throws -> HTTPRequest {
    var request = try endpoint.request(base: base)
    request.limits = fetcher.limits
    request.connections = connections
    return request
  }

  /// - Parameter adjust: changes the request before it is sent.
  /// - Throws: `HTTPError` for an error status, with its body for a conflict.
  func answer<Response: Sendable>(
    to endpoint: Endpoint<Response>, _ adjust: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> Response {
    var request = try request(endpoint)
    adjust(&request)
    return try fetcher.value(of: endpoint, in: try await fetcher.answer(to: request), to: request)
  }

  /// - Throws: `SourceError`.
  func value<Response: Sendable>(of endpoint: Endpoint<Response>) async throws -> Response {
    try await SourceError.mapping(base) { try await answer(to: endpoint) }
  }
}

/// Feed behind the cursor-paged JSON API. The cursor is the server's `nextCursor`.
struct FeedAPISource: PageSource {
  /// Articles a page.
  static let pageSize = 50

  let api: FeedAPIServer

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    let endpoint = FeedAPICatalogue.articles(cursor: cursor?.rawValue, limit: Self.pageSize)
    return try await SourceError.mapping(api.base) {
      var request = try api.request(endpoint)
      if cursor == nil { request.setCondition(known.validators) }
      let response = try await api.fetcher.response(to: request)
      let movedTo = cursor == nil ? movedBase(response.head.permanentURL) : nil
      if cursor == nil, let validators = response.unchanged(since: known) {
        return PageAnswer(.unchanged(validators), movedTo: movedTo)
      }
      let digest = response.bodyDigest
      if cursor == nil, digest == known.bodyDigest {
        return PageAnswer(.unchanged(response.validators), movedTo: movedTo)
      }
      let wire = try api.fetcher.value(of: endpoint, in: response, to: request)
      var page = Page(wire, base: api.base)
      guard cursor == nil else {
        // Only the newest page describes the feed.
        page.description = nil
        return PageAnswer(.page(page))
      }
      page.validators = response.validators
      page.bodyDigest = digest
      page.description = page.description ?? FeedDescription(format: .api)
      page.description?.minutesToLive = response.minutesFresh
      return PageAnswer(.page(page), movedTo: movedTo)
    }
  }

  /// The new base of the API after a permanent redirect of its articles; nil for an address that
  /// does not look like that route.
  private func movedBase(_ articles: String?) -> String? {
    guard let path = articles?.prefix(while: { $0 != "?" && $0 != "#" }),
      path.hasSuffix("/articles")
    else { return nil }
    return String(path.dropLast("/articles".count))
  }
}

extension Fetcher {
  /// The newest page of the Feed API, where `response` is its description; nil for any other
  /// document.
  ///
  /// - Parameter base: the address of that description.
  func firstPageOfAPI(
    at base: String, _ response: HTTPResponse, connections: ConnectionPolicy
  ) async throws -> Page? {
    // A small JSON object that names the API; everything else is left to the feed parser.
    guard response.body.count < 64 << 10, response.body.first(where: { $0 > 0x20 }) == 0x7B,
      let about = try? FeedAPICatalogue.about().value(of: response),
      about.api == FeedAPICatalogue.About.name
    else { return nil }
    guard about.version == 1 else {
      throw SourceError(
        .decoding, stage: .parse, subject: WebAddress.redacted(base),
        message: "the server speaks version \(about.version) of the Feed API; this Telex, 1",
        next: "install a newer Telex")
    }
    let source = FeedAPISource(
      api: FeedAPIServer(base: base, fetcher: askingAPI, connections: connections))
    guard var page = try await source.newestPage() else { return nil }
    var description = page.description ?? FeedDescription(format: .api)
    description.title = description.title ?? about.title.map(PlainText.sanitized)
    description.link = description.link ?? WebAddress.absolute(about.link, against: base)
    page.description = description
    return page
  }
}

extension Page {
  /// Sanitises texts and resolves addresses.
  init(_ wire: FeedAPICatalogue.ArticlePage, base: String) {
    self.init(
      description: wire.feed.map { head in
        FeedDescription(
          format: .api, title: head.title.map(PlainText.sanitized),
          link: WebAddress.absolute(head.link, against: base),
          description: head.description.map(PlainText.sanitized),
          language: head.language.map(PlainText.sanitized))
      },
      entries: wire.items.map { Entry($0, base: base) },
      nextCursor: wire.nextCursor.map { Cursor($0) })
    service = .feedAPI
  }
}

extension Entry {
  init(_ item: FeedAPICatalogue.Item, base: String) {
    let url = WebAddress.absolute(item.url, against: base)
    self.init(
      id: item.id, url: url, title: item.title.map(PlainText.sanitized),
      authors: (item.authors ?? []).map { Author(PlainText.sanitized($0)) },
      published: item.published, updated: item.updated,
      contentHTML: item.contentHTML.map {
        MarkupLinks.absolutized(PlainText.sanitizedMarkup($0), base: url ?? base)
      },
      summary: item.summary.map(PlainText.sanitized),
      enclosures: (item.enclosures ?? []).compactMap { file in
        WebAddress.absolute(file.url, against: base).map {
          Enclosure(
            url: $0, type: file.type.map(PlainText.sanitized),
            length: file.length.flatMap { $0 >= 0 ? $0 : nil })
        }
      },
      categories: (item.categories ?? []).map { Category(PlainText.sanitized($0)) })
    extras.comments = item.commentCount.flatMap { $0 >= 0 ? CommentLinks(count: $0) : nil }
  }
}
