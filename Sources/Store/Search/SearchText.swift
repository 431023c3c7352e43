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
    guard mayHaveStretches(text) else { return text }
    var tokens = String.UnicodeScalarView()
    for piece in pieces(of: text) {
      switch piece {
      case .stretch(let letters):
        append(pairsOf: letters, to: &tokens)
        append(letters.last, to: &tokens)
      case .other(let text): tokens += text
      }
    }
    return String(tokens)
  }

  /// A phrase of FTS5, with `*` where its last token may be a beginning.
  ///
  /// - Parameter isPrefix: whether the last word may be the beginning of one.
  static func phrase(_ words: String, isPrefix: Bool) -> String {
    guard mayHaveStretches(words) else { return "\"\(words)\"" + (isPrefix ? " *" : "") }
    var pieces = pieces(of: words)
    while case .other(let text) = pieces.last, !text.contains(where: isOfWord) {
      pieces.removeLast()
    }
    var tokens = String.UnicodeScalarView()
    var isBeginning = isPrefix
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .other(let text): tokens += text
      case .stretch(let letters) where index < pieces.count - 1:
        // The end of a stretch here is one in the text.
        append(pairsOf: letters, to: &tokens)
        append(letters.last, to: &tokens)
      case .stretch(let letters):
        append(pairsOf: letters, to: &tokens)
        isBeginning = letters.count == 1
        if isBeginning { append(letters.last, to: &tokens) }
      }
    }
    return "\"\(String(tokens))\"" + (isBeginning ? " *" : "")
  }

  // MARK: Pieces

  private enum Piece {
    case stretch([Substring.UnicodeScalarView])
    case other(Substring.UnicodeScalarView)
  }

  private static func pieces(of text: String) -> [Piece] {
    let scalars = text.unicodeScalars
    var pieces: [Piece] = []
    var place = scalars.startIndex
    var rest = place
    while place < scalars.endIndex {
      var letters: [Substring.UnicodeScalarView] = []
      var end = place
      while end < scalars.endIndex, isUnspaced(scalars[end]) {
        let start = end
        repeat {
          end = scalars.index(after: end)
        } while end < scalars.endIndex && isMark(scalars[end])
        letters.append(Substring(scalars[start..<end]).unicodeScalars)
      }
      guard !letters.isEmpty else {
        place = scalars.index(after: place)
        continue
      }
      if rest < place { pieces.append(.other(Substring(scalars[rest..<place]).unicodeScalars)) }
      pieces.append(.stretch(letters))
      (place, rest) = (end, end)
    }
    if rest < place { pieces.append(.other(Substring(scalars[rest..<place]).unicodeScalars)) }
    return pieces
  }

  private static func append(
    pairsOf letters: [Substring.UnicodeScalarView], to tokens: inout String.UnicodeScalarView
  ) {
    tokens.append(" ")
    for (letter, next) in zip(letters, letters.dropFirst()) {
      tokens += letter
      tokens += next
      tokens.append(" ")
    }
  }

  private static func append(
    _ letter: Substring.UnicodeScalarView?, to tokens: inout String.UnicodeScalarView
  ) {
    guard let letter else { return }
    tokens += letter
    tokens.append(" ")
  }

  // MARK: Letters

  /// Whether a text has a first byte of such letters. Few letters of other scripts have one, and no
  /// typographic signs (U+2000 to U+2FFF).
  private static func mayHaveStretches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in bytes.contains { $0 >= 0xE0 && $0 != 0xE2 } }
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
    guard scalar.value >= 0x300 else { return false }
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
