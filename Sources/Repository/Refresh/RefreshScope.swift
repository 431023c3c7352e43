package import Foundation
package import News
internal import Store
internal import Text

/// The feeds that a refresh fetches.
package enum RefreshScope: Hashable, Sendable {
  /// All feeds but those that are gone for good (410), which are fetched only when they are named.
  case all
  case feeds([FeedID])
  /// The feeds of a timeline: one, those of a folder, or all.
  case timeline(Timeline)
  /// Feeds that were not fetched for the interval, and whose server has not asked for a longer pause.
  case due
  /// Feeds that could not be reached the last time and whose next attempt is due; attempts become
  /// rarer the longer they fail.
  case unreachable
  /// All feeds that could not be reached or were paused: the network is back.
  case recovered
  /// Feeds with live events of new articles.
  case told([FeedID])

  /// Whether the user asked for it and waits.
  var isUsersWish: Bool {
    switch self {
    case .all, .feeds, .timeline: true
    case .due, .unreachable, .recovered, .told: false
    }
  }

  /// The options for the run that fetches the feeds.
  var wish: RefreshRun.Wish {
    let isTold = if case .told = self { true } else { false }
    return RefreshRun.Wish(
      lane: isUsersWish ? .asked : .ahead, waitsForOthers: self != .due, overtakesPaging: !isTold)
  }
}

extension StoreView {
  /// The feeds of a scope, in their current state.
  func feeds(in scope: RefreshScope, at time: Date, interval: Duration?) throws -> [Feed] {
    switch scope {
    case .all, .timeline(.search):
      try feeds().filter { !$0.state.isGone }
    case .feeds(let ids), .told(let ids):
      try ids.compactMap(feed)
    case .timeline(.feed(let id)):
      try feed(id).map { [$0] } ?? []
    case .timeline(let timeline):
      try feeds(in: timeline).filter { !$0.state.isGone }
    case .due:
      try feeds().filter { $0.isDue(at: time, interval: interval) }
    case .unreachable:
      try feeds().filter { $0.isWorthAnotherTry(at: time) }
    case .recovered:
      try feeds().filter {
        $0.state.error?.isConnectivity == true || $0.state.error?.kind == .paused
      }
    }
  }
}

extension StoreView {
  /// The accounts of a scope whose servers list articles by id.
  func accounts(
    in scope: RefreshScope, at time: Date, interval: Duration?
  ) throws -> [Account] {
    let accounts = try accounts().filter { $0.capabilities.contains(.items) }
    guard !accounts.isEmpty else { return [] }
    switch scope {
    case .all, .timeline(.all), .timeline(.unread), .timeline(.starred), .timeline(.search):
      return accounts
    case .feeds, .told, .timeline(.feed), .timeline(.folder):
      let wanted = Set(try feeds(in: scope, at: time, interval: interval).map(\.account.id))
      return accounts.filter { wanted.contains($0.id) }
    case .due, .unreachable, .recovered:
      let states = try accountStates()
      return accounts.filter { account in
        states.first { $0.id == account.id }?.isWanted(by: scope, at: time, interval: interval)
          ?? false
      }
    }
  }
}

extension AccountState {
  /// Whether it is time to bring it in line without being told to.
  fileprivate func isWanted(
    by scope: RefreshScope, at time: Date, interval: Duration?
  ) -> Bool {
    switch scope {
    case .recovered: return error?.isConnectivity == true || error?.kind == .paused
    case .unreachable:
      guard error?.isConnectivity == true, let lastAttempt else { return false }
      return abs(time.timeIntervalSince(lastAttempt)) >= 60
    default:
      guard let interval else { return false }
      if let next = error?.nextAttempt, next > time { return false }
      guard let lastAttempt else { return true }
      return time.timeIntervalSince(lastAttempt) >= Double(interval.components.seconds)
        || lastAttempt > time.addingTimeInterval(60)
    }
  }
}

extension Feed {
  /// Whether a feed that could not be reached is due for another automatic attempt: after ten seconds,
  /// then after twice as long each time, up to a quarter of an hour.
  fileprivate func isWorthAnotherTry(at time: Date) -> Bool {
    guard state.error?.isConnectivity == true, let last = state.lastAttempt else { return false }
    let wait = min(10 << min(max(0, (state.failing?.count ?? 1) - 1), 10), 900)
    return abs(time.timeIntervalSince(last)) >= Double(wait)
  }

  /// Whether an automatic refresh is due.
  ///
  /// - Parameter interval: between two refreshes; nil for none.
  package func isDue(at time: Date, interval: Duration?) -> Bool {
    guard let interval, !state.isGone else { return false }
    if let next = state.nextAttempt {
      if next > time { return false }
      // The server named the time of the next attempt with its failure (`Retry-After`): it has come.
      if state.error != nil { return true }
    }
    guard let last = state.lastAttempt else { return true }
    let wanted = max(
      Double(interval.components.seconds), Double(state.minutesToLive ?? 0) * 60)
    // A last attempt in the future: the clock was set back, which must not stop the feed for years.
    return time.timeIntervalSince(last) >= wanted || last > time.addingTimeInterval(60)
  }

  /// Whether the feed is not a file of this machine.
  var isOnNetwork: Bool { !url.hasPrefix("file:") }

  /// Whether fetching it goes through a network: not for a file, and not for this machine's own
  /// servers.
  func needsNetwork(loopbackToo: Bool) -> Bool {
    isOnNetwork && (loopbackToo || !WebAddress.isLoopback(url))
  }
}
