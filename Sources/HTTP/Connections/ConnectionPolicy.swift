internal import CCurl
internal import Text

package struct IPAddress: Sendable, Hashable {
  /// 4 or 16 bytes in network order. An IPv4 address mapped into IPv6 (`::ffff:…`, NAT64) is
  /// unmapped.
  package let bytes: [UInt8]

  package init?(bytes: [UInt8]) {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
    switch bytes.count {
    case 4: self.bytes = bytes
    case 16:
      let isDressed = bytes.starts(with: mapped) || bytes.starts(with: translated)
      self.bytes = isDressed ? Array(bytes[12...]) : bytes
    default: return nil
    }
  }

  /// Parses a literal such as `127.0.0.1`, `::1` or `[::1]`.
  package init?(_ text: String) {
    var text = text
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      self.init(bytes: Array(bytes[..<4]))
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      self.init(bytes: bytes)
    } else {
      return nil
    }
  }

  package var text: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// Whether the address is globally reachable: not loopback, private, link-local, shared,
  /// multicast, documentation or otherwise reserved (RFC 6890).
  package var isPublic: Bool {
    if bytes.count == 4 {
      return switch (bytes[0], bytes[1]) {
      case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127),
        (198, 18...19), (224..., _):
        false
      case (192, 0): bytes[2] != 0 && bytes[2] != 2
      case (198, 51): bytes[2] != 100
      case (203, 0): bytes[2] != 113
      default: true
      }
    }
    // Only 2000::/3 is given out. In it 6to4 and Teredo carry an IPv4 address of someone's choosing,
    // and 2001::/23 and 3fff::/20 (RFC 9637) are kept for protocols and documentation.
    guard bytes[0] & 0xE0 == 0x20 else { return false }
    return switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0x20, 0x02, _, _), (0x20, 0x01, 0...1, _), (0x20, 0x01, 0x0D, 0xB8),
      (0x3F, 0xFF, 0...0x0F, _):
      false
    default: true
    }
  }
}

/// Rule for the hosts and IP addresses that a request may connect to. It is checked twice: with the
/// host of the address before anything is sent, and, without a proxy, with the IP address on every
/// connection, redirects and reused connections included.
///
/// Behind a proxy the IP address is not known. The host is checked all the same, and so are its IP
/// addresses where the name may be looked up here (`CurlTransport`).
package struct ConnectionPolicy: Sendable, Hashable {
  private enum Rule: Hashable {
    case anywhere, publicOnly
    /// In the form in which hosts are compared.
    case typed(String)
  }

  private let rule: Rule

  package static let anywhere = ConnectionPolicy(rule: .anywhere)

  /// Public hosts only: for addresses from documents, such as next pages, images and imported
  /// feeds.
  package static let publicOnly = ConnectionPolicy(rule: .publicOnly)

  /// Any address of this host, which the user entered, and public hosts for redirects.
  package static func typed(host: String) -> ConnectionPolicy {
    let normalized = HostName.normalized(host) ?? host
    return ConnectionPolicy(rule: .typed(HostName.comparable(normalized)))
  }

  /// Whether this host, as in `HTTPURL`, may have any address.
  package func exempts(_ host: String) -> Bool {
    switch rule {
    case .anywhere: true
    case .publicOnly: false
    case .typed(let typed): HostName.comparable(host) == typed
    }
  }

  /// Whether a connection to an IP address of this host is allowed.
  package func allows(_ address: IPAddress, for host: String) -> Bool {
    address.isPublic || exempts(host)
  }

  /// Whether a host is allowed by its name. Where the proxy looks the name up, its IP addresses cannot be
  /// checked here.
  package func allows(hostNamed host: String, isLookedUpByProxy: Bool) -> Bool {
    exempts(host) || HostName.isPublic(host, isLookedUpByProxy: isLookedUpByProxy)
  }
}

extension HTTPError {
  static func addressNotAllowed(_ host: String) -> HTTPError {
    HTTPError(
      .addressNotAllowed, "\(host) is not a public address, and nobody typed it.", host: host)
  }
}
