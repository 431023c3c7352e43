internal import Text

/// UTF-8 that was decoded as Latin-1 or Windows-1252 and encoded a second time, as in “CafÃ©”.
enum DoubleUTF8 {
  private static let most = 3
  /// Maximum number of characters outside Windows-1252 before the text is certainly no such text.
  private static let mostForeign = 64

  /// The text before the second encoding; nil if that is uncertain.
  ///
  /// Every character that stands for a non-ASCII byte must be part of a UTF-8 sequence, and one
  /// sequence must be implausible as text; a quotation mark after a capital letter is plausible.
  static func mended(_ text: ByteBuffer) -> [UInt8]? {
    var mended: [UInt8]?
    for _ in 0..<most {
      let next = mended.map { $0.withUnsafeBufferPointer(undone) } ?? undone(text)
      guard let next else { break }
      mended = next
    }
    return mended
  }

  private static func undone(_ text: ByteBuffer) -> [UInt8]? {
    guard let first = firstBeyondASCII(text) else { return nil }
    var output = Array(text[..<first])
    output.reserveCapacity(text.count)
    // The open sequence, its full length, and whether it continues with typographers' signs only.
    var (sequence, length, isTypographic): ([UInt8], Int, Bool) = ([], 0, true)
    var (sequences, foreign, isSure) = (0, 0, false)
    // Letters of other scripts than Latin: three of them are a word.
    var others = 0
    var index = first
    while index < text.count {
      let (scalar, size) = scalar(text, at: index)
      guard let scalar else { return nil }
      if let byte = byte(for: scalar), byte >= 0x80 {
        if !sequence.isEmpty {
          guard byte < 0xC0 else { return nil }
          sequence.append(byte)
          if scalar.value <= 0xFF { isTypographic = false }
          if sequence.count == length {
            guard let decoded = String(validating: sequence, as: UTF8.self)?.unicodeScalars.first,
              length > 2 || isLetter(decoded.value)
            else { return nil }
            output += sequence
            sequences += 1
            if decoded.value >= 0x370, length == 2 { others += 1 }
            isSure =
              isSure || others > 2 || length == 4
              || length == 3 && (!isTypographic || sequence.starts(with: [0xE2, 0x80]))
              || length == 2 && !isTypographic && decoded.value < 0x180
            sequence.removeAll(keepingCapacity: true)
            isTypographic = true
          }
        } else if (0xC2...0xF4).contains(byte) {
          length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
          sequence.append(byte)
        } else if scalar.value > 0xFF || scalar.value == 0xA0 {
          // A quotation mark or a no-break space that was written as a reference.
          output += text[index..<index + size]
        } else {
          return nil
        }
      } else {
        guard sequence.isEmpty else { return nil }
        if scalar.value >= 0x80 {
          foreign += 1
          if foreign > mostForeign, sequences == 0 { return nil }
        }
        output += text[index..<index + size]
      }
      index += size
    }
    return sequence.isEmpty && isSure ? output : nil
  }

  /// Latin, Greek, Cyrillic, Armenian, Hebrew or Arabic.
  private static func isLetter(_ value: UInt32) -> Bool {
    (0xA1...0x17F).contains(value) || (0x218...0x21B).contains(value)
      || (0x370...0x6FF).contains(value)
  }

  private static func firstBeyondASCII(_ text: ByteBuffer) -> Int? {
    let raw = UnsafeRawBufferPointer(text)
    var index = 0
    while index + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    while index < text.count, text[index] < 0x80 { index += 1 }
    return index < text.count ? index : nil
  }

  private static func scalar(_ text: ByteBuffer, at index: Int) -> (Unicode.Scalar?, Int) {
    let lead = text[index]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard lead >= 0xC2, index + size <= text.count else { return (nil, 1) }
    var value = UInt32(lead) & (0x7F >> UInt32(size))
    for byte in text[index + 1..<index + size] {
      guard byte & 0xC0 == 0x80 else { return (nil, 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return (Unicode.Scalar(value), size)
  }

  private static func byte(for scalar: Unicode.Scalar) -> UInt8? {
    if scalar.value <= 0xFF { return UInt8(scalar.value) }
    return windows1252[scalar.value]
  }

  private static let windows1252: [UInt32: UInt8] = [
    0x20AC: 0x80, 0x201A: 0x82, 0x0192: 0x83, 0x201E: 0x84, 0x2026: 0x85, 0x2020: 0x86,
    0x2021: 0x87, 0x02C6: 0x88, 0x2030: 0x89, 0x0160: 0x8A, 0x2039: 0x8B, 0x0152: 0x8C,
    0x017D: 0x8E, 0x2018: 0x91, 0x2019: 0x92, 0x201C: 0x93, 0x201D: 0x94, 0x2022: 0x95,
    0x2013: 0x96, 0x2014: 0x97, 0x02DC: 0x98, 0x2122: 0x99, 0x0161: 0x9A, 0x203A: 0x9B,
    0x0153: 0x9C, 0x017E: 0x9E, 0x0178: 0x9F,
  ]
}
