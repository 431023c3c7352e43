enum ShellLine {
  /// Plain words; nil if the line has to be evaluated.
  static func words(_ line: Substring) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line
    while let character = rest.popFirst() {
      if let open = quote {
        switch character {
        case open: quote = nil
        case "$" where open == "\"", "`" where open == "\"": return nil
        case "\\" where open == "\"":
          guard let next = rest.popFirst() else { return nil }
          word?.append("\"\\$`".contains(next) ? String(next) : "\\\(next)")
        default: word?.append(character)
        }
        continue
      }
      switch character {
      case "\"", "'":
        quote = character
        word = word ?? ""
      case "\\":
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? "") + String(next)
      case "#" where word == nil: rest = ""
      case "$", "`", "|", "&", ";", "<", ">", "(", ")", "*", "?", "{", "}": return nil
      case _ where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(word) }
    return words
  }
}
