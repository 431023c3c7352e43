internal import News

/// The encodings in which a character is one byte or several, and whose bytes show by their order
/// whether they are text.
enum DoubleByteFamily { case shiftJIS, eucJP, eucKR, gb18030, big5 }

/// What the first bytes of a document that are no ASCII, and those behind them, look like.
///
/// The same document always has the same sample, however it is cut into pieces.
struct EncodingSample {
  /// So many bytes are looked at, from the first on that is no ASCII.
  static let size = 4096

  private let bytes: ByteBuffer
  /// Whether the document goes on behind it, so that the last character may be cut.
  private let isCut: Bool

  /// Well-formed UTF-8 sequences of two bytes, and of three or four.
  private(set) var shortSequences = 0
  private(set) var longSequences = 0
  /// Those that the languages of Western Europe have no use for.
  private var foreignSequences = 0
  /// Bytes that are in no well-formed sequence.
  private(set) var strayBytes = 0
  /// How often each byte occurs.
  private var counts = [Int](repeating: 0, count: 256)
  private var highBytes = 0
  /// High bytes that stand in a row of at least three.
  private var highBytesInRows = 0

  init(_ bytes: ByteBuffer, isCut: Bool) {
    self.bytes = bytes
    self.isCut = isCut
    readAsUTF8()
    countBytes()
  }

  /// Whether this is UTF-8, perhaps damaged, if nothing says that it is another encoding. Text in
  /// old encodings has the pattern of two bytes now and then, hardly ever that of three.
  func isUTF8(language: String?) -> Bool {
    let weight = 2 * shortSequences + 4 * longSequences
    if weight >= 4 * strayBytes { return true }
    return weight >= strayBytes && guess(language: language) == nil
  }

  /// Whether this is UTF-8 in a language that windows-1252 is made for, as far as the letters and the
  /// language that is claimed tell.
  func isWestern(language: String?) -> Bool {
    foreignSequences * 8 <= shortSequences + longSequences
      && !(language.map(Self.otherLatinLanguages.contains) ?? false)
  }

  /// Those written in Latin letters that other code pages of Windows are made for.
  private static let otherLatinLanguages: Set<String> = [
    "pl", "cs", "sk", "hu", "hr", "sl", "ro", "bs", "sq", "tr", "az", "lt", "lv", "et", "vi",
  ]

  /// Whether this is UTF-8 although `declared` is claimed. German „Spaß“ in windows-1252 holds two
  /// bytes that are UTF-8, and text in Chinese or Thai encodings holds some by chance.
  func isUTF8(despite declared: TextEncoding) -> Bool {
    let sequences = shortSequences + longSequences
    if declared.doubleByteFamily != nil || declared == .named("windows-874") {
      return (longSequences >= 1 || shortSequences >= 3) && sequences >= strayBytes * 16
    }
    return sequences >= 1 && sequences >= strayBytes * 4
  }

  /// Whether the bytes can hardly be text in `declared`.
  func contradicts(_ declared: TextEncoding) -> Bool {
    guard let family = declared.doubleByteFamily else { return false }
    let reading = read(as: family)
    if reading.errors * 4 > reading.characters { return true }
    // EUC-JP read as Shift_JIS is a salad of half-width katakana.
    let isSalad = reading.typical * 20 < reading.characters
    return declared == .named("Shift_JIS") && isSalad && eastAsian == .named("EUC-JP")
  }

  /// The old encoding that the bytes are in; nil where they do not tell, as with most languages of
  /// Western Europe.
  ///
  /// The language that the document claims counts where the bytes are possible in an encoding of it.
  /// Without one there are two kinds of text that show clearly: Cyrillic, whose commonest letters
  /// are half of it, and the double-byte encodings of East Asia, which must be without any
  /// error and mostly of common characters.
  func guess(language: String?) -> TextEncoding? {
    if let language, let encoding = encoding(ofLanguage: language) { return encoding }
    return cyrillic ?? eastAsian
  }

  // MARK: Counting

  private mutating func readAsUTF8() {
    var index = 0
    while true {
      index = bytes.firstNonASCII(from: index)
      guard index < bytes.count else { return }
      let sequence = UTF8Sequence(in: bytes, at: index)
      switch sequence {
      case .whole(let length):
        if length == 2 { shortSequences += 1 } else { longSequences += 1 }
        if !isWestern(bytes[index]) { foreignSequences += 1 }
      // The sample, or the document, ends within a character: that tells nothing.
      case .cut: break
      case .invalid(let length): strayBytes += length
      }
      index += sequence.length
    }
  }

  /// Whether a sequence that begins so is an accented letter of Western Europe (and „œ“, „š“), an
  /// accent, punctuation or a sign.
  private func isWestern(_ lead: UInt8) -> Bool {
    switch lead {
    case 0xC2, 0xC3, 0xC5, 0xCC, 0xCD, 0xE2, 0xEF, 0xF0: true
    default: false
    }
  }

