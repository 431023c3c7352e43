import News

extension ReaderState {
  /// Turns the network off, or on again.
  mutating func toggleOffline() -> [Effect] {
    guard subscriptions.isOfflineByChoice else {
      return [.setOffline(true)]
        + notify("Offline: only what is cached shows, and changes wait. :offline ends this.")
    }
    return [.setOffline(false), .refresh(.due)] + notify("Online again.")
  }

  /// Since when no server is reached, or that the user has chosen so; nil while servers are reached.
  var offlineNote: String? {
    if subscriptions.isOfflineByChoice { return "offline (by choice)" }
    return subscriptions.offlineSince.map { "offline for \(clock.duration(since: $0.seconds))" }
  }
}
