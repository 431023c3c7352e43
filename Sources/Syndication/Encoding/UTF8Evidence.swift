internal import Text

/// What samples of a document are, read as UTF-8.
struct UTF8Evidence {
  /// Well-formed sequences of two bytes, and of three or four.
  var shortSequences = 0
  var longSequences = 0
  /// Those that the languages of Western Europe have no use for.
  var foreignSequences = 0
  /// Those of two bytes that may as well be a letter and a sign of windows-1252 at the end of a word, as
  /// in “CAFÉ®”: foreign, alone, and behind an ASCII letter.
  var chanceSequences = 0
  /// The beginnings of those that a program cut, where nothing else looks so.
  var tornSequences = 0
  /// Other bytes that are in no well-formed sequence.
  var strayBytes = 0

  /// All well-formed ones.
  var sequences: Int { shortSequences + longSequences }
  /// What tells for UTF-8. Text in old encodings has the pattern of two bytes now and then, hardly ever
  /// that of three.
  var weight: Int { 2 * (shortSequences - chanceSequences) + 4 * longSequences + tornSequences }

  static func + (one: UTF8Evidence, other: UTF8Evidence) -> UTF8Evidence {
    UTF8Evidence(
      shortSequences: one.shortSequences + other.shortSequences,
      longSequences: one.longSequences + other.longSequences,
      foreignSequences: one.foreignSequences + other.foreignSequences,
      chanceSequences: one.chanceSequences + other.chanceSequences,
      tornSequences: one.tornSequences + other.tornSequences,
      strayBytes: one.strayBytes + other.strayBytes)
  }

  /// Whether this is in a language that windows-1252 is made for, as far as the letters and the
  /// language that is claimed tell.
  func isWestern(language: String?) -> Bool {
    foreignSequences * 8 <= sequences && !(language.map(otherLatinLanguages.contains) ?? false)
  }

  /// Whether this is UTF-8, perhaps damaged, where it is claimed.
  ///
  /// - Parameter guess: what it looks like otherwise; windows-1252 and nil say nothing.
  func isUTF8(unless guess: @autoclosure () -> TextEncoding?) -> Bool {
    if weight >= 4 * strayBytes { return true }
    return weight >= strayBytes && guess() ?? .windows1252 == .windows1252
  }

  /// Whether this is UTF-8, as hardly any text in another encoding is.
  var isPlain: Bool { strayBytes == 0 && weight >= 4 }

  /// Whether this is UTF-8 although `declared` is claimed. German „Spaß“ in windows-1252 holds two
  /// bytes that are UTF-8, and text in Chinese or Thai encodings holds some by chance.
  func isUTF8(despite declared: TextEncoding) -> Bool {
    if declared.doubleByteFamily != nil || declared == .named("windows-874") {
      return (longSequences >= 1 || shortSequences >= 3) && sequences >= strayBytes * 16
    }
    let sequences = sequences - chanceSequences
    return sequences >= 1 && sequences >= strayBytes * 4
  }

  /// Whether there is so much that tells for this encoding that what is to come cannot change the
  /// picture, or so much of all that looking on is not worth the time.
  func isEnough(for encoding: TextEncoding) -> Bool {
    if sequences + tornSequences + strayBytes >= 1024 { return true }
    return encoding == .utf8 ? weight >= max(16, 4 * strayBytes) : strayBytes >= 32
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

/// Those written in Latin letters that other code pages of Windows are made for.
private let otherLatinLanguages: Set<String> = [
  "pl", "cs", "sk", "hu", "hr", "sl", "ro", "bs", "sq", "tr", "az", "lt", "lv", "et", "vi",
]
