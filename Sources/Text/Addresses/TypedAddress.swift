/// Reason why a text is no address that Telex can request.
package struct AddressRefusal: Error, Hashable, Sendable {
  /// The text without user, password and query.
  package var subject: String
  package var message: String
}

extension WebAddress {
  /// The normal form of an address that the user typed: `example.org/feed`, `feed://example.org/rss` and
  /// `feed:https://example.org/rss` are addresses too. What names no scheme is asked for over https,
  /// a name of this machine (`localhost:8080/feed`) over http. So is what has a scheme that only
  /// says that it is a feed (`feed`, `itpc`, `pcast`, `podcast`); `feeds` and `itpcs` mean https.
  ///
  /// The result is absolute, with scheme and host in lower case, the host in ASCII, without a default
  /// port and a fragment, its path and query percent-encoded. User and password stay.
  package static func normalized(_ typed: String) throws(AddressRefusal) -> String {
    try normalized(typed, openScheme: "https")
  }

  /// The address over http where its scheme leaves both open, as in `feed://example.org/rss`. Nil for
  /// other addresses, and for one with a user, whose password would be sent in plain text.
  package static func plainForm(of typed: String) -> String? {
    guard let secure = try? normalized(typed), scheme(of: secure) == "https",
      let plain = try? normalized(typed, openScheme: "http"), scheme(of: plain) == "http",
      !hasUser(plain)
    else { return nil }
    return plain
  }

  /// The web address of one whose scheme only says that it is a feed; any other comes back as it is.
  ///
  /// - Parameter page: where it stands. `feed://` there means http where that does.
  package static func ofFeedScheme(_ address: String, on page: String) -> String {
    guard hasFeedScheme(address) else { return address }
    let openScheme = self.scheme(of: page) == "http" ? "http" : "https"
    return (try? normalized(address, openScheme: openScheme)) ?? address
  }

  /// Whether the scheme of an address is one of feeds, such as `feed` or `podcast`.
  package static func hasFeedScheme(_ address: String) -> Bool {
    scheme(of: address).map { openFeedSchemes.contains($0) || secureFeedSchemes.contains($0) }
      ?? false
  }

  private static func normalized(
    _ typed: String, openScheme: String
  ) throws(AddressRefusal) -> String {
    var text = typed.withBytes { $0.string($0.trimmed(0..<$0.count)) }
    if text.hasPrefix("<"), text.hasSuffix(">"), text.utf8.count > 2 {
      text = String(text.dropFirst().dropLast())
    }
    if text.isEmpty { throw refused(text, "There is no address.") }
    if PlainText.sanitizedBlock(text) != text || text.utf8.contains(where: { $0 < 0x20 }) {
      throw refused(text, "The address holds control characters.")
    }
    if text.utf8.contains(0x20) || text.unicodeScalars.contains(where: \.properties.isWhitespace) {
      throw refused(text, "The address holds a space.")
    }
    return try assembled(withWebScheme(text, openScheme), typed: text)
  }

  private static func hasUser(_ address: String) -> Bool {
    address.withBytes { bytes in
      AddressParts(bytes, 0..<bytes.count).authority?.contains { bytes[$0] == 0x40 } ?? false
    }
  }
}

/// Schemes of feeds that leave http and https open.
private let openFeedSchemes: Set = ["feed", "itpc", "pcast", "podcast"]
private let secureFeedSchemes: Set = ["feeds", "itpcs"]

/// - Parameter openScheme: that of `feed://example.org`.
private func withWebScheme(
  _ text: String, _ openScheme: String
) throws(AddressRefusal) -> String {
  guard let scheme = WebAddress.scheme(of: text) else {
    let bare = text.hasPrefix("//") ? String(text.dropFirst(2)) : text
    return webScheme(forHostOf: bare) + "://" + bare
  }
  let rest = String(text.dropFirst(scheme.count + 1))
  if scheme == "http" || scheme == "https" {
    guard rest.hasPrefix("//") else { throw refused(text, "The address names no host.") }
    return scheme + ":" + rest
  }
  if openFeedSchemes.contains(scheme) {
    return try ofFeed(rest, typed: text) { webScheme(forHostOf: $0, or: openScheme) }
  }
  if secureFeedSchemes.contains(scheme) { return try ofFeed(rest, typed: text) { _ in "https" } }
  if startsWithPort(rest) { return webScheme(forHostOf: text) + "://" + text }
  throw refused(text, "Telex reads feeds over http and https only, not \(scheme).")
}

