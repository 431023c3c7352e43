package import struct Foundation.Date

/// The `Retry-After` of a response (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// The longest wait that is accepted from a server.
  package static let longest: Duration = .seconds(3_600)

  /// The wait from now, between zero and `longest`; nil where the header is missing or malformed.
  package static func wait(_ headers: HTTPHeaders, now: Date) -> Duration? {
    guard let value = headers["Retry-After"] else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      return min(.seconds(min(Int(value) ?? .max, 3_600)), longest)
    }
    guard let date = HTTPDate.date(from: value, now: now) else { return nil }
    let seconds = date.timeIntervalSince(now)
    return .seconds(min(max(seconds, 0), 3_600))
  }
}
