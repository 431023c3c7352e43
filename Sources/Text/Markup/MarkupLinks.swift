/// Resolution of the addresses in an HTML body.
package enum MarkupLinks {
  /// `html` with `href`, `src`, `srcset`, `poster`, `cite` and `data` resolved against `base`.
  ///
  /// Everything else keeps its bytes. A body without relative addresses is returned without a copy, and so
  /// is any body where `base` is no http(s) address. Addresses with a scheme stay, `javascript:` and
  /// `data:` too, which the renderer refuses. References into the same document (`#note-1`) stay
  /// (RFC 3986 §4.4), and so does the rest once absolute addresses have made the body several times as
  /// long.
  package static func absolutized(_ html: String, base: String) -> String {
    html.withBytes { bytes in
      absolutized(bytes: bytes, base: base).map { String(decoding: $0, as: UTF8.self) }
    } ?? html
  }

  /// `absolutized(_:base:)` for bytes that are no string yet; nil where nothing changes.
  package static func absolutized(bytes: ByteBuffer, base: String) -> [UInt8]? {
    guard WebAddress.isWeb(base), let resolver = AddressBase(base) else { return nil }
    var output: [UInt8] = []
    var copied = 0
    var room = 4 * bytes.count + 64 << 10
    var tokenizer = MarkupTokenizer(bytes)
    while room > 0, let tag = tokenizer.nextTag() {
      guard tag.kind == .open, tag.attributes.count > 4 else { continue }
      for attribute in MarkupAttributes(bytes, of: tag) {
        guard let kind = addressKind(attribute.name, in: bytes) else { continue }
        let value = bytes.trimmed(attribute.value)
        let replacement =
          switch kind {
          case .one: rewritten(bytes, value, resolver)
          case .list: rewrittenList(bytes, value, resolver)
          }
        guard let replacement, room > 0 else { continue }
        room -= replacement.utf8.count
        if output.isEmpty { output.reserveCapacity(bytes.count + bytes.count / 4) }
        output.append(contentsOf: bytes[copied..<attribute.quoted.lowerBound])
        appendQuoted(replacement, to: &output)
        copied = attribute.quoted.upperBound
      }
    }
    guard copied > 0 else { return nil }
    output.append(contentsOf: bytes[copied..<bytes.count])
    return output
  }

  /// The absolute form of one attribute's value; nil where it stays as it is.
  package static func absolute(
    attribute name: ByteBuffer, value: ByteBuffer, base: AddressBase
  ) -> String? {
    switch addressKind(0..<name.count, in: name) {
    case .one: rewritten(value, value.trimmed(0..<value.count), base)
    case .list: rewrittenList(value, value.trimmed(0..<value.count), base)
    case nil: nil
    }
  }
}

private enum AddressKind {
  case one
  /// `srcset`: addresses with descriptors, parted by commas.
  case list
}

private func addressKind(_ name: Range<Int>, in bytes: ByteBuffer) -> AddressKind? {
  guard let first = name.first else { return nil }
  return switch (name.count, bytes[first] | 0x20) {
  case (3, 0x73): bytes.isWord("src", in: name) ? .one : nil
  case (4, 0x68): bytes.isWord("href", in: name) ? .one : nil
  case (4, 0x63): bytes.isWord("cite", in: name) ? .one : nil
  case (4, 0x64): bytes.isWord("data", in: name) ? .one : nil
  case (6, 0x73): bytes.isWord("srcset", in: name) ? .list : nil
  case (6, 0x70): bytes.isWord("poster", in: name) ? .one : nil
  default: nil
  }
}

private func isRelative(_ bytes: ByteBuffer, _ value: Range<Int>) -> Bool {
  guard let first = value.first, bytes[first] != 0x23 else { return false }
  return AddressParts.endOfScheme(bytes, value) == nil
}

private func rewritten(_ bytes: ByteBuffer, _ value: Range<Int>, _ base: AddressBase) -> String? {
  guard isRelative(bytes, value) else { return nil }
  let plain = CharacterReference.decoded(bytes.string(value))
  return plain.withBytes { plain in
    // References are decoded first: `java&#115;cript:` is no relative address.
    isRelative(plain, plain.trimmed(0..<plain.count)) ? base.resolve(plain) : nil
  }
}

private func rewrittenList(
  _ bytes: ByteBuffer, _ value: Range<Int>, _ base: AddressBase
) -> String? {
  // A list of kilobytes is left alone: each of its commas could become a long address.
  guard value.count <= 16 << 10 else { return nil }
  let candidates = SourceSet(bytes, value)
  guard candidates.contains(where: { isRelative(bytes, $0.address) }) else { return nil }
  var isChanged = false
  let list = candidates.map { candidate in
    let replacement = rewritten(bytes, candidate.address, base)
    if replacement != nil { isChanged = true }
    let address = replacement ?? CharacterReference.decoded(bytes.string(candidate.address))
    let descriptors = bytes.string(candidate.descriptors)
    return descriptors.isEmpty ? address : address + " " + descriptors
  }
  return isChanged ? list.joined(separator: ", ") : nil
}

/// The candidates of a `srcset`, as HTML's "parse a srcset attribute" finds them: an address runs to
/// the next white space, its descriptors to the next comma.
private struct SourceSet: Sequence, IteratorProtocol {
  struct Candidate {
    var address: Range<Int>
    var descriptors: Range<Int>
  }

  private let bytes: ByteBuffer
  private var index: Int
  private let end: Int

  init(_ bytes: ByteBuffer, _ value: Range<Int>) {
    self.bytes = bytes
    index = value.lowerBound
    end = value.upperBound
  }

  mutating func next() -> Candidate? {
    while index < end, bytes[index].isASCIISpace || bytes[index] == 0x2C { index += 1 }
    guard index < end else { return nil }
    let start = index
    while index < end, !bytes[index].isASCIISpace { index += 1 }
    var addressEnd = index
    while addressEnd > start, bytes[addressEnd - 1] == 0x2C { addressEnd -= 1 }
    let descriptorsStart = index
    // A comma right behind the address ends the candidate.
    if addressEnd == index {
      while index < end, bytes[index] != 0x2C { index += 1 }
    }
    return Candidate(
      address: start..<addressEnd, descriptors: bytes.trimmed(descriptorsStart..<index))
  }
}

private func appendQuoted(_ value: String, to output: inout [UInt8]) {
  output.append(0x22)
  if value.utf8.contains(where: { $0 == 0x26 || $0 == 0x22 }) {
    for byte in value.utf8 {
      switch byte {
      case 0x26: output.append(contentsOf: "&amp;".utf8)
      case 0x22: output.append(contentsOf: "&quot;".utf8)
      default: output.append(byte)
      }
    }
  } else {
    value.withBytes { output.append(contentsOf: $0) }
  }
  output.append(0x22)
}
