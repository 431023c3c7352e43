internal import Foundation
internal import Text

/// Address of a proxy in its parts.
package struct ProxyAddress: Sendable, Hashable {
  /// Protocol between this machine and the proxy.
  package enum Scheme: String, Sendable, Hashable {
    case http, https, socks4, socks4a, socks5, socks5h
  }

  package let scheme: Scheme
  /// Percent-decoded; nil where the address has none.
  package let user: String?
  package let password: String?
  /// As in `HTTPURL`.
  package let host: String
  package let port: Int

  /// Parses an address as curl does: the default scheme is http, the default port 1080 (443 for
  /// https).
  ///
  /// - Throws: `HTTPError` of kind `badURL`, without the address, which may contain a password.
  package init(_ text: String) throws(HTTPError) {
    func refused(_ words: String) -> HTTPError {
      HTTPError(.badURL, "The address of the proxy \(words).")
    }
    var rest = text[...]
    var name = "http"
    if let mark = text.range(of: "://") {
      (name, rest) = (text[..<mark.lowerBound].lowercased(), text[mark.upperBound...])
    }
    guard let scheme = Scheme(rawValue: name) else {
      throw refused("begins with none of http, https, socks5h, socks5, socks4a and socks4")
    }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    var (user, password): (String?, String?)
    if let at = rest.lastIndex(of: "@") {
      let pair = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      rest = rest[rest.index(after: at)...]
      user = pair.first.flatMap { String($0).removingPercentEncoding ?? String($0) }
      password = pair.dropFirst().first.flatMap { String($0).removingPercentEncoding ?? String($0) }
    }
    var port = scheme == .https ? 443 : 1080
    if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
      guard let number = digits(rest[rest.index(after: colon)...]), (1...65_535).contains(number)
      else { throw refused("has a port that is not a number up to 65535") }
      (port, rest) = (number, rest[..<colon])
    }
    guard let host = HostName.normalized(String(rest)) else { throw refused("names no host") }
    (self.scheme, self.host, self.port) = (scheme, host, port)
    (self.user, self.password) = (user, password)
  }

  /// Scheme, host and port: the scope of the password, and the name in messages.
  package var origin: String { "\(scheme.rawValue)://\(host):\(port)" }

  package var withoutPassword: String { address(password: nil) }

  /// The address with the user and this password, in the syntax of curl.
  package func address(password: String?) -> String {
    guard let user else { return origin }
    let secret = password.map { ":" + percentEncoded($0) } ?? ""
    return "\(scheme.rawValue)://\(percentEncoded(user))\(secret)@\(host):\(port)"
  }
}

extension ProxyAddress: Redacted {
  package var description: String { withoutPassword }
}

/// Failure of a proxy, as opposed to one of the server behind it.
package enum ProxyFault: Sendable, Hashable {
  /// Its name is not found.
  case unknown
  case refused, timeout
  /// It ends the connection, or speaks something else.
  case broken
  /// It has no certificate that can be trusted.
  case tls
  /// It wants a name and a password, or others than it was given.
  case signIn
  /// It does not connect to this host.
  case forbids
  /// It fails itself.
  case fails
  /// It found no way to the host.
  case cannotReach

  /// Whether another attempt may succeed.
  package var isTransient: Bool {
    switch self {
    case .unknown, .refused, .timeout, .broken, .fails, .cannotReach: true
    case .tls, .signIn, .forbids: false
    }
  }
}

extension ProxyChoice {
  /// How the proxy is named: without user and password. Nil for the direct way.
  package var proxyOrigin: String? {
    guard case .via(let text) = self else { return nil }
    return (try? ProxyAddress(text))?.origin ?? "whose address cannot be read"
  }
}
