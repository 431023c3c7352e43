package import Foundation
internal import Synchronization

/// A signed-in person at one API: hands out the bearer token, and renews the pair early, after a
/// 401, and once at a time.
///
/// The renewed pair is stored before anybody uses it (the old refresh token is spent by then).
/// Other processes may renew the pair too: what is stored is looked at before each renewal, and
/// again when the server refuses one.
package final class BearerSession: Sendable {
  /// Where the pair is kept, and how it is renewed.
  package struct Backing: Sendable {
    package var load: @Sendable () async throws -> TokenPair?
    package var save: @Sendable (TokenPair?) async throws -> Void
    /// - Throws: `HTTPError` with status 401 (or another 4xx) when the refresh token is refused.
    package var renew: @Sendable (TokenPair) async throws -> TokenPair
    /// Runs the work while no other process does the same.
    package var exclusively: Exclusion

    package typealias Exclusion =
      @Sendable (_ work: @Sendable () async throws -> TokenPair) async throws -> TokenPair

    package init(
      load: @escaping @Sendable () async throws -> TokenPair?,
      save: @escaping @Sendable (TokenPair?) async throws -> Void,
      renew: @escaping @Sendable (TokenPair) async throws -> TokenPair,
      exclusively: @escaping Exclusion = { try await $0() }
    ) {
      self.load = load
      self.save = save
      self.renew = renew
      self.exclusively = exclusively
    }
  }

  private typealias Waiter = CheckedContinuation<TokenPair, any Error>

  private struct State {
    /// nil until the stored pair has been asked for.
    var refresh: TokenRefresh?
    var waiters: [Int: Waiter] = [:]
    var lastCaller = 0
    /// Renewed, and not stored yet.
    var unsaved: TokenPair?
  }

  private let backing: Backing
  private let host: String
  private let now: @Sendable () -> Date
  private let state = Mutex(State())

  package init(
    backing: Backing, host: String, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.backing = backing
    self.host = host
    self.now = now
  }

  /// Sends a request with the token, and after a 401 once more with a new one.
  ///
  /// - Throws: `HTTPError` with status 401 where only a sign-in helps, and what `send` throws.
  package func answer<Answer: HTTPAnswer>(
    to request: HTTPRequest, send: (HTTPRequest) async throws -> Answer
  ) async throws -> Answer {
    try await loadOnce()
    let pair = try await pair { $0.wants($1, at: $2) }
    let response = try await send(request.bearing(pair.accessToken))
    guard response.head.status == 401 else { return response }
    let renewed = try await self.pair { refresh, caller, _ in
      refresh.refused(pair.accessToken, caller)
    }
    return try await send(request.bearing(renewed.accessToken))
  }

  /// A token that is good now, for who sends by himself.
  ///
  /// - Parameter refused: the one that was answered with 401, to be renewed.
  package func accessToken(insteadOf refused: String? = nil) async throws -> String {
    try await loadOnce()
    return try await pair { refresh, caller, now in
      refused.map { refresh.refused($0, caller) } ?? refresh.wants(caller, at: now)
    }.accessToken
  }

  /// Takes the pair of a fresh sign-in, or none after a sign-out. It must be stored already.
  package func replace(_ pair: TokenPair?) {
    let waiters = state.withLock { state in
      if state.refresh == nil { state.refresh = TokenRefresh(pair) }
      let callers = state.refresh?.replace(pair) ?? []
      return callers.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in waiters {
      if let pair { waiter.resume(returning: pair) } else { waiter.resume(throwing: signInNeeded) }
    }
  }

  private func loadOnce() async throws {
    guard state.withLock({ $0.refresh == nil }) else { return }
    let pair = try await backing.load()
    state.withLock { if $0.refresh == nil { $0.refresh = TokenRefresh(pair) } }
  }

  /// Waits for the pair that the state machine promises.
  private func pair(
    _ ask: (inout TokenRefresh, _ caller: Int, _ now: Date) -> TokenRefresh.Answer
  ) async throws -> TokenPair {
    try Task.checkCancellation()
    let caller = state.withLock { state in
      state.lastCaller += 1
      return state.lastCaller
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        state.withLock { state in
          if Task.isCancelled { return waiter.resume(throwing: CancellationError()) }
          guard var refresh = state.refresh else {
            return waiter.resume(throwing: signInNeeded)
          }
          let answer = ask(&refresh, caller, now())
          state.refresh = refresh
          switch answer {
          case .use(let pair): waiter.resume(returning: pair)
          case .signIn: waiter.resume(throwing: signInNeeded)
          case .wait: state.waiters[caller] = waiter
          case .renew(let pair):
            state.waiters[caller] = waiter
            // Outlives the caller that happened to be first: the refresh token is spent with it.
            Task { await self.renew(pair) }
          }
        }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.refresh?.leave(caller)
        return state.waiters.removeValue(forKey: caller)
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  // MARK: - Renewing

  private func renew(_ pair: TokenPair) async {
    var failure: any Error = signInNeeded
    let outcome: TokenRefresh.Outcome
    do {
      outcome = .renewed(try await renewedPair(pair))
    } catch let error as HTTPError where error.isRefusal {
      outcome = .refused
      try? await backing.save(nil)
    } catch {
      outcome = .failed
      failure = error
    }
    let (waiters, release) = state.withLock { state -> ([Waiter], TokenRefresh.Release) in
      guard let (callers, release) = state.refresh?.end(outcome, at: now()) else {
        return ([], .fail)
      }
      return (callers.compactMap { state.waiters.removeValue(forKey: $0) }, release)
    }
    for waiter in waiters {
      switch release {
      case .use(let pair): waiter.resume(returning: pair)
      case .signIn: waiter.resume(throwing: signInNeeded)
      case .fail: waiter.resume(throwing: failure)
      }
    }
  }

  private func renewedPair(_ pair: TokenPair) async throws -> TokenPair {
    try await backing.exclusively { try await self.renewedAlone(pair) }
  }

  private func renewedAlone(_ pair: TokenPair) async throws -> TokenPair {
    if let unsaved = state.withLock({ $0.unsaved }) { return try await saved(unsaved) }
    if let stored = try await backing.load(), stored != pair, stored.isFresh(at: now()) {
      return stored
    }
    do {
      return try await saved(try await backing.renew(pair))
    } catch let error as HTTPError where error.isRefusal {
      // Another process may have spent the refresh token a moment ago, and stored what it got.
      if let stored = try await backing.load(), stored.refreshToken != pair.refreshToken {
        return stored
      }
      throw error
    }
  }

  /// The old pair is spent: one that cannot be stored now is kept until it can.
  private func saved(_ pair: TokenPair) async throws -> TokenPair {
    state.withLock { $0.unsaved = pair }
    try await backing.save(pair)
    state.withLock { $0.unsaved = nil }
    return pair
  }

  private var signInNeeded: HTTPError {
    var error = HTTPError(.status, "\(host) wants you to sign in.", host: host)
    error.status = 401
    return error
  }
}

extension TokenPair {
  fileprivate func isFresh(at now: Date) -> Bool {
    expires.timeIntervalSince(now) > TokenRefresh.margin
  }
}

extension HTTPError {
  /// The server has understood the request and does not grant it.
  fileprivate var isRefusal: Bool {
    kind == .status && [400, 401, 403].contains(status ?? 0)
  }
}

extension HTTPRequest {
  fileprivate func bearing(_ token: String) -> HTTPRequest {
    var request = self
    request.headers["Authorization"] = "Bearer \(token)"
    return request
  }
}
