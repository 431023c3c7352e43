package import News
internal import Text

/// State machine of the search for the feeds of an address. Pure: it returns the requests to send.
///
/// Order: the form of the address (`SiteFeeds`), the document, feeds that the page declares in
/// itself or in `Link` fields, links that look like feeds, links whose text names feeds, and the
/// usual addresses. One page about feeds and one redirecting page are followed; a missing page
/// leads to the site's first one. At most twelve requests; an https page leads to https only.
package struct FeedSearch: Sendable {
  package enum Action: Sendable {
    /// Pass the result of the request to `received(_:)`.
    case fetch(SearchRequest)
    case found(FoundFeeds)
    case failed(SourceError)
  }

  package enum Beginning: Sendable {
    case address
    /// The document, and why it is no feed.
    case document(SearchDocument, SourceError)
    case failure(SourceError)
    /// Links of the page; the first feed is enough.
    case links([FeedLink])
  }

  private var context: SearchContext
  private let beginning: Beginning
  /// Stack: each step waits for the next one, the last for a response.
  private var steps: [any SearchStep] = []
  private var asked: SearchRequest?

  /// - Parameters:
  ///   - address: normalised (`WebAddress.normalized`).
  ///   - plain: the address over http, requested once if no server answers over https.
  ///   - isUserEntered: whether the address is not from a list or redirect.
  package init(
    _ address: String, plain: String? = nil, isUserEntered: Bool = true,
    from beginning: Beginning = .address
  ) {
    context = SearchContext(address: address, plain: plain, isUserEntered: isUserEntered)
    self.beginning = beginning
  }

  /// To be called once.
  package mutating func begin() -> Action {
    switch beginning {
    case .address: return perform(.run(ShapeStep(next: AddressStep())))
    case .document(let document, let error):
      context.requestsLeft -= 1
      let page = PageStep(document: document, error: error, triesUsualPlaces: true)
      return perform(.run(ShapeStep(next: page)))
    case .failure(let error):
      context.requestsLeft -= 1
      // A failing server has no other addresses to try.
      guard error.isOfPageForBrowsers else { return .failed(error) }
      return perform(.run(ShapeStep(next: BesideStep(error: error))))
    case .links(let links): return perform(.run(FirstFeedStep(links: links)))
    }
  }

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

  /// Outcomes for other steps are no feed either.
  private func end(_ outcome: SearchOutcome) -> Action {
    switch outcome {
    case .found(let feeds): return .found(feeds)
    case .failed(let error): return .failed(error)
    case .document, .guesses, .nothing: return .failed(.noFeedNamed(at: context.address))
    }
  }
}
