internal import Text

/// Sample from the first non-ASCII byte on, for the detection of the encoding. It does not depend
/// on the pieces in which the document arrives.
struct EncodingSample {
  /// In bytes.
  static let size = 4096

  private let bytes: ByteBuffer
  /// Whether the last character may be incomplete.
  private let isCut: Bool

  private(set) var asUTF8 = UTF8Evidence()
  private var counts = [Int](repeating: 0, count: 256)
  private var highBytes = 0
  /// Bytes from 0x80 in sequences of at least three.
  private var highBytesInRows = 0

  init(_ bytes: ByteBuffer, isCut: Bool) {
    self.bytes = bytes
    self.isCut = isCut
    readAsUTF8()
    countBytes()
  }

  func contradicts(_ declared: TextEncoding) -> Bool {
    guard let family = declared.doubleByteFamily else { return false }
    let text = text(as: family)
    return text.errors * 4 > text.characters
  }

  /// The encoding that the bytes clearly have in spite of the declared one; nil if that may be
  /// right. The result agrees with the declared language.
  func plainEncoding(despite declared: TextEncoding, language: String?) -> TextEncoding? {
    if let other = plainCyrillic(despite: declared, language: language) { return other }
    if let family = plainFamily(despite: declared, language: language) { return family.encoding }
    guard declared.isWestern else { return nil }
    switch language ?? "" {
    case "", "en":
      let plainScript = highBytes >= 40 && variety >= 10 ? script : nil
      return plainScript ?? LatinText(bytes).encoding(despiteClaim: true, language: nil)
    case "el", "he", "iw", "ar", "fa", "ur", "th":
      guard isInRows, highBytes >= 24, variety >= 8 else { return nil }
      return language.flatMap(encoding(ofLanguage:))
    default:
      guard let language = LatinLanguage.code(of: language) else { return nil }
      return LatinText(bytes).encoding(despiteClaim: true, language: language)
    }
  }

