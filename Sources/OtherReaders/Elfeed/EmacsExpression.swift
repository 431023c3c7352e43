/// Regular expressions of Emacs (Emacs Lisp Reference Manual, “Syntax of Regular Expressions”) in the form that queries
/// take, which is ICU's.
enum EmacsExpression {
  /// Nil where a part has no counterpart: syntax classes of a mode, numbered groups, a bracket that is not closed. A slash
  /// gets a backslash, as it ends an expression in a query.
  static func translated(_ emacs: String) -> String? {
    let characters = Array(emacs)
    var text = ""
    var position = 0
    while position < characters.count {
      let character = characters[position]
      position += 1
      switch character {
      case "\\":
        guard let part = escaped(characters, &position) else { return nil }
        text += part
      case "[":
        guard let set = PosixExpression.set(characters, &position) else { return nil }
        text += set
      // These are ordinary without a backslash.
      case "(", ")", "{", "}", "|", "/": text += "\\\(character)"
      default: text.append(character)
      }
    }
    return text
  }

  /// What stands after a backslash.
  private static func escaped(_ characters: [Character], _ position: inout Int) -> String? {
    guard position < characters.count else { return nil }
    let next = characters[position]
    position += 1
    switch next {
    case "(":
      guard position < characters.count, characters[position] == "?" else { return "(" }
      guard position + 1 < characters.count, characters[position + 1] == ":" else { return nil }
      position += 2
      return "(?:"
    case ")", "|", "{", "}": return String(next)
    case "<", ">", "b": return "\\b"
    case "B", "w", "W": return "\\\(next)"
    case "`": return "^"
    case "'": return "$"
    case "_":
      // The beginning and the end of a symbol.
      guard position < characters.count, "<>".contains(characters[position]) else { return nil }
      position += 1
      return "\\b"
    case "s", "S":
      // Of the syntax classes white space and words are the same in any mode.
      guard position < characters.count else { return nil }
      position += 1
      switch characters[position - 1] {
      case "-", " ": return "\\\(next)"
      case "w": return next == "s" ? "\\w" : "\\W"
      default: return nil
      }
    case _ where next.isNumber: return "\\\(next)"
    case _ where next.isLetter, "=": return nil
    default: return "\\\(next)"
    }
  }
}
