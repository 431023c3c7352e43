internal import Text

/// Statistics of text in Latin script: bytes in words, and frequent words of each language.
struct LatinText {
  /// Occurrences of non-ASCII bytes beside letters; of signs in windows-1252, between letters.
  private var counts = [Int](repeating: 0, count: 256)
  /// Occurrences with signs at the borders of words.
  private var looseCounts = [Int](repeating: 0, count: 256)
  private var words: [[UInt8]: Int] = [:]

  init(_ bytes: ByteBuffer) {
    var word: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "<"), !bytes.hasWord("<![", at: index) {
        // Names of elements and attributes are not text.
        note(word)
        word = []
        index = bytes.firstIndex(of: UInt8(ascii: ">"), in: index..<bytes.count) ?? bytes.count
        continue
      }
      if byte.isASCIILetter || byte >= 0x80 && !byte.isMark {
        word.append(byte.isASCIILetter ? byte | 0x20 : byte)
      } else {
        note(word)
        word = []
      }
      if byte >= 0x80 {
        let before = index > 0 && bytes[index - 1].isLetter
        let after = index + 1 < bytes.count && bytes[index + 1].isLetter
        if before || after, !byte.isMark {
          looseCounts[Int(byte)] += 1
          if byte.isLetter || before && after { counts[Int(byte)] += 1 }
        }
      }
      index += 1
    }
    note(word)
  }

  /// The encoding of Central Europe, the Baltic or Turkey; nil if windows-1252 may cover the
  /// language.
  ///
  /// No Western language may have all of the letters, one of the others must, and the words must
  /// belong to it. A single letter with another code in windows-1252 is a name.
  ///
  /// - Parameters:
  ///   - isClaimed: whether another encoding is declared, which demands stronger evidence.
  ///   - language: required language; nil for any.
  func encoding(despiteClaim isClaimed: Bool, language: String?) -> TextEncoding? {
    let best = LatinLanguage.others.filter { language == nil || $0.code == language }
      .map { (reading: Reading($0, of: self), encoding: $0.encoding) }
      .max { $0.reading < $1.reading }
    guard let best else { return nil }
    let reading = best.reading
    // The only alternative is windows-1252, or the document declares the language.
    let isLikely = !isClaimed || language != nil
    guard reading.fit >= (isLikely ? 90 : 94), reading.telling >= (isLikely ? 3 : 6) else {
      return nil
    }
    let others = LatinLanguage.western.map { (language: $0, fit: fit($0, counts)) }
    let otherFit = others.map(\.fit).max() ?? 0
    // Words of a language with other letters are names. English has the letters of all languages.
    let otherHits = others.lazy.filter { $0.fit >= 60 }.map { hits($0.language).all }
      .reduce(hits(.english).all, max)
    if language != nil {
      return otherFit <= 75 || reading.hits >= 1 && reading.hits >= 4 * otherHits
        ? best.encoding : nil
    }
    let needed = isLikely ? 1 : 2
    // A language may have a single letter with another code, as č in Slovene.
    let isInWords =
      reading.words >= (reading.kinds >= 2 ? 1 + needed : 4) && reading.hits >= 2 + needed
    if isInWords, reading.hits >= (otherFit <= 75 ? 2 : 4) * otherHits { return best.encoding }
    guard otherFit <= 75, reading.kinds >= needed + 1 else { return nil }
    if reading.hits >= 1, reading.hits >= 2 * otherHits { return best.encoding }
    guard otherHits == 0, reading.kinds >= needed + 2 else { return nil }
    return reading.signKinds >= 2 && reading.signs >= 2 * needed
      || reading.telling >= 4 * needed && reading.fit >= 97 && otherFit <= 60
      ? best.encoding : nil
  }

  private struct Reading: Comparable {
    /// Percentages of bytes that are its letters, with and without signs at the borders of words.
    var looseFit: Int
    var fit: Int
    /// Frequent words, and distinct ones.
    var hits: Int
    var words: Int
    /// Letters with another code in windows-1252, and those that are signs there.
    var telling: Int
    var signs: Int
    /// Distinct letters, regardless of case.
    var kinds: Int
    var signKinds: Int

    init(_ language: LatinLanguage, of text: LatinText) {
      looseFit = text.fit(language, text.looseCounts)
      fit = text.fit(language, text.counts)
      (hits, words) = text.hits(language)
      (telling, kinds) = text.count(language.tellingLetters)
      (signs, signKinds) = text.count(language.letters.filter { !$0.isLetter })
    }

    static func < (one: Reading, other: Reading) -> Bool {
      // Small differences come from foreign names.
      (one.looseFit / 4, one.hits, one.looseFit, one.telling)
        < (other.looseFit / 4, other.hits, other.looseFit, other.telling)
    }
  }

  private mutating func note(_ word: [UInt8]) {
    if (2...8).contains(word.count) { words[word, default: 0] += 1 }
  }

  private func count(_ bytes: Set<UInt8>) -> (all: Int, kinds: Int) {
    bytes.reduce(into: (0, 0)) { sum, byte in
      sum.0 += counts[Int(byte)]
      if counts[Int(byte)] > 0 { sum.1 += 1 }
    }
  }

  private func fit(_ language: LatinLanguage, _ counts: [Int]) -> Int {
    let known = language.letters.reduce(0) { $0 + counts[Int($1)] }
    return known * 100 / max(1, counts.reduce(0, +))
  }

  private func hits(_ language: LatinLanguage) -> (all: Int, kinds: Int) {
    language.words.reduce(into: (0, 0)) { sum, word in
      guard let count = words[word] else { return }
      sum.0 += count
      sum.1 += 1
    }
  }
}

extension UInt8 {
  /// Includes the bytes that windows-1252 leaves undefined (0x8D, 0x8F, 0x9D).
  fileprivate var isLetter: Bool {
    switch self {
    case 0xC0...0xFF: self != 0xD7 && self != 0xF7
    case 0x8A, 0x8C...0x8F, 0x9A, 0x9C...0x9F: true
    default: isASCIILetter
    }
  }

  /// Punctuation, accents and spaces in all Latin encodings, and signs between letters of Western
  /// text: “l´eau”, “col·lega”, “n°x”, a soft hyphen.
  fileprivate var isMark: Bool {
    switch self {
    case 0x80...0x9F: !isLetter
    case 0xA0, 0xA2, 0xA4, 0xA7, 0xA8, 0xAD, 0xB0, 0xB2, 0xB4, 0xB7, 0xB8: true
    default: false
    }
  }
}
