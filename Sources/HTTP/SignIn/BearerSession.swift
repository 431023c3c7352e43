package import Foundation
internal import Synchronization

/// A signed-in person at one API: hands out the bearer token, and renews the pair before it ends and after a 401.
///
/// The renewed pair is stored before anybody uses it, for the old refresh token is spent by then. Other processes may
/// renew the pair, sign in or sign out: the stored pair is read before each renewal, when the server refuses one, and
/// some seconds after nobody was signed in.
package final class BearerSession: Sendable {
  /// Where the pair is kept, and how it is renewed.
  package struct Backing: Sendable {
    package var load: @Sendable () async throws -> TokenPair?
    package var save: @Sendable (TokenPair?) async throws -> Void
    /// - Throws: `HTTPError` with status 401 when the refresh token is refused.
    package var renew: @Sendable (TokenPair) async throws -> TokenPair
    /// Runs the work while no other process does the same.
    package var exclusively: Exclusion
    /// The error of another process that keeps exclusive work waiting; nil where there is none.
    package var holdUp: @Sendable () -> (any Error)?

    package typealias Exclusion =
      @Sendable (_ work: @Sendable () async throws -> Void) async throws -> Void

    package init(
      load: @escaping @Sendable () async throws -> TokenPair?,
      save: @escaping @Sendable (TokenPair?) async throws -> Void,
      renew: @escaping @Sendable (TokenPair) async throws -> TokenPair,
      exclusively: @escaping Exclusion = { try await $0() },
      holdUp: @escaping @Sendable () -> (any Error)? = { nil }
    ) {
      self.load = load
      self.save = save
      self.renew = renew
      self.exclusively = exclusively
      self.holdUp = holdUp
    }
  }

  private enum Grant: Sendable {
    case pair(TokenPair)
    case askAgain
  }

  private typealias Waiter = CheckedContinuation<Grant, any Error>
  private typealias Question = @Sendable (inout TokenRefresh, Int, Date) -> TokenRefresh.Answer

  private struct State {
    var refresh = TokenRefresh(nil)
    var waiters: [Int: Waiter] = [:]
    var lastCaller = 0
    /// Renewed, and not stored yet.
    var unsaved: TokenPair?
  }

  /// Renewals of this process that have been sent and are not stored yet.
  private static let renewals = Mutex(0)

  /// Whether a refresh token may be spent for a pair that is not stored yet: ending the process now ends the session.
  package static var isRenewing: Bool { renewals.withLock { $0 > 0 } }

  private let backing: Backing
  private let host: String
  private let now: @Sendable () -> Date
  private let state = Mutex(State())

  package init(backing: Backing, host: String, now: @escaping @Sendable () -> Date = { Date() }) {
    self.backing = backing
    self.host = host
    self.now = now
  }

  /// Sends a request with the token, and after a 401 once more with a new one.
  ///
  /// - Throws: `HTTPError` with status 401 where only a sign-in helps, of kind `timeout(.total)` where
  ///   the request's deadline comes before its token, unless another process is the reason
  ///   (`Backing.holdUp`), and what `send` throws.
  package func answer<Answer: HTTPAnswer>(
    to request: HTTPRequest, send: (HTTPRequest) async throws -> Answer
  ) async throws -> Answer {
    let token = try await accessToken(before: request.deadline)
    let response = try await send(request.bearing(token))
    // One from elsewhere, after a redirect, has not seen the token.
    guard response.head.status == 401, HTTPURL.isSameOrigin(response.head.url, request.url) else {
      return response
    }
    let renewed = try await accessToken(insteadOf: token, before: request.deadline)
    return try await send(request.bearing(renewed))
  }

  /// A token that is good now.
  ///
  /// - Parameters:
  ///   - refused: the one that was answered with 401, to be renewed.
  ///   - deadline: the end of the caller's wait; the renewal goes on.
  package func accessToken(
    insteadOf refused: String? = nil, before deadline: ContinuousClock.Instant? = nil
  ) async throws -> String {
    let question: Question = { refresh, caller, now in
      refused.map { refresh.refused($0, caller, at: now) } ?? refresh.wants(caller, at: now)
    }
    guard let deadline else { return try await pair(question).accessToken }
    return try await withThrowingTaskGroup(of: String.self) { [host, backing] group in
      group.addTask { try await self.pair(question).accessToken }
      group.addTask {
        try await Task.sleep(until: deadline)
        // A server that was not asked is not to blame.
        if let holdUp = backing.holdUp() { throw holdUp }
        throw HTTPError(
          .timeout(.total), "Signing in to \(host) took longer than allowed.", host: host)
      }
      defer { group.cancelAll() }
      guard let token = try await group.next() else { throw CancellationError() }
      return token
    }
  }

  /// Sets the pair of a fresh sign-in, or none after a sign-out. It must be stored already.
  package func replace(_ pair: TokenPair?) {
    let waiters = state.withLock { state in
      state.unsaved = nil
      let callers = state.refresh.replace(pair, at: now())
      return callers.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in waiters {
      if let pair {
        waiter.resume(returning: .pair(pair))
      } else {
        waiter.resume(throwing: signInNeeded)
      }
    }
  }

  // MARK: - Waiting

  private func pair(_ question: Question) async throws -> TokenPair {
    while true {
      if case .pair(let pair) = try await grant(question) { return pair }
    }
  }

  private func grant(_ question: Question) async throws -> Grant {
    try Task.checkCancellation()
    let caller = state.withLock { state in
      state.lastCaller += 1
      return state.lastCaller
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        state.withLock { state in
          if Task.isCancelled { return waiter.resume(throwing: CancellationError()) }
          switch question(&state.refresh, caller, now()) {
          case .use(let pair): waiter.resume(returning: .pair(pair))
          case .signIn: waiter.resume(throwing: signInNeeded)
          case .wait: state.waiters[caller] = waiter
          // These outlive the caller that happened to be first: others wait, and a refresh token is
          // spent by its renewal.
          case .load(let flight):
            state.waiters[caller] = waiter
            Task { await self.load(flight) }
          case .renew(let pair, let flight):
            state.waiters[caller] = waiter
            Task { await self.renew(pair, flight) }
          }
        }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.refresh.leave(caller)
        return state.waiters.removeValue(forKey: caller)
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func end(_ flight: Int, _ outcome: TokenRefresh.Outcome, _ failure: (any Error)? = nil) {
    let (waiters, release) = state.withLock { state -> ([Waiter], TokenRefresh.Release) in
      let (callers, release) = state.refresh.end(outcome, of: flight, at: now())
      return (callers.compactMap { state.waiters.removeValue(forKey: $0) }, release)
    }
    for waiter in waiters {
      switch release {
      case .use(let pair): waiter.resume(returning: .pair(pair))
      case .askAgain: waiter.resume(returning: .askAgain)
      case .signIn: waiter.resume(throwing: signInNeeded)
      case .fail: waiter.resume(throwing: failure ?? signInNeeded)
      }
    }
  }

  // MARK: - Under way

  private func load(_ flight: Int) async {
    do { end(flight, .loaded(try await alone { try await $0.backing.load() })) } catch {
      end(flight, .failed, error)
    }
  }

  private func renew(_ pair: TokenPair, _ flight: Int) async {
    do {
      end(flight, .renewed(try await alone { try await $0.renewed(pair) }))
    } catch let error as HTTPError where error.isRefusal {
      end(flight, .refused)
    } catch {
      end(flight, .failed, error)
    }
  }

  private func renewed(_ pair: TokenPair) async throws -> TokenPair {
    if let unsaved = state.withLock({ $0.unsaved }) { return try await saved(unsaved) }
    if let stored = try await backing.load(), stored != pair, stored.isFresh(at: now()) {
      return stored
    }
    do {
      Self.renewals.withLock { $0 += 1 }
      defer { Self.renewals.withLock { $0 -= 1 } }
      return try await saved(try await backing.renew(pair))
    } catch let error as HTTPError where error.isRefusal {
      // Somebody may have signed in meanwhile; only what was refused is taken away.
      if let stored = try await backing.load(), stored.refreshToken != pair.refreshToken {
        return stored
      }
      try? await backing.save(nil)
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

  /// Runs work that no other process does at the same time.
  private func alone<Value: Sendable>(
    _ work: @escaping @Sendable (BearerSession) async throws -> Value
  ) async throws -> Value {
    let result = Mutex<Value?>(nil)
    try await backing.exclusively {
      let value = try await work(self)
      result.withLock { $0 = value }
    }
    guard let value = result.withLock({ $0 }) else { throw CancellationError() }
    return value
  }

  private var signInNeeded: HTTPError {
    HTTPError(.status, "\(host) wants you to sign in.", host: host, status: 401)
  }
}

extension TokenPair {
  fileprivate func isFresh(at now: Date) -> Bool {
    expires.timeIntervalSince(now) > TokenRefresh.margin
  }
}

extension HTTPError {
  /// Whether the server refuses the refresh token. A 403 may be a wall in between.
  fileprivate var isRefusal: Bool {
    guard kind == .status else { return false }
    if status == 401 { return true }
    return ["session_ended", "invalid_grant"].contains(serverError?.code)
  }
}

extension HTTPRequest {
  fileprivate func bearing(_ token: String) -> HTTPRequest {
    var request = self
    request.middlewares.append(.bearer(token))
    return request
  }
}
