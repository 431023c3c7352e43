internal import HTTP
internal import News
internal import Syndication

/// Looks for the feeds of one address that was typed.
///
/// In this order, until something is found: what the shape of the address tells (`SiteFeeds`), the
/// document there, what the page declares in itself or in the head of its answer, its links that look
/// like feeds, and last the usual places, one after the other. Twelve requests at most.
///
/// What others have written leads to public hosts only, but to the host that was typed.
struct FeedSearch {
  let sources: Sources
  /// Normalised.
  let typed: String
  private let isTyped: Bool
  private var requestsLeft = 12

  /// Links that are tried where nobody chooses among them.
  private static let trials = 5

  /// - Parameter isTyped: whether the reader typed the address, rather than a list or a redirect
  ///   that named it.
  init(sources: Sources, typed: String, isTyped: Bool = true) {
    self.sources = sources
    self.typed = typed
    self.isTyped = isTyped
  }

  mutating func feeds() async throws -> Discovery {
    if let known = try await feedsOfShape() { return known }
    let response: HTTPResponse
    do {
      response = try await document()
    } catch let error as SourceError {
      return .feed(try await guess(despite: error))
    }
    let base = WebAddress.carryingUser(of: typed, to: response.head.permanentURL ?? typed)
    let policy = sources.connections(to: base, isTyped: isTyped)
    if let page = try await sources.fetcher.firstPageOfAPI(at: base, response, connections: policy)
    {
      return .feed(LocatedFeed(url: base, page: page, isTyped: true))
    }
    do {
      // A host that a redirect names is not one that the reader typed.
      return .feed(
        LocatedFeed(url: base, page: try await sources.page(response), isTyped: isTypedHost(base)))
    } catch let error as SourceError where error.kind == .notAFeed || error.kind == .decoding {
      return try await feeds(namedBy: response, error)
    }
  }

  /// As `feeds()`, where the document has come already and is none.
  ///
  /// - Parameter error: why it is none.
  mutating func feeds(
    beside response: HTTPResponse, _ error: SourceError
  ) async throws -> Discovery {
    requestsLeft -= 1
    if let known = try await feedsOfShape() { return known }
    return try await feeds(namedBy: response, error)
  }

  /// As `feeds()`, where the document has been asked for already and did not come.
  mutating func feeds(despite error: SourceError) async throws -> Discovery {
    requestsLeft -= 1
    // A server that fails has nothing better elsewhere.
    guard error.isOfPageForBrowsers else { throw error }
    if let known = try await feedsOfShape() { return known }
    return .feed(try await guess(despite: error))
  }

  /// The first of several that is one.
  mutating func first(of links: [FeedLink]) async throws -> LocatedFeed {
    var lastError: SourceError?
    for link in links.prefix(Self.trials) {
      do {
        return try await feed(at: link.url)
      } catch let error as SourceError {
        lastError = lastError ?? error
      }
    }
    throw lastError
      ?? SourceError(
        .notAFeed, stage: .parse, subject: WebAddress.redacted(typed),
        message: "The page names no feed.", next: "Look for the address of the feed on the site.")
  }

  // MARK: The address

  /// nil where the address says nothing.
  private mutating func feedsOfShape() async throws -> Discovery? {
    let known = SiteFeeds.feeds(ofPage: typed)
    if known.count > 1 { return .choice(known) }
    guard let only = known.first else { return nil }
    do {
      return .feed(try await feed(at: only.url))
    } catch let error as SourceError where error.isOfThisAddress {
      // The site has another shape than it had: its page may tell.
      return nil
    }
  }

  private mutating func guess(despite error: SourceError) async throws -> LocatedFeed {
    guard error.isOfPageForBrowsers,
      let feed = try await firstGuess(SiteFeeds.guesses(forPage: typed).map(\.url))
    else { throw error }
    return feed
  }

  // MARK: A page

