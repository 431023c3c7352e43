package import struct Foundation.Date

/// Freshness of a response by its `Cache-Control` (RFC 9111 §5.2.2).
package struct CacheControl: Sendable, Hashable {
  /// In seconds; nil where the server gives none.
  package var maxAge: Int?
  package var isNoStore = false
  package var isNoCache = false

  /// Ignores unknown directives and malformed values. The shorter of two times counts.
  package init(_ headers: HTTPHeaders) {
    for value in headers.values(of: "Cache-Control") {
      for directive in value.split(separator: ",") {
        let parts = directive.split(separator: "=", maxSplits: 1)
          .map { $0.filter { !" \t\"".contains($0) } }
        switch (parts.first?.lowercased(), parts.dropFirst().first) {
        case ("no-store", _): isNoStore = true
        case ("no-cache", _): isNoCache = true
        case ("max-age", let text?):
          // A number too large to hold means "for ever" (RFC 9111 §1.2.2).
          guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { break }
          let seconds = min(Int(text) ?? .max, 1 << 31)
          maxAge = min(maxAge ?? seconds, seconds)
        default: break
        }
      }
    }
  }
}

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
