internal import News
internal import Text

/// Step: feeds that a page links to, most likely first, and then the usual addresses.
struct PageStep: SearchStep {
  private enum Waiting {
    case link(String)
    case labels
    case refresh(String)
    case guesses
  }

  let document: SearchDocument
  let error: SourceError
  let triesUsualPlaces: Bool
  private var found = FeedLinks.Found()
  /// Declared links, and links that look like feeds.
  private var lists: [[FeedLink]] = []
  /// Why the first declared link is no feed, for the user's error.
  private var failure: SourceError?
  private var waiting = Waiting.labels

  init(document: SearchDocument, error: SourceError, triesUsualPlaces: Bool) {
    self.document = document
    self.error = error
    self.triesUsualPlaces = triesUsualPlaces
  }

  mutating func begin(_ context: inout SearchContext) -> SearchTurn {
    found = context.links(of: document)
    guard !found.isListOfFeeds, error.kind == .notAFeed || !found.declared.isEmpty else {
      return .end(.failed(error))
    }
    context.tried.insert(document.url)
    lists = [found.declared, found.guessed]
    return tryNamed(&context)
  }

  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    switch (waiting, outcome) {
    case (.link(let url), .failed(let error)):
      failure = failure ?? error
      if context.endsSearch(error, at: url) { return .end(.failed(failure ?? error)) }
      return tryNamed(&context)
    case (.labels, .nothing): return followRefresh(&context)
    case (.refresh(let target), .document(let next)):
      return .become(
        DocumentStep(document: next, askedAt: target, triesUsualPlaces: triesUsualPlaces))
    case (.refresh, _): return tryUsualPlaces()
    case (.guesses, .guesses(let guesses)):
      if let feed = guesses.feed { return .end(.found(.feed(feed))) }
      var error = error
      error.message = guesses.sentence(for: document.url)
      return .end(.failed(failure ?? error))
    default: return .end(outcome)
    }
  }

  private mutating func tryNamed(_ context: inout SearchContext) -> SearchTurn {
    while !lists.isEmpty {
      let links = lists.removeFirst().filter { context.tried.insert($0.url).inserted }
      if links.count > 1 { return .end(.found(.choice(links))) }
      guard let only = links.first else { continue }
      waiting = .link(only.url)
      return .run(LinkStep(url: only.url))
    }
    waiting = .labels
    let labelled = found.labelled.filter { !context.tried.contains($0.url) }
    return .run(LabelStep(links: labelled, isNested: false))
  }

  private mutating func followRefresh(_ context: inout SearchContext) -> SearchTurn {
    guard failure == nil, let target = found.refresh, !context.hasFollowedRefresh,
      context.requestsLeft > 0, context.tried.insert(target).inserted
    else { return tryUsualPlaces() }
    context.hasFollowedRefresh = true
    waiting = .refresh(target)
    return .run(BrowserPageStep(url: target))
  }

  private mutating func tryUsualPlaces() -> SearchTurn {
    guard triesUsualPlaces else { return .end(.failed(failure ?? error)) }
    waiting = .guesses
    let places =
      SiteFeeds.guesses(forPage: document.url).map(\.url)
      + FeedLinks.usualPlaces(of: document.url, isWordPress: found.isWordPress)
    return .run(GuessStep(places, notLike: document))
  }
}

/// Step: the target of a link: a feed, or a page whose links are not followed further.
struct LinkStep: SearchStep {
  let url: String
  /// Why the target is no feed, while its links are tried.
  private var error: SourceError?

  init(url: String) { self.url = url }

  func begin(_ context: inout SearchContext) -> SearchTurn { context.request(.document, url) }

  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    if let error {
      if case .nothing = outcome { return .end(.failed(error)) }
      return .end(outcome)
    }
    guard case .document(let document) = outcome else { return .end(outcome) }
    context.tried.formUnion([url, document.url])
    let located = context.located(document, at: url)
    guard case .failed(let error) = located, error.kind == .notAFeed else { return .end(located) }
    return tryNamed(by: document, &context, error)
  }

  private mutating func tryNamed(
    by document: SearchDocument, _ context: inout SearchContext, _ error: SourceError
  ) -> SearchTurn {
    let named = context.links(of: document)
    let links = named.all.filter { !context.tried.contains($0.url) }
    if links.allSatisfy(named.labelled.contains) {
      self.error = error
      return .run(LabelStep(links: links, isNested: true))
    }
    context.tried.formUnion(links.map(\.url))
    if links.count > 1 { return .end(.found(.choice(links))) }
    guard let only = links.first else { return .end(.failed(error)) }
    return .become(FeedStep(url: only.url))
  }
}

/// Step: links that only their text calls feeds. All count if the first few are feeds.
struct LabelStep: SearchStep {
  private let links: [FeedLink]
  /// Whether the page is itself a link's target, so that pages are not followed.
  private let isNested: Bool
  private var asked: ArraySlice<FeedLink> = []
  private var next = 0
  private var found: [FeedLink] = []
  private var single: LocatedFeed?
  private var isEachOne = true

  init(links: [FeedLink], isNested: Bool) {
    self.links = links
    self.isNested = isNested
  }

