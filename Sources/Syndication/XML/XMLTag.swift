internal import Text

/// Start tag by HTML's rules (HTML §13.2.5), with a note whether it is well-formed XML.
struct XMLTag {
  private(set) var end = 0
  private(set) var closesItself = false
  /// Whether it is well-formed XML, except for references.
  private(set) var isSound = true
  /// Whether it is no tag, as in `if (a<b && c>d)`.
  private(set) var isText = false

  struct Attribute {
    var name: Range<Int>
    /// Without quotes.
    var value: Range<Int>
  }

  /// Reads the rest of a tag after its name.
  ///
  /// - Parameters:
  ///   - bytes: end where the tag has to end.
  ///   - isWhole: whether no more bytes can follow.
  ///   - attributes: replaced by those of the tag.
  /// - Returns: nil without an end.
  init?(
    _ bytes: ByteBuffer, from nameEnd: Int, isWhole: Bool, into attributes: inout [Attribute]
  ) {
    attributes.removeAll(keepingCapacity: true)
    var index = nameEnd
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D, 0x0C: index += 1
      case 0xEF where bytes.lengthOfForbidden(at: index) > 0:
        isSound = false
        index += 3
      case 0x3E:
        end = index + 1
        return
      case 0x3C:
        isSound = false
        end = index
        return
      case 0x2F:
        guard index + 1 < bytes.count else { return nil }
        if bytes[index + 1] == 0x3E {
          closesItself = true
          end = index + 2
          return
        }
        isSound = false
        index += 1
      case 0x22, 0x27, 0x3D:
        isSound = false
        index += 1
      default:
        if !bytes[index - 1].isASCIISpace { isSound = false }
        if attributes.isEmpty, Self.isOperator(byte) {
          isText = true
          // The rest is irrelevant, and would be read again from each `<` in it.
          if XMLScanner.hasBracket(bytes, index..<bytes.count) {
            end = index
            return
          }
        }
        guard let next = readAttribute(bytes, at: index, isWhole: isWhole, into: &attributes) else {
          return nil
        }
        index = next
      }
    }
    return nil
  }

  private mutating func readAttribute(
    _ bytes: ByteBuffer, at start: Int, isWhole: Bool, into attributes: inout [Attribute]
  ) -> Int? {
    var index = start
    while index < bytes.count, !Self.endsAttributeName(bytes, index) { index += 1 }
    let name = start..<index
    let isNameSound =
      XMLNames.starts(bytes[start]) && bytes[name].allSatisfy { XMLNames.contains($0) }
      && XMLNames.isSound(ByteBuffer(rebasing: bytes[name]))
    if !isNameSound { isSound = false }
    while index < bytes.count, bytes[index] == 0xEF, bytes.lengthOfForbidden(at: index) > 0 {
      isSound = false
      index += 3
    }
    while index < bytes.count, bytes[index].isASCIISpace { index += 1 }
    guard index < bytes.count else { return nil }
    guard bytes[index] == 0x3D else {
      isSound = false
      if isNameSound { attributes.append(Attribute(name: name, value: index..<index)) }
      return index
    }
    index += 1
    while index < bytes.count, bytes[index].isASCIISpace { index += 1 }
    guard index < bytes.count else { return nil }
    var value = index..<index
    let quote = bytes[index]
    if quote == 0x22 || quote == 0x27 {
      guard let closing = Self.closingQuote(in: bytes, from: index, isWhole: isWhole) else {
        return nil
      }
      value = index + 1..<closing.end
      index = closing.end
      if closing.isThere { index += 1 } else { isSound = false }
      if bytes[value].contains(0x3C) { isSound = false }
    } else {
      isSound = false
      while index < bytes.count, !bytes[index].isASCIISpace, bytes[index] != 0x3E,
        bytes[index] != 0x3C
      {
        index += 1
      }
      value = value.lowerBound..<index
    }
    if isNameSound { attributes.append(Attribute(name: name, value: value)) }
    return index
  }

  /// The end of a quoted value. If the value contains a bracket, and no attribute ends at its
  /// quote, the opening quote was not closed.
  private static func closingQuote(
    in bytes: ByteBuffer, from open: Int, isWhole: Bool
  ) -> (end: Int, isThere: Bool)? {
    let start = open + 1
    let close = bytes.firstIndex(of: bytes[open], from: start)
    if let close {
      let value = ByteBuffer(rebasing: bytes[start..<close])
      let holdsBracket =
        value.firstIndex(of: 0x3E, from: 0) != nil || value.firstIndex(of: 0x3C, from: 0) != nil
      guard holdsBracket else { return (close, true) }
      if close + 1 >= bytes.count, !isWhole { return nil }
      if close + 1 < bytes.count {
        let next = bytes[close + 1]
        if next.isASCIISpace || next == 0x2F || next == 0x3E { return (close, true) }
      }
    } else if !isWhole {
      return nil
    }
    guard let bracket = bytes[start...].firstIndex(where: { $0 == 0x3E || $0 == 0x3C }) else {
      return nil
    }
    return (bracket, false)
  }

  /// Operators of formulas, which follow no tag name.
  private static func isOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x25, 0x26, 0x28...0x2D, 0x3B, 0x3F, 0x5E, 0x7C, 0x7E: true
    default: false
    }
  }

  @inline(__always)
  private static func endsAttributeName(_ bytes: ByteBuffer, _ index: Int) -> Bool {
    let byte = bytes[index]
    return byte.isASCIISpace || byte == 0x3D || byte == 0x3E || byte == 0x2F || byte == 0x3C
      || byte == 0x22 || byte == 0x27
      || byte == 0xEF && bytes.lengthOfForbidden(at: index) > 0
  }
}
