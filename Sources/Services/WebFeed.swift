internal import HTTP
internal import News
internal import Syndication

/// A feed document on the web: RSS, RDF, Atom or JSON Feed.
///
/// Its cursor is the address of the next page, where the feed names one.
struct WebFeed: NewsSource {
  static let accept = """
    application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, \
    application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5
    """

  let url: String
  let fetcher: Fetcher
  let connections: ConnectionPolicy

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    let response = try await fetcher.document(
      at: cursor?.rawValue ?? url, accept: Self.accept, known: cursor == nil ? known : KnownPage(),
      connections: connections)
    return try await answer(to: response, isNewest: cursor == nil, known: known)
  }

  func answer(
    to response: HTTPResponse, isNewest: Bool, known: KnownPage
  ) async throws -> PageAnswer {
    // Only the feed itself moves; that one of its pages does says nothing.
    let movedTo = isNewest ? response.head.permanentURL : nil
    if response.head.status == 304 {
      return PageAnswer(.unchanged(response.validators), movedTo: movedTo)
    }
    let digest = response.bodyDigest
    if isNewest, digest == known.bodyDigest {
      return PageAnswer(.unchanged(response.validators), movedTo: movedTo)
    }
    var page = try await parse(response)
    page.bodyDigest = digest
    return PageAnswer(.page(page), movedTo: movedTo)
  }
}

/// Reads a document, off the caller's actor: a large one takes as long as it takes.
@concurrent
func parse(_ response: HTTPResponse) async throws -> Page {
  let url = response.head.url
  var feed: ParsedFeed
  do {
    feed = try FeedParser.parse(
      response.body, contentType: response.head.headers["Content-Type"], baseURL: url)
  } catch {
    throw error.about(url)
  }
  // The longer of the two wishes to be left alone.
  feed.description.minutesToLive =
    [feed.description.minutesToLive, response.minutesFresh].compactMap { $0 }.max()
  return Page(feed, validators: response.validators)
}

extension Page {
  init(_ feed: ParsedFeed, validators: Validators = Validators()) {
    self.init(
      description: feed.description, entries: feed.entries,
      nextCursor: feed.description.nextURL.map { Cursor($0) }, validators: validators,
      warnings: feed.warnings)
  }
}

extension SourceError {
  /// The parser does not know where its bytes came from.
  func about(_ url: String) -> SourceError {
    var error = self
    error.subject = WebAddress.redacted(url)
    return error
  }
}
