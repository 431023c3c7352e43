/// What a person types into the search line, as an expression of FTS5.
///
/// All words must occur; "words in quotes" must stand together; the last word may be the beginning
/// of one, since it may still be being typed. Every other character is plain text: no operator of
/// FTS5 can be reached, and no input is an error.
struct SearchExpression: Hashable {
  let text: String

  /// Nil where there is nothing to search for.
  init?(_ typed: String) {
    var terms: [String] = []
    var term = ""
    var isQuoted = false
    func isSearchable(_ text: String) -> Bool { text.contains { $0.isLetter || $0.isNumber } }
    for character in typed {
      if character == "\"" {
        if isSearchable(term) { terms.append("\"\(term)\"") }
        term = ""
        isQuoted.toggle()
      } else if character.isWhitespace && !isQuoted {
        if isSearchable(term) { terms.append("\"\(term)\"") }
        term = ""
      } else if character != "\0" {
        term.append(character)
      }
    }
    if isSearchable(term) { terms.append("\"\(term)\" *") }
    guard !terms.isEmpty else { return nil }
    text = terms.joined(separator: " AND ")
  }
}
