package import Foundation

/// Source of time and random numbers, to be replaced in tests.
package struct RetryClock: Sendable {
  package var now: @Sendable () -> Date
  /// Monotonic time, for waits and deadlines.
  package var uptime: @Sendable () -> ContinuousClock.Instant
  /// Returns early, with `CancellationError`, when the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void
  /// A random number in 0..<1.
  package var random: @Sendable () -> Double

  package init(
    now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> ContinuousClock.Instant,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.uptime = uptime
    self.sleep = sleep
    self.random = random
  }

  package static let system = RetryClock(
    now: { Date() }, uptime: { .now }, sleep: { try await Task.sleep(for: $0) },
    random: { .random(in: 0..<1) })
}

/// A wait before another attempt, for the screen: `retry 2/3 in 1.2 s`.
package struct RetryNotice: Sendable, Hashable {
  /// The number of the coming attempt.
  package var attempt: Int
  package var maxAttempts: Int
  package var wait: Duration
  package var until: Date
}

/// Sending with retries by `RetryPolicy`. All attempts have one id and share the request's
/// deadline, which includes the waits.
package struct RetryingSend: Sendable {
  package var policy: RetryPolicy
  package var clock: RetryClock
  /// Called before each wait between two attempts.
  package var onWait: @Sendable (RetryNotice) -> Void

  package init(
    policy: RetryPolicy = RetryPolicy(), clock: RetryClock = .system,
    onWait: @escaping @Sendable (RetryNotice) -> Void = { _ in }
  ) {
    self.policy = policy
    self.clock = clock
    self.onWait = onWait
  }

  /// The first response whose status is no error.
  ///
  /// - Parameter send: performs one attempt.
  /// - Throws: the error of the last attempt, with `retryAfter` where the server named a time.
  package func response(
    for request: HTTPRequest, send: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    var request = request
    request.deadline = request.effectiveDeadline(from: clock.uptime())
    request.id = request.id ?? UUID().uuidString.lowercased()
    var lastError: HTTPError?
    while true {
      try Task.checkCancellation()
      let (outcome, error): (RetryPolicy.Outcome, HTTPError)
      do {
        let response = try await send(request)
        do {
          return try response.validated()
        } catch let refusal as HTTPError {
          // A check for bots answers the next attempt alike, whatever its status.
          if case .certain? = refusal.botCheck {
            (outcome, error) = (.failure(refusal), refusal)
          } else {
            (outcome, error) = (.status(response.head.status, response.head.headers), refusal)
          }
        }
      } catch let failure as HTTPError {
        if failure.kind == .paused, var lastError {
          // The failure itself says more than the missing time for another attempt.
          lastError.pausedUntil = failure.pausedUntil
          throw lastError
        }
        (outcome, error) = (.failure(failure), failure)
      }
      lastError = error
      try await prepareRetry(of: &request, after: outcome, error)
    }
  }

  /// Waits for the time of the next attempt; throws the error of the last one where there is none.
  func prepareRetry(
    of request: inout HTTPRequest, after outcome: RetryPolicy.Outcome, _ error: HTTPError
  ) async throws {
    let uptime = clock.uptime()
    let decision = policy.decision(
      after: outcome, to: request, attempt: request.attempt, now: clock.now(),
      remaining: request.deadline.map { uptime.duration(to: $0) }, jitter: clock.random())
    switch decision {
    case .giveUp(let retryAfter):
      var error = error
      error.retryAfter = retryAfter ?? error.retryAfter
      throw error
    case .retry(let wait):
      request.attempt += 1
      onWait(
        RetryNotice(
          attempt: request.attempt, maxAttempts: policy.maxAttempts, wait: wait,
          until: clock.now().addingTimeInterval(wait / .seconds(1))))
      try await clock.sleep(wait)
    }
  }
}
