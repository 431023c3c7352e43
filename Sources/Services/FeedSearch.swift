internal import Discovery
internal import HTTP
internal import News
internal import Syndication
internal import Text

/// Looks for the feeds of one address that was typed.
///
/// In this order, until something is found: what the shape of the address tells (`SiteFeeds`), the
/// document there, what the page declares in itself or in the head of its answer, its links that look
/// like feeds, those that are called so, and last the usual places, one after the other. A link to a
/// page about feeds is followed once, and so is a page that only leads on; where nothing is at the
/// address, the first page of the site is looked at. Twelve requests at most.
///
/// What others have written leads to public hosts only, but to the host that was typed. A page that
/// came over https leads to https only: a feed that it names over http is asked for over https.
struct FeedSearch {
  let sources: Sources
  /// Normalised.
  private(set) var typed: String
  /// The same over http, where that may be meant and has not been asked.
  private var plain: String?
  private let isTyped: Bool
  private var requestsLeft = 12
  /// What has been asked, or is about to be.
  private var tried: Set<String> = []
  /// Addresses over https of what an https page names over plain http only.
  private var secured: Set<String> = []
  private var hasFollowedRefresh = false
  /// Requests for what a page about feeds only calls so.
  private var nestedLabelsLeft = 2

  /// Links that are tried where nobody chooses among them.
  private static let trials = 5
  /// Links of the page itself that only their words call feeds, and that are asked. What else the
  /// page has, and the usual places, get the other requests.
  private static let labelTrials = 3

  /// - Parameters:
  ///   - plain: the address over http, to be asked once where nothing answers over https.
  ///   - isTyped: whether the reader typed the address, rather than a list or a redirect that named it.
  init(sources: Sources, typed: String, plain: String? = nil, isTyped: Bool = true) {
    self.sources = sources
    self.isTyped = isTyped
    self.typed = SiteFeeds.pageBehindConsent(at: typed) ?? typed
    self.plain = plain
  }

  mutating func feeds() async throws -> FoundFeeds {
    if let known = try await feedsOfShape() { return known }
    let response: HTTPResponse
    do {
      response = try await typedDocument()
    } catch let error as SourceError where error.isOfPageForBrowsers {
      return try await feedsBeside(error)
    }
    return try await feeds(in: response, askedAt: typed)
  }

  /// As `feeds()`, where the document has come already and is none.
  ///
  /// - Parameter error: why it is none.
  mutating func feeds(
    beside response: HTTPResponse, _ error: SourceError
  ) async throws -> FoundFeeds {
    requestsLeft -= 1
    if let known = try await feedsOfShape() { return known }
    return try await feeds(namedBy: response, error, true)
  }

  /// As `feeds()`, where the document has been asked for already and did not come.
  mutating func feeds(despite error: SourceError) async throws -> FoundFeeds {
    requestsLeft -= 1
    // A server that fails has nothing better elsewhere.
    guard error.isOfPageForBrowsers else { throw error }
    if let known = try await feedsOfShape() { return known }
    return try await feedsBeside(error)
  }

