internal import Foundation
internal import Synchronization

/// Admission of requests to servers: each attempt passes the circuit breaker of its origin (scheme, host
/// and port), that of its proxy, and the rate limit of its host.
///
/// Shared by all clients. May be used from any task.
package final class OriginGate: Sendable {
  package struct Settings: Sendable {
    package var breaker = CircuitBreaker.Settings()
    /// The rate limit of a host; nil for none.
    package var rate: RateWindow.Settings? = RateWindow.Settings(requests: 120, per: .seconds(60))
    /// Whether the rate limit also applies to servers of this machine.
    package var isRateBoundOnLoopback = false

    package init() {}
  }

  /// The number of origins at which idle ones are discarded.
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

  /// Sends an attempt once it may go. A proxy has a circuit of its own: its failures do not count against the server.
  ///
  /// - Throws: `HTTPError` of kind `paused` where the circuit is open, `timeout(.total)` where the
  ///   request's deadline comes before its place in the rate window, and what `send` throws.
  package func answer<Answer: HTTPAnswer>(
    to request: HTTPRequest, by route: ProxyChoice = .direct,
    send: (HTTPRequest) async throws -> Answer
  ) async throws -> Answer {
    let url = try HTTPURL(request.url)
    let proxy = route.proxyOrigin.map(Circuit.proxy)
    let circuits = [.server(url), proxy].compactMap(\.self)
    // Before it waits for its turn, and after: the circuit may open meanwhile.
    for circuit in circuits {
      if let until = pausedUntil(circuit), until > clock.uptime() {
        throw paused(circuit, url, until)
      }
    }
    try await awaitTurn(of: request, at: url)
    let admission = try admit(to: .server(url), for: url)
    var proxyAdmission: CircuitBreaker.Admission?
    do {
      if let proxy { proxyAdmission = try admit(to: proxy, for: url) }
    } catch {
      record(.nothing, of: admission, at: .server(url))
      throw error
    }
    do {
      let response = try await send(request)
      record(CircuitBreaker.Verdict(status: response.head.status), of: admission, at: .server(url))
      if let proxy { record(.works, of: proxyAdmission ?? .pass, at: proxy) }
      return response
    } catch {
      record(CircuitBreaker.Verdict(error), of: admission, at: .server(url))
      if case .proxy(let fault)? = (error as? HTTPError)?.kind {
        // A redirect may have led to a host with another proxy.
        let failed = (error as? HTTPError)?.proxy.map(Circuit.proxy) ?? proxy
        if let proxy, failed != proxy { record(.works, of: proxyAdmission ?? .pass, at: proxy) }
        if let failed {
          let admission = failed == proxy ? proxyAdmission : try? admit(to: failed, for: url)
          record(CircuitBreaker.Verdict(fault), of: admission ?? .pass, at: failed)
        }
      } else if let proxy {
        record(.nothing, of: proxyAdmission ?? .pass, at: proxy)
      }
      throw error
    }
  }

  /// When the next probe of the server at an address may go; nil while its circuit is closed.
  package func pausedUntil(_ url: String) -> ContinuousClock.Instant? {
    (try? HTTPURL(url)).flatMap { pausedUntil(.server($0)) }
  }

  package func pausedUntil(_ route: ProxyChoice) -> ContinuousClock.Instant? {
    route.proxyOrigin.flatMap { pausedUntil(.proxy($0)) }
  }

  private func pausedUntil(_ circuit: Circuit) -> ContinuousClock.Instant? {
    state.withLock { state in
      if case .open(let until) = state.breakers[circuit.key]?.state { until } else { nil }
    }
  }

  /// Closes the circuits of these addresses, and of all proxies: the user asks for them.
  package func reopen(_ urls: [String]) {
    let origins = Set(urls.compactMap { try? HTTPURL($0).origin })
    state.withLock { state in
      for origin in origins { state.breakers[origin] = nil }
      state.breakers = state.breakers.filter { !Circuit.isOfProxy($0.key) }
    }
  }

  /// Closes all circuits: the network is back.
  package func reopenAll() {
    state.withLock { $0.breakers = [:] }
  }

  // MARK: - The breaker

  private enum Circuit: Hashable {
    case server(HTTPURL)
    case proxy(String)

    private static let proxyMark = "by "

    var key: String {
      switch self {
      case .server(let url): url.origin
      case .proxy(let origin): Circuit.proxyMark + origin
      }
    }

    static func isOfProxy(_ key: String) -> Bool { key.hasPrefix(proxyMark) }
  }

  private func admit(to circuit: Circuit, for url: HTTPURL) throws -> CircuitBreaker.Admission {
    let now = clock.uptime()
    let admission = state.withLock { state in
      state.breakers[circuit.key, default: CircuitBreaker(settings.breaker)].admit(at: now)
    }
    guard case .refused(let until) = admission else { return admission }
    throw paused(circuit, url, until)
  }

  private func paused(
    _ circuit: Circuit, _ url: HTTPURL, _ until: ContinuousClock.Instant
  ) -> HTTPError {
    let name =
      switch circuit {
      case .server(let url): url.host
      case .proxy(let origin): "The proxy \(origin)"
      }
    var error = HTTPError(.paused, "\(name) keeps failing, so Telex waits.", host: url.host)
    let wait = max(.zero, clock.uptime().duration(to: until))
    error.pausedUntil = clock.now().addingTimeInterval(wait / .seconds(1))
    return error
  }

  private func record(
    _ verdict: CircuitBreaker.Verdict, of admission: CircuitBreaker.Admission, at circuit: Circuit
  ) {
    let now = clock.uptime()
    state.withLock { state in
      guard var breaker = state.breakers[circuit.key] else { return }
      breaker.record(verdict, of: admission, at: now)
      state.breakers[circuit.key] = breaker.isPristine ? nil : breaker
    }
  }

  // MARK: - The window

  /// The rate limit of a server, and the host that it counts for; nil for none.
  private func limit(at url: HTTPURL) -> (host: String, rate: RateWindow.Settings)? {
    // It refuses feeds that are asked for more often, under whatever name.
    let reddit = "reddit.com"
    if url.host == reddit || url.host.hasSuffix("." + reddit) {
      return (reddit, RateWindow.Settings(requests: 1, per: .seconds(60)))
    }
    guard let rate = settings.rate, settings.isRateBoundOnLoopback || !url.isLoopback else {
      return nil
    }
    return (url.host, rate)
  }

  private func awaitTurn(of request: HTTPRequest, at url: HTTPURL) async throws {
    guard let (host, rate) = limit(at: url) else { return }
    let now = clock.uptime()
    let start = state.withLock { state in
      if state.windows.count >= Self.mostOrigins {
        state.windows = state.windows.filter { !$0.value.isPristine(at: now) }
      }
      return state.windows[host, default: RateWindow(rate)].reserve(at: now)
    }
    guard start > now else { return }
    do {
      if let deadline = request.deadline, deadline <= start {
        throw HTTPError(
          .timeout(.total), "Telex sends no more requests to \(url.host) for now.", host: url.host)
      }
      try await clock.sleep(now.duration(to: start))
    } catch {
      state.withLock { $0.windows[host]?.release(start) }
      throw error
    }
  }
}