  mutating func begin(_ context: inout SearchContext) -> SearchTurn {
    asked = links.prefix(isNested ? context.nestedLabelsLeft : SearchContext.labelTrials)
    if isNested { context.nestedLabelsLeft -= asked.count }
    context.tried.formUnion(asked.map(\.url))
    return askNext()
  }

  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    let link = asked[next]
    next += 1
    switch outcome {
    case .found(.feed(let feed)):
      single = feed
      found.append(FeedLink(url: feed.url, title: link.title))
    case .found(.choice(let several)): found += several
    case .failed(let error):
      isEachOne = false
      if context.endsSearch(error, at: link.url) {
        return found.isEmpty ? .end(.failed(error)) : end()
      }
    default: return .end(outcome)
    }
    return askNext()
  }

  private func askNext() -> SearchTurn {
    guard next < asked.count else { return end() }
    let url = asked[next].url
    return .run(isNested ? FeedStep(url: url) : LinkStep(url: url))
  }

  private func end() -> SearchTurn {
    guard !found.isEmpty else { return .end(.nothing) }
    var seen: Set<String> = []
    let all = (isEachOne ? found + links.dropFirst(asked.count) : found)
      .filter { seen.insert($0.url).inserted }
    if all.count == 1, let single { return .end(.found(.feed(single))) }
    return .end(.found(.choice(all)))
  }
}

/// Step: the feed at an address; nothing where it is none.
struct FeedStep: SearchStep {
  let url: String

  func begin(_ context: inout SearchContext) -> SearchTurn { context.request(.document, url) }

  func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    guard case .document(let document) = outcome else { return .end(outcome) }
    return .end(context.located(document, at: url))
  }
}

/// Step: guessed addresses up to the first feed, or a failure of the server or network.
struct GuessStep: SearchStep {
  /// Guesses that lead to the page itself do not count.
  private let page: SearchDocument?
  private var places: [String]
  private(set) var feed: LocatedFeed?
  private var asked: [String] = []
  private var end: SourceError?

  init(_ places: [String], notLike page: SearchDocument?) {
    self.places = places
    self.page = page
  }

  mutating func begin(_ context: inout SearchContext) -> SearchTurn {
    places = places.filter { context.tried.insert($0).inserted }
    return askNext(context)
  }

  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    var outcome = outcome
    if case .document(let document) = outcome {
      if let page, document.url == page.url || document.digest == page.digest {
        // Sites that answer 200 for missing pages rarely do so for names of files.
        places = places.filter(isFileName) + places.filter { !isFileName($0) }
        return askNext(context)
      }
      outcome = context.located(document, at: asked.last ?? document.url)
    }
    switch outcome {
    case .found(.feed(let feed)): self.feed = feed
    case .failed(let error) where error.isOfThisAddress: return askNext(context)
    case .failed(let error): end = error
    default: return .end(outcome)
    }
    return .end(.guesses(self))
  }

  private mutating func askNext(_ context: SearchContext) -> SearchTurn {
    guard context.requestsLeft > 0, !places.isEmpty else { return .end(.guesses(self)) }
    let url = places.removeFirst()
    asked.append(url)
    return context.request(.guess, url)
  }

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

private func isFileName(_ url: String) -> Bool {
  url.split(separator: "/").last?.contains(".") == true && !url.hasSuffix("/")
}

/// Step: the first of several links that is a feed, or leads to one.
struct FirstFeedStep: SearchStep {
  private var links: ArraySlice<FeedLink>
  private var failure: SourceError?

  init(links: [FeedLink]) { self.links = links.prefix(SearchContext.trials) }

  mutating func begin(_ context: inout SearchContext) -> SearchTurn {
    context.secured.formUnion(links.filter(\.isSecured).map(\.url))
    return askNext(context)
  }

  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    let link = links.removeFirst()
    switch outcome {
    case .found(.feed(var feed)):
      feed.foundAt = link.foundAt
      return .end(.found(.feed(feed)))
    case .failed(let error):
      failure = failure ?? error
      if error.kind == .offline { links = [] }
    default: break
    }
    return askNext(context)
  }

  private func askNext(_ context: SearchContext) -> SearchTurn {
    if let link = links.first { return .run(LinkedFeedStep(url: link.url)) }
    return .end(.failed(failure ?? .noFeedNamed(at: context.address)))
  }
}

/// Step: the target of a link if it is a feed, else the first feed that it links to.
struct LinkedFeedStep: SearchStep {
  let url: String
  private var links: ArraySlice<FeedLink>?

  init(url: String) { self.url = url }

  func begin(_ context: inout SearchContext) -> SearchTurn { .run(LinkStep(url: url)) }

  mutating func resume(_ context: inout SearchContext, _ outcome: SearchOutcome) -> SearchTurn {
    switch outcome {
    case .found(.choice(let several)): links = several.prefix(SearchContext.trials)
    // Many links of pages about feeds are not feeds.
    case .failed(let error) where links != nil && error.isOfThisAddress: break
    default: return .end(outcome)
    }
    if let next = links?.popFirst() { return .run(FeedStep(url: next.url)) }
    return .end(
      .failed(
        SourceError(
          .notAFeed, stage: .parse, subject: WebAddress.redacted(url),
          message: "This is a web page, not a feed, and what it names is none.",
          next: "look for the address of the feed on the site")))
  }
}
