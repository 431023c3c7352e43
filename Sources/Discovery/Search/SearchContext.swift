internal import News
internal import Text

/// State that all steps of a search share.
struct SearchContext: Sendable {
  /// Links that are tried where the user does not choose.
  static let trials = 5
  /// Links of the page that only their text calls feeds, and that are requested at most. Other links and
  /// the usual addresses get the remaining requests.
  static let labelTrials = 3

  /// The normalised address of the search.
  var address: String
  /// The address over http, where that may be meant and was not requested yet.
  var plain: String?
  private let isUserEntered: Bool
  var requestsLeft = 12
  /// Addresses that were requested, or are about to be.
  var tried: Set<String> = []
  /// The https addresses of links that an https page has over plain http.
  var secured: Set<String> = []
  var hasFollowedRefresh = false
  /// The number of requests for links that only their text calls feeds.
  var nestedLabelsLeft = 2
  /// Whether no server answered the last failed request over TLS.
  var isUnanswered = false

  init(address: String, plain: String?, isUserEntered: Bool) {
    self.address = SiteFeeds.pageBehindConsent(at: address) ?? address
    self.plain = plain
    self.isUserEntered = isUserEntered
  }

  func request(_ kind: SearchRequest.Kind, _ url: String) -> SearchTurn {
    let typedHost = isUserEntered ? WebAddress.host(of: address) : nil
    return .fetch(SearchRequest(url: url, kind: kind, typedHost: typedHost))
  }

  func isUserEnteredHost(_ url: String) -> Bool {
    isUserEntered && WebAddress.host(of: url) == WebAddress.host(of: address)
  }

  /// The feed of a document.
  ///
  /// - Parameter url: the requested address.
  func located(_ document: SearchDocument, at url: String) -> Result<LocatedFeed, SourceError> {
    switch document.content {
    case .feed(let page):
      let url = WebAddress.withASCIIHost(document.permanentURL ?? url)
      return .success(LocatedFeed(url: url, page: page, isUserEntered: isUserEnteredHost(url)))
    case .page(let error, _), .unusable(let error): return .failure(error)
    }
  }

  /// The feeds that a page links to; some are requested over https instead of http.
  mutating func links(of document: SearchDocument) -> FeedLinks.Found {
    let found = document.links
    secured.formUnion(found.all.filter(\.isSecured).map(\.url))
    return found
  }

  /// Whether a failure concerns all addresses: the network is missing, or the site is failing or refusing
  /// requests.
  func endsSearch(_ error: SourceError, at url: String) -> Bool {
    guard !error.isOfThisAddress else { return false }
    return error.kind == .offline || WebAddress.host(of: url) == WebAddress.host(of: address)
  }

  var exhausted: SourceError {
    SourceError(
      .notAFeed, stage: .fetch, subject: WebAddress.redacted(address),
      message: "The page names too many feeds that are none.",
      next: "look for the address of the feed on the site")
  }
}

extension SourceError {
  /// Whether a failure means that there is no feed at this address, while others of the host may be feeds.
  var isOfThisAddress: Bool {
    switch kind {
    case .notAFeed, .decoding, .redirect: true
    case .status: (400..<500).contains(status ?? 0) && status != 429
    default: false
    }
  }

  /// Whether the page may be refused to programs, while its feeds are not.
  var isOfPageForBrowsers: Bool { [403, 404, 406, 410].contains(status) }

  /// The error about a feed that an https page links to over plain http, and that is not available over
  /// https.
  var ofSecured: SourceError {
    var error = self
    error.message = "The page names this feed over plain http, and over https: \(message)"
    error.next = "if you trust the way there, type the feed's address with http://"
    return error
  }
}

/// Part of a search: it waits for a response or for another step.
protocol SearchStep: Sendable {
  mutating func begin(_ context: inout SearchContext) -> SearchTurn
  /// - Parameter outcome: the result that it waited for.
  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn
}

/// Next action of a step.
enum SearchTurn {
  /// Waits for the response to a request.
  case fetch(SearchRequest)
  /// Waits for another step.
  case run(any SearchStep)
  /// Continues as another step.
  case become(any SearchStep)
  case end(SearchOutcome)
}

/// Result of a step or a request.
enum SearchOutcome {
  case found(FoundFeeds)
  case document(SearchDocument)
  case guesses(GuessStep)
  /// No feed, which is not a failure.
  case nothing
  case failed(SourceError)

  static func feed(_ result: Result<LocatedFeed, SourceError>) -> SearchOutcome {
    switch result {
    case .success(let feed): .found(.feed(feed))
    case .failure(let error): .failed(error)
    }
  }
}
