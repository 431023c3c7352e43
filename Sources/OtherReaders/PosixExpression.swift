/// Translator from POSIX extended regular expressions (IEEE 1003.1 §9.4) to ICU's.
enum PosixExpression {
  /// Nil for an unclosed bracket. Slashes are escaped, because they end an expression in a query.
  static func translated(_ posix: String) -> String? {
    let characters = Array(posix)
    var text = ""
    var position = 0
    var open = 0
    while position < characters.count {
      let character = characters[position]
      position += 1
      switch character {
      case "\\":
        guard position < characters.count else { return nil }
        let next = characters[position]
        position += 1
        // Word boundaries of the GNU C library.
        text += next == "<" || next == ">" ? "\\b" : "\\\(next)"
      case "[":
        guard let set = set(characters, &position) else { return nil }
        text += set
      case "/": text += "\\/"
      case "(":
        open += 1
        text.append(character)
      // The GNU C library takes an unmatched parenthesis literally.
      case ")" where open == 0: text += "\\)"
      case ")":
        open -= 1
        text.append(character)
      default: text.append(character)
      }
    }
    return text
  }

  /// A bracket expression after its `[`: backslashes are literal, and so is a first `]`.
  private static func set(_ characters: [Character], _ position: inout Int) -> String? {
    var text = "["
    if position < characters.count, characters[position] == "^" {
      text += "^"
      position += 1
    }
    let first = position
    while position < characters.count {
      let character = characters[position]
      position += 1
      switch character {
      case "]" where position - 1 > first: return text + "]"
      case "[" where position < characters.count && characters[position] == ":":
        guard
          let end = (position + 1..<characters.count).first(where: { place in
            characters[place] == "]" && characters[place - 1] == ":"
          })
        else { return nil }
        text += "[" + String(characters[position...end])
        position = end + 1
      case "-":
        let isLast = position < characters.count && characters[position] == "]"
        text += position - 1 == first || isLast ? "\\-" : "-"
      case "/": text += "\\/"
      case "\\", "[", "]", "&", "~", "^": text += "\\\(character)"
      default: text.append(character)
      }
    }
    return nil
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if "\\^$.[]|()?*+{}/".contains(character) { escaped += "\\" }
      escaped.append(character)
    }
  }
}
