/// An absolute http or https address, taken apart (RFC 3986), with its path and query encoded for
/// the wire. The fragment is dropped: it is not sent.
package struct HTTPURL: Sendable, Hashable {
  /// `http` or `https`.
  package let scheme: String
  /// `user:password`, still encoded. Not part of `description`.
  package let userInfo: String?
  /// As it will be asked (`HostName`): in lower case, `127.1` as 127.0.0.1, an IPv6 address in its
  /// brackets.
  package let host: String
  /// nil where it is the scheme's own.
  package let port: Int?
  /// Begins with `/`, without dot segments.
  package let path: String
  package let query: String?

  /// - Throws: `HTTPError` of kind `badURL`.
  package init(_ text: String) throws {
    let text = try HTTPURL.cleaned(text)
    guard let parts = Parts(text[...]), let scheme = parts.scheme else {
      throw HTTPError(
        .badURL, "That is not a full address: it must begin with https:// or http://.")
    }
    try self.init(scheme: scheme, authority: parts.authority, path: parts.path, query: parts.query)
  }

  private init(scheme: String, authority: Substring?, path: Substring, query: Substring?) throws {
    guard scheme == "http" || scheme == "https" else {
      throw HTTPError(.badURL, "Only http and https addresses can be opened, not \(scheme).")
    }
    guard let authority, !authority.isEmpty else {
      throw HTTPError(.badURL, "The address names no host.")
    }
    let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
    let hostAndPort = at.map { authority[authority.utf8.index(after: $0)...] } ?? authority
    (host, port) = try HTTPURL.splitPort(hostAndPort, scheme: scheme)
    userInfo = at.map { String(authority[..<$0]) }
    self.scheme = scheme
    self.path = HTTPURL.encoded(HTTPURL.withoutDotSegments(path))
    self.query = query.map(HTTPURL.encoded)
  }

  /// What a `Location` or a link means, seen from here (RFC 3986 §5.2).
  ///
  /// - Throws: `HTTPError` of kind `badURL`.
  package func resolving(_ reference: String) throws -> HTTPURL {
    let reference = try HTTPURL.cleaned(reference)
    guard let parts = Parts(reference[...]) else {
      throw HTTPError(.badURL, "That address cannot be read.", host: host)
    }
    if parts.scheme != nil || parts.authority != nil {
      return try HTTPURL(
        scheme: parts.scheme ?? scheme, authority: parts.authority, path: parts.path,
        query: parts.query)
    }
    var newPath = path[...]
    if parts.path.utf8.first == UInt8(ascii: "/") {
      newPath = parts.path
    } else if !parts.path.isEmpty {
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
      newPath = path[...slash] + parts.path
    }
    return try HTTPURL(
      scheme: scheme, authority: authority[...], path: newPath,
      query: parts.query ?? (parts.path.isEmpty ? query.map { $0[...] } : nil))
  }

  /// Host, and the port where it is not the scheme's own.
  package var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// Scheme, host and port: what a credential is bound to (RFC 6454).
  package var origin: String { "\(scheme)://\(authority)" }

  package var isSecure: Bool { scheme == "https" }

  /// The same over https.
  var overHTTPS: HTTPURL? {
    try? HTTPURL(
      scheme: "https", authority: authority[...], path: path[...], query: query.map { $0[...] })
  }

  /// A name or number of this very machine.
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

// MARK: - Parsing

extension HTTPURL {
  private static let longest = 16_384

  /// The five parts of RFC 3986 §3, none decoded.
  private struct Parts {
    var scheme: String?
    var authority: Substring?
    var path: Substring
    var query: Substring?

    init?(_ text: Substring) {
      var rest = text
      if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }
      if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
        query = rest[rest.utf8.index(after: mark)...]
        rest = rest[..<mark]
      }
      if let colon = rest.utf8.firstIndex(where: { ":/".utf8.contains($0) }),
        rest.utf8[colon] == UInt8(ascii: ":")
      {
        guard let first = rest.utf8.first, lowercase(first) >= 0x61, lowercase(first) <= 0x7A
        else { return nil }
        scheme = rest[..<colon].lowercased()
        rest = rest[rest.utf8.index(after: colon)...]
      }
      if rest.hasPrefix("//") {
        rest = rest.dropFirst(2)
        let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        authority = rest[..<end]
        rest = rest[end...]
      }
      path = rest
    }
  }

  /// Without the white space around it; control characters inside make it unusable.
  private static func cleaned(_ text: String) throws -> String {
    let bytes = text.utf8
    guard bytes.count <= longest else {
      throw HTTPError(.badURL, "The address is longer than \(longest) bytes.")
    }
    let inner = bytes.drop(while: " \t\r\n".utf8.contains)
    let end =
      inner.lastIndex { !" \t\r\n".utf8.contains($0) }.map { inner.index(after: $0) }
      ?? inner.startIndex
    guard let result = String(inner[..<end]) else {
      throw HTTPError(.badURL, "The address cannot be read.")
    }
    guard !result.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw HTTPError(.badURL, "The address holds a control character.")
    }
    return result
  }

  private static func splitPort(
    _ text: Substring, scheme: String
  ) throws -> (host: String, port: Int?) {
    var host = text
    var port: Int?
    if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), !text.hasSuffix("]") {
      host = text[..<colon]
      let digits = text[text.utf8.index(after: colon)...]
      if !digits.isEmpty {
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(digits),
          (1...65_535).contains(number)
        else { throw HTTPError(.badURL, "The port of the address is not a number up to 65535.") }
        port = number == (scheme == "https" ? 443 : 80) ? nil : number
      }
    }
    guard !host.isEmpty, let name = HostName.normalized(host) else {
      throw HTTPError(.badURL, "The address names no host that can be looked up.")
    }
    return (name, port)
  }

  /// RFC 3986 §5.2.4, for an absolute path.
  private static func withoutDotSegments(_ path: Substring) -> Substring {
    guard !path.isEmpty else { return "/" }
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (offset, segment) in segments.enumerated() {
      let isLast = offset == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return ("/" + kept.joined(separator: "/"))[...]
  }

  /// Encodes what may not stand in a path or query, and leaves `%` and what is legal alone.
  private static func encoded(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 || " \"<>\\^`{|}".utf8.contains($0) }) else {
      return String(text)
    }
    var result: [UInt8] = []
    for byte in text.utf8 {
      if byte >= 0x80 || " \"<>\\^`{|}".utf8.contains(byte) {
        appendPercentEncoded(byte, to: &result)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

func appendPercentEncoded(_ byte: UInt8, to result: inout [UInt8]) {
  let digits = Array("0123456789ABCDEF".utf8)
  result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
}

/// Everything but the unreserved characters of RFC 3986 §2.3 as `%XX`: right in any component.
func percentEncoded(_ text: String) -> String {
  var result: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      result.append(byte)
    default: appendPercentEncoded(byte, to: &result)
    }
  }
  return String(decoding: result, as: UTF8.self)
}

extension HTTPURL {
  /// Whether two addresses have scheme, host and port in common.
  package static func isSameOrigin(_ a: String, _ b: String) -> Bool {
    guard let a = try? HTTPURL(a), let b = try? HTTPURL(b) else { return false }
    return a.origin == b.origin
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character, or one that changes the direction of text or cannot be seen:
  /// no name of a host has one (UTS #46), and none may be shown.
  var steersTerminals: Bool {
    switch value {
    case ..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
