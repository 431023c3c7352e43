/// How many requests a host gets within a time: a sliding window. Pure: time comes in as a value.
package struct RateWindow: Sendable, Hashable {
  /// Number of requests that may be sent within a period.
  package struct Settings: Sendable, Hashable {
    package var requests: Int
    package var period: Duration

    package init(requests: Int, per period: Duration) {
      self.requests = max(1, requests)
      self.period = period
    }
  }

  private let settings: Settings
  /// When the latest requests began or will begin, the oldest first.
  private var starts: [ContinuousClock.Instant] = []

  package init(_ settings: Settings) {
    self.settings = settings
  }

  /// Takes the next place, which is `now` while the window has room.
  package mutating func reserve(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    starts.removeAll { $0 + settings.period <= now }
    var start = now
    if starts.count >= settings.requests {
      start = max(now, starts[starts.count - settings.requests] + settings.period)
    }
    starts.append(start)
    return start
  }

  /// Gives a place back that was not used.
  package mutating func release(_ start: ContinuousClock.Instant) {
    if let index = starts.lastIndex(of: start) { starts.remove(at: index) }
  }

  /// Whether nothing in it matters any more.
  package func isPristine(at now: ContinuousClock.Instant) -> Bool {
    starts.last.map { $0 + settings.period <= now } ?? true
  }
}
