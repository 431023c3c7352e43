/// Text of a GraphQL query, as far as it can be read without its schema: operations with their
/// variables, and names.
package struct GraphQLQuery: Hashable, Sendable {
  package struct Operation: Hashable, Sendable {
    /// `query`, `mutation` or `subscription`.
    package var kind: String
    /// May be empty.
    package var name = ""
    /// Whether the variable needs a value: it is not nullable and has no default.
    package var variables: [String: Bool] = [:]
    package var place: Place
  }

  /// Counted from 1.
  package struct Place: Hashable, Sendable {
    package var line: Int
    package var column: Int
  }

  package struct Mistake: Error, Hashable, Sendable {
    package var message: String
    package var place: Place
  }

  package private(set) var operations: [Operation] = []
  /// The names of fields, arguments, types and fragments.
  package private(set) var names: Set<String> = []

  package init(_ text: String) throws(Mistake) {
    let tokens = try GraphQLTokens(text).all
    var depth: [(bracket: Character, place: Place)] = []
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      index += 1
      switch token.kind {
      case .name(let name):
        names.insert(name)
        guard depth.isEmpty, ["query", "mutation", "subscription"].contains(name) else { continue }
        operations.append(Operation(kind: name, place: token.place))
        if index < tokens.count, case .name(let own) = tokens[index].kind {
          operations[operations.count - 1].name = own
          index += 1
        }
        if index < tokens.count, tokens[index].kind == .mark("(") {
          index = try readVariables(tokens, from: index + 1)
        }
      case .mark(let mark) where "([{".contains(mark):
        if mark == "{", depth.isEmpty, isShorthand(tokens, before: index - 1) {
          operations.append(Operation(kind: "query", place: token.place))
        }
        depth.append((mark, token.place))
      case .mark(let mark) where ")]}".contains(mark):
        guard let open = depth.popLast(), Self.pairs[open.bracket] == mark else {
          throw Mistake(message: "“\(mark)” closes nothing", place: token.place)
        }
      default: continue
      }
    }
    if let open = depth.last {
      throw Mistake(message: "“\(open.bracket)” is not closed", place: open.place)
    }
    guard !operations.isEmpty else {
      throw Mistake(message: "there is no query", place: Place(line: 1, column: 1))
    }
  }

  private static let pairs: [Character: Character] = ["(": ")", "[": "]", "{": "}"]

  /// Whether a selection at the top is a query without the keyword.
  private func isShorthand(_ tokens: [GraphQLTokens.Token], before index: Int) -> Bool {
    index == 0 || tokens[index - 1].kind == .mark("}")
  }

  /// Reads `$name: Type! = default` up to the closing bracket.
  ///
  /// - Returns: the index after that bracket.
  private mutating func readVariables(
    _ tokens: [GraphQLTokens.Token], from start: Int
  ) throws(Mistake) -> Int {
    var index = start
    var depth = 0
    var current: String?
    var isRequired = false
    func end(_ operation: inout Operation) {
      if let current { operation.variables[current] = isRequired }
    }
    while index < tokens.count {
      switch tokens[index].kind {
      case .variable(let name) where depth == 0:
        end(&operations[operations.count - 1])
        (current, isRequired) = (name, false)
      // The mark of the whole type, after the brackets of a list.
      case .mark("!") where depth == 0: isRequired = true
      case .mark("="): isRequired = false
      case .mark(let mark) where "([{".contains(mark): depth += 1
      case .mark(let mark) where ")]}".contains(mark):
        if depth == 0 {
          end(&operations[operations.count - 1])
          return index + 1
        }
        depth -= 1
      default: break
      }
      index += 1
    }
    throw Mistake(message: "“(” is not closed", place: tokens[start - 1].place)
  }
}

/// Tokens of a GraphQL document (specification of October 2021, §2.1).
private struct GraphQLTokens {
  enum Kind: Hashable {
    case name(String)
    /// Without the `$`.
    case variable(String)
    case mark(Character)
    /// A number or a text.
    case value
  }

  struct Token {
    let kind: Kind
    let place: GraphQLQuery.Place
  }

  private(set) var all: [Token] = []
  private let text: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var lineStart = 0

  init(_ text: String) throws(GraphQLQuery.Mistake) {
    self.text = Array(text.unicodeScalars)
    while let token = try next() { all.append(token) }
  }

  private var place: GraphQLQuery.Place { .init(line: line, column: index - lineStart + 1) }

  private mutating func advance() {
    if text[index] == "\n" { (line, lineStart) = (line + 1, index + 1) }
    index += 1
  }

