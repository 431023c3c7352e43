internal import Text

/// Repair of attributes of outlines with unescaped quotation marks and brackets, as in `text="The
/// "best" of <b>all</b>"` and `text='It's here'`, or in typographic quotation marks: `text=“Tea”`.
enum OutlineRepair {
  /// Maximum number of bytes of a value.
  private static let longest = 8 << 10

  /// Nil if there is nothing to repair.
  static func repaired(_ bytes: ByteBuffer) -> [UInt8]? {
    var output: [UInt8] = []
    var copied = 0
    var index = 0
    while let start = bytes.firstIndex(of: 0x3C, from: index) {
      index = start + 1
      if bytes.hasWord("<!--", at: start) {
        index = bytes.firstIndex(ofWord: "-->", from: start + 4).map { $0 + 3 } ?? bytes.count
        continue
      }
      guard bytes.hasWord("<outline", at: start), index + 8 < bytes.count,
        bytes[start + 8].isASCIISpace
      else { continue }
      var place = start + 8
      while let (value, width) = nextValue(in: bytes, from: &place) {
        let mark = bytes[value.lowerBound - width]
        let hasStray = bytes[value].contains { $0 == mark || $0 == 0x3C }
        guard hasStray || place == value.upperBound || width > 1 else { continue }
        output += bytes[copied..<value.lowerBound - width]
        output.append(0x22)
        for byte in bytes[value] {
          switch byte {
          case 0x22: output += "&quot;".utf8
          case 0x3C: output += "&lt;".utf8
          case 0x3E: output += "&gt;".utf8
          default: output.append(byte)
          }
        }
        output.append(0x22)
        copied = place
      }
      index = max(index, place)
    }
    return copied == 0 ? nil : output + bytes[copied...]
  }

  /// The next value of a tag without its quotation marks, and the width of one in bytes; nil at the
  /// end of the tag. `place` becomes the end of the attribute.
  private static func nextValue(
    in bytes: ByteBuffer, from place: inout Int
  ) -> (value: Range<Int>, width: Int)? {
    guard let equals = endOfName(in: bytes, from: place) else { return nil }
    var start = bytes.firstNonSpace(from: equals)
    guard let width = widthOfMark(bytes, at: start) else { return nil }
    let sign = bytes[start]
    start += width
    var from = start
    while let mark = bytes.firstIndex(of: sign, from: from), mark - start <= longest {
      from = mark + 1
      guard widthOfMark(bytes, at: mark) == width else { continue }
      if let end = missedEnd(in: bytes, from: start, upTo: mark) {
        place = end
        return (start..<end, width)
      }
      if endsTag(bytes, at: mark + width) || startsAttribute(bytes, at: mark + width) {
        place = mark + width
        return (start..<mark, width)
      }
    }
    return nil
  }

  /// Bytes of `"`, `'`, or one of `“”„`; nil for anything else.
  private static func widthOfMark(_ bytes: ByteBuffer, at place: Int) -> Int? {
    guard place < bytes.count else { return nil }
    if bytes[place] == 0x22 || bytes[place] == 0x27 { return 1 }
    let isCurly =
      bytes[place] == 0xE2 && place + 2 < bytes.count && bytes[place + 1] == 0x80
      && (0x9C...0x9E).contains(bytes[place + 2])
    return isCurly ? 3 : nil
  }

  /// The end of a value without a closing mark: before an address attribute, or the end of its tag.
  private static func missedEnd(in bytes: ByteBuffer, from start: Int, upTo mark: Int) -> Int? {
    var index = start
    while let next = bytes.firstIndex(of: 0x3C, from: index), next < mark {
      if bytes.hasWord("<outline", at: next) {
        let end = bytes[start..<next].lastIndex(of: 0x3E) ?? next
        return end > start && bytes[end - 1] == 0x2F ? end - 1 : end
      }
      index = next + 1
    }
    let names: [StaticString] = [" xmlurl=", " htmlurl="]
    return names.lazy.map { ($0, mark - $0.utf8CodeUnitCount) }
      .first { $1 >= start && bytes.hasWord($0, at: $1) }?.1
  }

  /// The place after the `=` of an attribute.
  private static func endOfName(in bytes: ByteBuffer, from place: Int) -> Int? {
    let first = bytes.firstNonSpace(from: place)
    var index = first
    while index < bytes.count, index - first < 64,
      bytes[index].isASCIILetter || bytes[index].isASCIIDigit || "_-:.".utf8.contains(bytes[index])
    {
      index += 1
    }
    guard index > first, !bytes[first].isASCIIDigit else { return nil }
    index = bytes.firstNonSpace(from: index)
    return index < bytes.count && bytes[index] == 0x3D ? index + 1 : nil
  }

  private static func startsAttribute(_ bytes: ByteBuffer, at place: Int) -> Bool {
    guard let end = endOfName(in: bytes, from: place) else { return false }
    return widthOfMark(bytes, at: bytes.firstNonSpace(from: end)) != nil
  }

  /// Whether the tag ends here, and no text follows: `<b>"` is part of a value.
  private static func endsTag(_ bytes: ByteBuffer, at place: Int) -> Bool {
    var index = bytes.firstNonSpace(from: place)
    if index < bytes.count, bytes[index] == 0x2F { index += 1 }
    guard index < bytes.count, bytes[index] == 0x3E else { return false }
    index = bytes.firstNonSpace(from: index + 1)
    return index == bytes.count || bytes[index] == 0x3C
  }
}
