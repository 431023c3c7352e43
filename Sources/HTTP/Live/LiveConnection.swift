package import WebSocket

/// State machine of a lasting connection: when to connect, how long to wait, when to give up. Pure:
/// time and random numbers are parameters, and methods return the action to perform.
package struct LiveConnection: Sendable {
  /// Times and numbers that decide when a connection counts as lost.
  package struct Limits: Sendable, Hashable {
    /// The longest time without a byte on an open connection, while somebody listens.
    package var silence: Duration = .seconds(60)
    /// The interval between pings of a WebSocket; nil for none.
    package var ping: Duration? = .seconds(25)
    /// Failed attempts in a row until it gives up.
    package var reconnects = 10
    /// The wait before the first attempt to reconnect; doubled for each that follows.
    package var firstWait: Duration = .seconds(1)
    /// The longest wait before an attempt to reconnect.
    package var longestWait: Duration = .seconds(60)

    package init() {}
  }

  package enum State: Sendable, Hashable {
    case idle, connecting, open
    case waiting(until: ContinuousClock.Instant)
    case stopped(Stop)
  }

  /// Why a connection, or an attempt to connect, has ended.
  package enum Drop: Sendable, Hashable {
    /// A response that is no live stream.
    case status(Int, retryAfter: Duration? = nil)
    case failure(HTTPError.Kind)
    /// A 200 of another media type, or a 101 that does not fit the request.
    case notLive
    /// The server ended it without a word.
    case end
    case silence, noPong
    /// The server's close frame.
    case closed(WebSocketCloseCode?)
    /// Ours, after the server broke the protocol.
    case violation(WebSocketCloseCode)
  }

  /// Why no further attempt is made.
  package enum Stop: Sendable, Hashable {
    /// The caller has had enough.
    case closed
    /// The server has nothing more to say: 204, or a close frame with 1000.
    case finished
    /// Another attempt would end the same way.
    case refused
    /// The credential is not accepted, not even a new one.
    case unauthorized
    /// Too many failures in a row.
    case exhausted
  }

  /// Step for the owner of the connection.
  package enum Action: Sendable, Hashable {
    case connect
    /// Get a new credential, then connect.
    case renew
    /// The coming attempt is so many in a row, 1 for the first.
    case wait(until: ContinuousClock.Instant, attempt: Int)
    case ping
    /// Close the connection, then call `ended` with this.
    case drop(Drop)
    case stop(Stop)
  }

  /// Of the waits that a stream names by `retry:`.
  private static let longestRetry: Duration = .seconds(3_600)

  package private(set) var state = State.idle
  /// The number of failures since the last success.
  package private(set) var failures = 0

  private let limits: Limits
  private var firstWait: Duration
  private var hasRenewed = false
  private var lastHeard: ContinuousClock.Instant?
  private var nextPing: ContinuousClock.Instant?
  private var awaitsPong = false

  package init(limits: Limits = Limits()) {
    self.limits = limits
    firstWait = limits.firstWait
  }

  /// When to call `tick` next; nil where nothing is due.
  package var nextTick: ContinuousClock.Instant? {
    switch state {
    case .waiting(let until): until
    case .open:
      [lastHeard?.advanced(by: limits.silence), nextPing].compactMap { $0 }.min()
    case .idle, .connecting, .stopped: nil
    }
  }

  package mutating func start() -> Action? {
    guard state == .idle else { return nil }
    state = .connecting
    return .connect
  }

  /// The server has accepted the connection. It counts as a success only after an event: a server
  /// may accept and close at once, again and again.
  package mutating func opened(at now: ContinuousClock.Instant) {
    guard state == .connecting else { return }
    state = .open
    lastHeard = now
    nextPing = limits.ping.map { now.advanced(by: $0) }
    awaitsPong = false
  }

  package mutating func heard(at now: ContinuousClock.Instant) { lastHeard = now }

  /// An event or a heartbeat has arrived.
  package mutating func succeeded() {
    failures = 0
    hasRenewed = false
  }

  package mutating func ponged() {
    awaitsPong = false
    succeeded()
  }

  /// The server has set the wait before the first attempt to reconnect.
  package mutating func retryAsked(_ wait: Duration) {
    // A server that wants no wait at all gets one all the same: doubled, nothing stays nothing.
    firstWait = min(max(wait, .seconds(1)), LiveConnection.longestRetry)
  }

  /// Nobody listened for this time: it does not count as silence of the server.
  package mutating func resumed(after pause: Duration) {
    lastHeard = lastHeard?.advanced(by: pause)
    nextPing = nextPing?.advanced(by: pause)
  }

  /// The action that is due at this time; nil for none.
  package mutating func tick(at now: ContinuousClock.Instant) -> Action? {
    switch state {
    case .waiting(let until) where until <= now:
      state = .connecting
      return .connect
    case .open:
      if let lastHeard, lastHeard.advanced(by: limits.silence) <= now { return .drop(.silence) }
      guard let nextPing, nextPing <= now, let interval = limits.ping else { return nil }
      guard !awaitsPong else { return .drop(.noPong) }
      awaitsPong = true
      self.nextPing = now.advanced(by: interval)
      return .ping
    default: return nil
    }
  }

  /// A connection has ended, or could not be made.
  ///
  /// - Parameter jitter: a random number in 0..<1.
  package mutating func ended(
    _ drop: Drop, at now: ContinuousClock.Instant, jitter: Double
  ) -> Action? {
    guard state == .connecting || state == .open else { return nil }
    (lastHeard, nextPing) = (nil, nil)
    if drop.isUnauthorized && !hasRenewed {
      hasRenewed = true
      state = .connecting
      return .renew
    }
    if let stop = drop.stop { return self.stop(stop) }
    guard failures < limits.reconnects else { return self.stop(.exhausted) }
    let until = now.advanced(by: max(backoff(jitter: jitter), drop.retryAfter ?? .zero))
    failures += 1
    state = .waiting(until: until)
    return .wait(until: until, attempt: failures)
  }

  package mutating func close() { _ = stop(.closed) }

  private mutating func stop(_ reason: Stop) -> Action? {
    if case .stopped = state { return nil }
    state = .stopped(reason)
    return .stop(reason)
  }

  /// Doubled each time up to the longest wait, and up to a second on top so that many clients do not
  /// come back together.
  private func backoff(jitter: Double) -> Duration {
    let longest = max(limits.longestWait, firstWait)
    return min(firstWait * (1 << min(failures, 30)), longest) + .seconds(jitter)
  }
}

