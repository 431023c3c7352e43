internal import Foundation
internal import GRDB

/// Text for the search index.
///
/// Chinese, Japanese, Thai and others have no spaces between words, and Korean joins particles to
/// them. A stretch of such letters is indexed as its pairs and its last letter: `日本語` is `日本 本語 語`.
/// One letter is found as the beginning of a pair, longer parts as consecutive pairs. A letter
/// includes its marks.
enum SearchText {
  /// A text with the pairs of its stretches in their place.
  static func indexed(_ text: String) -> String {
    var text = text
    let tokens = text.withUTF8 { bytes in tokenized(bytes) { _, _ in .asToken } }
    return tokens.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// A phrase of FTS5, with `*` where its last token may be a beginning.
  ///
  /// - Parameter isPrefix: whether the last word may be the beginning of one.
  static func phrase(_ words: String, isPrefix: Bool) -> String {
    var (words, isBeginning) = (words, isPrefix)
    let tokens = words.withUTF8 { bytes in
      tokenized(bytes) { end, isAlone in
        let rest = String(decoding: bytes[end...], as: UTF8.self)
        // The end of a stretch before other words is one in the text.
        guard !rest.unicodeScalars.contains(where: isOfWord) else { return .asToken }
        isBeginning = isAlone
        return isAlone ? .asEnd : .inPair
      }
    }
    let text = tokens.map { String(decoding: $0, as: UTF8.self) } ?? words
    return "\"\(text)\"" + (isBeginning ? " *" : "")
  }

  /// Where the last letter of a stretch goes.
  private enum LastLetter {
    case asToken
    /// Into a token that ends all.
    case asEnd
    /// Into its pair alone, which ends all.
    case inPair
  }

  /// UTF-8 with the pairs of each stretch in its place; nil where there is none.
  ///
  /// - Parameter lastLetter: for a stretch that ends before a byte, and whether it is one letter.
  private static func tokenized(
    _ bytes: UnsafeBufferPointer<UInt8>, lastLetter: (_ end: Int, _ isAlone: Bool) -> LastLetter
  ) -> [UInt8]? {
    let space = UInt8(ascii: " ")
    var tokens: [UInt8] = []
    var (place, copied) = (0, 0)
    while place < bytes.count {
      // Few letters of other scripts begin with such a byte, and no typographic signs (U+2000 to U+2FFF).
      guard bytes[place] >= 0xE0, bytes[place] != 0xE2, var end = endOfLetter(at: place, in: bytes)
      else {
        place += 1
        continue
      }
      if tokens.isEmpty { tokens.reserveCapacity(bytes.count * 2) }
      tokens += bytes[copied..<place]
      tokens.append(space)
      var isAlone = true
      while let next = endOfLetter(at: end, in: bytes) {
        tokens += bytes[place..<next]
        tokens.append(space)
        (place, end, isAlone) = (end, next, false)
      }
      let last = lastLetter(end, isAlone)
      if last != .inPair {
        tokens += bytes[place..<end]
        tokens.append(space)
      }
      guard last == .asToken else { return tokens }
      (place, copied) = (end, end)
    }
    guard copied > 0 else { return nil }
    return tokens + bytes[copied...]
  }

  // MARK: Letters

  /// The end of a letter of a stretch with its marks; nil where there is none.
  private static func endOfLetter(
    at place: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard place < bytes.count, bytes[place] >= 0xE0 else { return nil }
    let first = scalar(at: place, in: bytes)
    guard isUnspaced(first.scalar) else { return nil }
    var end = first.end
    while end < bytes.count, bytes[end] >= 0xCC {
      let next = scalar(at: end, in: bytes)
      guard isMark(next.scalar) else { break }
      end = next.end
    }
    return end
  }

  /// The scalar that begins at a byte of valid UTF-8 that is not ASCII.
  private static func scalar(
    at place: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (scalar: Unicode.Scalar, end: Int) {
    let length = bytes[place] < 0xE0 ? 2 : bytes[place] < 0xF0 ? 3 : 4
    var value = UInt32(bytes[place]) & (0xFF >> UInt32(length + 1))
    for byte in bytes[place + 1..<place + length] { value = value << 6 | UInt32(byte & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", place + length)
  }

  /// Letters that are written without spaces between words, and those of Korean.
  static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0xE01: false
    // Thai, Lao
    case 0xE01...0xE3A, 0xE40...0xE4E, 0xE81...0xECF, 0xEDC...0xEDF: true
    // Burmese, Khmer, but for their digits
    case 0x1000...0x103F, 0x1050...0x108F, 0x109A...0x109F, 0x1780...0x17D3: true
    // Iteration marks, hiragana, katakana, bopomofo
    case 0x3005...0x3007, 0x3041...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x3105...0x312F,
      0x31A0...0x31BF, 0x31F0...0x31FF, 0xFF66...0xFF9F:
      true
    // Ideographs
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    // Hangul
    case 0xAC00...0xD7A3: true
    default: false
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    // Most follow a letter: ideographs and Hangul have no marks among them.
    guard !(0x3400...0x9FFF).contains(scalar.value), !(0xAC00...0xD7A3).contains(scalar.value)
    else {
      return false
    }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// Whether a tokenizer takes it for a part of a word.
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}

extension DatabaseFunction {
  /// `articleText(content, summary)`: the searchable text of a stored body.
  static let articleText = DatabaseFunction("articleText", argumentCount: 2, pure: true) { values in
    let content = BodyCodec.decode(Data.fromDatabaseValue(values[0]))
    let summary = BodyCodec.decode(Data.fromDatabaseValue(values[1]))
    return ArticleText.make(content: content, summary: summary)
  }

  /// `wholeText(content, summary, page)`: the same with that of the article's page, where there is one.
  static let wholeText = DatabaseFunction("wholeText", argumentCount: 3, pure: true) { values in
    func text(_ index: Int) -> String? { BodyCodec.decode(Data.fromDatabaseValue(values[index])) }
    return ArticleText.make(content: text(0), summary: text(1), page: text(2))
  }

  /// `indexedText(text)`: a text as the search index takes it. Empty for null.
  static let indexedText = DatabaseFunction("indexedText", argumentCount: 1, pure: true) { values in
    SearchText.indexed(String.fromDatabaseValue(values[0]) ?? "")
  }
}
