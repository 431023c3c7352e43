/// An address taken apart by RFC 3986 appendix B. Ranges leave out the delimiters.
package struct AddressParts: Sendable {
  package var scheme: Range<Int>?
  package var authority: Range<Int>?
  package var path: Range<Int>
  package var query: Range<Int>?
  package var fragment: Range<Int>?

  package init(_ bytes: ByteBuffer, _ range: Range<Int>) {
    var end = range.upperBound
    var index = range.lowerBound
    if let hash = bytes.firstIndex(of: 0x23, in: index..<end) {
      fragment = hash + 1..<end
      end = hash
    }
    if let mark = bytes.firstIndex(of: 0x3F, in: index..<end) {
      query = mark + 1..<end
      end = mark
    }
    if let colon = Self.endOfScheme(bytes, index..<end) {
      scheme = index..<colon
      index = colon + 1
    }
    if index + 1 < end, bytes[index] == 0x2F, bytes[index + 1] == 0x2F {
      let start = index + 2
      index = (start..<end).first(where: { bytes[$0] == 0x2F }) ?? end
      authority = start..<index
    }
    path = index..<end
  }

  /// Where the colon is that ends a scheme (RFC 3986 §3.1); nil where there is none.
  package static func endOfScheme(_ bytes: ByteBuffer, _ range: Range<Int>) -> Int? {
    guard let first = range.first, bytes[first].isASCIILetter else { return nil }
    for index in range {
      let byte = bytes[index]
      if byte == 0x3A { return index }
      guard
        byte.isASCIILetter || byte.isASCIIDigit || byte == 0x2B || byte == 0x2D || byte == 0x2E
      else { return nil }
    }
    return nil
  }
}

/// An absolute address that others are resolved against (RFC 3986 §5.2).
package struct AddressBase: Sendable {
  private let bytes: [UInt8]
  private let parts: AddressParts

  /// A base whose path ends behind this many bytes is none: a document of short references to it
  /// would become a thousand times as long.
  package static let longest = 2048

  /// Nil for what has no scheme, or a path that ends behind `limit` bytes.
  package init?(_ address: String, limit: Int = AddressBase.longest) {
    bytes = Array(address.utf8)
    parts = bytes.withUnsafeBufferPointer { bytes in
      AddressParts(bytes, bytes.trimmed(0..<bytes.count))
    }
    guard parts.scheme != nil, parts.path.upperBound <= limit else { return nil }
  }

  /// The address that `reference` stands for, percent-encoded where RFC 3986 asks for it, without a name
  /// and password; nil where its host cannot be one.
  package func resolve(_ reference: ByteBuffer) -> String? {
    bytes.withUnsafeBufferPointer { resolved(reference, against: ($0, parts)) }
  }
}

/// Resolves a reference; nil for a relative one without a base, and for one whose host holds control
/// characters or those that change the direction of text (browsers refuse these, see UTS #46).
func resolved(
  _ reference: ByteBuffer, against base: (bytes: ByteBuffer, parts: AddressParts)?
) -> String? {
  let range = reference.trimmed(0..<reference.count)
  if isPlainWebAddress(reference, range) { return reference.string(range) }
  if let straightened = straightened(reference, range) {
    return straightened.withUnsafeBufferPointer { resolved($0, against: base) }
  }
  let parts = AddressParts(reference, range)
  var output: [UInt8] = []
  output.reserveCapacity(range.count + (base?.bytes.count ?? 0) + 8)
  var query = parts.query
  var queryBytes = reference
  if let scheme = parts.scheme {
    let isOpaque =
      parts.authority == nil
      && (parts.path.isEmpty || reference[parts.path.lowerBound] != 0x2F)
    // `mailto:` and its like have no path to resolve.
    if isOpaque {
      appendFit(reference, range, to: &output)
      return String(decoding: output, as: UTF8.self)
    }
    output.append(contentsOf: reference[scheme])
    output.append(0x3A)
    guard append(authority: parts.authority, of: reference, to: &output) else { return nil }
    append(path: reference, parts.path, to: &output)
  } else {
    guard let base, let scheme = base.parts.scheme else { return nil }
    output.append(contentsOf: base.bytes[scheme])
    output.append(0x3A)
    if parts.authority != nil {
      guard append(authority: parts.authority, of: reference, to: &output) else { return nil }
      append(path: reference, parts.path, to: &output)
    } else {
      guard append(authority: base.parts.authority, of: base.bytes, to: &output) else { return nil }
      if parts.path.isEmpty {
        appendEncoded(base.bytes, base.parts.path, to: &output)
        if query == nil {
          query = base.parts.query
          queryBytes = base.bytes
        }
      } else if reference[parts.path.lowerBound] == 0x2F {
        append(path: reference, parts.path, to: &output)
      } else {
        let merged = merged(reference, parts.path, with: base)
        merged.withUnsafeBufferPointer { append(path: $0, 0..<$0.count, to: &output) }
      }
    }
  }
  if let query {
    output.append(0x3F)
    appendEncoded(queryBytes, query, to: &output)
  }
  if let fragment = parts.fragment {
    output.append(0x23)
    appendEncoded(reference, fragment, to: &output)
  }
  return String(decoding: output, as: UTF8.self)
}

