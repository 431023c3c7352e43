internal import News

/// Makes UTF-8 text that calls itself XML fit for libxml2, which would lose text otherwise:
///
/// - an ampersand that begins no reference becomes `&amp;` (libxml2 drops it and the name behind it);
/// - HTML's named references become the characters they stand for, and references to 0x80–0x9F what
///   windows-1252 has there;
/// - characters that XML 1.0 §2.2 does not allow, raw or as references, are left out.
///
/// CDATA sections and comments keep everything but the characters that are not allowed. The text may
/// come in pieces; their borders leave no trace.
struct XMLRepair {
  /// A tag with more attributes than this ends the document: libxml2 compares each with each.
  static let attributeLimit = 1024

  /// Whether a tag went over the limit; what came behind is not passed on.
  private(set) var isOverLimit = false
  private var state = State.text
  private var attributeCount = 0
  /// The tag that is open where the pieces given so far end, from its `<` on. It is not passed on
  /// before it is complete, for the end of the document may cut it.
  private var openTag: [UInt8] = []

  private enum State {
    case text
    case tag
    /// Inside a value, until this byte.
    case quoted(UInt8)
    case cdata, comment, instruction
  }

  /// Appends the repaired form of `bytes` and returns how many of them were used up: the rest is to
  /// be given again with what follows it. All are used when `isLast`.
  mutating func repair(_ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8]) -> Int {
    if isOverLimit { return bytes.count }
    let start = output.count
    var index = 0
    var copied = 0
    scan: while index < bytes.count, !isOverLimit {
      index = nextStop(in: bytes, from: index)
      guard index < bytes.count else { break }
      let byte = bytes[index]
      if byte == 0x26, isReferenceState {
        guard let step = reference(bytes, at: index, isLast: isLast) else { break scan }
        if case .keep = step.action {
        } else {
          output.append(contentsOf: bytes[copied..<index])
          copied = index + step.length
          switch step.action {
          case .keep, .drop: break
          case .escapeAmpersand: output.append(contentsOf: "&amp;".utf8)
          case .scalar(let value) where value < 0x80:
            output.append(contentsOf: "&#\(value);".utf8)
          case .scalar(let value): output.append(scalar: value)
          }
        }
        index += step.length
      } else if let length = lengthOfForbidden(bytes, at: index) {
        if length > bytes.count - index, !isLast { break scan }
        output.append(contentsOf: bytes[copied..<index])
        index = min(index + length, bytes.count)
        copied = index
      } else {
        guard let length = advance(bytes, at: index, isLast: isLast) else { break scan }
        index += length
      }
    }
    output.append(contentsOf: bytes[copied..<index])
    settleOpenTag(in: &output, from: start)
    if isLast || isOverLimit { openTag = [] }
    return isOverLimit ? bytes.count : index
  }

  /// Keeps back a tag that has no end yet, and passes on the one that was kept where it has its end.
  /// Where the document ends in a tag, it is left out: half an address is no address.
  ///
  /// - Parameter start: Where the output of this piece begins.
  private mutating func settleOpenTag(in output: inout [UInt8], from start: Int) {
    var end = output.count
    switch state {
    case .tag, .quoted:
      guard let tag = output[start...].lastIndex(of: 0x3C) else {
        // All of the piece belongs to it. A long tag is not moved about with each piece.
        openTag.append(contentsOf: output[start...])
        output.removeSubrange(start...)
        return
      }
      end = tag
    case .text, .cdata, .comment, .instruction: break
    }
    let rest = Array(output[end...])
    output.removeSubrange(end...)
    output.insert(contentsOf: openTag, at: start)
    openTag = rest
  }

  private var isReferenceState: Bool {
    switch state {
    case .text, .tag, .quoted: true
    case .cdata, .comment, .instruction: false
    }
  }

  // MARK: Where something may have to be done

  private func nextStop(in bytes: ByteBuffer, from start: Int) -> Int {
    // 0xEF may begin U+FFFE or U+FFFF, which are not allowed.
    switch state {
    case .text: bytes.firstStop(from: start, 0x3C, 0x26, 0xEF)
    case .cdata: bytes.firstStop(from: start, 0x5D, 0x5D, 0xEF)
    case .comment: bytes.firstStop(from: start, 0x2D, 0x2D, 0xEF)
    case .instruction: bytes.firstStop(from: start, 0x3F, 0x3F, 0xEF)
    case .tag, .quoted: start
    }
  }

  /// The length of a character that XML does not allow; nil for one that it does.
  private func lengthOfForbidden(_ bytes: ByteBuffer, at index: Int) -> Int? {
    let byte = bytes[index]
    if byte < 0x20 { return byte == 0x09 || byte == 0x0A || byte == 0x0D ? nil : 1 }
    guard byte == 0xEF, index + 1 < bytes.count, bytes[index + 1] == 0xBF else {
      return byte == 0xEF && index + 1 == bytes.count ? 3 : nil
    }
    guard index + 2 < bytes.count else { return 3 }
    return bytes[index + 2] >= 0xBE ? 3 : nil
  }

  // MARK: Markup

  /// Follows the markup over one step; nil where more bytes are needed to tell.
  private mutating func advance(_ bytes: ByteBuffer, at index: Int, isLast: Bool) -> Int? {
    let byte = bytes[index]
    let isShort = index + 9 > bytes.count && !isLast
    switch state {
    case .text:
      guard byte == 0x3C else { return 1 }
      if isShort { return nil }
      return open(bytes, at: index)
    case .tag:
      switch byte {
      case 0x3C:
        if isShort { return nil }
        return open(bytes, at: index)
      case 0x3E: state = .text
      case 0x22, 0x27:
        state = .quoted(byte)
        attributeCount += 1
        if attributeCount > Self.attributeLimit { isOverLimit = true }
      default: break
      }
      return 1
    case .quoted(let quote):
      // A `<` is not allowed in a value: the quote that should close it is missing.
      if byte == 0x3C {
        if isShort { return nil }
        return open(bytes, at: index)
      }
      if byte == quote { state = .tag }
      return 1
    case .cdata: return close(bytes, at: index, "]]>", isLast: isLast)
    case .comment: return close(bytes, at: index, "-->", isLast: isLast)
    case .instruction: return close(bytes, at: index, "?>", isLast: isLast)
    }
  }

  private mutating func open(_ bytes: ByteBuffer, at index: Int) -> Int {
    attributeCount = 0
    guard index + 1 < bytes.count else { return 1 }
    let byte = bytes[index + 1]
    switch byte {
    case 0x21:
      if bytes.hasWord("<![cdata[", at: index) {
        state = .cdata
        return 9
      }
      if bytes.hasWord("<!--", at: index) {
        state = .comment
        return 4
      }
      state = .tag
    case 0x3F:
      state = .instruction
      return 2
    case 0x2F, 0x3A, 0x5F, 0x80...0xFF: state = .tag
    default:
      if byte.isASCIILetter { state = .tag }
    }
    return 1
  }

  private mutating func close(
    _ bytes: ByteBuffer, at index: Int, _ end: StaticString, isLast: Bool
  ) -> Int? {
    if index + end.utf8CodeUnitCount > bytes.count, !isLast { return nil }
    guard bytes.hasWord(end, at: index) else { return 1 }
    state = .text
    return end.utf8CodeUnitCount
  }

  // MARK: References

  private enum Action {
    case keep, drop, escapeAmpersand
    case scalar(UInt32)
  }

  /// What becomes of the ampersand at `index` and the `length` bytes it stands for; nil where more
  /// bytes are needed to tell.
  private func reference(
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
      if value >= 0x80, value <= 0x9F { return (.scalar(windows1252[Int(value) - 0x80]), length) }
      let isAllowed =
        value >= 0x20 && value != 0xFFFE && value != 0xFFFF && Unicode.Scalar(value) != nil
        || value == 0x09 || value == 0x0A || value == 0x0D
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
    // A name that the document may declare.
    return (.keep, length)
  }

  private func number(_ bytes: ByteBuffer, _ digits: Range<Int>) -> UInt32? {
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

  private func isReferenceByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == 0x23 || byte == 0x5F || byte == 0x2D
      || byte == 0x2E || byte == 0x3A
  }
}
