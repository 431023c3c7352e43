package import News
internal import Text

/// The search for the feeds of one address: a state machine that says what to ask for next and does
/// nothing by itself.
///
/// In this order, until something is found: what the shape of the address tells (`SiteFeeds`), the
/// document there, what the page declares in itself or in the head of its answer, its links that look
/// like feeds, those that are called so, and last the usual places, one after the other. A link to a
/// page about feeds is followed once, and so is a page that only leads on; where nothing is at the
/// address, the first page of the site is looked at. Twelve requests at most.
///
/// A page that came over https leads to https only: a feed that it names over http is asked for over
/// https.
package struct FeedSearch: Sendable {
  /// What is to be done next.
  package enum Action: Sendable {
    /// Ask for this, and say what came with `received(_:)`.
    case fetch(SearchRequest)
    case found(FoundFeeds)
    case failed(SourceError)
  }

  /// Where the search begins.
  package enum Beginning: Sendable {
    /// With the address alone.
    case address
    /// With its document, which is no feed for this reason.
    case document(SearchDocument, SourceError)
    /// With the failure to get its document.
    case failure(SourceError)
    /// With the feeds that its page has named: the first that is one is enough.
    case links([FeedLink])
  }

  private var context: SearchContext
  private let beginning: Beginning
  /// What is under way: each step waits for the one behind it, the last for an answer.
  private var steps: [any SearchStep] = []
  /// What the last step has asked for.
  private var asked: SearchRequest?

  /// - Parameters:
  ///   - address: in its normal form (`WebAddress.normalized`).
  ///   - plain: the address over http, to be asked once where nothing answers over https.
  ///   - isUserEntered: whether the user typed the address, rather than a list or a redirect that named it.
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
      return perform(
        .run(
          ShapeStep(
            next: PageStep(document: document, error: error, triesUsualPlaces: true))))
    case .failure(let error):
      context.requestsLeft -= 1
      // A server that fails has nothing better elsewhere.
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
