package import struct Foundation.Date

/// The `Retry-After` of a response (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// The longest wait that is accepted from a server: a day.
  package static let longest: Duration = .seconds(86_400)

  /// The wait from now, between zero and `longest`; nil where the header is missing or malformed. Some servers
  /// send fractions of seconds.
  package static func wait(_ headers: HTTPHeaders, now: Date) -> Duration? {
    guard let value = headers["Retry-After"] else { return nil }
    let seconds = decimal(value) ?? HTTPDate.date(from: value, now: now)?.timeIntervalSince(now)
    return seconds.map { .seconds(min(max($0, 0), longest / .seconds(1))) }
  }
}

/// The number that `text` is, with a fraction or without; nil for anything else, signs and exponents included.
func decimal(_ text: some StringProtocol) -> Double? {
  let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
  let isNumber = parts.allSatisfy { part in
    !part.isEmpty && part.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
  return isNumber ? Double(text) : nil
}
