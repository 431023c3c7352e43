internal import Foundation
internal import Synchronization

/// What each attempt passes on its way to a server: the circuit breaker of its origin (scheme, host
/// and port) and the rate window of its host.
///
/// Shared by all who talk to the same servers. May be used from any task.
package final class OriginGate: Sendable {
  package struct Settings: Sendable {
    package var breaker = CircuitBreaker.Settings()
    /// nil for no bound.
    package var rate: RateWindow.Settings? = RateWindow.Settings(requests: 120, per: .seconds(60))
    /// This machine owes itself no politeness.
    package var isRateBoundOnLoopback = false

    package init() {}
  }

  /// More origins than anybody reads; the idle ones are forgotten before that.
  private static let mostOrigins = 512

  private struct State {
    var breakers: [String: CircuitBreaker] = [:]
    var windows: [String: RateWindow] = [:]
  }

  private let settings: Settings
  private let clock: RetryClock
  private let state = Mutex(State())

  package init(_ settings: Settings = Settings(), clock: RetryClock = .system) {
    self.settings = settings
    self.clock = clock
  }

  /// Sends an attempt once it may go.
  ///
  /// - Throws: `HTTPError` of kind `paused` where the circuit is open, `timeout(.total)` where the
  ///   request's deadline comes before its place in the rate window, and what `send` throws.
  package func answer<Answer: HTTPAnswer>(
    to request: HTTPRequest, send: (HTTPRequest) async throws -> Answer
  ) async throws -> Answer {
    let url = try HTTPURL(request.url)
    // Before it waits for its turn, and after: the circuit may open meanwhile.
    if let until = pausedUntil(request.url), until > clock.uptime() { throw paused(url, until) }
    try await awaitTurn(of: request, at: url)
    let admission = try admit(to: url)
    do {
      let response = try await send(request)
      record(CircuitBreaker.Verdict(status: response.head.status), of: admission, at: url)
      return response
    } catch {
      record(CircuitBreaker.Verdict(error), of: admission, at: url)
      throw error
    }
  }

  /// When the next probe of the server at an address may go; nil while its circuit is closed.
  package func pausedUntil(_ url: String) -> ContinuousClock.Instant? {
    guard let origin = try? HTTPURL(url).origin else { return nil }
    return state.withLock { state in
      if case .open(let until) = state.breakers[origin]?.state { until } else { nil }
    }
  }

  /// Lets requests to these addresses pass: the reader asks himself.
  package func reopen(_ urls: [String]) {
    let origins = Set(urls.compactMap { try? HTTPURL($0).origin })
    state.withLock { state in
      for origin in origins { state.breakers[origin] = nil }
    }
  }

  /// Lets everything pass: the network is back.
  package func reopenAll() {
    state.withLock { $0.breakers = [:] }
  }

  // MARK: - The breaker

  private func admit(to url: HTTPURL) throws -> CircuitBreaker.Admission {
    let now = clock.uptime()
    let admission = state.withLock { state in
      state.breakers[url.origin, default: CircuitBreaker(settings.breaker)].admit(at: now)
    }
    guard case .refused(let until) = admission else { return admission }
    throw paused(url, until)
  }

  private func paused(_ url: HTTPURL, _ until: ContinuousClock.Instant) -> HTTPError {
    var error = HTTPError(
      .paused, "\(url.host) keeps failing and is left alone.", host: url.host)
    let wait = max(.zero, clock.uptime().duration(to: until))
    error.pausedUntil = clock.now().addingTimeInterval(wait / .seconds(1))
    return error
  }

  private func record(
    _ verdict: CircuitBreaker.Verdict, of admission: CircuitBreaker.Admission, at url: HTTPURL
  ) {
    let now = clock.uptime()
    state.withLock { state in
      guard var breaker = state.breakers[url.origin] else { return }
      breaker.record(verdict, of: admission, at: now)
      state.breakers[url.origin] = breaker.isPristine ? nil : breaker
    }
  }

  // MARK: - The window

  private func awaitTurn(of request: HTTPRequest, at url: HTTPURL) async throws {
    guard let rate = settings.rate, settings.isRateBoundOnLoopback || !url.isLoopback else {
      return
    }
    let now = clock.uptime()
    let start = state.withLock { state in
      if state.windows.count >= Self.mostOrigins {
        state.windows = state.windows.filter { !$0.value.isPristine(at: now) }
      }
      return state.windows[url.host, default: RateWindow(rate)].reserve(at: now)
    }
    guard start > now else { return }
    do {
      if let deadline = request.deadline, deadline <= start {
        throw HTTPError(
          .timeout(.total), "\(url.host) is not asked any faster than it is now.", host: url.host)
      }
      try await clock.sleep(now.duration(to: start))
    } catch {
      state.withLock { $0.windows[url.host]?.release(start) }
      throw error
    }
  }
}
