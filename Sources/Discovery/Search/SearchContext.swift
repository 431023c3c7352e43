internal import News
internal import Text

/// What all steps of a search know and change.
struct SearchContext: Sendable {
  /// Links that are tried where nobody chooses among them.
  static let trials = 5
  /// Links of the page itself that only their words call feeds, and that are asked. What else the
  /// page has, and the usual places, get the other requests.
  static let labelTrials = 3

  /// Normalised.
  var address: String
  /// The same over http, where that may be meant and has not been asked.
  var plain: String?
  private let isUserEntered: Bool
  var requestsLeft = 12
  /// What has been asked, or is about to be.
  var tried: Set<String> = []
  /// Addresses over https of what an https page names over plain http only.
  var secured: Set<String> = []
  var hasFollowedRefresh = false
  /// Requests for what a page about feeds only calls so.
  var nestedLabelsLeft = 2
  /// Whether nothing has answered over TLS to the request that failed last.
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

  /// The feed that a document is.
  ///
  /// - Parameter url: what was asked for.
  func located(_ document: SearchDocument, at url: String) -> Result<LocatedFeed, SourceError> {
    switch document.content {
    case .feed(let page):
      let url = WebAddress.withASCIIHost(document.permanentURL ?? url)
      return .success(LocatedFeed(url: url, page: page, isUserEntered: isUserEnteredHost(url)))
    case .page(let error, _), .unusable(let error): return .failure(error)
    }
  }

  /// The feeds that a page names, of which some are asked for over https.
  mutating func links(of document: SearchDocument) -> FeedLinks.Found {
    let found = document.links
    secured.formUnion(found.all.filter(\.isSecured).map(\.url))
    return found
  }

  /// Whether a failure is none of the one address: the network is away, or the site itself has had
  /// enough, or fails.
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
  /// Whether there is no feed at the address, while another at the same host may be one.
  var isOfThisAddress: Bool {
    switch kind {
    case .notAFeed, .decoding, .redirect: true
    case .status: (400..<500).contains(status ?? 0) && status != 429
    default: false
    }
  }

  /// Whether a page may be for browsers only, while its feeds are for all.
  var isOfPageForBrowsers: Bool { [403, 404, 406, 410].contains(status) }

  /// Of a feed that an https page names over plain http, and that does not come over https.
  var ofSecured: SourceError {
    var error = self
    error.message = "The page names this feed over plain http, and over https: \(message)"
    error.next = "if you trust the way there, type the feed's address with http://"
    return error
  }
}

/// A part of the search that waits for others or for an answer.
protocol SearchStep: Sendable {
  mutating func begin(_ context: inout SearchContext) -> SearchTurn
  /// - Parameter outcome: of what it waited for.
  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn
}

/// What a step does next.
enum SearchTurn {
  /// Waits for an answer.
  case fetch(SearchRequest)
  /// Waits for another step.
  case run(any SearchStep)
  /// Leaves the rest to another step.
  case become(any SearchStep)
  case end(SearchOutcome)
}

/// What a step or a request has come to.
enum SearchOutcome {
  case found(FoundFeeds)
  case document(SearchDocument)
  case guesses(GuessStep)
  /// Nothing that counts, which is no failure.
  case nothing
  case failed(SourceError)

  static func feed(_ result: Result<LocatedFeed, SourceError>) -> SearchOutcome {
    switch result {
    case .success(let feed): .found(.feed(feed))
    case .failure(let error): .failed(error)
    }
  }
}
