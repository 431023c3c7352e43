internal import News

/// A condition of newsraft's `item-rule` in the language of queries. It is a condition of SQLite on the columns of an
/// article, of which comparisons of texts have a counterpart, with `AND`, `OR`, `NOT` and parentheses.
struct NewsraftItemRule {
  private enum Token: Hashable {
    case word(String)
    case text(String)
    case sign(String)
  }

  private let tokens: [Token]
  private var position = 0
  private var depth = 0

  private static let maxDepth = 100

  /// The text of the query.
  ///
  /// - Throws: `QueryError` with the reason, where it has no counterpart.
  static func query(of text: String) throws(QueryError) -> String {
    var rule = try NewsraftItemRule(text)
    let query = try rule.either()
    guard rule.position == rule.tokens.count else { throw Self.unknown }
    return query
  }

  private init(_ text: String) throws(QueryError) { tokens = try Self.tokens(of: text) }

  private static let unknown = QueryError(
    "rules compare title, content, link and persons by LIKE, REGEXP and = only; see telex rules",
    at: 0..<0)

  // MARK: Words

  private static func tokens(of text: String) throws(QueryError) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first else { return tokens }
      if first == "'" {
        tokens.append(.text(try quoted(&rest)))
      } else if first.isLetter || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        tokens.append(.word(word.lowercased()))
        rest = rest.dropFirst(word.count)
      } else if let sign = ["<>", "!=", "==", "=", "(", ")"].first(where: { rest.hasPrefix($0) }) {
        tokens.append(.sign(sign))
        rest = rest.dropFirst(sign.count)
      } else {
        throw unknown
      }
    }
  }

  /// A text between single quotes, in which two of them stand for one.
  private static func quoted(_ rest: inout Substring) throws(QueryError) -> String {
    rest.removeFirst()
    var text = ""
    while let character = rest.popFirst() {
      if character == "'" {
        guard rest.first == "'" else { return text }
        rest.removeFirst()
      }
      text.append(character)
    }
    throw QueryError("a quote is not closed", at: 0..<0)
  }

  // MARK: Conditions

  private mutating func take(_ token: Token) -> Bool {
    guard position < tokens.count, tokens[position] == token else { return false }
    position += 1
    return true
  }

  private mutating func either() throws(QueryError) -> String {
    var parts = [try both()]
    while take(.word("or")) { parts.append(try both()) }
    return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " OR ")))"
  }

  private mutating func both() throws(QueryError) -> String {
    var parts = [try operand()]
    while take(.word("and")) { parts.append(try operand()) }
    return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " ")))"
  }

  private mutating func operand() throws(QueryError) -> String {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else { throw QueryError("the rule is too deep", at: 0..<0) }
    if take(.word("not")) { return Self.negated(try operand()) }
    guard take(.sign("(")) else { return try comparison() }
    let inner = try either()
    guard take(.sign(")")) else { throw QueryError("a parenthesis is not closed", at: 0..<0) }
    return inner
  }

  private static func negated(_ query: String) -> String {
    query.hasPrefix("-") ? String(query.dropFirst()) : "-\(query)"
  }

  private mutating func comparison() throws(QueryError) -> String {
    guard position < tokens.count, case .word(let column) = tokens[position] else {
      throw Self.unknown
    }
    position += 1
    var isNegated = take(.word("not"))
    guard position + 1 < tokens.count, case .text(let value) = tokens[position + 1] else {
      throw Self.unknown
    }
    let query: String
    switch tokens[position] {
    case .word("like"): query = try like(value, in: column)
    case .word("regexp"):
      guard let expression = PosixExpression.translated(value), !expression.isEmpty else {
        throw QueryError("the regular expression \(value) has no counterpart", at: 0..<0)
      }
      query = "\(try field(column)):/\(expression)/"
    case .sign("="), .sign("=="):
      query = "\(try field(column)):/^\(PosixExpression.escaped(value))$/"
    case .sign("<>"), .sign("!="):
      query = "\(try field(column)):/^\(PosixExpression.escaped(value))$/"
      isNegated.toggle()
    default: throw Self.unknown
    }
    position += 2
    return isNegated ? Self.negated(query) : query
  }

  private func field(_ column: String) throws(QueryError) -> String {
    switch column {
    case "title": return "title"
    case "content": return "text"
    case "link": return "url"
    case "persons": return "author"
    default: throw Self.unknown
    }
  }

  /// In a pattern `%` stands for any text, `_` for any character.
  private func like(_ pattern: String, in column: String) throws(QueryError) -> String {
    if column == "attachments" {
      for kind in ["audio", "video", "image"] where ["%\(kind)%", "%\(kind)/%"].contains(pattern) {
        return "has:\(kind)"
      }
      throw QueryError("of files the kinds audio, video and image are asked for only", at: 0..<0)
    }
    var rest = pattern[...]
    let isOpen = (start: rest.first == "%", end: rest.count > 1 && rest.last == "%")
    rest = rest.drop { $0 == "%" }
    while rest.last == "%" { rest.removeLast() }
    guard !rest.isEmpty else { throw QueryError("the pattern \(pattern) is empty", at: 0..<0) }
    let expression = rest.reduce(into: "") { text, character in
      switch character {
      case "%": text += ".*"
      case "_": text += "."
      default: text += PosixExpression.escaped(String(character))
      }
    }
    return "\(try field(column)):/\(isOpen.start ? "" : "^")\(expression)\(isOpen.end ? "" : "$")/"
  }
}