  private mutating func feeds(
    namedBy response: HTTPResponse, _ error: SourceError
  ) async throws -> Discovery {
    let base = response.head.url
    let found = response.feedLinks
    guard error.kind == .notAFeed || !found.declared.isEmpty else { throw error }
    var failure = error
    var tried: Set<String> = []
    for links in [found.declared, found.guessed] {
      var links = links
      links.removeAll { !tried.insert($0.url).inserted }
      if links.count > 1 { return .choice(links) }
      guard let only = links.first else { continue }
      do {
        return .feed(try await feed(at: only.url))
      } catch let error as SourceError {
        failure = error
      }
    }
    let guesses =
      SiteFeeds.guesses(forPage: base).map(\.url)
      + FeedLinks.usualPlaces(of: base, isWordPress: found.isWordPress)
    if let feed = try await firstGuess(
      guesses.filter { tried.insert($0).inserted }, notLike: response.bodyDigest)
    {
      return .feed(feed)
    }
    if failure == error {
      failure.message = "This is a page that names no feed, and none is in the usual places."
    }
    throw failure
  }

  /// Tries addresses that nobody has named, one after the other. Ends at the first that is a feed, and
  /// where the server or the network has something against being asked.
  ///
  /// - Parameter page: the digest of the page itself; a site that answers everything with it is not
  ///   asked on.
  private mutating func firstGuess(
    _ urls: [String], notLike page: Int64? = nil
  ) async throws -> LocatedFeed? {
    for url in urls where requestsLeft > 0 {
      do {
        let response = try await document(at: url)
        guard response.bodyDigest != page else { return nil }
        return try await located(response, at: url)
      } catch let error as SourceError {
        guard error.isOfThisAddress else { return nil }
      }
    }
    return nil
  }

  // MARK: Requests

  private mutating func document() async throws -> HTTPResponse {
    requestsLeft -= 1
    return try await sources.fetcher.document(
      at: typed, accept: "\(WebFeed.accept), text/html;q=0.7",
      connections: sources.connections(to: typed, isTyped: isTyped))
  }

  private mutating func document(at url: String) async throws -> HTTPResponse {
    guard requestsLeft > 0 else {
      throw SourceError(
        .notAFeed, stage: .fetch, subject: WebAddress.redacted(typed),
        message: "The page names too many feeds that are none.",
        next: "Look for the address of the feed on the site.")
    }
    requestsLeft -= 1
    return try await sources.fetcher.document(
      at: url, accept: WebFeed.accept,
      connections: sources.connections(to: url, isTyped: isTypedHost(url)))
  }

  private mutating func feed(at url: String) async throws -> LocatedFeed {
    try await located(document(at: url), at: url)
  }

  private func located(_ response: HTTPResponse, at asked: String) async throws -> LocatedFeed {
    let url = response.head.permanentURL ?? asked
    return LocatedFeed(
      url: url, page: try await sources.page(response), isTyped: isTypedHost(url))
  }

  private func isTypedHost(_ url: String) -> Bool {
    isTyped && WebAddress.host(of: url) == WebAddress.host(of: typed)
  }
}

extension HTTPResponse {
  /// What a page says of feeds, in itself and in the head of its answer.
  var feedLinks: FeedLinks.Found {
    var found = FeedLinks.look(
      in: body, base: head.url, linkFields: head.headers.values(of: "Link"))
    found.declared = SiteFeeds.feeds(in: body, ofPage: head.url) + found.declared
    return found
  }
}

extension SourceError {
  /// Whether there is no feed at the address, while another at the same host may be one.
  fileprivate var isOfThisAddress: Bool {
    switch kind {
    case .notAFeed, .decoding, .redirect: true
    case .status: (400..<500).contains(status ?? 0) && status != 429
    default: false
    }
  }

  /// Whether a page may be for browsers only, while its feeds are for all.
  fileprivate var isOfPageForBrowsers: Bool { [403, 404, 406, 410].contains(status) }

  /// Of a feed that answers with a page now: what helps, where the page names a feed.
  func naming(feedOf response: HTTPResponse) -> SourceError {
    guard let url = response.feedLinks.declared.first?.url else { return self }
    var error = self
    error.feedURL = url
    error.next = "the page names \(WebAddress.redacted(url)): e in the health view (H) takes it"
    return error
  }
}
