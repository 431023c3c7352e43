internal import Foundation
internal import Synchronization

/// The cookies of requests that belong together, such as those of one sign-in.
package final class CookieSession: Sendable {
  private let kept = Mutex(CookieJar())

  package init() {}

  var jar: CookieJar {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}

/// Cookies in memory (RFC 6265), for one chain of redirects or for the session of a sign-in: servers
/// that set one and send the client back to where it was ("cookie walls") answer nobody without.
///
/// Pure, and never on disk. Which domains are public suffixes is not known here: a `Domain` needs two
/// labels, and how many cookies there are is bounded.
struct CookieJar: Sendable, Hashable {
  private struct Cookie: Sendable, Hashable {
    var name: [UInt8]
    var value: [UInt8]
    var domain: String
    var isHostOnly: Bool
    var path: String
    var isSecure: Bool

    func isSame(as other: Cookie) -> Bool {
      (name, domain, path) == (other.name, other.domain, other.path)
    }
  }

  private static let most = 50
  private static let longest = 4_096
  /// How far the clocks of a server and of this machine may be apart where the server does not tell its time, in
  /// seconds.
  private static let clockDifference: Double = 86_400

  private var cookies: [Cookie] = []

  /// Stores the cookies that a response sets, and removes those that end before its `Date`, else before yesterday.
  /// One that ends later is kept as long as the jar.
  mutating func store(_ headers: HTTPHeaders, from url: HTTPURL, now: Date = Date()) {
    let date = headers["Date"].flatMap { HTTPDate.date(from: $0, now: now) }
    let end = date ?? now.addingTimeInterval(-Self.clockDifference)
    for field in headers.fields where HTTPHeaders.isSame(field.name, "Set-Cookie") {
      store(field.bytes, from: url, endedBy: end, now: now)
    }
  }

  /// The value of `Cookie` for a request; nil where there is none to send.
  func header(for url: HTTPURL) -> [UInt8]? {
    let fitting = cookies.filter { cookie in
      (cookie.isHostOnly ? cookie.domain == url.host : Self.isBelow(url.host, cookie.domain))
        && Self.covers(cookie.path, url.path) && (!cookie.isSecure || Self.isSafe(url))
    }
    guard !fitting.isEmpty else { return nil }
    // The longest path first (§5.4); the order in which they came otherwise.
    let sorted = fitting.enumerated().sorted {
      (-$0.element.path.utf8.count, $0.offset) < (-$1.element.path.utf8.count, $1.offset)
    }
    return Array(
      sorted.map { $0.element.name + [UInt8(ascii: "=")] + $0.element.value }
        .joined(separator: Array("; ".utf8)))
  }

  /// §5.2 and §5.3.
  private mutating func store(_ bytes: [UInt8], from url: HTTPURL, endedBy end: Date, now: Date) {
    guard bytes.count <= Self.longest,
      !bytes.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F })
    else { return }
    let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let pair = parts.first, let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return }
    let name = Array(pair[..<sign].withoutBlanks)
    guard !name.isEmpty else { return }
    var cookie = Cookie(
      name: name, value: Array(pair[(sign + 1)...].withoutBlanks), domain: url.host,
      isHostOnly: true, path: Self.folder(of: url.path), isSecure: false)
    var isOver = false
    var hasMaxAge = false
    for part in parts.dropFirst() {
      let words = String(decoding: part, as: UTF8.self).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = words.dropFirst().first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
      switch words.first?.trimmingCharacters(in: .whitespaces).lowercased() {
      case "secure": cookie.isSecure = true
      case "path": if value.hasPrefix("/") { cookie.path = value }
      case "domain":
        let domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
        if domain.isEmpty || domain == url.host { break }
        guard domain.contains("."), IPAddress(url.host) == nil, Self.isBelow(url.host, domain)
        else { return }
        (cookie.domain, cookie.isHostOnly) = (domain, false)
      case "max-age":
        guard let seconds = Int(value) else { break }
        (hasMaxAge, isOver) = (true, seconds <= 0)
      case "expires":
        guard !hasMaxAge, let date = HTTPDate.date(from: value, now: now) else { break }
        isOver = date <= end
      default: break
      }
    }
    guard !cookie.isSecure || Self.isSafe(url), Self.keepsPromise(cookie, from: url) else { return }
    cookies.removeAll { $0.isSame(as: cookie) }
    if !isOver { cookies.append(cookie) }
    if cookies.count > Self.most { cookies.removeFirst() }
  }

  /// Whether a cookie has what the prefix of its name promises (RFC 6265bis §4.1.3).
  private static func keepsPromise(_ cookie: Cookie, from url: HTTPURL) -> Bool {
    let name = String(decoding: cookie.name, as: UTF8.self)
    if name.hasPrefix("__Host-") {
      return cookie.isSecure && cookie.isHostOnly && cookie.path == "/"
    }
    return !name.hasPrefix("__Secure-") || cookie.isSecure
  }

  private static func isSafe(_ url: HTTPURL) -> Bool { url.isSecure || url.isLoopback }

  private static func isBelow(_ host: String, _ domain: String) -> Bool {
    host == domain || host.hasSuffix("." + domain)
  }

  /// §5.1.4
  private static func covers(_ path: String, _ requested: String) -> Bool {
    guard requested.hasPrefix(path) else { return false }
    return requested.utf8.count == path.utf8.count || path.hasSuffix("/")
      || requested.dropFirst(path.count).hasPrefix("/")
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
