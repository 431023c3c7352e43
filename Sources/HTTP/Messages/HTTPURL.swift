internal import Text

/// Absolute http or https address in its parts (RFC 3986), with path and query encoded for the
/// wire, without the fragment.
package struct HTTPURL: Sendable, Hashable {
  /// `http` or `https`.
  package let scheme: String
  /// `user:password`, percent-encoded. Not part of `description`.
  package let userInfo: String?
  /// As it will be asked (`HostName`): an international name in its ASCII form, `127.1` as 127.0.0.1, an
  /// IPv6 address in its brackets.
  package let host: String
  /// Nil where it is the default port of the scheme.
  package let port: Int?
  /// Begins with `/`, without dot segments.
  package let path: String
  /// Without the `?`; nil where there is none.
  package let query: String?

  private static let longest = 16_384

  /// - Throws: `HTTPError` of kind `badURL`.
  package init(_ text: String) throws {
    guard text.utf8.count <= HTTPURL.longest else {
      throw HTTPError(.badURL, "The address is longer than \(HTTPURL.longest) bytes.")
    }
    self = try text.withBytes { bytes in
      let range = bytes.trimmed(0..<bytes.count)
      guard !bytes[range].contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw HTTPError(.badURL, "The address holds a control character.")
      }
      return try HTTPURL(bytes, AddressParts(bytes, range))
    }
  }

  private init(_ bytes: ByteBuffer, _ parts: AddressParts) throws {
    guard let scheme = parts.scheme.map({ bytes.string($0).lowercased() }) else {
      throw HTTPError(
        .badURL, "That is not a full address: it must begin with https:// or http://.")
    }
    guard scheme == "http" || scheme == "https" else {
      throw HTTPError(.badURL, "Only http and https addresses can be opened, not \(scheme).")
    }
    guard let authority = parts.authority, !authority.isEmpty else {
      throw HTTPError(.badURL, "The address names no host.")
    }
    self.scheme = scheme
    let host = AddressHost(bytes, authority)
    let start = host.name.lowerBound
    userInfo = start > authority.lowerBound ? bytes.string(authority.lowerBound..<start - 1) : nil
    port = try HTTPURL.port(host.port.map { bytes.string($0) } ?? "", scheme: scheme)
    // Text between a bracket and the end is no port.
    let hostEnd = host.port.map { $0.lowerBound - 1 } ?? authority.upperBound
    guard let name = HostName.normalized(bytes.string(start..<hostEnd)) else {
      throw HTTPError(.badURL, "The address names no host that can be looked up.")
    }
    self.host = name
    path = WebAddress.encodedPath(bytes, parts.path)
    query = parts.query.map { WebAddress.encoded(bytes, $0) }
  }

  private static func port(_ digits: String, scheme: String) throws -> Int? {
    guard !digits.isEmpty else { return nil }
    guard digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits),
      (1...65_535).contains(number)
    else { throw HTTPError(.badURL, "The port of the address is not a number up to 65535.") }
    return number == (scheme == "https" ? 443 : 80) ? nil : number
  }

  /// The absolute address of a reference such as a `Location`, relative to this one (RFC 3986
  /// §5.2).
  ///
  /// - Throws: `HTTPError` of kind `badURL`.
  package func resolving(_ reference: String) throws -> HTTPURL {
    let parts = reference.withBytes { AddressParts($0, $0.trimmed(0..<$0.count)) }
    if parts.scheme != nil { return try HTTPURL(reference) }
    if parts.authority != nil {
      return try HTTPURL(scheme + ":" + reference.withBytes { $0.string($0.trimmed(0..<$0.count)) })
    }
    guard !reference.utf8.contains(where: { $0 == 0 || $0 == 0x7F }),
      let base = AddressBase(description, limit: HTTPURL.longest),
      let address = reference.withBytes({ base.resolve($0) })
    else { throw HTTPError(.badURL, "That address cannot be read.", host: host) }
    return try HTTPURL(address)
  }

  /// The host, and the port where it is not the default.
  package var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// Scheme, host and port (RFC 6454): the scope of a credential.
  package var origin: String { "\(scheme)://\(authority)" }

  package var isSecure: Bool { scheme == "https" }

  var overHTTPS: HTTPURL? {
    try? HTTPURL("https://" + authority + path + (query.map { "?" + $0 } ?? ""))
  }

  package var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost")
      || (IPAddress(host).map(\.isLoopback) ?? false)
  }
}

extension HTTPURL: CustomStringConvertible {
  /// The address as it is sent: without user and password.
  package var description: String { origin + path + (query.map { "?" + $0 } ?? "") }

  /// For logs: no query either.
  package var redacted: String { origin + path + (query == nil ? "" : "?…") }
}

extension HTTPURL {
  /// Whether two addresses have scheme, host and port in common.
  package static func isSameOrigin(_ a: String, _ b: String) -> Bool {
    guard let a = try? HTTPURL(a), let b = try? HTTPURL(b) else { return false }
    return a.origin == b.origin
  }
}