  private mutating func countBytes() {
    var row = 0
    for byte in bytes {
      counts[Int(byte)] += 1
      if byte >= 0x80 {
        row += 1
        continue
      }
      if row >= 3 { highBytesInRows += row }
      highBytes += row
      row = 0
    }
    if row >= 3 { highBytesInRows += row }
    highBytes += row
  }

  private func count(_ values: ClosedRange<Int>) -> Int { counts[values].reduce(0, +) }

  // MARK: Guesses

  /// Whether the high bytes make words, as they do in scripts other than Latin.
  private var isInRows: Bool { highBytes >= 8 && highBytesInRows * 10 >= highBytes * 6 }

  private var cyrillic: TextEncoding? {
    guard isInRows else { return nil }
    // Where о е а и н т с stand, and Ukrainian's і.
    let candidates: [(TextEncoding, [Int])] = [
      (.named("windows-1251"), [0xEE, 0xE5, 0xE0, 0xE8, 0xED, 0xF2, 0xF1, 0xB3]),
      (.named("KOI8-R"), [0xCF, 0xC5, 0xC1, 0xC9, 0xCE, 0xD4, 0xD3, 0xA6]),
      (.named("ISO-8859-5"), [0xDE, 0xD5, 0xD0, 0xD8, 0xDD, 0xE2, 0xE1, 0xF6]),
      (.named("IBM866"), [0xAE, 0xA5, 0xA0, 0xA8, 0xAD, 0xE2, 0xE1]),
    ]
    for (encoding, letters) in candidates {
      let common = letters.reduce(0) { $0 + counts[$1] }
      guard common * 100 >= highBytes * 42 else { continue }
      // In KOI8-R a line of a box stands where KOI8-U has its і.
      return encoding == .named("KOI8-R") && counts[0xA6] > 0 ? .named("KOI8-U") : encoding
    }
    return nil
  }

  private var eastAsian: TextEncoding? {
    for (family, encoding, share) in Self.eastAsianTests {
      let reading = read(as: family)
      if reading.errors == 0, reading.characters >= 6,
        reading.typical * 100 >= reading.characters * share
      {
        return encoding
      }
    }
    return nil
  }

  /// The order counts: what comes first is rarer by chance.
  private static let eastAsianTests: [(DoubleByteFamily, TextEncoding, Int)] = [
    (.shiftJIS, .named("Shift_JIS"), 25), (.eucJP, .named("EUC-JP"), 25),
    (.eucKR, .named("EUC-KR"), 85), (.big5, .named("Big5"), 75), (.gb18030, .named("GB18030"), 70),
  ]

  private func encoding(ofLanguage language: String) -> TextEncoding? {
    switch language {
    case "ru", "bg", "be", "mk", "sr": return cyrillicOfLanguage(koi8: "KOI8-R")
    case "uk": return cyrillicOfLanguage(koi8: "KOI8-U")
    case "ja": return best(of: [.named("Shift_JIS"), .named("EUC-JP")])
    case "zh": return best(of: [.named("GB18030"), .named("Big5")])
    case "ko": return best(of: [.named("EUC-KR")])
    case "pl", "cs", "sk", "hu", "hr", "sl", "ro", "bs", "sq": return centralEuropean(language)
    case "el": return .named("windows-1253")
    case "tr", "az": return .named("windows-1254")
    case "he", "iw": return isInRows ? .named("windows-1255") : nil
    case "ar", "fa", "ur": return isInRows ? .named("windows-1256") : nil
    case "lt", "lv", "et": return .named("windows-1257")
    case "vi": return .named("windows-1258")
    case "th": return isInRows ? .named("windows-874") : nil
    default: return nil
    }
  }

  /// Small letters are by far the most: each encoding has them elsewhere.
  private func cyrillicOfLanguage(koi8: String) -> TextEncoding? {
    guard highBytesInRows > 0 else { return nil }
    if let cyrillic { return cyrillic == .named("KOI8-R") ? .named(koi8) : cyrillic }
    return count(0xC0...0xDF) > count(0xE0...0xFF) ? .named(koi8) : .named("windows-1251")
  }

  /// windows-1250 and ISO-8859-2 differ in the letters with a caron or a stroke. 0x80 to 0x9F are
  /// letters and quotes of the first only.
  private func centralEuropean(_ language: String) -> TextEncoding {
    if count(0x80...0x9F) > 0 { return .named("windows-1250") }
    let telling = language == "pl" ? [0xA1, 0xB1, 0xB6, 0xA6] : [0xA9, 0xB9, 0xAE, 0xAB, 0xBB]
    let isLatin2 = telling.contains { counts[$0] > 0 }
    return .named(isLatin2 ? "ISO-8859-2" : "windows-1250")
  }