/// The address behind a scheme of feeds: a whole one (`feed:https://…`, `feed://https://…`), or the
/// rest of one.
private func ofFeed(
  _ rest: String, typed: String, _ scheme: (String) -> String
) throws(AddressRefusal) -> String {
  let bare = rest.hasPrefix("//") ? String(rest.dropFirst(2)) : rest
  let inner = WebAddress.scheme(of: bare)
  if inner == "http" || inner == "https" {
    guard bare.contains("://") else { throw refused(typed, "The address names no host.") }
    return bare
  }
  // Programs that take `https:` for a host with an empty port leave the colon out.
  for name in ["https", "http"] where bare.hasPrefix(name + "//") {
    return name + ":" + bare.dropFirst(name.count)
  }
  if let inner, !startsWithPort(String(bare.dropFirst(inner.count + 1))) {
    throw refused(typed, "Telex reads feeds over http and https only.")
  }
  return scheme(bare) + "://" + bare
}

/// `example.org:8080/feed` reads like a scheme, but what follows is a port.
private func startsWithPort(_ rest: String) -> Bool {
  let port = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  return !port.isEmpty && port.utf8.allSatisfy(\.isASCIIDigit)
}

private func webScheme(forHostOf bare: String, or scheme: String = "https") -> String {
  switch WebAddress.host(of: "//" + bare) {
  case "localhost", "127.0.0.1", "[::1]": "http"
  default: scheme
  }
}

private func assembled(_ address: String, typed: String) throws(AddressRefusal) -> String {
  let result: Result<String, AddressRefusal> = address.withBytes { bytes in
    let parts = AddressParts(bytes, 0..<bytes.count)
    guard let scheme = parts.scheme, let authority = parts.authority else {
      return .failure(refused(typed, "The address names no host."))
    }
    let host = AddressHost(bytes, authority)
    guard !host.name.isEmpty else { return .failure(refused(typed, "The address names no host.")) }
    guard isHost(bytes, host.name), let name = WebAddress.asciiHost(bytes.string(host.name)) else {
      return .failure(refused(typed, "The address names a host that cannot be one."))
    }
    let port = host.port.map { bytes.string($0) } ?? ""
    guard port.isEmpty || (UInt16(port) ?? 0) > 0 else {
      return .failure(refused(typed, "The address names a port that cannot be one."))
    }
    let schemeName = bytes.string(scheme).lowercased()
    var output = Array((schemeName + "://").utf8)
    output.append(contentsOf: bytes[authority.lowerBound..<host.name.lowerBound])
    output.append(contentsOf: name.utf8)
    let isDefault = (schemeName, port) == ("https", "443") || (schemeName, port) == ("http", "80")
    if !port.isEmpty, !isDefault { output.append(contentsOf: (":" + port).utf8) }
    if parts.path.isEmpty { output.append(0x2F) }
    appendEncoded(bytes, parts.path, to: &output)
    if let query = parts.query {
      output.append(0x3F)
      appendEncoded(bytes, query, to: &output)
    }
    return .success(String(decoding: output, as: UTF8.self))
  }
  return try result.get()
}

/// Whether a host is made of what names and addresses are made of. Whether names outside ASCII can be is
/// for `WebAddress.asciiHost` to say.
private func isHost(_ bytes: ByteBuffer, _ name: Range<Int>) -> Bool {
  if bytes[name.lowerBound] == 0x5B {
    return name.count > 3
      && name.dropFirst().dropLast().allSatisfy {
        bytes[$0].hexValue != nil || bytes[$0] == 0x3A || bytes[$0] == 0x2E
      }
  }
  guard bytes[name.lowerBound] != 0x2E else { return false }
  return name.allSatisfy { index in
    let byte = bytes[index]
    return byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 || byte == 0x2D || byte == 0x2E
      || byte == 0x5F
  }
}

private func refused(_ typed: String, _ message: String) -> AddressRefusal {
  AddressRefusal(subject: WebAddress.redacted(typed), message: message)
}
