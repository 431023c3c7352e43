internal import Text

enum DateToken: Equatable {
  /// Number in the digits of any script. The value is −1 if there are more than 15 digits.
  case number(Int, digits: Int)
  /// Word in lower case and without accents. Each ideograph is a word of its own.
  case word(String, isUppercase: Bool)
  /// Punctuation mark as its ASCII counterpart; 0 for a mark without meaning in dates.
  case mark(UInt8)
}

struct DateTokens {
  private(set) var tokens: [DateToken] = []
  /// For each token, whether it follows the previous one without white space.
  private(set) var isAttached: [Bool] = []

  init(_ bytes: ByteBuffer) {
    var letters = ""
    var isUppercase = true
    var number = (value: 0, digits: 0)
    var hasSpace = true

    func append(_ token: DateToken) {
      tokens.append(token)
      isAttached.append(!hasSpace)
      hasSpace = false
    }
    func endWord() {
      if letters.isEmpty { return }
      append(.word(letters, isUppercase: isUppercase))
      letters = ""
      isUppercase = true
    }
    func endNumber() {
      if number.digits == 0 { return }
      append(.number(number.digits > 15 ? -1 : number.value, digits: number.digits))
      number = (0, 0)
    }

    for scalar in bytes.string(0..<bytes.count).unicodeScalars {
      switch FoldedScalar(scalar) {
      case .nothing: continue
      case .digit(let digit):
        endWord()
        if number.digits < 15 { number.value = number.value * 10 + digit }
        number.digits += 1
      case .letter(let letter, let isUpper):
        endNumber()
        letters.unicodeScalars.append(letter)
        isUppercase = isUppercase && isUpper
      case .ideograph(let ideograph):
        endNumber()
        endWord()
        append(.word(String(ideograph), isUppercase: false))
      case .mark(let mark):
        endNumber()
        endWord()
        append(.mark(mark))
      case .space:
        endNumber()
        endWord()
        hasSpace = true
      }
    }
    endNumber()
    endWord()
  }
}

/// Class of a character in a date, independent of its script and typography.
enum FoldedScalar {
  case digit(Int)
  case letter(Unicode.Scalar, isUpper: Bool)
  case ideograph(Unicode.Scalar)
  case mark(UInt8)
  case space
  case nothing

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x30...0x39: self = .digit(Int(scalar.value) - 0x30)
    case 0x61...0x7A: self = .letter(scalar, isUpper: false)
    case 0x41...0x5A: self = .letter(Unicode.Scalar(UInt8(scalar.value) | 0x20), isUpper: true)
    // An underscore separates words, as in `New_York`.
    case 0x00...0x20, 0x5F, 0x7F: self = .space
    case 0x27, 0x60: self = .nothing
    case 0x2B, 0x2D, 0x2E, 0x2F, 0x3A, 0x2C: self = .mark(UInt8(scalar.value))
    case 0x21...0x7E: self = .mark(0)
    case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: self = .space
    // Directional marks, joiners, apostrophes, ordinal indicators, accents and vowel signs.
    case 0xAA, 0xBA, 0xB4, 0xAD, 0x200B...0x200F, 0x2018, 0x2019, 0x202A...0x202E, 0x2060...0x2069,
      0xFEFF, 0x02BC, 0x0300...0x036F, 0x0591...0x05C7, 0x0640, 0x064B...0x065F:
      self = .nothing
    case 0x2010...0x2015, 0x2212, 0xFE63, 0xFF0D: self = .mark(0x2D)
    case 0xFF0B: self = .mark(0x2B)
    case 0xFF1A, 0x2236: self = .mark(0x3A)
    case 0xFF0F: self = .mark(0x2F)
    case 0xFF0E, 0x3002, 0x066B: self = .mark(0x2E)
    case 0xFF0C, 0x3001, 0x060C: self = .mark(0x2C)
    case 0x4E00...0x9FFF: self = .ideograph(scalar)
    default: self.init(rare: scalar)
    }
  }

  private init(rare scalar: Unicode.Scalar) {
    if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
      self = .digit(Int(value))
    } else if let letter = foldedLetters[scalar] {
      self = .letter(letter, isUpper: scalar.properties.isUppercase)
    } else if scalar.properties.isAlphabetic {
      let lower = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
      self = .letter(
        foldedLetters[lower] ?? lower, isUpper: scalar.properties.isUppercase)
    } else if scalar.properties.isWhitespace {
      self = .space
    } else {
      self = .mark(0)
    }
  }
}

/// Plain letters by the accented letters that are folded to them.
private let foldedLetters: [Unicode.Scalar: Unicode.Scalar] = {
  let rows: [(Unicode.Scalar, String)] = [
    ("a", "áàâäãåāăą"), ("c", "çćčĉ"), ("d", "ďđð"), ("e", "éèêëēęěė"), ("g", "ğģ"),
    ("i", "íìîïīįıİ"), ("l", "łľļĺ"), ("n", "ñńňņ"), ("o", "óòôöõøōőơ"), ("r", "řŕ"),
    ("s", "śšşșŝ"), ("t", "ťţț"), ("u", "úùûüūůűųưũ"), ("y", "ýÿ"), ("z", "źżž"),
    ("α", "ά"), ("ε", "έ"), ("η", "ή"), ("ι", "ίϊΐ"), ("ο", "ό"), ("υ", "ύϋΰ"), ("ω", "ώ"),
    ("σ", "ς"), ("е", "ё"), ("ا", "أإآٱ"), ("ي", "یى"), ("ك", "ک"), ("ه", "ة"),
  ]
  var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
  for (plain, accented) in rows {
    for letter in accented.unicodeScalars { letters[letter] = plain }
  }
  return letters
}()
