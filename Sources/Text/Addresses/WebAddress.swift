/// Operations on addresses (RFC 3986), on bytes: resolving them, reading what the user typed, and
/// showing them without their secrets.
package enum WebAddress {
  /// The absolute form of `reference` (RFC 3986 §5.2), percent-encoded where that RFC asks for it, and
  /// without a name and password: documents name addresses, and only the user signs in.
  ///
  /// Nil for a relative reference without a base that has a scheme and is no longer than 2,048 bytes up
  /// to the end of its path. Any scheme may come back: ask `isWeb` before following it.
  package static func resolve(_ reference: String, against base: String?) -> String? {
    reference.withBytes { reference in
      guard let base else { return resolved(reference, against: nil) }
      return base.withBytes { base in
        let parts = AddressParts(base, base.trimmed(0..<base.count))
        let isSane = parts.path.upperBound <= AddressBase.longest
        return resolved(reference, against: isSane ? (base, parts) : nil)
      }
    }
  }

  /// An address from an earlier version's store, or from elsewhere, as it may be kept and shown: what
  /// `PlainText` removes from text is percent-encoded, as browsers do (WHATWG URL, "C0 control
  /// percent-encode set"). In a host that makes it one that cannot be asked.
  package static func clean(_ address: String) -> String {
    address.withBytes { bytes in
      let range = 0..<bytes.count
      guard PlainText.firstUnfit(in: bytes, range) != nil else { return nil }
      var output: [UInt8] = []
      appendFit(bytes, range, to: &output)
      return String(decoding: output, as: UTF8.self)
    } ?? address
  }

  /// Whether a text has nothing but characters that show nothing. It is no address, though RFC 3986 has
  /// an empty reference stand for its document.
  package static func isBlank(_ text: String) -> Bool {
    if let first = text.utf8.first, first > 0x20, first < 0x7F { return false }
    return text.unicodeScalars.allSatisfy {
      $0.value <= 0x20 || (0x7F...0xA0).contains($0.value) || $0.properties.isWhitespace
        || $0.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether the address is one that may be fetched or opened: http or https, with a host.
  package static func isWeb(_ address: String) -> Bool {
    address.withBytes { bytes in
      let parts = AddressParts(bytes, 0..<bytes.count)
      guard let scheme = parts.scheme, isWebScheme(bytes, scheme), let authority = parts.authority
      else { return false }
      return !AddressHost(bytes, authority).name.isEmpty
    }
  }

  /// The scheme in lower case; nil for a relative reference.
  package static func scheme(of address: String) -> String? {
    address.withBytes { bytes in
      AddressParts(bytes, 0..<bytes.count).scheme.map { bytes.string($0).lowercased() }
    }
  }

  /// The host in lower case, without user and port; an IPv6 address keeps its brackets.
  package static func host(of address: String) -> String? {
    address.withBytes { bytes in
      guard let authority = AddressParts(bytes, 0..<bytes.count).authority else { return nil }
      let name = AddressHost(bytes, authority).name
      return name.isEmpty ? nil : bytes.string(name).lowercased()
    }
  }

  /// The host with user and port as they are written; nil without `//`, empty for the address of a file.
  package static func authority(of address: String) -> String? {
    address.withBytes { bytes in
      AddressParts(bytes, 0..<bytes.count).authority.map { bytes.string($0) }
    }
  }

  /// The host, and its port where one is written; nil where there is no host.
  package static func hostAndPort(of address: String) -> String? {
    guard let authority = authority(of: address), !authority.isEmpty else { return nil }
    return String(
      authority[
        (authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...])
  }

  /// Scheme and authority as they are written (`https://example.org:8080`); nil where one is missing.
  package static func origin(of address: String) -> String? {
    address.withBytes { bytes in
      let parts = AddressParts(bytes, 0..<bytes.count)
      guard parts.scheme != nil, let authority = parts.authority else { return nil }
      return bytes.string(0..<authority.upperBound)
    }
  }

  /// The path as it is written, from its first slash on, without query and fragment.
  package static func path(of address: String) -> String {
    address.withBytes { bytes in bytes.string(AddressParts(bytes, 0..<bytes.count).path) }
  }

  /// The address as it may be shown where there is little room: from the authority on.
  package static func withoutScheme(_ address: String) -> String {
    address.withBytes { bytes in
      let parts = AddressParts(bytes, 0..<bytes.count)
      guard parts.scheme != nil, let authority = parts.authority else { return nil }
      return bytes.string(authority.lowerBound..<bytes.count)
    } ?? address
  }

  /// Whether an address lies at an origin (scheme, host and port as `scheme://host[:port]`).
  package static func isAt(_ address: String, origin: String) -> Bool {
    func parts(_ text: String) -> (scheme: String?, host: String?, port: String) {
      let scheme = scheme(of: text)
      let host = authority(of: text)?.split(separator: "@").last ?? ""
      let port =
        host.hasSuffix("]") ? nil : host.lastIndex(of: ":").map { host[host.index(after: $0)...] }
      return (
        scheme, self.host(of: text), port.map(String.init) ?? (scheme == "https" ? "443" : "80")
      )
    }
    return parts(address) == parts(origin)
  }

  /// Whether an address is at the server of another one: at its origin, or at the same host over https where the other
  /// one is plain http, both at the usual ports.
  package static func isAtServer(of other: String, _ address: String) -> Bool {
    guard !isAt(address, origin: other) else { return true }
    guard scheme(of: other) == "http", scheme(of: address) == "https", let host = host(of: other)
    else { return false }
    return isAt(other, origin: "http://" + host) && isAt(address, origin: "https://" + host)
  }

  /// The new address of what has moved within its origin, with the name and password that the old
  /// one holds; a server that redirects leaves them out.
  package static func carryingUser(of old: String, to new: String) -> String {
    guard isAt(old, origin: new), let from = authority(of: old), let to = authority(of: new),
      let at = from.lastIndex(of: "@"), !to.contains("@"), let scheme = scheme(of: new)
    else { return new }
    return new.prefix(scheme.count) + "://" + from[...at] + withoutScheme(new)
  }

  /// Where something is to be asked for that says at one address that it has moved to another; nil
  /// where both are the same. What was asked over https is not asked over http from then on.
  package static func move(from old: String, to new: String) -> String? {
    guard let from = try? normalized(old), let named = try? normalized(new) else { return nil }
    let to = secured(named, namedAt: from) ?? named
    return carryingUser(of: from, to: to) == from ? nil : to
  }

  /// The address over https to ask for instead of one over http that a document at an https address
  /// names; nil where the address may be asked for as it is.
  package static func secured(_ address: String, namedAt document: String) -> String? {
    guard scheme(of: document) == "https", scheme(of: address) == "http" else { return nil }
    return address.withBytes { bytes in
      guard let authority = AddressParts(bytes, 0..<bytes.count).authority else { return nil }
      let host = AddressHost(bytes, authority)
      // The port of http is none of https.
      let isPlainPort = host.port.map { ["", "80"].contains(bytes.string($0)) } ?? false
      let end = isPlainPort ? host.name.upperBound : authority.upperBound
      return "https://" + bytes.string(authority.lowerBound..<end)
        + bytes.string(authority.upperBound..<bytes.count)
    }
  }

  /// Whether the address names this machine: `localhost`, 127.0.0.0/8 or ::1 (RFC 6761 §6.3).
  package static func isLoopback(_ address: String) -> Bool {
    guard let host = host(of: address) else { return false }
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return parts.count == 4 && parts[0] == 127 && !parts.contains(nil)
  }

  /// The address as it may appear in a message: no user, password, query or fragment, no control
  /// characters, 200 bytes at most.
  package static func redacted(_ address: String) -> String {
    let bare = address.withBytes { bytes in
      let parts = AddressParts(bytes, bytes.trimmed(0..<bytes.count))
      var output = ""
      if let scheme = parts.scheme { output += bytes.string(scheme) + ":" }
      if let authority = parts.authority {
        let host = AddressHost(bytes, authority)
        output += "//" + bytes.string(host.name.lowerBound..<authority.upperBound)
      }
      var path = parts.path
      // Without `//`, or with more slashes than fit, a user and password may stand in the path.
      if let at = path.last(where: { bytes[$0] == 0x40 }), parts.authority?.isEmpty ?? true {
        path = at + 1..<path.upperBound
      }
      return output + bytes.string(path)
    }
    let clean = PlainText.sanitized(bare)
    guard clean.utf8.count > 200 else { return clean }
    return String(decoding: clean.utf8.prefix(197), as: UTF8.self) + "…"
  }
}

/// The pieces of an authority (RFC 3986 §3.2).
package struct AddressHost {
  package var name: Range<Int>
  package var port: Range<Int>?

  package init(_ bytes: ByteBuffer, _ authority: Range<Int>) {
    let at = authority.last { bytes[$0] == 0x40 }
    let start = at.map { $0 + 1 } ?? authority.lowerBound
    let host = start..<authority.upperBound
    if let first = host.first, bytes[first] == 0x5B,
      let bracket = host.first(where: { bytes[$0] == 0x5D })
    {
      name = start..<bracket + 1
      let rest = bracket + 1..<host.upperBound
      if let colon = rest.first, bytes[colon] == 0x3A { port = colon + 1..<host.upperBound }
    } else if let colon = host.last(where: { bytes[$0] == 0x3A }) {
      name = start..<colon
      port = colon + 1..<host.upperBound
    } else {
      name = host
    }
  }
}

func isWebScheme(_ bytes: ByteBuffer, _ scheme: Range<Int>) -> Bool {
  bytes.isWord("https", in: scheme) || bytes.isWord("http", in: scheme)
}
