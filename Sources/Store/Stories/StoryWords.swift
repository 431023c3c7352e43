/// The words of a text in the form in which those of two articles are compared: without case, endings and
/// punctuation. Where words are not parted by spaces, each pair of letters is one.
struct StoryWords: Sequence, IteratorProtocol {
  struct Word: Hashable {
    /// Of its first letters.
    var hash: UInt32
    var isNumber = false
    /// Whether it begins with a capital letter.
    var isCapital = false
    /// Whether it begins a sentence, so that a capital letter says nothing.
    var isFirst = false
    /// Whether its writing has no capital letters.
    var isUncased = false
    /// Whether it says little: an article, a preposition, a day of the week.
    var isCommon = false
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var isAtStart = true
  /// The letter before, of a text without spaces.
  private var before: Unicode.Scalar?

  /// Letters that words are compared by: endings differ.
  private static let stem = 6

  /// - Parameter limit: scalars that are looked at.
  init(_ text: some StringProtocol, limit: Int) {
    // In one pass: `prefix` makes three of it.
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(Swift.min(limit, text.utf8.count))
    for scalar in text.unicodeScalars {
      guard scalars.count < limit else { break }
      scalars.append(scalar)
    }
    self.scalars = scalars
  }

  mutating func next() -> Word? {
    while index < scalars.count {
      let scalar = scalars[index]
      if Self.isDigit(scalar) { return number() }
      if Self.isUnspaced(scalar) {
        index += 1
        isAtStart = false
        guard let first = before else {
          before = scalar
          continue
        }
        before = scalar
        var hash = Self.seed
        Self.mix(&hash, first)
        Self.mix(&hash, scalar)
        // Pairs of hiragana are endings and particles.
        let isHiragana = { (0x3040...0x309F).contains($0 as UInt32) }
        let isCommon = isHiragana(first.value) || isHiragana(scalar.value)
        return Word(hash: hash, isUncased: true, isCommon: isCommon)
      }
      before = nil
      if Self.isLetter(scalar) {
        if let word = word() { return word }
        continue
      }
      if Self.endsSentence(scalar) { isAtStart = true }
      index += 1
    }
    return nil
  }

  // MARK: Words

  private mutating func word() -> Word? {
    let start = index
    var letters: [Unicode.Scalar] = []
    var (capitals, length) = (0, 0)
    var isCapital = false
    while index < scalars.count {
      let scalar = scalars[index]
      if Self.isApostrophe(scalar), index + 1 < scalars.count,
        Self.isLetter(scalars[index + 1])
      {
        // `l'Europe`, `firm's`: the longer part is the word.
        if length > 2 {
          index += 1
          while index < scalars.count, Self.isLetter(scalars[index]) { index += 1 }
          break
        }
        (letters, length, capitals, isCapital) = ([], 0, 0, false)
        index += 1
        continue
      }
      guard Self.isLetter(scalar) || Self.isMark(scalar), !Self.isUnspaced(scalar) else {
        break
      }
      index += 1
      // Accents are left out by some, and are marks of their own for others.
      guard !Self.isMark(scalar) else { continue }
      if Self.isCapital(scalar) {
        capitals += 1
        if length == 0 { isCapital = true }
      }
      length += 1
      if scalar.isASCII {
        letters.append(Unicode.Scalar(UInt8(scalar.value) | 0x20))
        continue
      }
      for lower in scalar.properties.lowercaseMapping.unicodeScalars where !Self.isMark(lower) {
        letters.append(Self.withoutAccent(lower))
      }
    }
    let isFirst = isAtStart
    isAtStart = false
    guard index > start, !letters.isEmpty else { return nil }
    let hash = Self.hash(of: letters)
    let isShort = length < 3 && !(length == 2 && capitals == 2)
    return Word(
      hash: hash, isCapital: isCapital, isFirst: isFirst,
      isCommon: isShort || CommonWords.hashes.contains(hash))
  }

  /// The digest of a word in lower case.
  static func hash(of letters: some BidirectionalCollection<Unicode.Scalar>) -> UInt32 {
    var count = letters.count
    if (5...stem + 1).contains(count), letters.last == "s" { count -= 1 }
    var hash = seed
    for letter in letters.prefix(Swift.min(count, stem)) { mix(&hash, letter) }
    return hash
  }

  /// A number with what parts its digits: `140.0.1`, `3:2`, `2026-1111`. `1,200` is `1200`, and `6,2` is `6.2`.
  private mutating func number() -> Word {
    var parts: [[Unicode.Scalar]] = [[]]
    var marks: [Unicode.Scalar] = []
    while index < scalars.count {
      let scalar = scalars[index]
      if Self.isDigit(scalar) {
        parts[parts.count - 1].append(scalar)
      } else if let mark = Self.mark(in: scalar), index + 1 < scalars.count,
        Self.isDigit(scalars[index + 1])
      {
        marks.append(mark)
        parts.append([])
      } else {
        break
      }
      index += 1
    }
    isAtStart = false
    before = nil
    let groupsThousands =
      !marks.isEmpty && marks.allSatisfy { $0 == "." } && parts[0].count <= 3
      && parts.dropFirst().allSatisfy { $0.count == 3 }
    var hash = Self.seed
    Self.mix(&hash, "#")
    for (place, part) in parts.enumerated() {
      if place > 0, !groupsThousands { Self.mix(&hash, marks[place - 1]) }
      for digit in part { Self.mix(&hash, digit) }
    }
    return Word(hash: hash, isNumber: true)
  }

  private static func mark(in scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case ".", ",": "."
    case ":", "-", "–", "/": ":"
    default: nil
    }
  }

  // MARK: Letters

  // The tables of Unicode take most of the time, and most letters need none.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      : scalar.properties.isAlphabetic
  }

  private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? ("A"..."Z").contains(scalar) : scalar.properties.isUppercase
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "'" || scalar == "’"
  }

  private static func endsSentence(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "!", "?", ":", ";", "\n", "。", "！", "？", "«", "„", "“", "\"", "|", "–", "—": true
    default: false
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x36F).contains(scalar.value)
  }

  /// Letters of Chinese, Japanese, Thai, Lao, Burmese and Khmer.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0xE01: false
    case 0xE01...0xEDF, 0x1000...0x109F, 0x1780...0x17D3, 0x3005...0x3007, 0x3041...0x30FF,
      0x3105...0x312F, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// The base of the letters of Latin-1 and Latin Extended-A.
  private static func withoutAccent(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xE0...0x17E).contains(scalar.value) else { return scalar }
    return bases[Int(scalar.value - 0xE0)]
  }

  private static let bases: [Unicode.Scalar] = Array(
    ("aaaaaaaceeeeiiiidnooooo÷ouuuuypyaaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkk"
      + "klllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz").unicodeScalars)

  // MARK: Digests

  private static let seed: UInt32 = 0x811C_9DC5

  /// FNV-1a.
  private static func mix(_ hash: inout UInt32, _ scalar: Unicode.Scalar) {
    var value = scalar.value
    repeat {
      hash = (hash ^ (value & 0xFF)) &* 0x0100_0193
      value >>= 8
    } while value > 0
  }
}
