internal import Text

/// Names in XML, as far as a feed needs them (XML 1.0 §2.3).
enum XMLNames {
  @inline(__always)
  static func starts(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte == 0x5F || byte >= 0x80
  }

  @inline(__always)
  static func contains(_ byte: UInt8) -> Bool {
    starts(byte) || byte.isASCIIDigit || byte == 0x2D || byte == 0x2E || byte == 0x3A
  }

  static func isLocalName(_ word: StaticString, _ bytes: ByteBuffer, _ name: Range<Int>) -> Bool {
    let length = word.utf8CodeUnitCount
    guard name.count >= length else { return false }
    let start = name.upperBound - length
    guard start == name.lowerBound || bytes[start - 1] == 0x3A else { return false }
    return bytes.hasWord(word, at: start)
  }
}
