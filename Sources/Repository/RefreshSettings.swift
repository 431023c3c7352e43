package import News

/// Limits of a refresh: requests at once, intervals and waits.
package struct RefreshSettings: Sendable {
  package var concurrent = 16
  package var perHost = 2
  /// Of feeds that have none of their own.
  package var interval = FetchInterval.adaptive
  /// The name of this program, for the messages of other processes that wait for it.
  package var program = "telex"
  /// The end of a command's time limit: other processes are waited for until then at most.
  package var deadline: ContinuousClock.Instant?
  /// Seconds for which a claim on a feed is valid without renewal: its process may have been
  /// stopped.
  package var claimTime = 120.0
  /// Seconds for which a claim on the sync of an account is valid without renewal.
  package var syncClaimTime = 600.0
  /// Whether the user has turned the network off.
  package var isOffline = false
  /// Whether automatic requests are avoided, as on a metered connection.
  package var isLowData = false
  /// For feeds that have no setting of their own.
  package var metered = FeedSettings.Metered.text
  /// Older pages that one walk through a feed fetches at most (`OlderPages`).
  package var maxOlderPages = 1_000
  /// How long an automatic refresh waits for a network before it is tried anyway.
  package var networkPatience: Duration = .seconds(300)
  /// Quiet time after the last change of the user before changes are sent automatically.
  package var outboxCalm: Duration = .seconds(3)
  /// Whether servers of this machine count as remote; for tests of a missing network.
  package var isLoopbackRemote = false

  /// Whether the time limit leaves nothing for a request.
  var isTimeUp: Bool {
    deadline.map { ContinuousClock.now + .milliseconds(200) >= $0 } ?? false
  }

  package init() {}
}
