extension WebAddress {
  /// The address a person meant: `example.org/feed`, `feed://example.org/rss` and
  /// `feed:https://example.org/rss` are addresses too. What names no scheme is asked for over https,
  /// a name of this machine (`localhost:8080/feed`) over http.
  ///
  /// The result is absolute, with scheme and host in lower case, without a default port and a
  /// fragment, its path and query percent-encoded. User and password stay.
  package static func normalized(_ typed: String) throws(SourceError) -> String {
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
    return try assembled(withWebScheme(text), typed: text)
  }
}

/// `text` with the scheme it should have.
private func withWebScheme(_ text: String) throws(SourceError) -> String {
  guard let scheme = WebAddress.scheme(of: text) else {
    let bare = text.hasPrefix("//") ? String(text.dropFirst(2)) : text
    return webScheme(forHostOf: bare) + "://" + bare
  }
  let rest = String(text.dropFirst(scheme.count + 1))
  switch scheme {
  case "http", "https":
    guard rest.hasPrefix("//") else { throw refused(text, "The address names no host.") }
    return scheme + ":" + rest
  case "feed":
    if rest.hasPrefix("//") { return "https:" + rest }
    guard WebAddress.scheme(of: rest) != "feed" else {
      throw refused(text, "Telex reads feeds over http and https only.")
    }
    return try withWebScheme(rest)
  default:
    // `example.org:8080/feed` reads like a scheme, but what follows is a port.
    let port = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if !port.isEmpty, port.utf8.allSatisfy(\.isASCIIDigit) {
      return webScheme(forHostOf: text) + "://" + text
    }
    throw refused(text, "Telex reads feeds over http and https only, not \(scheme).")
  }
}

private func webScheme(forHostOf bare: String) -> String {
  switch WebAddress.host(of: "//" + bare) {
  case "localhost", "127.0.0.1", "[::1]": "http"
  default: "https"
  }
}

private func assembled(_ address: String, typed: String) throws(SourceError) -> String {
  let result: Result<String, SourceError> = address.withBytes { bytes in
    let parts = AddressParts(bytes, 0..<bytes.count)
    guard let scheme = parts.scheme, let authority = parts.authority else {
      return .failure(refused(typed, "The address names no host."))
    }
    let host = AddressHost(bytes, authority)
    guard !host.name.isEmpty else { return .failure(refused(typed, "The address names no host.")) }
    guard isHost(bytes, host.name) else {
      return .failure(refused(typed, "The address names a host that cannot be one."))
    }
    let port = host.port.map { bytes.string($0) } ?? ""
    guard port.isEmpty || (UInt16(port) ?? 0) > 0 else {
      return .failure(refused(typed, "The address names a port that cannot be one."))
    }
    let schemeName = bytes.string(scheme).lowercased()
    var output = Array((schemeName + "://").utf8)
    output.append(contentsOf: bytes[authority.lowerBound..<host.name.lowerBound])
    output.append(contentsOf: bytes.string(host.name).lowercased().utf8)
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

/// Whether a host is made of what names and addresses are made of. Names outside ASCII pass: whether
/// they exist is for the resolver to say.
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

private func refused(_ typed: String, _ message: String) -> SourceError {
  SourceError(
    .address, stage: .address, subject: WebAddress.redacted(typed), message: message,
    next: "Type an address such as https://example.org/feed.")
}
