internal import HTTP
internal import News
internal import Syndication
internal import Text

/// Feed document on the web: RSS, RDF, Atom or JSON Feed.
///
/// Its cursor is the address of the next older page, where the feed links to one (RFC 5005, JSON
/// Feed), or a `NumberedPage`. The server chose that address: `connections` decides whether it may
/// be reached, and an https document leads to https only (`SecuredPage`). Description, validators
/// and redirects of an older page do not concern the feed.
struct WebFeed: PageSource {
  static let accept = """
    application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, \
    application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5
    """

  let url: String
  let fetcher: Fetcher
  let connections: ConnectionPolicy

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    if let cursor { return PageAnswer(.page(try await olderPage(at: cursor))) }
    let response = try await fetcher.document(
      at: url, accept: Self.accept, known: known, connections: connections, takesCut: true)
    return try await answer(to: response, known: known)
  }

  /// The newest page.
  func answer(to response: HTTPResponse, known: KnownPage) async throws -> PageAnswer {
    let movedTo = response.head.permanentURL
    if let validators = response.unchanged(since: known) {
      return PageAnswer(.unchanged(validators), movedTo: movedTo)
    }
    let digest = response.bodyDigest
    if digest == known.bodyDigest {
      return PageAnswer(.unchanged(response.validators), movedTo: movedTo)
    }
    var page: Page
    do {
      page = try await parse(response)
    } catch let error as SourceError where error.kind == .notAFeed {
      throw error.naming(feedOf: response)
    }
    if !page.isCut { page.bodyDigest = digest }
    return PageAnswer(.page(page), movedTo: movedTo)
  }

  private func olderPage(at cursor: Cursor) async throws -> Page {
    let place = NumberedPage(cursor)
    let secured = SecuredPage(cursor, of: url)
    var page: Page
    do {
      let response = try await fetcher.document(
        at: place?.url(of: url) ?? secured?.url ?? cursor.rawValue, accept: Self.accept,
        connections: connections)
      if response.head.statusClass == .empty { return Page() }
      do {
        page = try await parse(response, at: place)
      } catch let error as SourceError where error.kind == .notAFeed && leadsHome(response, place) {
        return Page()
      }
    } catch let error as SourceError where place != nil && error.status == 404 {
      // WordPress answers 404 to a number that is too high: the page before was the last.
      return Page()
    } catch let error as SourceError where secured != nil && error.isOfSecureServer {
      throw SourceError(
        .insecure, stage: .fetch, subject: error.subject,
        message: "The feed names its older pages over plain http, and over https: \(error.message)",
        next: "they are not asked for over plain http; tell the people who write the feed",
        status: error.status)
    }
    if let place, place.repeats(page.entries) {
      page.entries = []
      page.nextCursor = nil
      page.warnings.append("The server has no older pages: it sends the same one again.")
    }
    page.description = nil
    page.validators = Validators()
    return page
  }

  /// Whether the site redirected a number that is too high to one of its own pages, as some
  /// WordPress sites do instead of a 404. A page of another host may be the sign-in of a public
  /// network.
  private func leadsHome(_ response: HTTPResponse, _ place: NumberedPage?) -> Bool {
    place != nil && response.head.redirectCount > 0
      && WebAddress.host(of: response.head.url) == WebAddress.host(of: url)
  }
}

/// Parses the document of a response, off the caller's actor: a large one takes long.
///
/// - Parameter place: the cursor of the request, where that was a number.
@concurrent
func parse(_ response: HTTPResponse, at place: NumberedPage? = nil) async throws -> Page {
  let url = response.head.url
  if response.head.statusClass == .empty {
    throw SourceError(
      .decoding, stage: .fetch, subject: WebAddress.redacted(url),
      message: "The server has sent no document yet (\(response.head.status)).",
      next: "try again when it has one", status: response.head.status)
  }
  var feed: ParsedFeed
  do {
    feed = try FeedParser.parse(
      response.body, contentType: response.head.headers["Content-Type"],
      baseURL: response.baseURL)
  } catch {
    if let check = response.botCheck { throw SourceError(check, url: url) }
    // A document that was cut may be a feed: the failure is the missing end.
    if let cut = response.cut { throw SourceError(cut, url: url) }
    throw error.about(url)
  }
  // The longer of the intervals that the feed and its server ask for.
  feed.description.minutesToLive =
    [feed.description.minutesToLive, response.minutesFresh].compactMap { $0 }.max()
  var page = Page(feed, validators: feed.isCut ? Validators() : response.validators)
  page.isCut = feed.isCut || response.cut != nil
  page.problem = try response.problem(of: feed)
  if page.problem == nil, feed.isCut {
    page.remark = "The document ends before it is complete; articles at its end may be missing."
  }
  if page.problem == nil, let cut = response.cut { page.warnings.append(cut.message) }
  page.nextCursor =
    feed.description.nextURL.flatMap { SecuredPage($0, namedAt: url)?.cursor } ?? page.nextCursor
    ?? NumberedPage.following(feed.description, feed.entries, of: url, at: place)?.cursor
  return page
}

extension HTTPResponse {
  /// Why the end of a feed is missing; nil where it is complete, or where the server has sent it
  /// so.
  ///
  /// - Throws: that problem, where there is no entry to show.
  fileprivate func problem(of feed: ParsedFeed) throws -> SourceError? {
    // Where the end of the connection is the end of the body, a lost connection looks the same.
    guard feed.isCut, cut != nil || head.endsWithConnection else { return nil }
    let host = (try? HTTPURL(head.url).host) ?? ""
    var problem = SourceError(
      cut
        ?? HTTPError(
          .cutShort, "\(host) ended the connection before the document was complete.", host: host),
      url: head.url)
    guard !feed.entries.isEmpty else { throw problem }
    problem.status = head.status
    problem.next = "what came is shown, and the next refresh asks for all of it"
    return problem
  }

  /// The base of relative addresses in the body: the `Content-Location` (RFC 3986 §5.1.2) on the
  /// same host, else the address of the response. Servers behind a proxy may name internal hosts.
  fileprivate var baseURL: String {
    guard let location = head.headers["Content-Location"],
      let url = WebAddress.resolve(location, against: head.url), WebAddress.isWeb(url),
      WebAddress.scheme(of: url) == WebAddress.scheme(of: head.url),
      WebAddress.isAt(url, origin: head.url)
    else { return head.url }
    return url
  }
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
  /// The error of the parser, with the address as its subject.
  func about(_ url: String) -> SourceError {
    var error = self
    error.subject = WebAddress.redacted(url)
    return error
  }
}
