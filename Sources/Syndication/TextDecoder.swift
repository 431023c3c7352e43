internal import CXML2
internal import News

/// An encoding that a feed can arrive in.
enum TextEncoding: Equatable {
  case utf8
  /// Stands for ISO-8859-1 and ASCII too, as on the web (WHATWG Encoding).
  case windows1252
  case utf16(isBigEndian: Bool)
  /// Any other, by the name that iconv knows it by.
  case named(String)

  /// What a label in a declaration or a media type stands for; nil for nothing readable.
  init?(label: String) {
    switch label.lowercased() {
    case "utf-8", "utf8": self = .utf8
    case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252", "us-ascii",
      "ascii":
      self = .windows1252
    case "utf-16le": self = .utf16(isBigEndian: false)
    case "utf-16be", "utf-16", "ucs-2", "iso-10646-ucs-2": self = .utf16(isBigEndian: true)
    case "": return nil
    case let name:
      guard name.utf8.count <= 32, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F })
      else { return nil }
      self = .named(name)
    }
  }
}

/// Turns bytes of any encoding into valid UTF-8, piece by piece. The pieces' borders leave no trace.
struct TextDecoder: ~Copyable {
  private(set) var encoding: TextEncoding
  /// Whether there were bytes that are none in the encoding.
  private(set) var hasInvalidBytes = false
  /// The head of a character whose rest is to come.
  private var carried: [UInt8] = []
  private var hasSeenMultibyte = false
  private var converter: iconv_t?

  init(_ encoding: TextEncoding) {
    self.encoding = encoding
    guard case .named(let name) = encoding else { return }
    let opened = iconv_open("UTF-8", name)
    if opened == iconv_t(bitPattern: -1) {
      self.encoding = .utf8
      hasInvalidBytes = true
    } else {
      converter = opened
    }
  }

  deinit {
    if let converter { iconv_close(converter) }
  }

  mutating func decode(_ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8]) {
    if carried.isEmpty {
      decodeJoined(bytes, isLast: isLast, into: &output)
    } else {
      // Rare, and only at the border of two pieces: one copy of the piece.
      let joined = carried + bytes
      carried = []
      joined.withUnsafeBufferPointer { decodeJoined($0, isLast: isLast, into: &output) }
    }
  }

  private mutating func decodeJoined(
    _ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8]
  ) {
    let consumed =
      switch encoding {
      case .utf8: decodeUTF8(bytes, isLast: isLast, into: &output)
      case .windows1252: decode1252(bytes, into: &output)
      case .utf16(let isBigEndian):
        decodeUTF16(bytes, isBigEndian: isBigEndian, isLast: isLast, into: &output)
      case .named: convert(bytes, isLast: isLast, into: &output)
      }
    if consumed < bytes.count { carried = Array(bytes[consumed...]) }
  }

  /// Bytes that are no UTF-8 are taken for windows-1252, as long as nothing else in the document was
  /// UTF-8: then the label is wrong. Else they are damage, and U+FFFD.
  private mutating func decodeUTF8(
    _ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8]
  ) -> Int {
    var copied = 0
    var index = 0
    while true {
      index = bytes.firstNonASCII(from: index)
      guard index < bytes.count else { break }
      let length = lengthOfScalar(in: bytes, at: index)
      if length > 0 {
        hasSeenMultibyte = true
        index += length
        continue
      }
      if !isLast, length < 0 {
        output.append(contentsOf: bytes[copied..<index])
        return index
      }
      output.append(contentsOf: bytes[copied..<index])
      hasInvalidBytes = true
      output.append(scalar: hasSeenMultibyte ? 0xFFFD : scalar1252(bytes[index]))
      index += 1
      copied = index
    }
    output.append(contentsOf: bytes[copied..<bytes.count])
    return bytes.count
  }

  private func decode1252(_ bytes: ByteBuffer, into output: inout [UInt8]) -> Int {
    var index = 0
    while index < bytes.count {
      let next = bytes.firstNonASCII(from: index)
      output.append(contentsOf: bytes[index..<next])
      index = next
      if index < bytes.count {
        output.append(scalar: scalar1252(bytes[index]))
        index += 1
      }
    }
    return bytes.count
  }

  private mutating func decodeUTF16(
    _ bytes: ByteBuffer, isBigEndian: Bool, isLast: Bool, into output: inout [UInt8]
  ) -> Int {
    func unit(_ index: Int) -> UInt32 {
      let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    var index = 0
    while index + 1 < bytes.count {
      let high = unit(index)
      guard high & 0xFC00 == 0xD800 else {
        output.append(scalar: high)
        index += 2
        continue
      }
      guard index + 3 < bytes.count else {
        if !isLast { return index }
        output.append(scalar: 0xFFFD)
        index += 2
        continue
      }
      let low = unit(index + 2)
      if low & 0xFC00 == 0xDC00 {
        output.append(scalar: 0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF))
        index += 4
      } else {
        output.append(scalar: 0xFFFD)
        index += 2
      }
    }
    if isLast, index < bytes.count { hasInvalidBytes = true }
    return isLast ? bytes.count : index
  }

  private mutating func convert(
    _ bytes: ByteBuffer, isLast: Bool, into output: inout [UInt8]
  ) -> Int {
    // iconv asks for a pointer it may write through, and does not.
    var input = UnsafeMutablePointer(
      mutating: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self))
    var left = bytes.count
    var isStuck = false
    while left > 0, !isStuck {
      let room = max(left, 64)
      let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        buffer.withMemoryRebound(to: CChar.self) { buffer in
          var target = buffer.baseAddress
          var free = room
          let result = iconv(converter, &input, &left, &target, &free)
          count = room - free
          // Without room nothing is wrong; else a character is, or it is cut.
          isStuck = result == -1 && free >= 8
        }
      }
      output.append(contentsOf: piece)
      guard isStuck else { continue }
      if left < 8, !isLast { break }
      hasInvalidBytes = true
      output.append(scalar: 0xFFFD)
      input = input.map { $0 + 1 }
      left -= 1
      isStuck = false
    }
    return bytes.count - left
  }
}

private func scalar1252(_ byte: UInt8) -> UInt32 {
  byte < 0xA0 ? windows1252[Int(byte) - 0x80] : UInt32(byte)
}

/// The length of the well-formed sequence at `index` (RFC 3629 §4): 0 for none, −1 for one that the
/// end of the bytes cuts.
private func lengthOfScalar(in bytes: ByteBuffer, at index: Int) -> Int {
  let lead = bytes[index]
  let length: Int
  var low: UInt8 = 0x80
  var high: UInt8 = 0xBF
  switch lead {
  case 0xC2...0xDF: length = 2
  case 0xE0...0xEF:
    length = 3
    if lead == 0xE0 { low = 0xA0 }
    if lead == 0xED { high = 0x9F }
  case 0xF0...0xF4:
    length = 4
    if lead == 0xF0 { low = 0x90 }
    if lead == 0xF4 { high = 0x8F }
  default: return 0
  }
  for offset in 1..<length {
    guard index + offset < bytes.count else { return -1 }
    let byte = bytes[index + offset]
    guard byte >= low, byte <= high else { return 0 }
    low = 0x80
    high = 0xBF
  }
  return length
}