  /// The encoding that the bytes fit without an error and, of several, with the most characters that
  /// are common.
  private func best(of encodings: [TextEncoding]) -> TextEncoding? {
    var best: (encoding: TextEncoding, share: Double)?
    for encoding in encodings {
      guard let family = encoding.doubleByteFamily else { continue }
      let reading = read(as: family)
      guard reading.errors == 0, reading.characters > 0 else { continue }
      let share = Double(reading.typical) / Double(reading.characters)
      // Western letters beside ASCII make pairs too, but no common ones and no rows.
      guard share >= 0.2 || highBytesInRows * 10 >= highBytes * 6 else { continue }
      if share > best?.share ?? -1 { best = (encoding, share) }
    }
    return best?.encoding
  }

  // MARK: Double bytes

  private struct DoubleByteReading {
    var characters = 0
    var errors = 0
    /// Those among the characters that are common where this is the right encoding.
    var typical = 0
  }

  private func read(as family: DoubleByteFamily) -> DoubleByteReading {
    var reading = DoubleByteReading()
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      guard lead >= 0x80 else {
        index += 1
        continue
      }
      if family == .shiftJIS, (0xA1...0xDF).contains(lead) {
        reading.characters += 1
        index += 1
        continue
      }
      guard index + 1 < bytes.count else {
        if !isCut { reading.errors += 1 }
        break
      }
      let trail = bytes[index + 1]
      let length = family.length(lead, trail)
      guard length > 0 else {
        reading.errors += 1
        index += 1
        continue
      }
      reading.characters += 1
      if family.isCommon(lead, trail) { reading.typical += 1 }
      index += length
    }
    return reading
  }
}

extension DoubleByteFamily {
  /// How many bytes the character takes that begins with these two; 0 where there is none.
  fileprivate func length(_ lead: UInt8, _ trail: UInt8) -> Int {
    switch self {
    case .shiftJIS:
      let isLead = (0x81...0x9F).contains(lead) || (0xE0...0xFC).contains(lead)
      return isLead && trail >= 0x40 && trail != 0x7F && trail <= 0xFC ? 2 : 0
    case .eucJP:
      if lead == 0x8E { return (0xA1...0xDF).contains(trail) ? 2 : 0 }
      if lead == 0x8F { return trail >= 0xA1 ? 3 : 0 }
      return lead >= 0xA1 && lead != 0xFF && trail >= 0xA1 && trail != 0xFF ? 2 : 0
    case .eucKR:
      guard lead >= 0x81, lead <= 0xFE, trail <= 0xFE else { return 0 }
      if trail >= 0xA1 { return 2 }
      // The syllables that Windows added (UHC).
      let isAdded =
        (0x41...0x5A).contains(trail) || (0x61...0x7A).contains(trail) || trail >= 0x81
      return lead <= 0xC6 && isAdded ? 2 : 0
    case .gb18030:
      guard lead >= 0x81, lead <= 0xFE else { return 0 }
      if trail.isASCIIDigit { return 4 }
      return trail >= 0x40 && trail != 0x7F && trail <= 0xFE ? 2 : 0
    case .big5:
      guard lead >= 0x81, lead <= 0xFE else { return 0 }
      return (0x40...0x7E).contains(trail) || (0xA1...0xFE).contains(trail) ? 2 : 0
    }
  }

  /// Whether the character is among the commonest of the language: kana, the syllables of KS X 1001,
  /// the first levels of hanzi.
  fileprivate func isCommon(_ lead: UInt8, _ trail: UInt8) -> Bool {
    switch self {
    case .shiftJIS: lead == 0x82 && (0x9F...0xF1).contains(trail) || lead == 0x83 && trail <= 0x96
    case .eucJP: lead == 0xA4 || lead == 0xA5
    case .eucKR: (0xB0...0xC8).contains(lead) && trail >= 0xA1
    case .gb18030: (0xB0...0xD7).contains(lead) && trail >= 0xA1
    case .big5: (0xA4...0xC6).contains(lead) || (lead == 0xA1 && trail <= 0x7E)
    }
  }
}

/// What stands where a UTF-8 sequence should begin (RFC 3629 §4).
enum UTF8Sequence {
  case whole(Int)
  /// The end of the bytes cuts it; so far it is well-formed.
  case cut(Int)
  /// No sequence: so many bytes are its maximal subpart (Unicode §3.9, D93b), one U+FFFD.
  case invalid(Int)

  /// How many bytes it takes.
  @inline(__always)
  var length: Int {
    switch self {
    case .whole(let length), .cut(let length), .invalid(let length): length
    }
  }

  @inline(__always)
  init(in bytes: ByteBuffer, at index: Int) {
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
    default:
      self = .invalid(1)
      return
    }
    for offset in 1..<length {
      guard index + offset < bytes.count else {
        self = .cut(offset)
        return
      }
      let byte = bytes[index + offset]
      guard byte >= low, byte <= high else {
        self = .invalid(offset)
        return
      }
      low = 0x80
      high = 0xBF
    }
    self = .whole(length)
  }
}
