internal import Text

enum XMLReference {
  enum Action {
    case keep, drop, escapeAmpersand
    case entity
    case scalar(UInt32)
  }

  /// Character and length of XML's own references and the numeric apostrophe; length 0 for others.
  @inline(__always)
  static func common(_ bytes: ByteBuffer, at start: Int) -> (byte: UInt8, length: Int) {
    guard start + 6 <= bytes.count else { return (0, 0) }
    switch bytes[start + 1] {
    case 0x6C where bytes[start + 2] == 0x74 && bytes[start + 3] == 0x3B: return (0x3C, 4)
    case 0x67 where bytes[start + 2] == 0x74 && bytes[start + 3] == 0x3B: return (0x3E, 4)
    case 0x61
    where bytes[start + 2] == 0x6D && bytes[start + 3] == 0x70 && bytes[start + 4] == 0x3B:
      return (0x26, 5)
    case 0x71
    where bytes[start + 2] == 0x75 && bytes[start + 3] == 0x6F && bytes[start + 4] == 0x74
      && bytes[start + 5] == 0x3B:
      return (0x22, 6)
    case 0x23
    where bytes[start + 2] == 0x33 && bytes[start + 3] == 0x39 && bytes[start + 4] == 0x3B:
      return (0x27, 5)
    default: return (0, 0)
    }
  }

  /// Action for an ampersand, and the length of its reference; nil if that needs more bytes.
  static func action(
    _ bytes: ByteBuffer, at start: Int, isLast: Bool
  ) -> (action: Action, length: Int)? {
    let bare = (Action.escapeAmpersand, 1)
    var end = start + 1
    while end < bytes.count, end - start <= 33, isReferenceByte(bytes[end]) { end += 1 }
    guard end < bytes.count else { return isLast ? bare : nil }
    guard bytes[end] == 0x3B, end > start + 1 else { return bare }
    let length = end + 1 - start
    if bytes[start + 1] == 0x23 {
      guard let value = number(bytes, start + 2..<end) else { return bare }
      if value & 0xFFFF_FC00 == 0xD800 {
        guard let low = lowSurrogate(bytes, at: start + length, isLast: isLast) else { return nil }
        guard low.length > 0 else { return (.drop, length) }
        let scalar = 0x10000 + ((value & 0x3FF) << 10 | low.value & 0x3FF)
        return (.scalar(scalar), length + low.length)
      }
      if value >= 0x80, value <= 0x9F { return (.scalar(windows1252[Int(value) - 0x80]), length) }
      let isAllowed =
        value >= 0x20 && value != 0xFFFE && value != 0xFFFF && Unicode.Scalar(value) != nil
        || value == 0x09 || value == 0x0A || value == 0x0D
      // XML allows only the small x.
      if isAllowed, bytes[start + 2] == 0x58 { return (.scalar(value), length) }
      return (isAllowed ? .keep : .drop, length)
    }
    guard bytes[start + 1].isASCIILetter || bytes[start + 1] == 0x5F else { return bare }
    switch bytes[start + 1] {
    case 0x61 where bytes.isWord("amp", in: start + 1..<end),
      0x6C where bytes.isWord("lt", in: start + 1..<end),
      0x67 where bytes.isWord("gt", in: start + 1..<end),
      0x71 where bytes.isWord("quot", in: start + 1..<end),
      0x61 where bytes.isWord("apos", in: start + 1..<end):
      return (.keep, length)
    default: break
    }
    if let (scalar, _) = CharacterReference.decode(bytes, at: start, strict: true) {
      return (.scalar(scalar), length)
    }
    return (.entity, length)
  }

  /// The second half of a surrogate pair; length 0 for none, nil if that needs more bytes.
  private static func lowSurrogate(
    _ bytes: ByteBuffer, at start: Int, isLast: Bool
  ) -> (value: UInt32, length: Int)? {
    var end = start
    while end < bytes.count, end - start < 12, bytes[end] != 0x3B { end += 1 }
    let isCut = end == bytes.count && end - start < 12 && !isLast
    let isReference = start + 1 < bytes.count && bytes[start] == 0x26 && bytes[start + 1] == 0x23
    if isCut, isReference || start + 1 >= bytes.count { return nil }
    guard isReference, end < bytes.count, bytes[end] == 0x3B,
      let value = number(bytes, start + 2..<end), value & 0xFFFF_FC00 == 0xDC00
    else { return (0, 0) }
    return (value, end + 1 - start)
  }

  /// The character of a reference with action `keep`.
  static func scalar(_ bytes: ByteBuffer, at start: Int, length: Int) -> UInt32? {
    let name = start + 1..<start + length - 1
    if bytes[start + 1] == 0x23 { return number(bytes, name.dropFirst()) }
    switch bytes[start + 1] {
    case 0x61:
      return bytes.isWord("amp", in: name) ? 0x26 : bytes.isWord("apos", in: name) ? 0x27 : nil
    case 0x6C: return bytes.isWord("lt", in: name) ? 0x3C : nil
    case 0x67: return bytes.isWord("gt", in: name) ? 0x3E : nil
    case 0x71: return bytes.isWord("quot", in: name) ? 0x22 : nil
    default: return nil
    }
  }

  private static func number(_ bytes: ByteBuffer, _ digits: Range<Int>) -> UInt32? {
    guard let first = digits.first else { return nil }
    let isHex = bytes[first] | 0x20 == 0x78
    let digits = isHex ? digits.dropFirst() : digits
    guard !digits.isEmpty else { return nil }
    var value: UInt32 = 0
    for index in digits {
      guard let digit = bytes[index].hexValue, isHex || digit < 10 else { return nil }
      value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
    }
    return value
  }

  private static func isReferenceByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == 0x23 || byte == 0x5F || byte == 0x2D
      || byte == 0x2E || byte == 0x3A
  }
}
