internal import Text

extension PlainText {
  /// Text of one line; nil where nothing is left of it.
  static func line(_ text: String?) -> String? {
    guard let text else { return nil }
    let line = sanitized(text)
    return line.isEmpty ? nil : line
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  var trimmed: String {
    var text = Substring(self).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension ByteBuffer {
  /// The first place at or after `start` of a lower-case word without a letter at its start.
  func firstIndex(ofWord word: StaticString, from start: Int = 0) -> Int? {
    var from = start
    while let index = firstIndex(of: word.utf8Start[0], from: from) {
      if hasWord(word, at: index) { return index }
      from = index + 1
    }
    return nil
  }

  /// The first place at or after `start` without white space; `count` if there is none.
  func firstNonSpace(from start: Int) -> Int {
    var index = start
    while index < count, self[index].isASCIISpace { index += 1 }
    return index
  }
}
