/// Circuit breaker of one origin: pauses requests after several failures in a row, and lets single
/// probes through to find out when the server is back. Pure: time is a parameter.
package struct CircuitBreaker: Sendable, Hashable {
  package struct Settings: Sendable, Hashable {
    /// Failures in a row that open the circuit.
    package var failuresToOpen = 5
    /// How long no request passes before the first probe.
    package var openTime: Duration = .seconds(30)
    /// Successful probes that close the circuit.
    package var successesToClose = 2

    package init() {}
  }

  package enum State: Sendable, Hashable {
    /// Requests pass. The number of failures in a row so far.
    case closed(failures: Int)
    /// No request passes before this time.
    case open(until: ContinuousClock.Instant)
    /// One request at a time passes, as a probe.
    case probing(successes: Int, isUnderWay: Bool)
  }

  package enum Admission: Sendable, Hashable {
    case pass
    /// The request passes as a probe, whose outcome decides about the circuit.
    case probe
    /// The request is refused; the next probe may pass at this time.
    case refused(until: ContinuousClock.Instant)
  }

  /// The verdict of an attempt on its server.
  package enum Verdict: Sendable, Hashable {
    case works, fails
    /// Nothing: the attempt did not reach the server, or was cancelled.
    case nothing
  }

  package private(set) var state = State.closed(failures: 0)
  private let settings: Settings

  package init(_ settings: Settings = Settings()) {
    self.settings = settings
  }

  /// Whether it is in its initial state, so that it can be discarded.
  package var isPristine: Bool { state == .closed(failures: 0) }

  package mutating func admit(at now: ContinuousClock.Instant) -> Admission {
    switch state {
    case .closed: return .pass
    case .open(let until) where now < until: return .refused(until: until)
    case .open:
      state = .probing(successes: 0, isUnderWay: true)
      return .probe
    case .probing(_, isUnderWay: true): return .refused(until: now + .seconds(1))
    case .probing(let successes, isUnderWay: false):
      state = .probing(successes: successes, isUnderWay: true)
      return .probe
    }
  }

  package mutating func record(
    _ verdict: Verdict, of admission: Admission, at now: ContinuousClock.Instant
  ) {
    switch (state, verdict) {
    case (.closed, .works): state = .closed(failures: 0)
    case (.closed(let failures), .fails):
      state =
        failures + 1 < settings.failuresToOpen
        ? .closed(failures: failures + 1) : .open(until: now + settings.openTime)
    // An attempt from before the circuit opened is out of date.
    case (.probing(let successes, true), _) where admission == .probe:
      switch verdict {
      case .works where successes + 1 >= settings.successesToClose: close()
      case .works: state = .probing(successes: successes + 1, isUnderWay: false)
      case .fails: state = .open(until: now + settings.openTime)
      case .nothing: state = .probing(successes: successes, isUnderWay: false)
      }
    case (.closed, .nothing), (.open, _), (.probing, _): break
    }
  }

  /// Closes the circuit: at the request of the user, or because the network is back.
  package mutating func close() { state = .closed(failures: 0) }
}

extension CircuitBreaker.Verdict {
  /// The one place that decides what counts against a server: its own errors and a connection that it refuses or
  /// drops, not being offline, a name that does not resolve, a bad request or an unreadable answer.
  package init(status: Int) {
    self = StatusClass(status) == .serverError ? .fails : .works
  }

  /// The verdict of a proxy's fault on it. A proxy that refuses a host, or does not reach it, works.
  package init(_ fault: ProxyFault) {
    self =
      switch fault {
      case .refused, .timeout, .broken, .fails: .fails
      case .signIn, .forbids, .cannotReach: .works
      case .unknown, .tls: .nothing
      }
  }

  package init(_ error: any Error) {
    self =
      switch (error as? HTTPError)?.kind {
      case .refused, .cutShort, .timeout(.connect), .timeout(.silence): .fails
      // The server did answer.
      case .cutBody: .works
      default: .nothing
      }
  }
}
