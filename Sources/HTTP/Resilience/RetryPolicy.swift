package import struct Foundation.Date

/// The one place that decides whether a request is sent again, and when. Pure: the clock and the
/// dice come as values.
///
/// A request is repeated after a 5xx, 408 or 429, after a name that did not resolve, and after a
/// connection that was refused, dropped or silent. A POST or PATCH is repeated only with an
/// `Idempotency-Key` (RFC 9110 §9.2.2). Nothing is repeated after any other 4xx, a TLS failure, a
/// body that cannot be read or is too large, a redirect that leads nowhere, a cancellation, or a
/// refusal by the circuit breaker.
package struct RetryPolicy: Sendable, Hashable {
  /// What an attempt came to, if it did not succeed.
  package enum Outcome: Sendable {
    case status(Int, HTTPHeaders)
    case failure(HTTPError)
  }

  /// Whether to send a request again.
  package enum Decision: Sendable, Hashable {
    case retry(after: Duration)
    /// - Parameter retryAfter: when the server wants to be asked again, if it said so.
    case giveUp(retryAfter: Date?)
  }

  /// Attempts in all, the first included.
  package var maxAttempts = 3
  /// A longer wait is not slept: `giveUp` hands it on, and it becomes the feed's next attempt.
  package var longestWait: Duration = .seconds(30)

  package init() {}

  /// - Parameters:
  ///   - attempt: the one that failed; 1 for the first.
  ///   - remaining: until the deadline of the whole, nil if there is none. A wait that does not fit
  ///     is not begun.
  ///   - jitter: 0 up to 1.
  package func decision(
    after outcome: Outcome, to request: HTTPRequest, attempt: Int, now: Date,
    remaining: Duration?, jitter: Double
  ) -> Decision {
    let asked: Duration? =
      if case .status(_, let headers) = outcome { RetryAfter.wait(headers, now: now) } else { nil }
    let giveUp = Decision.giveUp(retryAfter: asked.map { now.addingTimeInterval($0 / .seconds(1)) })
    guard isTransient(outcome), isRepeatable(request), attempt < maxAttempts else { return giveUp }
    let wait = asked ?? backoff(attempt: attempt, jitter: jitter)
    guard wait <= longestWait, remaining.map({ wait < $0 }) ?? true else { return giveUp }
    return .retry(after: wait)
  }

  /// Half a second, doubled each time up to a minute, and up to half a second on top so that many
  /// clients do not come back together.
  package func backoff(attempt: Int, jitter: Double) -> Duration {
    let doubled = 0.5 * Double(1 << min(max(attempt - 1, 0), 10))
    return .seconds(min(60, doubled) + jitter * 0.5)
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

  /// A key makes the server recognise a second copy.
  private func isRepeatable(_ request: HTTPRequest) -> Bool {
    request.method.isIdempotent || request.headers["Idempotency-Key"] != nil
  }
}