extension LiveConnection.Drop {
  fileprivate var retryAfter: Duration? {
    if case .status(_, let wait) = self { wait } else { nil }
  }

  fileprivate var isUnauthorized: Bool {
    switch self {
    case .status(401, _): true
    case .closed(let code): code?.rawValue == 3000
    default: false
    }
  }

  /// Why there is no point in trying again; nil where there is.
  fileprivate var stop: LiveConnection.Stop? {
    if isUnauthorized { return .unauthorized }
    return switch self {
    case .status(204, _), .closed(.normal): .finished
    case .status(let status, _): StatusClass(status).isTransient ? nil : .refused
    case .failure(let kind): kind.isPassing ? nil : .refused
    case .notLive: .refused
    case .closed(let code): (code?.isPassing ?? true) ? nil : .refused
    case .end, .silence, .noPong, .violation: nil
    }
  }
}

extension HTTPError.Kind {
  /// Whether time alone may mend it.
  fileprivate var isPassing: Bool {
    switch self {
    case .offline, .offlineByChoice, .timeout, .dns, .refused, .cutShort: true
    default: false
    }
  }
}

extension WebSocketCloseCode {
  /// Whether the server may think otherwise later. What it calls our fault stays our fault; codes
  /// from 4000 on are an application's own, and so is what to do about them.
  fileprivate var isPassing: Bool {
    switch rawValue {
    case 1002, 1003, 1007...1010, 3003, 4000...4999: false
    default: true
    }
  }
}
