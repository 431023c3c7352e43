internal import News

/// Refreshes that the user has asked for, which `Esc` stops.
struct AskedRefreshes: Hashable, Sendable {
  var running: Set<Effect.Refresh> = []
  /// The time until which nothing is refreshed unasked, in seconds since 1970: else what was stopped would begin again.
  private(set) var restsUntil: Int64 = 0

  private static let rest: Int64 = 300

  mutating func note(_ effects: [Effect]) {
    for case .refresh(let wish) in effects where wish.isAsked {
      running.insert(wish)
      restsUntil = 0
    }
  }

  fileprivate mutating func stop(at now: Int64) -> [Effect] {
    let stopped = running.union([.due, .unreachable])
    (running, restsUntil) = ([], now + Self.rest)
    return stopped.map { .cancel(.refresh($0)) }
  }
}

extension ReaderState {
  /// Stops a refresh that the user has asked for, or that an empty list waits for. Articles that came are kept.
  mutating func stopRefresh() -> [Effect]? {
    guard !askedRefreshes.running.isEmpty || (list.rows.isEmpty && awaitsArticles) else {
      return nil
    }
    return askedRefreshes.stop(at: clock.now) + notify(CoreStrings.refreshStopped(key(.refresh)))
  }

  /// Whether the list has nothing to show before a refresh brings it.
  var awaitsArticles: Bool {
    guard let snapshot = list.snapshot, isRefreshing else { return false }
    return subscriptions.firstSync(in: snapshot.query.timeline) != nil
      || (snapshot.freshness.isLoading && cached(of: snapshot) == 0)
  }

  /// How many articles a list could show: nothing unread or starred is no failure while there are others.
  func cached(of snapshot: TimelineSnapshot) -> Int {
    switch snapshot.query.timeline {
    case .unread, .starred: subscriptions.counts.total
    case .all, .folder, .feed, .search, .matching: snapshot.counts.total
    }
  }
}

extension Effect.Refresh {
  /// Whether the user has asked for it.
  package var isAsked: Bool {
    switch self {
    case .asked, .askedFeeds: true
    case .due, .unreachable: false
    }
  }
}
