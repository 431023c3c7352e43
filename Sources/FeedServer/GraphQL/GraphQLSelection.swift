/// What a GraphQL query asks for: the part of the language (specification of October 2021, §2) that clients of
/// connections use. No fragments by name and no directives.
struct GraphQLSelection: Sendable {
  var name: String
  /// What the client calls it in the answer.
  var alias: String
  var arguments: [(name: String, value: GraphQLInput)]
  var selections: [GraphQLSelection]
  /// For `... on Type { … }`: the type.
  var condition: String?
  var line: Int
  var column: Int
}

/// A value in a query: a literal, or a variable that stands for one.
indirect enum GraphQLInput: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case list([GraphQLInput])
  case variable(String)
}

/// Why a query is refused.
struct GraphQLProblem: Error {
  var message: String
  var line: Int?
  var column: Int?
  var path: [String] = []

  var json: JSONText {
    var members: [(String, JSONText)] = [("message", .string(message))]
    if let line, let column {
      members.append(
        (
          "locations",
          .array([.object([("line", .number(Int64(line))), ("column", .number(Int64(column)))])])
        ))
    }
    if !path.isEmpty { members.append(("path", .strings(path))) }
    return .object(members)
  }
}

/// An operation of a query, with the variables that it declares.
struct GraphQLOperation: Sendable {
  var name = ""
  /// Whether each needs a value, and its default.
  var variables: [String: (isRequired: Bool, initial: GraphQLInput?)] = [:]
  var selections: [GraphQLSelection] = []
}

/// Reads a query.
struct GraphQLParser {
  private struct Token {
    var text: String
    var isString = false
    var line: Int
    var column: Int
  }

  private var tokens: [Token] = []
  private var index = 0

  /// The operations of a text.
  static func operations(of text: String) throws -> [GraphQLOperation] {
    var parser = try GraphQLParser(text)
    var operations: [GraphQLOperation] = []
    while parser.index < parser.tokens.count { operations.append(try parser.operation()) }
    guard !operations.isEmpty else { throw GraphQLProblem(message: "Unexpected end of document") }
    return operations
  }

  private init(_ text: String) throws {
    var line = 1
    var column = 1
    var rest = Array(text.unicodeScalars)[...]
    func isWord(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
    func step() {
      if rest.first == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
      rest = rest.dropFirst()
    }
    while let scalar = rest.first {
      var token = Token(text: "", line: line, column: column)
      switch scalar {
      case " ", "\t", "\r", "\n", ",":
        step()
        continue
      case "#":
        while let next = rest.first, next != "\n" { step() }
        continue
      case "\"":
        step()
        token.isString = true
        while let next = rest.first, next != "\"" {
          if next == "\\" { step() }
          if let plain = rest.first { token.text.unicodeScalars.append(plain) }
          step()
        }
        step()
      case let word where isWord(word) || word == "-":
        while let next = rest.first, isWord(next) || "-.+".unicodeScalars.contains(next) {
          token.text.unicodeScalars.append(next)
          step()
        }
      default:
        token.text.unicodeScalars.append(scalar)
        step()
        if scalar == ".", rest.starts(with: "..".unicodeScalars) {
          token.text = "..."
          step()
          step()
        }
      }
      tokens.append(token)
    }
  }

  private func problem(_ message: String) -> GraphQLProblem {
    let place = index < tokens.count ? tokens[index] : tokens.last
    return GraphQLProblem(message: message, line: place?.line, column: place?.column)
  }

  private var next: String? {
    index < tokens.count && !tokens[index].isString ? tokens[index].text : nil
  }

  private mutating func take(_ text: String) -> Bool {
    guard next == text else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ text: String) throws {
    guard take(text) else { throw problem("Expected \(text), found \(next ?? "the end")") }
  }

  private mutating func name() throws -> String {
    guard let name = next,
      name.unicodeScalars.first?.properties.isAlphabetic == true
        || name.hasPrefix("_")
    else { throw problem("Expected a name, found \(next ?? "the end")") }
    index += 1
    return name
  }

  private mutating func operation() throws -> GraphQLOperation {
    var operation = GraphQLOperation()
    if next != "{" {
      let kind = try name()
      guard kind == "query" else { throw problem("Schema is not configured for \(kind)") }
      if next != "{", next != "(" { operation.name = try name() }
      if take("(") {
        while !take(")") {
          try expect("$")
          let name = try name()
          try expect(":")
          while let type = next, type != "=", type != "$", type != ")" {
            index += 1
            if type == "!", next != "]" { operation.variables[name] = (true, nil) }
          }
          if operation.variables[name] == nil { operation.variables[name] = (false, nil) }
          if take("=") { operation.variables[name] = (false, try value()) }
        }
      }
    }
    operation.selections = try selections()
    return operation
  }

  private mutating func selections() throws -> [GraphQLSelection] {
    try expect("{")
    var selections: [GraphQLSelection] = []
    while !take("}") {
      guard index < tokens.count else { throw problem("Expected }, found the end") }
      let (line, column) = (tokens[index].line, tokens[index].column)
      if take("...") {
        guard take("on") else { throw problem("This server knows no fragments by name") }
        let type = try name()
        selections.append(
          GraphQLSelection(
            name: "", alias: "", arguments: [], selections: try self.selections(),
            condition: type, line: line, column: column))
        continue
      }
      let alias = try name()
      let name = take(":") ? try name() : alias
      var arguments: [(name: String, value: GraphQLInput)] = []
      if take("(") {
        while !take(")") {
          let name = try self.name()
          try expect(":")
          arguments.append((name, try value()))
        }
      }
      selections.append(
        GraphQLSelection(
          name: name, alias: alias, arguments: arguments,
          selections: next == "{" ? try self.selections() : [], line: line, column: column))
    }
    return selections
  }

  private mutating func value() throws -> GraphQLInput {
    guard index < tokens.count else { throw problem("Expected a value, found the end") }
    let token = tokens[index]
    index += 1
    if token.isString { return .string(token.text) }
    switch token.text {
    case "$": return .variable(try name())
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "[":
      var values: [GraphQLInput] = []
      while !take("]") { values.append(try value()) }
      return .list(values)
    case let text where text.first?.isNumber == true || text.hasPrefix("-"): return .number(text)
    default: return .string(token.text)
    }
  }
}
