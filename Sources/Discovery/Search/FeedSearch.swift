package import News
internal import Text

/// State machine of the search for the feeds of an address. Pure: it returns the requests to send.
///
/// The order of the search, until something is found: the form of the address (`SiteFeeds`), the document
/// there, the feeds that the page declares in itself or in its `Link` fields, links that look like feeds,
/// links whose text calls them feeds, and last the usual addresses. A link to a page about feeds is
/// followed once, and so is a page that only redirects; where nothing is at the address, the first page of
/// the site is searched. Twelve requests at most.
///
/// A page that came over https leads to https only: a feed that it links to over http is requested over
/// https.
package struct FeedSearch: Sendable {
  /// The next action for the caller.
  package enum Action: Sendable {
    /// Send this request, and pass the result to `received(_:)`.
    case fetch(SearchRequest)
    case found(FoundFeeds)
    case failed(SourceError)
  }

  /// The starting point of a search.
  package enum Beginning: Sendable {
    /// The address alone.
    case address
    /// Its document, which is no feed for this reason.
    case document(SearchDocument, SourceError)
    /// The failure to fetch its document.
    case failure(SourceError)
    /// The links of its page: the first that is a feed is enough.
    case links([FeedLink])
  }

  private var context: SearchContext
  private let beginning: Beginning
  /// The stack of steps: each waits for the one after it, the last for a response.
  private var steps: [any SearchStep] = []
  /// The request of the last step.
  private var asked: SearchRequest?

  /// - Parameters:
  ///   - address: in its normal form (`WebAddress.normalized`).
  ///   - plain: the address over http, to be requested once where no server answers over https.
  ///   - isUserEntered: whether the user entered the address, as opposed to one from a list or a redirect.
  package init(
    _ address: String, plain: String? = nil, isUserEntered: Bool = true,
    from beginning: Beginning = .address
  ) {
    context = SearchContext(address: address, plain: plain, isUserEntered: isUserEntered)
    self.beginning = beginning
  }

  /// The first action. To be called once.
  package mutating func begin() -> Action {
    switch beginning {
    case .address: return perform(.run(ShapeStep(next: AddressStep())))
    case .document(let document, let error):
      context.requestsLeft -= 1
      let page = PageStep(document: document, error: error, triesUsualPlaces: true)
      return perform(.run(ShapeStep(next: page)))
    case .failure(let error):
      context.requestsLeft -= 1
      // Other addresses of a failing server will not work either.
      guard error.isOfPageForBrowsers else { return .failed(error) }
      return perform(.run(ShapeStep(next: BesideStep(error: error))))
    case .links(let links): return perform(.run(FirstFeedStep(links: links)))
    }
  }

  /// The action behind the answer to the last `fetch`. The search has failed where there was none.
  package mutating func received(_ answer: SearchAnswer) -> Action {
    guard let asked else { return .failed(.noFeedNamed(at: context.address)) }
    self.asked = nil
    switch answer {
    case .document(let document): return resume(.document(document))
    case .failure(let error, let isUnanswered):
      context.isUnanswered = isUnanswered
      let isSecured = asked.kind != .page && context.secured.contains(asked.url)
      return resume(.failed(isSecured ? error.ofSecured : error))
    }
  }

  private mutating func resume(_ outcome: SearchOutcome) -> Action {
    guard var step = steps.popLast() else { return end(outcome) }
    let turn = step.resume(&context, outcome)
    steps.append(step)
    return perform(turn)
  }

  private mutating func perform(_ turn: SearchTurn) -> Action {
    switch turn {
    case .fetch(let request):
      guard request.kind.isOfSearchedAddress || context.requestsLeft > 0 else {
        return resume(.failed(context.exhausted))
      }
      context.requestsLeft -= 1
      asked = request
      return .fetch(request)
    case .run(var step):
      let turn = step.begin(&context)
      steps.append(step)
      return perform(turn)
    case .become(let step):
      _ = steps.popLast()
      return perform(.run(step))
    case .end(let outcome):
      _ = steps.popLast()
      return resume(outcome)
    }
  }

  /// The end of the search. What only tells one step something of another is no feed either.
  private func end(_ outcome: SearchOutcome) -> Action {
    switch outcome {
    case .found(let feeds): return .found(feeds)
    case .failed(let error): return .failed(error)
    case .document, .guesses, .nothing: return .failed(.noFeedNamed(at: context.address))
    }
  }
}
