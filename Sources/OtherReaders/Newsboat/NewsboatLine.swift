/// Line of newsboat's files, split at white space outside double quotes, without comments.
struct NewsboatLine {
  let number: Int
  let tokens: [String]
  /// Whether a value is the output of a program (between backquotes).
  let hasProgram: Bool

  init(_ text: Substring, number: Int) {
    self.number = number
    var tokens: [String] = []
    var hasProgram = false
    var rest = text[...]
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard let first = rest.first, first != "#" else { break }
      var token = ""
      if first == "\"" {
        rest.removeFirst()
        Self.readQuoted(&rest, into: &token, &hasProgram)
      } else {
        while let next = rest.first, !next.isWhitespace {
          if next == "`" { hasProgram = true }
          token.append(next)
          rest.removeFirst()
        }
      }
      tokens.append(token)
    }
    self.tokens = tokens
    self.hasProgram = hasProgram
  }

  private static func readQuoted(
    _ rest: inout Substring, into token: inout String, _ hasProgram: inout Bool
  ) {
    while let next = rest.popFirst(), next != "\"" {
      guard next == "\\" else {
        if next == "`" { hasProgram = true }
        token.append(next)
        continue
      }
      switch rest.popFirst() {
      case "n": token.append("\n")
      case "r": token.append("\r")
      case "t": token.append("\t")
      case let other?: token.append(other)
      case nil: token.append("\\")
      }
    }
  }

  /// Non-empty lines. A backslash at the end continues a line.
  static func all(of text: String) -> [NewsboatLine] {
    var lines: [NewsboatLine] = []
    var begun: (text: String, number: Int)?
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let isComment = begun == nil && line.drop(while: \.isWhitespace).first == "#"
      let goesOn = line.hasSuffix("\\") && !line.hasSuffix("\\\\") && !isComment
      let whole = (begun?.text ?? "") + (goesOn ? line.dropLast() : line)
      let number = begun?.number ?? index + 1
      begun = goesOn ? (whole, number) : nil
      if !goesOn { lines.append(NewsboatLine(whole[...], number: number)) }
    }
    if let begun { lines.append(NewsboatLine(begun.text[...], number: begun.number)) }
    return lines.filter { !$0.tokens.isEmpty }
  }
}
