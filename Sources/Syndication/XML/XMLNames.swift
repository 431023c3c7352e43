internal import Text

/// Names in XML, as far as feeds need them (XML 1.0 §2.3, Namespaces in XML 1.0 §4).
enum XMLNames {
  @inline(__always)
  static func starts(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte == 0x5F || byte >= 0x80 }

  @inline(__always)
  static func contains(_ byte: UInt8) -> Bool {
    starts(byte) || byte.isASCIIDigit || byte == 0x2D || byte == 0x2E || byte == 0x3A
  }

  /// Whether the non-ASCII characters are valid (XML 1.0 §2.3).
  static func isSound(_ name: ByteBuffer) -> Bool {
    guard name.firstNonASCII(from: 0) < name.count else { return true }
    let scalars = name.string(0..<name.count).unicodeScalars
    return scalars.allSatisfy { $0.isASCII || mayStand($0.value) }
      && scalars.first.map { $0.isASCII || mayStart($0.value) } ?? false
  }

  private static func mayStart(_ value: UInt32) -> Bool {
    switch value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    default: false
    }
  }

  private static func mayStand(_ value: UInt32) -> Bool {
    switch value {
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: mayStart(value)
    }
  }

  /// The colon after a prefix; nil if none is followed by a local name.
  static func colon(in name: ByteBuffer) -> Int? {
    guard let colon = name.firstIndex(of: 0x3A, from: 0), colon > 0, colon + 1 < name.count,
      starts(name[colon + 1])
    else { return nil }
    return colon
  }

  /// Whether there is a colon that separates no prefix.
  static func hasStrayColon(_ name: ByteBuffer) -> Bool {
    let rest = colon(in: name).map { $0 + 1 } ?? 0
    return name.firstIndex(of: 0x3A, from: rest) != nil
  }

  static func isLocalName(_ word: StaticString, _ bytes: ByteBuffer, _ name: Range<Int>) -> Bool {
    let length = word.utf8CodeUnitCount
    guard name.count >= length else { return false }
    let start = name.upperBound - length
    guard start == name.lowerBound || bytes[start - 1] == 0x3A else { return false }
    return bytes.hasWord(word, at: start)
  }
}
