internal import Text

/// Finds some words and phrases in texts by their bytes, whatever the case of ASCII letters.
///
/// `String.contains` goes by characters, and takes a hundred times as long on a page.
struct WordSearch {
  private let words: [[UInt8]]
  /// By its first byte, whether any word may begin.
  private let isFirst: [Bool]

  /// - Parameter words: none of them empty, in lower case.
  init(_ words: [String]) {
    self.words = words.map { Array($0.utf8) }
    var isFirst = Array(repeating: false, count: 256)
    for word in self.words {
      isFirst[Int(word[0])] = true
      if word[0] >= UInt8(ascii: "a"), word[0] <= UInt8(ascii: "z") {
        isFirst[Int(word[0] - 32)] = true
      }
    }
    self.isFirst = isFirst
  }

  func isAny(in text: String) -> Bool { count(in: text, upTo: 1) > 0 }

  /// The places of bytes at which a word begins, in order.
  func places(in text: [UInt8]) -> [Int] {
    text.indices.filter { start in
      isFirst[Int(text[start])]
        && words.contains { word in
          text.count - start >= word.count
            && zip(text[start...], word).allSatisfy { $0.asciiLowercased == $1 }
        }
    }
  }

  /// How many of the words are in a text, up to a limit.
  func count(in text: String, upTo limit: Int) -> Int {
    var text = text
    var found = Set<Int>()
    text.withUTF8 { bytes in
      for start in bytes.indices where isFirst[Int(bytes[start])] {
        for (number, word) in words.enumerated() where bytes.count - start >= word.count {
          var place = 0
          while place < word.count, bytes[start + place].asciiLowercased == word[place] {
            place += 1
          }
          guard place == word.count else { continue }
          found.insert(number)
          if found.count >= limit { return }
        }
      }
    }
    return found.count
  }
}
