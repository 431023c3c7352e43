internal import Text

/// Properties of samples of a document decoded as UTF-8.
struct UTF8Evidence {
  /// Well-formed sequences of two bytes, and of three or four.
  var shortSequences = 0
  var longSequences = 0
  /// Sequences that do not occur in Western European languages.
  var foreignSequences = 0
  /// Two-byte sequences that may be windows-1252 at the end of a word, as in “CAFÉ®”.
  var chanceSequences = 0
  /// Truncated sequences that cannot be other text.
  var tornSequences = 0
  var strayBytes = 0

  var sequences: Int { shortSequences + longSequences }
  /// Score. Legacy encodings rarely contain valid sequences of three bytes.
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

  func isWestern(language: String?) -> Bool {
    foreignSequences * 8 <= sequences && !(language.map(otherLatinLanguages.contains) ?? false)
  }

  /// Whether the text is UTF-8, possibly damaged, if that is declared.
  ///
  /// - Parameter guess: encoding that the bytes suggest; windows-1252 and nil are no evidence.
  func isUTF8(unless guess: @autoclosure () -> TextEncoding?) -> Bool {
    if weight >= 4 * strayBytes { return true }
    return weight >= strayBytes && guess() ?? .windows1252 == .windows1252
  }

  /// Near certainty without a declaration.
  var isPlain: Bool { strayBytes == 0 && weight >= 4 }

  /// Whether the text is UTF-8 in spite of `declared`. The German „Spaß“ in windows-1252 may
  /// contain two bytes of valid UTF-8, and so may Chinese and Thai text.
  func isUTF8(despite declared: TextEncoding) -> Bool {
    if declared.doubleByteFamily != nil || declared == .named("windows-874") {
      return (longSequences >= 1 || shortSequences >= 3) && sequences >= strayBytes * 16
    }
    let sequences = sequences - chanceSequences
    return sequences >= 1 && sequences >= strayBytes * 4
  }

  /// Whether more samples cannot change the result, or are not worth the time.
  func isEnough(for encoding: TextEncoding) -> Bool {
    if sequences + tornSequences + strayBytes >= 1024 { return true }
    return encoding == .utf8 ? weight >= max(16, 4 * strayBytes) : strayBytes >= 32
  }
}

/// Result of decoding at the beginning of a UTF-8 sequence (RFC 3629 §4).
enum UTF8Sequence {
  case whole(Int)
  /// Truncated by the end of the bytes, well-formed so far; with its length.
  case cut(Int)
  /// With the length of its maximal subpart (Unicode §3.9, D93b), which becomes one U+FFFD.
  case invalid(Int)

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

/// Languages in Latin script that other code pages of Windows cover.
private let otherLatinLanguages: Set<String> = [
  "pl", "cs", "sk", "hu", "hr", "sl", "ro", "bs", "sq", "tr", "az", "lt", "lv", "et", "vi",
]