  /// The legacy encoding of the bytes; nil if it is uncertain, as for most Western European
  /// languages.
  ///
  /// The declared language decides if the bytes are valid in its encoding. Without a language,
  /// scripts other than Latin, East Asian double-byte encodings and languages with unusual letters
  /// can be detected.
  func guess(language: String?) -> TextEncoding? {
    if let language, let encoding = encoding(ofLanguage: language) { return encoding }
    if let encoding = script ?? cyrillic ?? eastAsian(language: language) { return encoding }
    switch language ?? "" {
    case "", "en": return LatinText(bytes).encoding(despiteClaim: false, language: nil)
    default: return nil
    }
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
        if length == 2 { asUTF8.shortSequences += 1 } else { asUTF8.longSequences += 1 }
        if !isWestern(bytes[index]) { asUTF8.foreignSequences += 1 }
        if length == 2, isChance(at: index) { asUTF8.chanceSequences += 1 }
      // An incomplete character at the end of the sample is ignored.
      case .cut: break
      case .invalid(let length):
        if isTorn(at: index, length: length) {
          asUTF8.tornSequences += 1
        } else {
          asUTF8.strayBytes += length
        }
      }
      index += sequence.length
    }
  }

  /// Whether a truncated sequence is punctuation or an emoji.
  private func isTorn(at index: Int, length: Int) -> Bool {
    guard length >= 2 else { return false }
    switch (bytes[index], bytes[index + 1]) {
    case (0xE2, 0x80...0x82), (0xEF, 0xBF), (0xF0, 0x9F): return true
    default: return false
    }
  }

  /// Whether the lead byte is that of a Western European letter, an accent, punctuation or a sign.
  private func isWestern(_ lead: UInt8) -> Bool {
    switch lead {
    case 0xC2, 0xC3, 0xC5, 0xCC, 0xCD, 0xE2, 0xEF, 0xF0: true
    default: false
    }
  }

  /// Whether a sequence may be a capital or ß with a sign in windows-1252.
  private func isChance(at index: Int) -> Bool {
    // The byte before the sample is unknown.
    guard index == 0 || bytes[index - 1].isASCIILetter,
      index + 2 >= bytes.count || bytes[index + 2] < 0x80
    else { return false }
    // Polish and Romanian letters have these lead bytes, and occur in words.
    return !isWestern(bytes[index]) && bytes[index] != 0xC4 && bytes[index] != 0xC8
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

  /// Whether the bytes from 0x80 form words, as in scripts other than Latin.
  private var isInRows: Bool { highBytes >= 8 && highBytesInRows * 10 >= highBytes * 6 }

  private var variety: Int { counts[0x80...].count { $0 > 0 } }

  private var cyrillic: TextEncoding? {
    guard isInRows else { return nil }
    guard let encoding = Self.cyrillicLetters.first(where: { share(of: $0.1) >= 42 })?.0 else {
      return nil
    }
    if encoding == .named("windows-1251"), isMacCyrillic { return .named("x-mac-cyrillic") }
    // The byte of і in KOI8-U is a box-drawing character in KOI8-R.
    return encoding == .named("KOI8-R") && counts[0xA6] > 0 ? .named("KOI8-U") : encoding
  }

  /// The letters о е а и н т с and the Ukrainian і.
  private static let cyrillicLetters: [(TextEncoding, [Int])] = [
    (.named("windows-1251"), [0xEE, 0xE5, 0xE0, 0xE8, 0xED, 0xF2, 0xF1, 0xB3]),
    (.named("windows-1251"), [0xE0, 0xB3, 0xED, 0xE5, 0xF2, 0xF1, 0xFB, 0xF0]),
    (.named("KOI8-R"), [0xCF, 0xC5, 0xC1, 0xC9, 0xCE, 0xD4, 0xD3, 0xA6]),
    (.named("ISO-8859-5"), [0xDE, 0xD5, 0xD0, 0xD8, 0xDD, 0xE2, 0xE1, 0xF6]),
    (.named("IBM866"), [0xAE, 0xA5, 0xA0, 0xA8, 0xAD, 0xE2, 0xE1]),
    (.named("CP855"), [0xD6, 0xA8, 0xA0, 0xB7, 0xD4, 0xE5, 0xE3]),
  ]

  /// Macintosh Cyrillic has the small letters of windows-1251, except я at 0xDF: a capital there,
  /// which does not occur after small letters. 0xFF is no letter.
  private var isMacCyrillic: Bool {
    guard counts[0xDF] >= 2, counts[0xFF] == 0 else { return false }
    var inWords = 0
    for index in 1..<max(1, bytes.count) where bytes[index] == 0xDF && bytes[index - 1] >= 0xE0 {
      inWords += 1
    }
    return inWords >= 2 && inWords * 2 >= counts[0xDF]
  }

  /// Percentage among the bytes from 0x80.
  private func share(of bytes: [Int]) -> Int {
    bytes.reduce(0) { $0 + counts[$1] } * 100 / max(1, highBytes)
  }

  private func share(of bytes: Set<UInt8>) -> Int { share(of: bytes.map(Int.init)) }

  /// Encoding of a script other than Latin and Cyrillic, if nearly all bytes from 0x80 are its
  /// letters, and the frequent ones have their usual share.
  private var script: TextEncoding? {
    guard isInRows, highBytes >= 12, variety >= 6 else { return nil }
    var best: (script: Script, surplus: Int)?
    for script in Script.all {
      let surplus = share(of: script.frequent) - script.usualShare
      guard surplus >= -13, share(of: script.letters) >= 92, surplus > best?.surplus ?? Int.min,
        script.encoding != .named("windows-874") || isThai,
        // The capitals of KOI8-R have the codes of small Greek letters, except those with an accent.
        script.encoding != .named("windows-1253") || count(0xDC...0xDF) * 40 >= highBytes
      else { continue }
      best = (script, surplus)
    }
    guard let script = best?.script else { return nil }
    return script.encoding == .named("windows-1253") ? greek : script.encoding
  }

  /// ISO-8859-7 has Ά at the code of ¶ in windows-1253, and no quotation marks below 0xA0.
  private var greek: TextEncoding {
    guard counts[0xB6] > 0, count(0x80...0x9F) == 0 else { return .named("windows-1253") }
    let capitals = bytes.indices.dropLast().count { bytes[$0] == 0xB6 && bytes[$0 + 1] >= 0xC0 }
    return .named(capitals * 2 > counts[0xB6] ? "ISO-8859-7" : "windows-1253")
  }

  /// Whether vowel signs and tone marks follow consonants, as in Thai alone.
  private var isThai: Bool {
    var marks = 0
    var lost = 0
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case 0xD1, 0xD4...0xDA, 0xE7...0xEE:
        marks += 1
        guard index > 0 else { continue }
        switch bytes[index - 1] {
        case 0xA1...0xCE, 0xD1, 0xD4...0xD9, 0xE7...0xEC: break
        default: lost += 1
        }
      default: break
      }
    }
    return marks >= 2 && lost * 20 <= marks
  }

  private func eastAsian(language: String?) -> TextEncoding? {
    guard let families = families(language) else { return nil }
    let best = bestText(of: families)
    guard let best, best.characters >= 4, best.isInRows, best.average >= 100, best.frequent > 0
    else {
      return nil
    }
    return best.family.encoding
  }

  /// All families without a declared language, and for English, which software declares by default.
  private func families(_ language: String?) -> [DoubleByteFamily]? {
    guard let language, !language.isEmpty, language != "en" else {
      return DoubleByteFamily.allCases
    }
    let families = DoubleByteFamily.ofLanguage(language)
    return families.isEmpty ? nil : families
  }

  private func bestText(of families: [DoubleByteFamily]) -> DoubleByteText? {
    families.map(text(as:)).filter(\.isPossible).max { $0.average < $1.average }
  }

  private func plainFamily(
    despite declared: TextEncoding, language: String?
  ) -> DoubleByteFamily? {
    guard let families = families(language), let best = bestText(of: families), best.isPlain else {
      return nil
    }
    guard let family = declared.doubleByteFamily else { return best.family }
    guard family != best.family else { return nil }
    let claimed = text(as: family)
    return !claimed.isPossible || claimed.average + 60 <= best.average ? best.family : nil
  }

  private func plainCyrillic(despite declared: TextEncoding, language: String?) -> TextEncoding? {
    switch language ?? "" {
    case "", "en", "ru", "uk", "bg", "be", "mk", "sr": break
    default: return nil
    }
    guard highBytes >= 40, variety >= 12, highBytesInRows * 10 >= highBytes * 8 else { return nil }
    if declared.isWestern { return cyrillic }
    if let family = declared.doubleByteFamily {
      return text(as: family).isPossible ? nil : cyrillic
    }
    guard let claimed = Self.cyrillicLetters.first(where: { $0.0 == declared }) else { return nil }
    return share(of: claimed.1) < 20 ? cyrillic : nil
  }

  private func encoding(ofLanguage language: String) -> TextEncoding? {
    switch language {
    case "ru", "bg", "be", "mk", "sr": return cyrillicOfLanguage(koi8: "KOI8-R")
    case "uk": return cyrillicOfLanguage(koi8: "KOI8-U")
    case "ja", "zh", "ko":
      // Western letters beside ASCII form pairs as well, but rare ones without sequences.
      let best = bestText(of: DoubleByteFamily.ofLanguage(language))
      guard let best, best.isInRows || best.average >= 100 else { return nil }
      return best.family.encoding
    case "pl", "cs", "sk", "hu", "hr", "sl", "ro", "bs": return centralEuropean(language)
    case "el": return greek
    case "tr", "az": return .named("windows-1254")
    case "he", "iw": return isInRows ? .named("windows-1255") : nil
    case "ar", "fa", "ur":
      guard isInRows else { return nil }
      return script == .named("ISO-8859-6") ? script : .named("windows-1256")
    case "lt", "lv": return .named("windows-1257")
    // The letters õ ä ö ü have the codes of windows-1252, š and ž have not.
    case "et":
      let isBaltic = [0xD0, 0xDE, 0xF0, 0xFE].contains { counts[$0] > 0 }
      return isBaltic ? .named("windows-1257") : .windows1252
    case "vi": return .named("windows-1258")
    case "th": return isInRows ? .named("windows-874") : nil
    default: return nil
    }
  }

  /// Compares frequent letters of both cases, for a text whose small letters do not decide.
  private func cyrillicOfLanguage(koi8: String) -> TextEncoding? {
    guard highBytesInRows > 0 else { return nil }
    if let cyrillic { return cyrillic == .named("KOI8-R") ? .named(koi8) : cyrillic }
    // In both encodings, a capital and its small letter differ in one bit.
    func common(_ letters: [Int]) -> Int {
      letters.reduce(0) { $0 + counts[$1] + counts[$1 ^ 0x20] }
    }
    let koi = common([0xCF, 0xC5, 0xC1, 0xC9, 0xCE, 0xD4, 0xD3])
    let windows = common([0xEE, 0xE5, 0xE0, 0xE8, 0xED, 0xF2, 0xF1])
    return koi > windows ? .named(koi8) : .named("windows-1251")
  }

  /// Windows-1250 or ISO-8859-2, which has no letters and quotation marks from 0x80 to 0x9F.
  private func centralEuropean(_ language: String) -> TextEncoding {
    if count(0x80...0x9F) > 0 { return .named("windows-1250") }
    let telling = language == "pl" ? [0xA1, 0xB1, 0xB6, 0xA6] : [0xA9, 0xB9, 0xAE, 0xAB, 0xBB]
    let isLatin2 = telling.contains { counts[$0] > 0 }
    return .named(isLatin2 ? "ISO-8859-2" : "windows-1250")
  }

  // MARK: Double bytes

  private func text(as family: DoubleByteFamily) -> DoubleByteText {
    DoubleByteText(bytes, as: family, isCut: isCut)
  }
}
