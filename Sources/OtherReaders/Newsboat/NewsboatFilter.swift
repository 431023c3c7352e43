package import News

/// Filter of newsboat. `and` and `or` have equal precedence, and associate to the right.
package struct NewsboatFilter {
  indirect enum Expression: Hashable {
    case comparison(attribute: String, operation: String, value: String)
    case and(Expression, Expression)
    case or(Expression, Expression)
  }

  let expression: Expression

  package init(_ text: String) throws(QueryError) {
    var parser = NewsboatFilterParser(text)
    expression = try parser.parse()
  }
}

private struct NewsboatFilterParser {
  private let characters: [Character]
  private var position = 0
  private var depth = 0

  // Longer operators first, as some are prefixes of others.
  private static let operations = [
    "between", "==", "=~", "!=", "!~", "!#", "<=", ">=", "=", "<", ">", "#",
  ]

  init(_ text: String) { characters = Array(text) }

  mutating func parse() throws(QueryError) -> NewsboatFilter.Expression {
    let expression = try chain()
    skipSpaces()
    guard position == characters.count else { throw mistake("this is no part of a filter") }
    return expression
  }

  private mutating func chain() throws(QueryError) -> NewsboatFilter.Expression {
    let left = try operand()
    if skipWord("and") { return .and(left, try chain()) }
    if skipWord("or") { return .or(left, try chain()) }
    return left
  }

  private mutating func operand() throws(QueryError) -> NewsboatFilter.Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 200 else { throw mistake("the filter is too deep") }
    skipSpaces()
    guard position < characters.count, characters[position] == "(" else { return try comparison() }
    position += 1
    let inner = try chain()
    skipSpaces()
    guard position < characters.count, characters[position] == ")" else {
      throw mistake("a parenthesis is not closed")
    }
    position += 1
    return inner
  }

  private mutating func comparison() throws(QueryError) -> NewsboatFilter.Expression {
    let attribute = read { $0.isLetter || $0 == "_" }
    guard !attribute.isEmpty else { throw mistake("an attribute is missing") }
    skipSpaces()
    guard let operation = Self.operations.first(where: isAt) else {
      throw mistake("an operator is missing")
    }
    position += operation.count
    skipSpaces()
    let value: String
    if position < characters.count, characters[position] == "\"" {
      value = try quoted()
    } else {
      value = read { $0.isNumber || $0 == ":" || $0 == "-" }
      guard !value.isEmpty else { throw mistake("a value is missing") }
    }
    return .comparison(attribute: attribute, operation: operation, value: value)
  }

  private mutating func quoted() throws(QueryError) -> String {
    position += 1
    var text = ""
    while position < characters.count, characters[position] != "\"" {
      // Only quotes are escaped.
      if characters[position] == "\\", position + 1 < characters.count,
        characters[position + 1] == "\""
      {
        position += 1
      }
      text.append(characters[position])
      position += 1
    }
    guard position < characters.count else { throw mistake("a quote is not closed") }
    position += 1
    return text
  }

  private func isAt(_ sign: String) -> Bool { characters[position...].starts(with: sign) }

  private mutating func skipWord(_ word: String) -> Bool {
    skipSpaces()
    let end = position + word.count
    guard isAt(word), end == characters.count || !characters[end].isLetter else { return false }
    position = end
    return true
  }

  private mutating func read(while isPart: (Character) -> Bool) -> String {
    let first = position
    while position < characters.count, isPart(characters[position]) { position += 1 }
    return String(characters[first..<position])
  }

  private mutating func skipSpaces() {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
  }

  private func mistake(_ message: String) -> QueryError {
    QueryError(message, at: position..<position)
  }
}
