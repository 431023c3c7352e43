#if canImport(_FoundationICU)
  internal import _FoundationICU
#elseif canImport(CoreFoundation)
  internal import CoreFoundation
#endif

/// Ends of words in scripts without spaces between them: Thai, Lao, Khmer and Burmese, by the dictionaries of ICU (UAX #14,
/// class SA).
struct WordBreaks {
  /// In bytes of the text, ascending.
  private let offsets: [Int]
  private var next = 0

  /// - Parameter bytes: UTF-8. Time and memory are in proportion to it.
  init(in bytes: UnsafeBufferPointer<UInt8>) { offsets = Self.offsets(in: bytes) }

  /// Whether a word ends at an offset. Offsets ascend from call to call.
  mutating func contains(_ offset: Int) -> Bool {
    while next < offsets.count, offsets[next] < offset { next += 1 }
    return next < offsets.count && offsets[next] == offset
  }

  #if canImport(_FoundationICU)
    // The ICU that Foundation brings along: always there, and its data are in the program anyway.
    private static func offsets(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
      var offsets: [Int] = []
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        var status = U_ZERO_ERROR
        guard let text = swift_utext_openUTF8(nil, bytes.baseAddress, Int64(bytes.count), &status)
        else { return }
        defer { swift_utext_close(text) }
        guard let iterator = swift_ubrk_open(UBRK_LINE, "", nil, 0, &status) else { return }
        defer { swift_ubrk_close(iterator) }
        swift_ubrk_setUText(iterator, text, &status)
        guard status.rawValue <= U_ZERO_ERROR.rawValue else { return }
        while case let offset = swift_ubrk_next(iterator), offset >= 0 {
          offsets.append(Int(offset))
        }
      }
      return offsets
    }
  #elseif canImport(CoreFoundation)
    private static func offsets(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
      let text = String(decoding: bytes, as: UTF8.self)
      let units = text.utf16.count
      let tokenizer = CFStringTokenizerCreate(
        nil, text as CFString, CFRange(location: 0, length: units),
        kCFStringTokenizerUnitLineBreak, nil)
      var offsets: [Int] = []
      var (index, unit, offset) = (text.startIndex, 0, 0)
      while !CFStringTokenizerAdvanceToNextToken(tokenizer).isEmpty {
        let range = CFStringTokenizerGetCurrentTokenRange(tokenizer)
        let end = text.utf16.index(index, offsetBy: range.location + range.length - unit)
        offset += text.utf8.distance(from: index, to: end)
        (index, unit) = (end, range.location + range.length)
        offsets.append(offset)
      }
      return offsets
    }
  #else
    private static func offsets(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] { [] }
  #endif
}

extension Unicode.Scalar {
  /// Whether it is a letter of a script without spaces between words.
  var isOfScriptWithoutSpaces: Bool {
    switch value {
    case 0xE01...0xEFF, 0x1000...0x109F, 0x1780...0x17FF: true
    default: false
    }
  }

  /// Whether no line may begin with it, however long the word is: a sign with a column of its own that belongs to the
  /// letter before it.
  var isSpacingSign: Bool {
    // SARA AM of Thai and of Lao.
    value == 0xE33 || value == 0xEB3 || properties.generalCategory == .spacingMark
  }

  /// Whether it is of the blocks of Indic scripts, and those of Southeast Asia, whose letters have signs beside them.
  var isOfScriptWithSigns: Bool {
    switch value {
    case 0x900...0x109F, 0x1700...0x1C4F, 0xA800...0xABFF, 0x1_1000...0x1_1FFF: true
    default: false
    }
  }

  /// Whether it joins the letter behind it to the one before.
  var joinsLetters: Bool {
    switch value {
    // Those that stay visible, and join nothing.
    case 0xE3A, 0xEBA, 0x103A: false
    default: properties.canonicalCombiningClass == .virama
    }
  }
}
