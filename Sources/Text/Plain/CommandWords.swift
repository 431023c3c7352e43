/// A command in one line as the words of an argument array, split by the quoting of the POSIX shell (Shell Command
/// Language §2.2). No shell takes part: nothing is expanded but `~/` at the beginning of a word, and what only a
/// shell could do is a mistake.
package struct CommandWords: Hashable, Sendable {
  /// Why a line is no command.
  package struct Mistake: Error, Hashable, Sendable {
    /// The beginning of a sentence.
    package var message: String
    /// In characters of the line, from 1.
    package var column: Int
  }

  package let words: [String]

  /// - Parameter home: what stands for `~`; nil leaves it as it is.
  package init(_ line: String, home: String? = nil) throws(Mistake) {
    var splitter = Splitter(characters: Array(line), home: home)
    words = try splitter.words()
    guard let program = words.first, !program.isEmpty else {
      throw Mistake(message: "it names no program", column: 1)
    }
    guard !program.hasPrefix("-") else {
      throw Mistake(message: "it begins with an option instead of a program", column: 1)
    }
  }

  /// The words in one line, which splits into the same words.
  package static func text(of words: [String]) -> String {
    words.map(quoted).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.enumerated().allSatisfy { index, byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "="): index > 0
        default: "%+,-./:@_?".utf8.contains(byte) || byte > 0x7F
        }
      } && !word.contains(where: \.isWhitespace)
    return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
  }
}

private struct Splitter {
  typealias Mistake = CommandWords.Mistake

  let characters: [Character]
  let home: String?
  private var index = 0
  /// Nil between two words.
  private var word: String?
  private var found: [String] = []

  init(characters: [Character], home: String?) {
    self.characters = characters
    self.home = home
  }

  mutating func words() throws(Mistake) -> [String] {
    while index < characters.count {
      let character = characters[index]
      switch character {
      case _ where character.isNewline: throw shellOnly("a new line")
      case _ where character.isWhitespace:
        endWord()
        index += 1
      case "'": try readQuoted()
      case "\"": try readDoubleQuoted()
      case "\\":
        guard index + 1 < characters.count else {
          throw Mistake(message: "it ends with a backslash", column: index + 1)
        }
        index += 1
        try readCharacter()
      case "|", ";", "&", "<", ">", "(", ")", "`": throw shellOnly("“\(character)”")
      case "$" where isExpanded(with: "'\""): throw shellOnly("“$”")
      case "#" where word == nil: throw shellOnly("“#” at the beginning of a word")
      case "=" where found.isEmpty && isName(word):
        throw shellOnly("a variable before the program")
      case "~" where word == nil && isHome:
        word = home
        index += 1
      default: try readCharacter()
      }
    }
    endWord()
    return found
  }

  private mutating func endWord() {
    if let word { found.append(word) }
    word = nil
  }

  private mutating func readCharacter() throws(Mistake) {
    let character = characters[index]
    guard character.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw Mistake(message: "it holds a control character", column: index + 1)
    }
    word = (word ?? "") + String(character)
    index += 1
  }

  private mutating func readQuoted() throws(Mistake) {
    let start = index
    index += 1
    word = word ?? ""
    while index < characters.count, characters[index] != "'" { try readCharacter() }
    try close(from: start)
  }

  private mutating func readDoubleQuoted() throws(Mistake) {
    let start = index
    index += 1
    word = word ?? ""
    while index < characters.count, characters[index] != "\"" {
      switch characters[index] {
      case "`": throw shellOnly("“`”")
      case "$" where isExpanded(): throw shellOnly("“$”")
      case "\\" where index + 1 < characters.count && "\"\\$`".contains(characters[index + 1]):
        // A backslash is itself before anything else.
        index += 1
        try readCharacter()
      default: try readCharacter()
      }
    }
    try close(from: start)
  }

  private mutating func close(from start: Int) throws(Mistake) {
    guard index < characters.count else {
      throw Mistake(message: "a quote is not closed", column: start + 1)
    }
    index += 1
  }

  /// Whether the `$` here would be replaced by a shell.
  ///
  /// - Parameter others: signs behind it that count outside of quotes.
  private func isExpanded(with others: String = "") -> Bool {
    guard index + 1 < characters.count else { return false }
    let next = characters[index + 1]
    return next.isASCII
      && (next.isLetter || next.isNumber || "_({@*#?$!-".contains(next) || others.contains(next))
  }

  /// Whether the `~` here stands for the user's own home.
  private var isHome: Bool {
    guard home != nil else { return false }
    let next = index + 1 < characters.count ? characters[index + 1] : " "
    return next == "/" || next.isWhitespace
  }

  private func isName(_ word: String?) -> Bool {
    guard let word, let first = word.first, !first.isNumber else { return false }
    return word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private func shellOnly(_ what: String) -> Mistake {
    Mistake(
      message: "\(what) means something to a shell only, and no shell runs this", column: index + 1)
  }
}