  /// nil where the address says nothing.
  private mutating func feedsOfShape() async throws -> FoundFeeds? {
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

  /// The first of several that is one.
  mutating func first(of links: [FeedLink]) async throws -> LocatedFeed {
    var lastError: SourceError?
    secured.formUnion(links.filter(\.isSecured).map(\.url))
    for link in links.prefix(Self.trials) {
      do {
        var feed = try await feed(linkedAt: link.url)
        feed.foundAt = link.foundAt
        return feed
      } catch let error as SourceError {
        lastError = lastError ?? error
        if error.kind == .offline { break }
      }
    }
    throw lastError
      ?? SourceError(
        .notAFeed, stage: .parse, subject: WebAddress.redacted(typed),
        message: "The page names no feed.", next: "look for the address of the feed on the site")
  }

  // MARK: A page

  /// - Parameter url: what was asked for.
  private mutating func feeds(
    in response: HTTPResponse, askedAt url: String, triesUsualPlaces: Bool = true
  ) async throws -> FoundFeeds {
    let base = WebAddress.withASCIIHost(
      WebAddress.carryingUser(of: url, to: response.head.permanentURL ?? url))
    // A host that a redirect names is not one that the reader typed.
    let isTyped = isTypedHost(base)
    let policy = sources.connections(to: base, isTyped: isTyped)
    if let page = try await sources.fetcher.firstPageOfAPI(at: base, response, connections: policy)
    {
      return .feed(LocatedFeed(url: base, page: page, isTyped: isTyped))
    }
    do {
      return .feed(
        LocatedFeed(url: base, page: try await sources.page(response), isTyped: isTyped))
    } catch let error as SourceError where error.kind == .notAFeed || error.kind == .decoding {
      return try await feeds(namedBy: response, error, triesUsualPlaces)
    }
  }

  private mutating func feeds(
    namedBy response: HTTPResponse, _ error: SourceError, _ triesUsualPlaces: Bool
  ) async throws -> FoundFeeds {
    let base = response.head.url
    let found = response.feedLinks(in: response.pageText)
    secured.formUnion(found.all.filter(\.isSecured).map(\.url))
    guard !found.isListOfFeeds, error.kind == .notAFeed || !found.declared.isEmpty else {
      throw error
    }
    var failure: SourceError?
    tried.insert(base)
    for links in [found.declared, found.guessed] {
      let links = links.filter { tried.insert($0.url).inserted }
      if links.count > 1 { return .choice(links) }
      guard let only = links.first else { continue }
      do {
        return try await feeds(linkedAt: only.url)
      } catch let error as SourceError {
        // What the page says first is what the reader should hear of.
        failure = failure ?? error
        if endsSearch(error, at: only.url) { throw failure ?? error }
      }
    }
    let labelled = found.labelled.filter { !tried.contains($0.url) }
    if let called = try await feeds(called: labelled, isNested: false) { return called }
    if failure == nil, let target = found.refresh,
      let response = try await documentAfterRefresh(to: target)
    {
      return try await feeds(
        in: response, askedAt: target, triesUsualPlaces: triesUsualPlaces)
    }
    guard triesUsualPlaces else { throw failure ?? error }
    let guesses = try await firstGuess(
      SiteFeeds.guesses(forPage: base).map(\.url)
        + FeedLinks.usualPlaces(of: base, isWordPress: found.isWordPress), notLike: response)
    if let feed = guesses.feed { return .feed(feed) }
    if let failure { throw failure }
    var error = error
    error.message = guesses.sentence(for: base)
    throw error
  }

  /// The page that a page leads to by itself; nil where it cannot be had.
  private mutating func documentAfterRefresh(
    to target: String
  ) async throws -> HTTPResponse? {
    guard !hasFollowedRefresh, requestsLeft > 0, tried.insert(target).inserted else { return nil }
    hasFollowedRefresh = true
    do {
      return try await page(at: target)
    } catch is SourceError {
      return nil
    }
  }

  /// What a link of a page leads to: a feed, or a page about feeds that names them. No further.
  private mutating func feeds(linkedAt url: String) async throws -> FoundFeeds {
    let response = try await document(at: url)
    tried.formUnion([url, response.head.url])
    do {
      return .feed(try await located(response, at: url))
    } catch let error as SourceError where error.kind == .notAFeed {
      let named = response.feedLinks(in: response.pageText)
      secured.formUnion(named.all.filter(\.isSecured).map(\.url))
      let links = named.all.filter { !tried.contains($0.url) }
      if links.allSatisfy(named.labelled.contains) {
        guard let called = try await feeds(called: links, isNested: true) else { throw error }
        return called
      }
      tried.formUnion(links.map(\.url))
      if links.count > 1 { return .choice(links) }
      guard let only = links.first else { throw error }
      return .feed(try await feed(at: only.url))
    }
  }

  /// What there is behind links that only their words call feeds; nil for nothing. Words mean many
  /// things: the first few are asked, and only where each of them is a feed the others count as well.
  ///
  /// - Parameter isNested: whether they stand on a page about feeds, from which none is followed.
  private mutating func feeds(
    called links: [FeedLink], isNested: Bool
  ) async throws -> FoundFeeds? {
    let asked = links.prefix(isNested ? nestedLabelsLeft : Self.labelTrials)
    if isNested { nestedLabelsLeft -= asked.count }
    tried.formUnion(asked.map(\.url))
    var found: [FeedLink] = []
    var single: LocatedFeed?
    var isEachOne = true
    asking: for link in asked {
      do {
        let here: FoundFeeds =
          try await isNested ? .feed(feed(at: link.url)) : feeds(linkedAt: link.url)
        switch here {
        case .feed(let feed):
          single = feed
          found.append(FeedLink(url: feed.url, title: link.title))
        case .choice(let several): found += several
        }
      } catch let error as SourceError {
        isEachOne = false
        guard endsSearch(error, at: link.url) else { continue }
        if found.isEmpty { throw error }
        break asking
      }
    }
    guard !found.isEmpty else { return nil }
    if isEachOne { found += links.dropFirst(asked.count) }
    var seen: Set<String> = []
    found = found.filter { seen.insert($0.url).inserted }
    if found.count == 1, let single { return .feed(single) }
    return .choice(found)
  }

  /// The same, and the first of several.
  private mutating func feed(linkedAt url: String) async throws -> LocatedFeed {
    let links: [FeedLink]
    switch try await feeds(linkedAt: url) {
    case .feed(let feed): return feed
    case .choice(let several): links = several
    }
    for link in links.prefix(Self.trials) {
      do {
        return try await feed(at: link.url)
      } catch let error as SourceError where error.isOfThisAddress {
        // Pages about feeds name much that is none.
      }
    }
    throw SourceError(
      .notAFeed, stage: .parse, subject: WebAddress.redacted(url),
      message: "This is a web page, not a feed, and what it names is none.",
      next: "look for the address of the feed on the site")
  }

  // MARK: Beside a page

  /// Where the address answers with an error: pages for browsers only have feeds for all, and where
  /// a page is gone its site is there.
  private mutating func feedsBeside(_ error: SourceError) async throws -> FoundFeeds {
    tried.insert(typed)
    let guess = try await firstGuess(SiteFeeds.guesses(forPage: typed).map(\.url))
    if let feed = guess.feed { return .feed(feed) }
    guard [404, 410].contains(error.status), requestsLeft > 0,
      let root = WebAddress.resolve("/", against: typed), root != typed
    else { throw error }
    var error = error
    do {
      let response = try await page(at: root)
      return try await feeds(in: response, askedAt: root, triesUsualPlaces: false).found(at: root)
    } catch is SourceError {
      error.next = "check the address; the first page of the site leads to no feed either"
      throw error
    }
  }

  /// What came of trying addresses that nobody has named.
  private struct Guesses {
    var feed: LocatedFeed?
    /// Those that were asked.
    var asked: [String] = []
    /// Why no more were asked.
    var end: SourceError?

    /// What to say of a page that names no feed where all of this was in vain.
    func sentence(for page: String) -> String {
      let site = WebAddress.resolve("/", against: page) ?? page
      var names = asked.map { $0.hasPrefix(site) ? "/" + $0.dropFirst(site.count) : $0 }
      let last = end == nil ? nil : names.popLast()
      var text = "This is a page that names no feed"
      if !names.isEmpty { text += ", and there is none at " + names.joined(separator: ", ") }
      text += "."
      if let last, let end { text += " The search for one ended at \(last): \(end.message)" }
      return text
    }
  }

  /// Tries addresses that nobody has named, one after the other. Ends at the first that is a feed, and
  /// where the server or the network has something against being asked.
  ///
  /// - Parameter page: the page itself; what leads back to it, or sends it again, is none.
  private mutating func firstGuess(
    _ urls: [String], notLike page: HTTPResponse? = nil
  ) async throws -> Guesses {
    var guesses = Guesses()
    let pageDigest = page?.bodyDigest
    var places = urls.filter { tried.insert($0).inserted }[...]
    while requestsLeft > 0, let url = places.popFirst() {
      guesses.asked.append(url)
      do {
        let response = try await document(at: url)
        if let page, response.head.url == page.head.url || response.bodyDigest == pageDigest {
          // The site has an answer for whatever is not there. It rarely has one for names of files.
          places = (places.filter(isFileName) + places.filter { !isFileName($0) })[...]
          continue
        }
        guesses.feed = try await located(response, at: url)
        return guesses
      } catch let error as SourceError {
        guard error.isOfThisAddress else {
          guesses.end = error
          return guesses
        }
      }
    }
    return guesses
  }

  // MARK: Requests

  /// The document at the address that was typed, whose scheme may have been left open.
  private mutating func typedDocument() async throws -> HTTPResponse {
    guard let plain else { return try await page(at: typed) }
    self.plain = nil
    let failure: HTTPError
    do {
      requestsLeft -= 1
      return try await sources.fetcher.answer(to: pageRequest(typed))
    } catch let error as HTTPError {
      guard error.meansNoSecureServer else { throw SourceError(error, url: typed) }
      failure = error
    }
    do {
      let response = try await page(at: plain)
      typed = plain
      return response
    } catch let error as SourceError {
      guard error.status != nil else { throw SourceError(failure, url: typed) }
      typed = plain
      throw error
    }
  }

  /// A page as it is for readers, at an address that was typed or that the site leads to.
  private mutating func page(at url: String) async throws -> HTTPResponse {
    requestsLeft -= 1
    let response = try await sources.fetcher.response(to: pageRequest(url), takesCut: true)
    guard let behind = SiteFeeds.pageBehindConsent(at: response.head.url) else { return response }
    // A redirect from one host of theirs to another has left the answer behind.
    if behind != url, requestsLeft > 0 {
      requestsLeft -= 1
      let response = try await sources.fetcher.response(to: pageRequest(behind))
      if SiteFeeds.pageBehindConsent(at: response.head.url) == nil { return response }
    }
    throw SourceError(
      .notAFeed, stage: .fetch, subject: WebAddress.redacted(url),
      message: "YouTube asks for consent to cookies before it shows this page.",
      next: "give the channel by its id, which needs no page: https://www.youtube.com/channel/UC…")
  }

  private func pageRequest(_ url: String) -> HTTPRequest {
    var headers: HTTPHeaders = ["Accept": "\(WebFeed.accept), text/html;q=0.7"]
    headers["Cookie"] = SiteFeeds.refusalOfConsent(at: url)
    var request = HTTPRequest(
      .get, url, headers: headers, limits: sources.fetcher.limits,
      connections: sources.connections(to: url, isTyped: isTypedHost(url)))
    request.keepsCookies = true
    return request
  }

  private mutating func document(at url: String) async throws -> HTTPResponse {
    guard requestsLeft > 0 else {
      throw SourceError(
        .notAFeed, stage: .fetch, subject: WebAddress.redacted(typed),
        message: "The page names too many feeds that are none.",
        next: "look for the address of the feed on the site")
    }
    requestsLeft -= 1
    do {
      return try await sources.fetcher.document(
        at: url, accept: WebFeed.accept,
        connections: sources.connections(to: url, isTyped: isTypedHost(url)), takesCut: true)
    } catch let error as SourceError where secured.contains(url) {
      throw error.ofSecured
    }
  }

  private mutating func feed(at url: String) async throws -> LocatedFeed {
    try await located(document(at: url), at: url)
  }

  private func located(_ response: HTTPResponse, at asked: String) async throws -> LocatedFeed {
    let url = WebAddress.withASCIIHost(response.head.permanentURL ?? asked)
    return LocatedFeed(
      url: url, page: try await sources.page(response), isTyped: isTypedHost(url))
  }

  /// Whether a failure is none of the one address: the network is away, or the site itself has had
  /// enough, or fails.
  private func endsSearch(_ error: SourceError, at url: String) -> Bool {
    guard !error.isOfThisAddress else { return false }
    return error.kind == .offline || WebAddress.host(of: url) == WebAddress.host(of: typed)
  }

  private func isTypedHost(_ url: String) -> Bool {
    isTyped && WebAddress.host(of: url) == WebAddress.host(of: typed)
  }
}

private func isFileName(_ url: String) -> Bool {
  url.split(separator: "/").last?.contains(".") == true && !url.hasSuffix("/")
}

extension FoundFeeds {
  /// The same, found at a page of the site instead of the address that was typed.
  fileprivate func found(at page: String) -> FoundFeeds {
    switch self {
    case .feed(var feed):
      feed.foundAt = page
      return .feed(feed)
    case .choice(let links):
      return .choice(
        links.map { link in
          var link = link
          link.foundAt = page
          return link
        })
    }
  }
}

extension HTTPResponse {
  /// The body as a page's text, in UTF-8.
  var pageText: [UInt8] { PageText.utf8(body, contentType: head.headers["Content-Type"]) }

  /// The links to feeds in a page, and in the head of its answer.
  func feedLinks(in page: [UInt8]) -> FeedLinks.Found {
    var found = FeedLinks.look(
      in: page, base: head.url, linkFields: head.headers.values(of: "Link"))
    found.declared = SiteFeeds.feeds(in: page, ofPage: head.url) + found.declared
    return found.secured(at: head.url)
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

  /// Of a feed that an https page names over plain http, and that does not come over https.
  fileprivate var ofSecured: SourceError {
    var error = self
    error.message = "The page names this feed over plain http, and over https: \(message)"
    error.next = "if you trust the way there, type the feed's address with http://"
    return error
  }

  /// Of a feed that answers with a page now: what helps, where the page names a feed.
  func naming(feedOf response: HTTPResponse) -> SourceError {
    guard let url = response.feedLinks(in: response.pageText).declared.first?.url else {
      return self
    }
    var error = self
    error.feedURL = url
    error.next = "the page names \(WebAddress.redacted(url)): e in the health view (H) takes it"
    return error
  }
}