/// The reference with slashes for the backslashes of its path, which browsers take for the same
/// (WHATWG URL, "authority state" and "path state"); nil where there are none, or where it has a
/// scheme of its own that is not the web's.
func straightened(_ bytes: ByteBuffer, _ range: Range<Int>) -> [UInt8]? {
  let end = range.first { bytes[$0] == 0x3F || bytes[$0] == 0x23 } ?? range.upperBound
  let path = range.lowerBound..<end
  guard path.contains(where: { bytes[$0] == 0x5C }) else { return nil }
  if let colon = AddressParts.endOfScheme(bytes, path),
    !isWebScheme(bytes, path.lowerBound..<colon)
  {
    return nil
  }
  var output = Array(bytes[range])
  for index in 0..<path.count where output[index] == 0x5C { output[index] = 0x2F }
  return output
}

/// Whether nothing has to be done: an absolute http(s) address of plain characters, without dot
/// segments and a user.
private func isPlainWebAddress(_ bytes: ByteBuffer, _ range: Range<Int>) -> Bool {
  guard bytes.hasWord("http", at: range.lowerBound) else { return false }
  var index = range.lowerBound + 4
  guard index < range.upperBound else { return false }
  if bytes[index] | 0x20 == 0x73 { index += 1 }
  guard index + 3 < range.upperBound, bytes[index] == 0x3A, bytes[index + 1] == 0x2F,
    bytes[index + 2] == 0x2F, bytes[index + 3] != 0x2F
  else { return false }
  var previous: UInt8 = 0
  var isInAuthority = true
  for index in index + 3..<range.upperBound {
    let byte = bytes[index]
    if needsEncoding(byte) || (byte == 0x2E && previous == 0x2F) { return false }
    if isInAuthority {
      if byte == 0x40 { return false }
      isInAuthority = byte != 0x2F && byte != 0x3F && byte != 0x23
    }
    previous = byte
  }
  return true
}

extension WebAddress {
  /// The address that a text is, white space around it left out, if nothing has to be done about it: an
  /// absolute http(s) one of plain characters, without a user, a port, an ampersand, dot segments or a second
  /// scheme. Nil for any other, which may be an address all the same.
  package static func plain(bytes: ByteBuffer) -> String? {
    let range = bytes.trimmed(0..<bytes.count)
    guard isPlainWebAddress(bytes, range) else { return nil }
    let host = range.lowerBound + (bytes[range.lowerBound + 4] == 0x3A ? 7 : 8)
    guard bytes[host].isASCIILetter || bytes[host].isASCIIDigit, !bytes.hasWord("http", at: host),
      bytes.firstIndex(of: 0x26, in: range) == nil
    else { return nil }
    for index in host..<range.upperBound {
      switch bytes[index] {
      case 0x3A, 0x5B: return nil
      case 0x2F, 0x3F, 0x23: return bytes.string(range)
      default: break
      }
    }
    return bytes.string(range)
  }

  package static func plain(_ text: String) -> String? { text.withBytes { plain(bytes: $0) } }
}

/// RFC 3986 §5.2.3.
private func merged(
  _ reference: ByteBuffer, _ path: Range<Int>, with base: (bytes: ByteBuffer, parts: AddressParts)
) -> [UInt8] {
  var output: [UInt8] = []
  if base.parts.authority != nil, base.parts.path.isEmpty {
    output.append(0x2F)
  } else if let slash = base.parts.path.last(where: { base.bytes[$0] == 0x2F }) {
    output.append(contentsOf: base.bytes[base.parts.path.lowerBound...slash])
  }
  output.append(contentsOf: reference[path])
  return output
}

