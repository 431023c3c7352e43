internal import News
internal import Text

struct SearchContext: Sendable {
  /// Maximum number of links to try if the user does not choose.
  static let trials = 5
  /// Maximum number of links to request that only their text calls feeds.
  static let labelTrials = 3

  var address: String
  /// The address over http, if it was not requested yet.
  var plain: String?
  private let isUserEntered: Bool
  var requestsLeft = 12
  var tried: Set<String> = []
  /// https addresses of links that an https page has over http.
  var secured: Set<String> = []
  var hasFollowedRefresh = false
  /// Remaining requests for links of linked pages that only their text calls feeds.
  var nestedLabelsLeft = 2
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

  /// - Parameter url: the requested address.
  func located(_ document: SearchDocument, at url: String) -> SearchOutcome {
    switch document.content {
    case .feed(let page):
      let url = WebAddress.withASCIIHost(document.permanentURL ?? url)
      return .found(
        .feed(LocatedFeed(url: url, page: page, isUserEntered: isUserEnteredHost(url))))
    case .page(let error, _), .unusable(let error): return .failed(error)
    }
  }

  /// Some links are requested over https instead of http.
  mutating func links(of document: SearchDocument) -> FeedLinks.Found {
    let found = document.links
    secured.formUnion(found.all.filter(\.isSecured).map(\.url))
    return found
  }

  /// Whether all addresses will fail: there is no network, or the site itself fails.
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
  /// Whether other addresses of the host may be feeds.
  var isOfThisAddress: Bool {
    switch kind {
    case .notAFeed, .decoding, .redirect: true
    case .status: (400..<500).contains(status ?? 0) && status != 429
    default: false
    }
  }

  var isOfPageForBrowsers: Bool { [403, 404, 406, 410].contains(status) }

  /// The error if a feed is linked over http, and not available over https.
  var ofSecured: SourceError {
    var error = self
    error.message = "The page names this feed over plain http, and over https: \(message)"
    error.next = "if you trust the way there, type the feed's address with http://"
    return error
  }
}

/// A part of the search that waits for a response or another step.
protocol SearchStep: Sendable {
  mutating func begin(_ context: inout SearchContext) -> SearchTurn
  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn
}

enum SearchTurn {
  case fetch(SearchRequest)
  case run(any SearchStep)
  case become(any SearchStep)
  case end(SearchOutcome)
}

enum SearchOutcome {
  case found(FoundFeeds)
  case document(SearchDocument)
  case guesses(GuessStep)
  /// No feed, but no failure either.
  case nothing
  case failed(SourceError)
}
