import News

extension ReaderState {
  /// Turns the network off, or on again.
  mutating func toggleOffline() -> [Effect] {
    guard subscriptions.isOfflineByChoice else {
      return [.setOffline(true)] + notify(CoreStrings.wentOffline)
    }
    return [.setOffline(false), .refresh(.due)] + notify(CoreStrings.online)
  }

  /// Since when no server is reached, or that the user has chosen so; nil while servers are reached.
  var offlineNote: String? {
    if subscriptions.isOfflineByChoice { return CoreStrings.offlineByChoice }
    return subscriptions.offlineSince.map {
      CoreStrings.offline(for: clock.duration(since: $0.seconds))
    }
  }
}
