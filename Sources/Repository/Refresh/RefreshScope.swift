package import Foundation
package import News
internal import Store
internal import Text

/// The feeds that a refresh fetches.
package enum RefreshScope: Hashable, Sendable {
  /// All feeds but those that are gone for good (410), paused by the user, or whose host rests.
  case all
  case feeds([FeedID])
  case timeline(Timeline)
  /// Feeds that were not fetched for the interval, and whose server has not asked for a longer pause.
  case due
  /// Feeds that could not be reached and whose next attempt is due; attempts become rarer.
  case unreachable
  /// All feeds that could not be reached or were paused: the network is back.
  case recovered
  case told([FeedID])

  var isUsersWish: Bool {
    switch self {
    case .all, .feeds, .timeline: true
    case .due, .unreachable, .recovered, .told: false
    }
  }

  /// The scope of the whole timeline where a query limits it.
  var unlimited: RefreshScope {
    if case .timeline(let timeline) = self { .timeline(timeline.unlimited) } else { self }
  }

  /// Whether it is left for later while there is no network.
  var waitsForNetwork: Bool { self == .due || self == .unreachable }

  /// The options for the run that fetches the feeds.
  var request: RefreshRun.Request {
    let isTold = if case .told = self { true } else { false }
    return RefreshRun.Request(
      lane: isUsersWish ? .asked : .ahead, waitsForOthers: self != .due, overtakesPaging: !isTold)
  }
}

extension StoreView {
  func feeds(in scope: RefreshScope, at time: Date, interval: FetchInterval) throws -> [Feed] {
    switch scope.unlimited {
    case .all, .timeline(.search):
      try feeds.all().filter { $0.isFetchedWithOthers(at: time) }
    case .feeds(let ids):
      try ids.compactMap(feeds.feed)
    case .told(let ids):
      try ids.compactMap(feeds.feed).filter { !$0.settings.isPaused }
    case .timeline(.feed(let id)):
      try feeds.feed(id).map { [$0] } ?? []
    case .timeline(let timeline):
      try feeds(in: timeline).filter { $0.isFetchedWithOthers(at: time) }
    case .due:
      try feeds.all().filter { $0.isDue(at: time, interval: interval) }
    case .unreachable:
      try feeds.all().filter { $0.isWorthAnotherTry(at: time) }
    case .recovered:
      try feeds.all().filter {
        !$0.settings.isPaused && !$0.isResting(at: time)
          && ($0.state.error?.isConnectivity == true || $0.state.error?.kind == .paused)
      }
    }
  }

  /// Feeds that the scope leaves out because their servers want a pause.
  func restingFeeds(in scope: RefreshScope, at time: Date) throws -> [Feed] {
    let found =
      switch scope.unlimited {
      case .all, .timeline(.search): try feeds.all()
      case .timeline(.feed), .feeds, .told, .due, .unreachable, .recovered: [Feed]()
      case .timeline(let timeline): try feeds(in: timeline)
      }
    return found.filter {
      !$0.state.isGone && !$0.settings.isPaused && $0.isResting(at: time)
    }
  }

  /// The accounts of a scope that are synchronised as a whole: servers that list articles by id, or
  /// logs. Accounts that only a feed's name brings in may be signed out.
  func accounts(
    in scope: RefreshScope, at time: Date, interval: FetchInterval
  ) throws -> [Account] {
    let accounts = try accounts.all().filter { !$0.capabilities.isDisjoint(with: [.items, .logs]) }
    guard !accounts.isEmpty else { return [] }
    switch scope.unlimited {
    case .all, .timeline(.all), .timeline(.unread), .timeline(.starred), .timeline(.search):
      return accounts.filter { !$0.isSignedOut }
    case .feeds, .timeline(.feed), .timeline(.folder), .timeline(.matching):
      let wanted = Set(try feeds(in: scope, at: time, interval: interval).map(\.account.id))
      // Logs bring no articles of single feeds.
      return accounts.filter { wanted.contains($0.id) && $0.capabilities.contains(.items) }
    case .due, .unreachable, .recovered, .told:
      let told = Set(try feeds(in: scope, at: time, interval: interval).map(\.account.id))
      let states = try sync.states()
      return accounts.filter { account in
        guard !account.isSignedOut, !account.needsSignIn else { return false }
        if case .told = scope { return told.contains(account.id) }
        return states.contains {
          $0.id == account.id && $0.isWanted(by: scope, at: time, interval: interval)
        }
      }
    }
  }
}

extension AccountState {
  /// Whether an automatic sync is due.
  fileprivate func isWanted(
    by scope: RefreshScope, at time: Date, interval: FetchInterval
  ) -> Bool {
    switch scope {
    case .recovered: error?.isConnectivity == true || error?.kind == .paused
    case .unreachable: schedule.isWorthAnotherTry(at: time)
    default: schedule.next(at: time, interval: interval).map { $0.time <= time } ?? false
    }
  }

  private var schedule: FetchSchedule {
    FetchSchedule(
      lastAttempt: lastAttempt, nextAttempt: nextAttempt, failures: failures, error: error)
  }
}

extension FetchSchedule {
  /// Whether another automatic attempt is due after a connection failure: after ten seconds, then
  /// twice as long each time, up to a quarter of an hour.
  fileprivate func isWorthAnotherTry(at time: Date) -> Bool {
    guard error?.isConnectivity == true, let last = lastAttempt else { return false }
    let wait = min(10 << min(max(0, failures - 1), 10), 900)
    return abs(time.timeIntervalSince(last)) >= Double(wait)
  }
}

extension Feed {
  /// Whether another automatic attempt is due after a connection failure.
  fileprivate func isWorthAnotherTry(at time: Date) -> Bool {
    !settings.isPaused && !isResting(at: time) && schedule.isWorthAnotherTry(at: time)
  }

  func isResting(at time: Date) -> Bool {
    state.restsUntil.map { $0 > time && $0 <= time.addingTimeInterval(FetchSchedule.longestPause) }
      ?? false
  }

  /// Whether a refresh of several feeds fetches it.
  fileprivate func isFetchedWithOthers(at time: Date) -> Bool {
    !state.isGone && !settings.isPaused && !isResting(at: time)
  }

  /// Whether an automatic refresh is due.
  ///
  /// - Parameter interval: of feeds that have none of their own.
  package func isDue(at time: Date, interval: FetchInterval) -> Bool {
    isFetchedWithOthers(at: time)
      && nextFetch(at: time, interval: interval).map { $0.time <= time } ?? false
  }

  /// Whether the feed is no file, no program's output and not what the user has saved.
  var isOnNetwork: Bool { !url.hasPrefix("file:") && !isCommand && !isSaved }

  /// Whether fetching it needs a network: not for files and servers of this machine.
  func needsNetwork(loopbackToo: Bool) -> Bool {
    isOnNetwork && (loopbackToo || !WebAddress.isLoopback(serverURL))
  }
}

extension Account {
  /// Whether its server is reached through a network: not one of this machine.
  func needsNetwork(loopbackToo: Bool) -> Bool {
    !base.hasPrefix("file:") && (loopbackToo || !WebAddress.isLoopback(base))
  }
}
