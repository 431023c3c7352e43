/// Rate limit of a host: a sliding window of requests. Pure: time is a parameter.
package struct RateWindow: Sendable, Hashable {
  package struct Settings: Sendable, Hashable {
    package var requests: Int
    package var period: Duration

    package init(requests: Int, per period: Duration) {
      self.requests = max(1, requests)
      self.period = period
    }
  }

  private let settings: Settings
  /// The times of the latest requests, past and scheduled, oldest first.
  private var starts: [ContinuousClock.Instant] = []

  package init(_ settings: Settings) {
    self.settings = settings
  }

  /// Reserves the time of the next request, which is `now` while the window has room.
  package mutating func reserve(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    starts.removeAll { $0 + settings.period <= now }
    var start = now
    if starts.count >= settings.requests {
      start = max(now, starts[starts.count - settings.requests] + settings.period)
    }
    starts.append(start)
    return start
  }

  package mutating func release(_ start: ContinuousClock.Instant) {
    if let index = starts.lastIndex(of: start) { starts.remove(at: index) }
  }

  /// Whether all requests are older than the window, so that it can be discarded.
  package func isPristine(at now: ContinuousClock.Instant) -> Bool {
    starts.last.map { $0 + settings.period <= now } ?? true
  }
}
