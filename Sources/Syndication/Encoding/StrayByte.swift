internal import Text

/// Byte of UTF-8 text outside any sequence: most are punctuation and letters of windows-1252 from
/// pasted text, the others are parts of truncated sequences.
struct StrayByte {
  var byte: UInt8
  /// Bytes before and after it; nil at the ends of the document.
  var before: UInt8?
  var next: UInt8?
  /// Whether the preceding byte was decoded as windows-1252 as well.
  var followsMended: Bool
  var isWestern: Bool

  /// Character in windows-1252; nil if the byte may be something else.
  var scalar: UInt32? {
    guard before.isASCII || followsMended else { return nil }
    return byte < 0xC0 ? mark : letter
  }

  /// Punctuation between ASCII characters. A sequence may follow after a letter, as in “l’été”.
  private var mark: UInt32? {
    guard !Self.undefined.contains(byte) else { return nil }
    guard next.isASCII || before.isLetter && next.isLead || isInRow else { return nil }
    if !isWestern, !Self.marksOfAllCodePages.contains(byte) { return nil }
    // A text may have been truncated at its beginning, within a character.
    if next.isLetter, startsText || startsWord && byte > 0xA1 && byte != 0xA3 && byte != 0xA9 {
      return Self.marksBeforeLetters.contains(byte) ? scalar1252(byte) : nil
    }
    if startsText, !isWestern, !next.isLetter, !next.isDigit {
      return Self.marksBeforeSpaces.contains(byte) ? scalar1252(byte) : nil
    }
    return scalar1252(byte)
  }

  /// Letter beside an ASCII letter. Lead bytes of UTF-8 in Western text do not count.
  private var letter: UInt32? {
    guard isWestern, !Self.leadsInWesternText.contains(byte) else { return nil }
    // Letters like these occur in “ação” and “café”.
    let isInRow = before.isLetter && (next.isSmallAccentedLetter || next.isMarkInRow)
    guard next.isASCII || isInRow else { return nil }
    if byte <= 0xDE, before.isSmallLetter { return nil }
    if before.isLetter || next.isLetter || followsMended { return UInt32(byte) }
    return before == 0x20 && next == 0x20 && Self.words.contains(byte) ? UInt32(byte) : nil
  }

  private var startsWord: Bool { !before.isLetter && !before.isDigit && !followsMended }

  /// As in “‘old’…” and “said.” – “No”.
  private var isInRow: Bool {
    isWestern && !startsText && Self.marksInRows.contains(byte)
      && next.isMarkInRow
  }

  private var startsText: Bool {
    before == nil || before == 0x3E || before == 0x5B || before == 0x22
  }

  private static let undefined: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]

  /// Same code in all code pages of Windows: quotation marks, dashes, ellipsis, no-break space.
  private static let marksOfAllCodePages: Set<UInt8> = [
    0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0xA0, 0xAB, 0xBB,
  ]
  /// ‚ „ ‹ ‘ ’ “ • – — ¡ « ¿ and the no-break space.
  private static let marksBeforeLetters: Set<UInt8> = [
    0x82, 0x84, 0x8B, 0x91, 0x92, 0x93, 0x95, 0x96, 0x97, 0xA0, 0xA1, 0xAB, 0xBF,
  ]
  /// … ‘ ’ “ ” – — and the no-break space.
  fileprivate static let marksInRows: Set<UInt8> = [0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0xA0]
  private static let marksBeforeSpaces: Set<UInt8> = [0x95, 0x96, 0x97]

  /// Lead bytes of letters, accents, punctuation and emoji in Western text; and × and ÷.
  fileprivate static let leadsInWesternText: Set<UInt8> = [
    0xC2, 0xC3, 0xC4, 0xC5, 0xC8, 0xCB, 0xCC, 0xCD, 0xD7, 0xE2, 0xEF, 0xF0, 0xF7,
  ]
  /// à è é are words in French, Italian and Portuguese.
  private static let words: Set<UInt8> = [0xE0, 0xE8, 0xE9]
}

func scalar1252(_ byte: UInt8) -> UInt32 {
  byte < 0xA0 ? windows1252[Int(byte) - 0x80] : UInt32(byte)
}

extension UInt8? {
  fileprivate var isASCII: Bool { self ?? 0 < 0x80 }
  fileprivate var isLetter: Bool { self?.isASCIILetter ?? false }
  fileprivate var isSmallLetter: Bool { isLetter && self ?? 0 >= 0x61 }
  fileprivate var isDigit: Bool { self?.isASCIIDigit ?? false }
  fileprivate var isSmallAccentedLetter: Bool {
    self.map { $0 >= 0xE0 && !StrayByte.leadsInWesternText.contains($0) } ?? false
  }
  fileprivate var isMarkInRow: Bool { self.map(StrayByte.marksInRows.contains) ?? false }
  fileprivate var isLead: Bool { self ?? 0 >= 0xC2 }
}
