internal import Text

/// Finds which of many words are in a text, in one pass over it.
struct HintWords {
  /// The words that begin with each letter, `a` first, with what they tell.
  private let byLetter: [[(word: [UInt8], meaning: PageHints.Words)]]

  /// - Parameter words: small letters of ASCII.
  init(_ words: [(words: [String], meaning: PageHints.Words)]) {
    var byLetter: [[(word: [UInt8], meaning: PageHints.Words)]] = Array(repeating: [], count: 26)
    for (list, meaning) in words {
      for word in list {
        let bytes = Array(word.utf8)
        byLetter[Int(bytes[0] - UInt8(ascii: "a"))].append((bytes, meaning))
      }
    }
    self.byLetter = byLetter
  }

  /// The meanings of all words of the text.
  func meaning(of text: [UInt8]) -> PageHints.Words {
    var meaning: PageHints.Words = []
    for start in text.indices {
      let first = text[start]
      guard first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z") else { continue }
      for (word, own) in byLetter[Int(first - UInt8(ascii: "a"))]
      where text.count - start >= word.count {
        var index = 1
        while index < word.count, text[start + index] == word[index] { index += 1 }
        if index == word.count { meaning.formUnion(own) }
      }
    }
    return meaning
  }
}
