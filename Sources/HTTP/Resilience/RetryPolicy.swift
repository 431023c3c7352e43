package import struct Foundation.Date

/// Rules for retries: whether a request is sent again, and when. Pure: time and random numbers are
/// parameters.
///
/// A request is repeated after a 5xx, 408 or 429, after a name that did not resolve, and after a
/// connection that was refused, dropped or silent. A POST or PATCH is repeated only with an
/// `Idempotency-Key` (RFC 9110 §9.2.2). Nothing is repeated after any other 4xx, a TLS failure, a
/// body that cannot be read or is too large, a redirect that leads nowhere, a cancellation, or a
/// refusal by the circuit breaker. Nor is a request that is polled where its server says that it is asked too often.
package struct RetryPolicy: Sendable, Hashable {
  /// The outcome of an attempt that did not succeed.
  package enum Outcome: Sendable {
    case status(Int, HTTPHeaders)
    case failure(HTTPError)
  }

  package enum Decision: Sendable, Hashable {
    case retry(after: Duration)
    /// - Parameter retryAfter: the time of the next attempt that the server asks for; nil for none.
    case giveUp(retryAfter: Date?)
  }

  /// Attempts in all, the first included.
  package var maxAttempts = 3
  /// The longest wait. A longer one ends the attempts: `giveUp` passes it on as the time of the feed's
  /// next refresh.
  package var longestWait: Duration = .seconds(30)

  package init() {}

  /// - Parameters:
  ///   - attempt: the one that failed; 1 for the first.
  ///   - remaining: the time until the deadline of the request; nil for none. A wait that does not fit is
  ///     not started.
  ///   - jitter: a random number in 0..<1.
  package func decision(
    after outcome: Outcome, to request: HTTPRequest, attempt: Int, now: Date,
    remaining: Duration?, jitter: Double
  ) -> Decision {
    let asked = wait(askedBy: outcome, to: request, now: now)
    let giveUp = Decision.giveUp(retryAfter: asked.map { now.addingTimeInterval($0 / .seconds(1)) })
    guard isTransient(outcome), request.isRepeatable, attempt < maxAttempts,
      !request.isPolled || !isLimit(outcome, asked)
    else { return giveUp }
    let wait = asked ?? backoff(attempt: attempt, jitter: jitter)
    guard wait <= longestWait, remaining.map({ wait < $0 }) ?? true else { return giveUp }
    return .retry(after: wait)
  }

  /// Exponential backoff: half a second, doubled each time up to a minute, plus up to half a second of
  /// jitter so that clients do not retry in step.
  package func backoff(attempt: Int, jitter: Double) -> Duration {
    let doubled = 0.5 * Double(1 << min(max(attempt - 1, 0), 10))
    return .seconds(min(60, doubled) + jitter * 0.5)
  }

  /// The wait that a server asks for: by `Retry-After`, else by its quota where that is used up.
  private func wait(askedBy outcome: Outcome, to request: HTTPRequest, now: Date) -> Duration? {
    guard case .status(let status, let headers) = outcome else { return nil }
    return RetryAfter.wait(headers, now: now)
      ?? (request.isPolled && status == 429 ? RateLimit(headers, now: now).reset : nil)
  }

  /// Whether the server says that it is asked too often.
  private func isLimit(_ outcome: Outcome, _ asked: Duration?) -> Bool {
    guard case .status(let status, _) = outcome else { return false }
    return status == 429 || status == 503 && asked != nil
  }

  private func isTransient(_ outcome: Outcome) -> Bool {
    switch outcome {
    case .status(let status, _): StatusClass(status).isTransient
    case .failure(let error):
      switch error.kind {
      case .dns, .refused, .cutShort, .timeout(.connect), .timeout(.silence): true
      case .proxy(let fault): fault.isTransient
      default: false
      }
    }
  }
}
