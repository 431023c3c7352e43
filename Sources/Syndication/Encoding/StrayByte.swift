internal import Text

/// A byte in UTF-8 that is in no sequence: most are marks and letters of windows-1252 that came with a
/// pasted text, the rest is what is left of a sequence that a program cut.
struct StrayByte {
  var byte: UInt8
  /// What stands before it and behind it; nil at the ends of the document.
  var before: UInt8?
  var next: UInt8?
  /// Whether what stands before it was such a byte too, and was read.
  var followsMended: Bool
  /// Whether the document is in a language that windows-1252 is made for.
  var isWestern: Bool

  /// The character it is in windows-1252; nil where it may be something else.
  var scalar: UInt32? {
    guard before.isASCII || followsMended else { return nil }
    return byte < 0xC0 ? mark : letter
  }

  /// Punctuation, which stands between ASCII characters. Behind a letter it may have a sequence after
  /// it, as in “l’été”: what is left of a cut character never stands behind one.
  private var mark: UInt32? {
    guard !Self.undefined.contains(byte) else { return nil }
    guard next.isASCII || before.isLetter && next.isLead || isInRow else { return nil }
    if !isWestern, !Self.marksOfAllCodePages.contains(byte) { return nil }
    // A text may have been cut in front, within a character.
    if next.isLetter, startsText || startsWord && byte > 0xA1 && byte != 0xA3 && byte != 0xA9 {
      return Self.marksBeforeLetters.contains(byte) ? scalar1252(byte) : nil
    }
    if startsText, !isWestern, !next.isLetter, !next.isDigit {
      return Self.marksBeforeSpaces.contains(byte) ? scalar1252(byte) : nil
    }
    return scalar1252(byte)
  }

  /// A letter, beside a letter of ASCII. One that begins the UTF-8 of what Western text has besides may
  /// be what is left of that.
  private var letter: UInt32? {
    guard isWestern, !Self.leadsInWesternText.contains(byte) else { return nil }
    // As in “ação” and in “café”.
    let isInRow = before.isLetter && (next.isSmallAccentedLetter || next.isMarkInRow)
    guard next.isASCII || isInRow else { return nil }
    if byte <= 0xDE, before.isSmallLetter { return nil }
    if before.isLetter || next.isLetter || followsMended { return UInt32(byte) }
    return before == 0x20 && next == 0x20 && Self.words.contains(byte) ? UInt32(byte) : nil
  }

  private var startsWord: Bool { !before.isLetter && !before.isDigit && !followsMended }

  /// Whether another mark may follow, as in “‘old’…” and “said.” – “No”.
  private var isInRow: Bool {
    isWestern && !startsText && Self.marksInRows.contains(byte)
      && next.isMarkInRow
  }

  /// Whether it is the first of a text in XML or JSON, as far as the byte before it tells.
  private var startsText: Bool {
    before == nil || before == 0x3E || before == 0x5B || before == 0x22
  }

  private static let undefined: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]

  /// Quotes, dashes, the ellipsis and the no-break space are the same in all code pages of Windows.
  private static let marksOfAllCodePages: Set<UInt8> = [
    0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0xA0, 0xAB, 0xBB,
  ]
  /// ‚ „ ‹ ‘ ’ “ • – — ¡ « ¿ and the no-break space
  private static let marksBeforeLetters: Set<UInt8> = [
    0x82, 0x84, 0x8B, 0x91, 0x92, 0x93, 0x95, 0x96, 0x97, 0xA0, 0xA1, 0xAB, 0xBF,
  ]
  /// … ‘ ’ “ ” – — and the no-break space
  fileprivate static let marksInRows: Set<UInt8> = [0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0xA0]
  private static let marksBeforeSpaces: Set<UInt8> = [0x95, 0x96, 0x97]

  /// The first bytes of accented letters, combining accents, punctuation, ligatures and emoji; × and ÷,
  /// which are no letters.
  fileprivate static let leadsInWesternText: Set<UInt8> = [
    0xC2, 0xC3, 0xC4, 0xC5, 0xC8, 0xCB, 0xCC, 0xCD, 0xD7, 0xE2, 0xEF, 0xF0, 0xF7,
  ]
  /// à è é, which are words in French, Italian and Portuguese.
  private static let words: Set<UInt8> = [0xE0, 0xE8, 0xE9]
}

func scalar1252(_ byte: UInt8) -> UInt32 {
  byte < 0xA0 ? windows1252[Int(byte) - 0x80] : UInt32(byte)
}

extension UInt8? {
  /// Also at the ends of the document.
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
