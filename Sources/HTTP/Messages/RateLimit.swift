package import struct Foundation.Date

/// The quota of requests that a response states: in the field `RateLimit`
/// (draft-ietf-httpapi-ratelimit-headers), else in `RateLimit-Remaining` and `RateLimit-Reset` of its earlier
/// versions, else in the same with `X-`.
package struct RateLimit: Sendable, Hashable {
  /// Whether nothing is left of it until `reset`.
  package var isUsedUp = false
  /// The wait until the server counts anew, a day at most; nil where that is not told.
  package var reset: Duration?

  package init(_ headers: HTTPHeaders, now: Date) {
    let forms = [
      headers.values(of: "RateLimit").flatMap { Quota.list($0, now: now) },
      [Quota(headers, prefix: "RateLimit", now: now)],
      [Quota(headers, prefix: "X-RateLimit", now: now)],
    ].map { $0.filter { $0.reset != nil } }
    let usedUp = forms.lazy.map { $0.filter(\.isUsedUp) }.first { !$0.isEmpty }
    isUsedUp = usedUp != nil
    reset = (usedUp ?? forms.first { !$0.isEmpty })?.compactMap(\.reset).max()
  }
}

/// One quota of a server, which may have several: per second, and per day.
private struct Quota {
  var remaining: Double?
  var reset: Duration?

  var isUsedUp: Bool { remaining.map { $0 <= 0 } ?? false }

  private init() {}

  /// As in `X-RateLimit-Remaining: 0` and `X-RateLimit-Reset: 30`.
  init(_ headers: HTTPHeaders, prefix: String, now: Date) {
    remaining = headers["\(prefix)-Remaining"].flatMap(decimal)
    reset = headers["\(prefix)-Reset"].flatMap { Self.wait($0, now: now) }
  }

  /// As in `"hour";r=0;t=30, "day";r=90;t=3600`, or in an earlier version `limit=90, remaining=0, reset=30`.
  static func list(_ text: String, now: Date) -> [Quota] {
    var quotas: [Quota] = []
    var whole = Quota()
    for member in headerParts(of: text, separator: ",") {
      var quota = Quota()
      for parameter in headerParts(of: member, separator: ";") {
        let pair = parameter.split(separator: "=", maxSplits: 1)
          .map { $0.filter { $0 != " " && $0 != "\t" } }
        guard pair.count == 2 else { continue }
        switch pair[0].lowercased() {
        case "r": quota.remaining = decimal(pair[1])
        case "t": quota.reset = wait(pair[1], now: now)
        case "remaining": whole.remaining = decimal(pair[1])
        case "reset": whole.reset = wait(pair[1], now: now)
        default: break
        }
      }
      quotas.append(quota)
    }
    return quotas + [whole]
  }

  /// The wait that a number names: in seconds, or until a time in seconds since 1970; nil for none that is still
  /// to come.
  private static func wait(_ text: String, now: Date) -> Duration? {
    guard let number = decimal(text) else { return nil }
    let seconds = number < 1_000_000_000 ? number : number - now.timeIntervalSince1970
    return seconds > 0 ? min(.seconds(min(seconds, 1_000_000)), RetryAfter.longest) : nil
  }
}

/// The `Retry-After` of a response (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// The longest wait that is accepted from a server: a day.
  package static let longest: Duration = .seconds(86_400)

  /// The wait from now, between zero and `longest`; nil where the header is missing or malformed. Some
  /// servers send fractions of seconds.
  package static func wait(_ headers: HTTPHeaders, now: Date) -> Duration? {
    guard let value = headers["Retry-After"] else { return nil }
    let seconds = decimal(value) ?? HTTPDate.date(from: value, now: now)?.timeIntervalSince(now)
    return seconds.map { .seconds(min(max($0, 0), longest / .seconds(1))) }
  }
}