  private mutating func next() throws(GraphQLQuery.Mistake) -> Token? {
    while index < text.count {
      let place = place
      let character = text[index]
      switch character {
      case " ", "\t", "\n", "\r", ",", "\u{FEFF}": advance()
      case "#": while index < text.count, text[index] != "\n" { advance() }
      case "\"":
        try skipText(from: place)
        return Token(kind: .value, place: place)
      case "$":
        advance()
        let name = word()
        guard !name.isEmpty else {
          throw .init(message: "“$” is not followed by a name", place: place)
        }
        return Token(kind: .variable(name), place: place)
      case "a"..."z", "A"..."Z", "_": return Token(kind: .name(word()), place: place)
      case "0"..."9", "-":
        advance()
        while index < text.count,
          Self.isWord(text[index]) || "+-.".unicodeScalars.contains(text[index])
        {
          advance()
        }
        return Token(kind: .value, place: place)
      case "(", ")", "[", "]", "{", "}", ":", "=", "!", "|", "&", "@", ".":
        advance()
        return Token(kind: .mark(Character(character)), place: place)
      default:
        throw .init(message: "“\(Character(character))” has no place in a query", place: place)
      }
    }
    return nil
  }

  private mutating func word() -> String {
    var name = String.UnicodeScalarView()
    while index < text.count, Self.isWord(text[index]) {
      name.append(text[index])
      advance()
    }
    return String(name)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }

  private mutating func skipText(from place: GraphQLQuery.Place) throws(GraphQLQuery.Mistake) {
    let isBlock = hasQuotes(3)
    for _ in 0..<(isBlock ? 3 : 1) { advance() }
    while index < text.count {
      if text[index] == "\\" {
        advance()
        if index < text.count { advance() }
      } else if isBlock ? hasQuotes(3) : text[index] == "\"" {
        for _ in 0..<(isBlock ? 3 : 1) { advance() }
        return
      } else if text[index] == "\n", !isBlock {
        break
      } else {
        advance()
      }
    }
    throw .init(message: "a text is not closed", place: place)
  }

  private func hasQuotes(_ count: Int) -> Bool {
    index + count <= text.count && text[index..<index + count].allSatisfy { $0 == "\"" }
  }
}

extension GraphQLRecipe {
  /// Mistake in the query that prevents sending it.
  package struct Mistake: Error, Hashable, Sendable {
    /// The key of the recipe to be corrected, such as `query` or `variables.owner`.
    package var key: [String]
    package var message: String
    /// The place in the text of `query`.
    package var place: GraphQLQuery.Place?
  }

  /// - Throws: the first mistake.
  package func check() throws(Mistake) {
    let text: GraphQLQuery
    do { text = try GraphQLQuery(query) } catch {
      throw Mistake(key: ["query"], message: error.message, place: error.place)
    }
    let meant = try meantOperation(of: text)
    func list(_ names: some Sequence<String>) -> String {
      let names = names.sorted().map { "$\($0)" }
      return names.isEmpty ? "no variables" : names.joined(separator: ", ")
    }
    let declared = meant.variables
    for (key, name) in [("cursor", cursorVariable), ("size", sizeVariable)] {
      guard let name, declared[name] == nil else { continue }
      throw Mistake(
        key: ["paging", key],
        message: "the query declares no $\(name); it declares \(list(declared.keys))")
    }
    if cursorVariable != nil {
      for name in ["pageInfo", "hasNextPage", "endCursor"] where !text.names.contains(name) {
        throw Mistake(
          key: ["query"], message: "it does not ask for pageInfo { hasNextPage endCursor }",
          place: meant.place)
      }
    }
    let reserved = [cursorVariable, sizeVariable].compactMap(\.self)
    for name in variables.keys.sorted() {
      guard declared[name] != nil else {
        throw Mistake(
          key: ["variables", name],
          message: "the query declares no $\(name); it declares \(list(declared.keys))")
      }
      if reserved.contains(name) {
        throw Mistake(key: ["variables", name], message: "this variable is set by the paging")
      }
    }
    for (name, isRequired) in declared.sorted(by: { $0.key < $1.key })
    where isRequired && variables[name] == nil && name != sizeVariable {
      throw Mistake(
        key: ["query"],
        message: name == cursorVariable
          ? "$\(name) takes the cursor, and must not be required: the newest page has none"
          : "it needs $\(name), which [variables] does not give", place: meant.place)
    }
  }

  private func meantOperation(
    of text: GraphQLQuery
  ) throws(Mistake) -> GraphQLQuery.Operation {
    let names = text.operations.map { $0.name.isEmpty ? "(without a name)" : $0.name }
      .joined(separator: ", ")
    let meant: GraphQLQuery.Operation
    if let operation {
      guard let named = text.operations.first(where: { $0.name == operation }) else {
        throw Mistake(
          key: ["operation"], message: "the query has no operation “\(operation)”; it has: \(names)"
        )
      }
      meant = named
    } else {
      guard text.operations.count == 1 else {
        throw Mistake(
          key: ["query"], message: "it has several operations: \(names); name one with operation",
          place: text.operations[1].place)
      }
      meant = text.operations[0]
    }
    guard meant.kind == "query" else {
      throw Mistake(
        key: ["query"], message: "this is a \(meant.kind), and a feed only reads",
        place: meant.place)
    }
    return meant
  }
}