/// - Returns: false for a host that holds what no text may hold.
private func append(
  authority: Range<Int>?, of bytes: ByteBuffer, to output: inout [UInt8]
) -> Bool {
  guard let authority else { return true }
  output.append(0x2F)
  output.append(0x2F)
  // A name and password are for whoever wrote the document, and are kept with nobody else's.
  let at = authority.last { bytes[$0] == 0x40 }
  let host = (at.map { $0 + 1 } ?? authority.lowerBound)..<authority.upperBound
  // A host outside ASCII stays as it is until it is asked for (`HostName`). ASCII that no host has is
  // left out.
  if bytes[host].contains(where: { $0 >= 0x80 }) {
    var start = host.lowerBound
    while let unfit = PlainText.firstUnfit(in: bytes, start..<host.upperBound) {
      guard unfit.count == 1 else { return false }
      start = unfit.upperBound
    }
  }
  for byte in bytes[host] where byte >= 0x80 || !needsEncoding(byte) { output.append(byte) }
  return true
}

/// Appends an address as it stands, but for what no text of one line may hold: that is percent-encoded,
/// and line ends and tabs are left out.
func appendFit(_ bytes: ByteBuffer, _ range: Range<Int>, to output: inout [UInt8]) {
  var copied = range.lowerBound
  while let unfit = PlainText.firstUnfit(in: bytes, copied..<range.upperBound) {
    output.append(contentsOf: bytes[copied..<unfit.lowerBound])
    appendEncoded(bytes, unfit, to: &output)
    copied = unfit.upperBound
  }
  output.append(contentsOf: bytes[copied..<range.upperBound])
}

/// Appends a path without its dot segments (RFC 3986 §5.2.4).
private func append(path bytes: ByteBuffer, _ path: Range<Int>, to output: inout [UInt8]) {
  let floor = output.count
  var index = path.lowerBound
  while index < path.upperBound {
    let hasSlash = bytes[index] == 0x2F
    let start = hasSlash ? index + 1 : index
    let end = (start..<path.upperBound).first { bytes[$0] == 0x2F } ?? path.upperBound
    let isLast = end == path.upperBound
    let isUp = end - start == 2 && bytes[start] == 0x2E && bytes[start + 1] == 0x2E
    let isHere = end - start == 1 && bytes[start] == 0x2E
    if isUp {
      while output.count > floor, output.removeLast() != 0x2F {}
    }
    if isUp || isHere {
      if isLast, hasSlash { output.append(0x2F) }
    } else {
      if hasSlash { output.append(0x2F) }
      appendEncoded(bytes, start..<end, to: &output)
    }
    index = end
  }
}

/// Appends bytes, percent-encoding what RFC 3986 allows nowhere. Line ends and tabs are left out: in
/// addresses they come from a feed's own indentation.
func appendEncoded(_ bytes: ByteBuffer, _ range: Range<Int>, to output: inout [UInt8]) {
  for index in range {
    let byte = bytes[index]
    guard needsEncoding(byte) else {
      output.append(byte)
      continue
    }
    if byte == 0x0A || byte == 0x0D || byte == 0x09 { continue }
    output.append(0x25)
    output.append(hexDigit(byte >> 4))
    output.append(hexDigit(byte & 15))
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

@inline(__always)
private func needsEncoding(_ byte: UInt8) -> Bool {
  switch byte {
  case 0...0x20, 0x7F...0xFF, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D: true
  default: false
  }
}

extension WebAddress {
  /// An absolute path without its dot segments (RFC 3986 §5.2.4), percent-encoded; `/` for none.
  package static func encodedPath(_ bytes: ByteBuffer, _ path: Range<Int>) -> String {
    var output: [UInt8] = []
    append(path: bytes, path, to: &output)
    return output.isEmpty ? "/" : String(decoding: output, as: UTF8.self)
  }

  /// Percent-encodes the characters that RFC 3986 allows nowhere in an address.
  package static func encoded(_ bytes: ByteBuffer, _ range: Range<Int>) -> String {
    var output: [UInt8] = []
    appendEncoded(bytes, range, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

/// Everything but the unreserved characters of RFC 3986 §2.3 as `%XX`: right in any component.
package func percentEncoded(_ text: some StringProtocol) -> String {
  var output: [UInt8] = []
  for byte in text.utf8 {
    if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) {
      output.append(byte)
    } else {
      output += [0x25, hexDigit(byte >> 4), hexDigit(byte & 15)]
    }
  }
  return String(decoding: output, as: UTF8.self)
}

/// The text that a percent-encoded one stands for; what is no encoding stays.
package func percentDecoded(_ text: String) -> String {
  text.withBytes { bytes in
    guard bytes.firstIndex(of: 0x25, from: 0) != nil else { return nil }
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x25, index + 2 < bytes.count, let high = bytes[index + 1].hexValue,
        let low = bytes[index + 2].hexValue
      {
        output.append(UInt8(truncatingIfNeeded: high << 4 | low))
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  } ?? text
}
