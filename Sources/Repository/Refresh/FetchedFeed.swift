internal import Foundation
internal import News
internal import Store
internal import Synchronization
internal import Text

struct FetchedFeed: Sendable {
  var outcome: RefreshReport.Outcome
  /// The size in memory until it is stored, in bytes.
  var weight = 0
  let write: @Sendable (StoreEdit) throws -> MergeResult
}

/// Fetches one feed and prepares its page, so that the transaction that stores it is short.
///
/// - Returns: nil where the task was cancelled.
func fetch(
  _ feed: Feed, from sources: any NewsSources, into store: Store,
  now: @escaping @Sendable () -> Date, onWait: @escaping @Sendable (RetryWait) -> Void
) async -> FetchedFeed? {
  if feed.settings.isSought { return await find(feed, by: sources, now: now) }
  // Where it is redirected to counts until another answer says so.
  let exchange = Mutex(ExchangeSummary(redirectedTo: feed.state.exchange?.redirectedTo))
  let limits = HostLimits()
  let move = Mutex<String?>(nil)
  let source = sources.source(of: feed.account).pages(of: feed) { event in
    switch event {
    case .waiting(let wait):
      exchange.withLock { $0.attempts = wait.attempt }
      onWait(wait)
    case .answered(let status, let redirectedTo, let isForGood):
      move.withLock { $0 = isForGood ? redirectedTo : nil }
      exchange.withLock { exchange in
        exchange.status = status
        exchange.redirectedTo = redirectedTo
      }
    case .limited(let address, _):
      limits.note(event)
      // Another host to which the feed's own has led: the feed waits for that one.
      if !HostRests.isOneHost(address, feed.url) {
        exchange.withLock { $0.redirectedTo = address }
      }
    }
  }
  var outcome = RefreshReport.Outcome(feed: feed)
  do {
    let time = now()
    let (known, rests, current) = try await store.view { view in
      (
        try view.feeds.knownPage(of: feed.id, now: time), try view.fetches.hostRests(),
        try view.feeds.feed(feed.id)
      )
    }
    // One that began before was known when the feed was asked for: by its name.
    if let current, current.state.restsUntil != feed.state.restsUntil, current.isResting(at: time) {
      outcome.remark = "its server wants a pause: it was not fetched"
      return FetchedFeed(outcome: outcome) { _ in MergeResult() }
    }
    let answer = try await limits.keeping(in: store, knowing: rests, now: now) {
      try await source.page(after: nil, known: known)
    }
    let isWelcome = !limits.areTold
    let movedTo = answer.movedTo
    outcome.remark = move.withLock(\.self).flatMap(feed.remark(onMoveTo:))
    let summary = exchange.withLock { $0 }
    /// The exchange to record; nil where the answer is not the feed's any more.
    @Sendable func begin(_ edit: StoreEdit) throws -> ExchangeSummary? {
      guard try edit.isStillAsked(feed) else { return nil }
      if isWelcome {
        try edit.fetches.endRests(ofHostsOf: [feed.url, summary.redirectedTo], knowing: rests)
      }
      return try edit.follow(movedTo, of: feed, summary)
    }
    switch answer.body {
    case .unchanged(let validators):
      outcome.isUnchanged = true
      return FetchedFeed(outcome: outcome) { edit in
        guard let followed = try begin(edit) else { return MergeResult() }
        try edit.fetches.recordUnchanged(feed.id, validators, followed, now: now())
        return MergeResult()
      }
    case .page(let page):
      outcome.warnings = page.warnings
      outcome.remark = page.remark ?? outcome.remark
      outcome.error = page.problem
      let prepared = PreparedPage(page)
      return FetchedFeed(outcome: outcome, weight: prepared.weight) { edit in
        guard let followed = try begin(edit) else { return MergeResult() }
        try edit.fetches.recordExchange(feed.id, followed)
        return try edit.articles.merge(prepared, into: feed.id, at: .newest, now: now())
      }
    }
  } catch is CancellationError {
    return nil
  } catch {
    let problem = SourceError.describing(error, subject: feed.url)
    return failed(outcome, problem, exchange.withLock { $0 }, now: now)
  }
}

/// Looks for the feed at the address of a subscription that was added without a network.
///
/// - Returns: nil where the task was cancelled.
private func find(
  _ feed: Feed, by sources: any NewsSources, now: @escaping @Sendable () -> Date
) async -> FetchedFeed? {
  var outcome = RefreshReport.Outcome(feed: feed)
  do {
    let located = try await sources.onWay(of: feed).locateOnly(feed.url, signIn: feed.signIn)
    outcome.warnings = located.page.warnings
    outcome.remark = located.page.remark
    outcome.error = located.page.problem
    let prepared = PreparedPage(located.page)
    return FetchedFeed(outcome: outcome, weight: prepared.weight) { edit in
      guard try edit.isStillAsked(feed) else { return MergeResult() }
      return try edit.finishSearch(of: feed, as: located, prepared, now: now())
    }
  } catch is CancellationError {
    return nil
  } catch {
    let problem = SourceError.describing(error, subject: feed.url).ofSearch
    return failed(outcome, problem, ExchangeSummary(), now: now)
  }
}

/// - Parameter exchange: as far as it went.
/// - Returns: nil where the task was cancelled.
private func failed(
  _ outcome: RefreshReport.Outcome, _ problem: SourceError, _ exchange: ExchangeSummary,
  now: @escaping @Sendable () -> Date
) -> FetchedFeed? {
  if problem.kind == .cancelled || Task.isCancelled { return nil }
  let feed = outcome.feed
  var (outcome, exchange) = (outcome, exchange)
  outcome.error = problem
  exchange.status = problem.status ?? exchange.status
  return FetchedFeed(outcome: outcome) { [exchange] edit in
    guard try edit.isStillAsked(feed) else { return MergeResult() }
    try edit.fetches.recordFailure(feed.id, problem, exchange, now: now())
    return MergeResult()
  }
}

extension StoreEdit {
  /// Follows a permanent redirect, unless another subscription has that address.
  ///
  /// - Returns: the exchange to record, with a redirect that was not followed.
  fileprivate func follow(
    _ movedTo: String?, of feed: Feed, _ exchange: ExchangeSummary
  ) throws -> ExchangeSummary {
    var exchange = exchange
    if let movedTo, try !feeds.move(feed.id, to: movedTo) { exchange.redirectedTo = movedTo }
    return exchange
  }

  /// Whether a feed was neither removed nor moved while it was fetched, and its user has not signed
  /// in or out.
  fileprivate func isStillAsked(_ feed: Feed) throws -> Bool { try view.feeds.isAsBefore(feed) }
}

extension Feed {
  /// Remark on a move where the feed's headers do not go; nil where they do.
  fileprivate func remark(onMoveTo address: String) -> String? {
    stayingHeaders(askedAt: address).map {
      "its server says that it has moved to \(WebAddress.redacted(address)); \($0.staying): \($0.next)"
    }
  }
}

extension SourceError {
  /// The error as it is shown to the user.
  static func describing(_ error: any Error, subject: String) -> SourceError {
    if let error = error as? SourceError { return error }
    if error is CancellationError {
      return SourceError(.cancelled, stage: .fetch, subject: subject, message: "cancelled")
    }
    return SourceError(.store, stage: .store, subject: subject, message: "\(error)")
  }
}
