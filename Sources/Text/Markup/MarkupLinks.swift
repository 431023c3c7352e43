package enum MarkupLinks {
  /// `html` with `href`, `src`, `srcset`, `poster`, `cite`, `data`, `action`, `longdesc`, `background` and those in which
  /// scripts find pictures resolved against `base`, and without names and passwords in them.
  ///
  /// Everything else keeps its bytes. A body without such addresses is returned without a copy. Where `base`
  /// is no http(s) address, relative addresses stay. Those with a scheme stay but for their user,
  /// `javascript:` and `data:` too, which the renderer refuses. References into the same document (`#note-1`)
  /// stay (RFC 3986 §4.4), and so do other relative ones once absolute addresses have made the body several
  /// times as long.
  package static func absolutized(_ html: String, base: String?) -> String {
    html.withBytes { bytes in
      absolutized(bytes: bytes, base: base).map { String(decoding: $0, as: UTF8.self) }
    } ?? html
  }

  /// `absolutized(_:base:)` for bytes that are no string yet; nil where nothing changes.
  package static func absolutized(bytes: ByteBuffer, base: String?) -> [UInt8]? {
    let base = base.flatMap { WebAddress.isWeb($0) ? AddressBase($0) : nil }
    var output: [UInt8] = []
    var copied = 0
    var room = 4 * bytes.count + 64 << 10
    var tokenizer = MarkupTokenizer(bytes)
    var place = 0
    while true {
      place = endOfPlainTags(bytes, from: place)
      tokenizer.move(to: place)
      guard let tag = tokenizer.nextTag() else { break }
      place = tag.end
      guard tag.kind == .open, tag.attributes.count > 4 else { continue }
      for attribute in MarkupAttributes(bytes, of: tag) {
        guard let kind = addressKind(attribute.name, in: bytes) else { continue }
        let value = bytes.trimmed(attribute.value)
        let resolver = room > 0 ? base : nil
        let replacement =
          switch kind {
          case .one: rewritten(bytes, value, resolver)
          case .list: rewrittenList(bytes, value, resolver)
          }
        guard let replacement else { continue }
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

/// Where the first tag begins, from `start` on, that has to be looked at closely; the end of the text without
/// one. All but a few are written with care, and have no address that is relative or has a user.
private func endOfPlainTags(_ bytes: ByteBuffer, from start: Int) -> Int {
  var index = start
  while let tag = bytes.firstIndex(of: 0x3C, from: index) {
    guard let end = endOfPlainTag(bytes, at: tag) else { return tag }
    index = end
  }
  return bytes.count
}

/// Where a tag ends that is written as XML has it and has no relative address and none with a user; nil for any
/// other, for markup that is no tag, and for elements whose content is no markup.
private func endOfPlainTag(_ bytes: ByteBuffer, at start: Int) -> Int? {
  var index = start + 1
  let isEnd = index < bytes.count && bytes[index] == 0x2F
  if isEnd { index += 1 }
  let nameStart = index
  while index < bytes.count, bytes[index].isASCIILetter || bytes[index].isASCIIDigit { index += 1 }
  guard index > nameStart, index < bytes.count, bytes[nameStart].isASCIILetter else { return nil }
  if bytes[index] == 0x3E, isEnd || index - nameStart < 5 { return index + 1 }
  // From five letters on it may be one of those that hold raw text.
  guard !isEnd, index - nameStart < 5 || !bytes.namesRawText(nameStart..<index) else { return nil }
  while index < bytes.count {
    if bytes[index] == 0x3E { return index + 1 }
    if bytes[index] == 0x2F {
      return index + 1 < bytes.count && bytes[index + 1] == 0x3E ? index + 2 : nil
    }
    guard bytes[index] == 0x20 || bytes[index] == 0x0A else { return nil }
    index += 1
    let name = index
    while index < bytes.count, bytes[index].isASCIILetter || bytes[index] == 0x2D { index += 1 }
    // White space before the end of the tag.
    if index == name { continue }
    guard index + 2 < bytes.count, bytes[index] == 0x3D,
      bytes[index + 1] == 0x22 || bytes[index + 1] == 0x27,
      let close = bytes.firstIndex(of: bytes[index + 1], from: index + 2)
    else { return nil }
    switch addressKind(name..<index, in: bytes) {
    case .one: guard startsWithWebHost(bytes, index + 2..<close) else { return nil }
    case .list: guard isPlainList(bytes, index + 2..<close) else { return nil }
    case nil: break
    }
    index = close + 1
  }
  return nil
}

/// Whether an address has a scheme of the web, and behind it a host without a user and without references that
/// could stand for the sign of one.
private func startsWithWebHost(_ bytes: ByteBuffer, _ value: Range<Int>) -> Bool {
  guard value.count > 8, bytes.hasWord("http", at: value.lowerBound) else { return false }
  var index = value.lowerBound + 4
  if bytes[index] | 0x20 == 0x73 { index += 1 }
  guard bytes[index] == 0x3A, bytes[index + 1] == 0x2F, bytes[index + 2] == 0x2F else {
    return false
  }
  for index in index + 3..<value.upperBound {
    switch bytes[index] {
    case 0x2F, 0x3F, 0x23: return true
    case 0x40, 0x26, 0x5C: return false
    default: break
    }
  }
  return true
}

/// Whether every comma of a `srcset` is followed by such an address, and it begins with one.
private func isPlainList(_ bytes: ByteBuffer, _ value: Range<Int>) -> Bool {
  var start = value.lowerBound
  while startsWithWebHost(bytes, start..<value.upperBound) {
    guard let comma = bytes.firstIndex(of: 0x2C, in: start..<value.upperBound) else { return true }
    start = comma + 1
    while start < value.upperBound, bytes[start].isASCIISpace { start += 1 }
  }
  return false
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
  case (6, 0x61): bytes.isWord("action", in: name) ? .one : nil
  case (8, 0x6C): bytes.isWord("longdesc", in: name) ? .one : nil
  case (10, 0x62): bytes.isWord("background", in: name) ? .one : nil
  // What scripts put into `src` and `srcset` when a picture is seen.
  case (8, 0x64): bytes.isWord("data-src", in: name) ? .one : nil
  case (11, 0x64): bytes.isWord("data-srcset", in: name) ? .list : nil
  case (13, 0x64):
    bytes.isWord("data-lazy-src", in: name) || bytes.isWord("data-original", in: name) ? .one : nil
  case (16, 0x64): bytes.isWord("data-lazy-srcset", in: name) ? .list : nil
  default: nil
  }
}

private func isRelative(_ bytes: ByteBuffer, _ value: Range<Int>) -> Bool {
  guard let first = value.first, bytes[first] != 0x23 else { return false }
  return AddressParts.endOfScheme(bytes, value) == nil
}

/// Whether an address may have a user, whatever its references stand for.
private func mayHaveUser(_ bytes: ByteBuffer, _ value: Range<Int>) -> Bool {
  bytes.firstIndex(of: 0x40, in: value) != nil || bytes.firstIndex(of: 0x26, in: value) != nil
}

/// The absolute form of an address without its user; nil where that is the address itself.
///
/// - Parameter base: nil where relative addresses stay.
private func rewritten(_ bytes: ByteBuffer, _ value: Range<Int>, _ base: AddressBase?) -> String? {
  guard isRelative(bytes, value) && base != nil || mayHaveUser(bytes, value) else { return nil }
  let plain = CharacterReference.decoded(bytes.string(value))
  return plain.withBytes { plain -> String? in
    let range = plain.trimmed(0..<plain.count)
    // References are decoded first: `java&#115;cript:` is no relative address.
    if isRelative(plain, range), let base { return base.resolve(plain) }
    let address = plain.string(range)
    let bare = WebAddress.withoutUser(address)
    return bare == address ? nil : bare
  }
}

private func rewrittenList(
  _ bytes: ByteBuffer, _ value: Range<Int>, _ base: AddressBase?
) -> String? {
  // Of a list of kilobytes only users are removed: each of its commas could become a long address.
  let base = value.count <= 16 << 10 ? base : nil
  let candidates = SourceSet(bytes, value)
  guard
    candidates.contains(where: {
      isRelative(bytes, $0.address) && base != nil || mayHaveUser(bytes, $0.address)
    })
  else { return nil }
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
