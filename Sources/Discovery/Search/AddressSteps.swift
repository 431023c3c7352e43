internal import News
internal import Text

/// Step: the feed of a known site by its address (`SiteFeeds`), or else `next`.
struct ShapeStep: SearchStep {
  let next: any SearchStep

  func begin(_ context: inout SearchContext) -> SearchTurn {
    let known = SiteFeeds.feeds(ofPage: context.address)
    if known.count > 1 { return .end(.found(.choice(known))) }
    guard let only = known.first else { return .become(next) }
    return .run(FeedStep(url: only.url))
  }

  func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    if case .failed(let error) = outcome, error.isOfThisAddress {
      // The site may have changed its addresses: its page may link to the feed.
      return .become(next)
    }
    return .end(outcome)
  }
}

/// Step: the document at the address, over https and http where the user gave no scheme.
struct AddressStep: SearchStep {
  private enum Way {
    case only
    case secure
    case plain(String, SourceError)
  }

  private var way = Way.only

  mutating func begin(_ context: inout SearchContext) -> SearchTurn {
    guard context.plain != nil else { return .run(BrowserPageStep(url: context.address)) }
    way = .secure
    return context.request(.secureAddress, context.address)
  }

  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    switch (way, outcome) {
    case (.secure, .failed(let error)):
      guard context.isUnanswered, let plain = context.plain else { return failed(error) }
      context.plain = nil
      way = .plain(plain, error)
      return .run(BrowserPageStep(url: plain))
    case (.plain(_, let first), .failed(let error)) where error.status == nil:
      return .end(.failed(first))
    case (.plain(let plain, _), _): context.address = plain
    case (.only, _), (.secure, _): break
    }
    switch outcome {
    case .document(let document):
      return .become(
        DocumentStep(document: document, askedAt: context.address, triesUsualPlaces: true))
    case .failed(let error): return failed(error)
    default: return .end(outcome)
    }
  }

  private func failed(_ error: SourceError) -> SearchTurn {
    error.isOfPageForBrowsers ? .become(BesideStep(error: error)) : .end(.failed(error))
  }
}

/// Step: the document of a page for browsers.
struct BrowserPageStep: SearchStep {
  let url: String
  private var isBehindConsent = false

  init(url: String) { self.url = url }

  func begin(_ context: inout SearchContext) -> SearchTurn { context.request(.page, url) }

  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    guard case .document(let document) = outcome,
      let behind = SiteFeeds.pageBehindConsent(at: document.url)
    else { return .end(outcome) }
    // YouTube's redirect to another host loses the cookie against consent.
    if !isBehindConsent, behind != url, context.requestsLeft > 0 {
      isBehindConsent = true
      return context.request(.page, behind)
    }
    return .end(
      .failed(
        SourceError(
          .notAFeed, stage: .fetch, subject: WebAddress.redacted(url),
          message: "YouTube asks for consent to cookies before it shows this page.",
          next: "give the channel by its id, which needs no page:"
            + " https://www.youtube.com/channel/UC…")))
  }
}

struct DocumentStep: SearchStep {
  let document: SearchDocument
  let askedAt: String
  let triesUsualPlaces: Bool

  func begin(_ context: inout SearchContext) -> SearchTurn {
    switch document.content {
    case .feed(let page):
      let url = WebAddress.withASCIIHost(
        WebAddress.carryingUser(of: askedAt, to: document.permanentURL ?? askedAt))
      // A host after a redirect was not entered by the user.
      let feed = LocatedFeed(url: url, page: page, isUserEntered: context.isUserEnteredHost(url))
      return .end(.found(.feed(feed)))
    case .page(let error, _) where error.kind == .notAFeed || error.kind == .decoding:
      return .become(
        PageStep(document: document, error: error, triesUsualPlaces: triesUsualPlaces))
    case .page(let error, _), .unusable(let error): return .end(.failed(error))
    }
  }

  func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    .end(outcome)
  }
}

/// Step after an error: a refused page may have feeds, and so may the site of a missing one.
struct BesideStep: SearchStep {
  private enum Waiting {
    case guesses
    case root(String)
    case feeds(at: String)
  }

  let error: SourceError
  private var waiting = Waiting.guesses

  init(error: SourceError) { self.error = error }

  func begin(_ context: inout SearchContext) -> SearchTurn {
    context.tried.insert(context.address)
    return .run(GuessStep(SiteFeeds.guesses(forPage: context.address).map(\.url), notLike: nil))
  }

  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    switch (waiting, outcome) {
    case (.guesses, .guesses(let guesses)):
      if let feed = guesses.feed { return .end(.found(.feed(feed))) }
      guard [404, 410].contains(error.status), context.requestsLeft > 0,
        let root = WebAddress.resolve("/", against: context.address), root != context.address
      else { return .end(.failed(error)) }
      waiting = .root(root)
      return .run(BrowserPageStep(url: root))
    case (.root(let root), .document(let document)):
      waiting = .feeds(at: root)
      return .run(DocumentStep(document: document, askedAt: root, triesUsualPlaces: false))
    case (.feeds(let root), .found(let feeds)): return .end(.found(feeds.found(at: root)))
    default:
      var error = error
      error.next = "check the address; the first page of the site leads to no feed either"
      return .end(.failed(error))
    }
  }
}

extension FoundFeeds {
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
