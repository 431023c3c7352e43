package import Foundation
package import News
internal import Store
internal import Text

/// Which feeds a refresh is about.
package enum RefreshScope: Hashable, Sendable {
  /// All but those that are gone for good (410): they are asked when they are named.
  case all
  case feeds([FeedID])
  /// Those of a timeline: a feed's, a folder's; of the others, all.
  case timeline(Timeline)
  /// Those that are older than the interval and that no server has asked to leave alone.
  case due
  /// Those whose last fetch failed for want of a connection; the longer they fail, the more seldom.
  case unreachable
  /// All of those, and those that were left alone: the network is back.
  case recovered
  /// Those whose server has said that there is something new.
  case told([FeedID])

  /// Whether the user asked for just this and waits for it.
  var isUsersWish: Bool {
    switch self {
    case .all, .feeds, .timeline: true
    case .due, .unreachable, .recovered, .told: false
    }
  }

  /// What the scope means to the run that fetches its feeds.
  var wish: RefreshRun.Wish {
    let isTold = if case .told = self { true } else { false }
    return RefreshRun.Wish(
      lane: isUsersWish ? .asked : .ahead, waitsForOthers: self != .due, overtakesPaging: !isTold)
  }
}

extension StoreView {
  /// The feeds of a scope, as they are now.
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

extension Feed {
  /// Whether one that could not be reached is asked again without anybody's wish: after ten seconds,
  /// and then after twice as long each time, up to a quarter of an hour.
  fileprivate func isWorthAnotherTry(at time: Date) -> Bool {
    guard state.error?.isConnectivity == true, let last = state.lastAttempt else { return false }
    let wait = min(10 << min(max(0, (state.failing?.count ?? 1) - 1), 10), 900)
    return abs(time.timeIntervalSince(last)) >= Double(wait)
  }

  /// Whether it is time to ask again without being told to.
  package func isDue(at time: Date, interval: Duration?) -> Bool {
    guard let interval, !state.isGone else { return false }
    if let next = state.nextAttempt {
      if next > time { return false }
      // A failure that named the time of the next attempt, which is now.
      if state.error != nil { return true }
    }
    guard let last = state.lastAttempt else { return true }
    let wanted = max(
      Double(interval.components.seconds), Double(state.minutesToLive ?? 0) * 60)
    // A clock that was set back must not silence a feed for years.
    return time.timeIntervalSince(last) >= wanted || last > time.addingTimeInterval(60)
  }

  /// Not a file of this machine.
  var isOnNetwork: Bool { !url.hasPrefix("file:") }

  /// Whether fetching it goes through a network: not for a file, and not for this machine's own
  /// servers.
  func needsNetwork(loopbackToo: Bool) -> Bool {
    isOnNetwork && (loopbackToo || !WebAddress.isLoopback(url))
  }
}
