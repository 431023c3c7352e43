/// The words of a line of input, as a shell takes them apart: quotes keep spaces, a backslash keeps the sign after it.
enum TypedWords {
  struct Mistake: Error {
    var message: String
  }

  /// A word that `split` gives back as it is.
  static func quoted(_ word: String) -> String {
    guard word.contains(where: { $0.isWhitespace || "\"'\\".contains($0) }) else { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  static func split(_ line: String) throws(Mistake) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = Substring(line)
    while let character = rest.popFirst() {
      if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"", let next = rest.first,
          next == "\"" || next == "\\"
        {
          word?.append(rest.removeFirst())
        } else {
          word?.append(character)
        }
        continue
      }
      switch character {
      case "\"", "'":
        quote = character
        word = word ?? ""
      case "\\":
        guard let next = rest.popFirst() else {
          throw Mistake(message: CommandsStrings.trailingBackslash)
        }
        word = (word ?? "") + String(next)
      case _ where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let quote { throw Mistake(message: CommandsStrings.openQuote(quote)) }
    if let word { words.append(word) }
    return words
  }
}
