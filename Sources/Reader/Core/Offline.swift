internal import Foundation
internal import News

extension ReaderState {
  /// Turns the network off, or on again.
  mutating func toggleOffline() -> [Effect] {
    guard subscriptions.isOfflineByChoice else {
      return [.setOffline(true)] + notify(CoreStrings.wentOffline)
    }
    return [.setOffline(false), .refresh(.due)] + notify(CoreStrings.online)
  }

  /// That no server is reached, and how to go on; nil while servers are reached.
  var offlineTrouble: StatusTrouble? { offlineTrouble(since: subscriptions.offlineSince) }

  func offlineTrouble(since date: Date?) -> StatusTrouble? {
    if subscriptions.isOfflineByChoice {
      return StatusTrouble(line: CoreStrings.offlineChosen(CoreStrings.goOnline))
    }
    return date.map {
      let retry = CoreStrings.retry(key(.refresh))
      return StatusTrouble(
        line: CoreStrings.offline(for: clock.duration(since: $0.seconds), advice: retry))
    }
  }

  /// Since when no server is reached, or that the user has chosen so; nil while servers are reached.
  var offlineNote: String? {
    if subscriptions.isOfflineByChoice { return CoreStrings.offlineByChoice }
    return subscriptions.offlineSince.map {
      CoreStrings.offline(for: clock.duration(since: $0.seconds))
    }
  }
}
