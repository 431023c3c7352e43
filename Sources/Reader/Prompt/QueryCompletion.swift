internal import Foundation
internal import News

/// Names that a query may ask for.
struct QueryNames: Hashable, Sendable {
  var feeds: [String] = []
  var folders: [String] = []
  var tags: [String] = []
  var accounts: [String] = []
}

/// What the end of a query may become: words of the language, and names after `feed:`, `folder:`, `tag:` and `account:`.
struct QueryCompletion: Hashable, Sendable {
  /// Where what is completed begins, in characters of the text.
  let start: Int
  /// What may stand there, the likeliest first. Values with spaces have their quotes.
  let choices: [String]

  /// - Parameter text: the query up to the cursor.
  /// - Returns: nil where nothing is known that fits, as in an expression or in a text in quotes.
  init?(_ text: String, names: QueryNames) {
    let characters = Array(text)
    guard var start = Self.startOfTerm(characters) else { return nil }
    while start < characters.count, characters[start] == "-" { start += 1 }
    let term = characters[start...]
    let choices: [String]
    if let colon = term.firstIndex(of: ":"), !term[..<colon].contains("\"") {
      let field = String(term[..<colon])
      var typed = term[(colon + 1)...]
      if typed.first == "\"" { typed.removeFirst() }
      choices = Self.matches(of: String(typed), in: Self.values(of: field.lowercased(), names))
        .compactMap(Self.quoted).map { "\(field):\($0)" }
    } else {
      guard term.first != "\"" else { return nil }
      choices = Self.matches(of: String(term), in: Self.words, anywhere: false)
    }
    guard !choices.isEmpty else { return nil }
    self.start = start
    self.choices = choices
  }

  /// Where the term begins that the text ends in; nil where it ends in an expression.
  private static func startOfTerm(_ characters: [Character]) -> Int? {
    var start = 0
    var isInQuotes = false
    var isInExpression = false
    var index = 0
    while index < characters.count {
      let character = characters[index]
      if isInExpression {
        if character == "\\" { index += 1 }
        if character == "/" { isInExpression = false }
      } else if isInQuotes {
        isInQuotes = character != "\""
      } else if character == "\"" {
        isInQuotes = true
      } else if character.isWhitespace || character == "(" || character == ")" {
        start = index + 1
      } else if character == "/", index == start || characters[index - 1] == ":" {
        isInExpression = true
      }
      index += 1
    }
    return isInExpression ? nil : start
  }

  /// States that need no name before them, and what begins a condition.
  private static let words =
    ["unread", "read", "starred"]
    + ArticleQuery.fields.map { $0.hasSuffix("<") ? $0 : $0 + ":" } + ["OR", "NOT"]

  private static func values(of field: String, _ names: QueryNames) -> [String] {
    switch field {
    case "feed": names.feeds
    case "folder": names.folders
    case "tag": names.tags
    case "account": names.accounts
    case "is": QueryState.allCases.map(\.rawValue)
    case "has": QueryFeature.allCases.map(\.rawValue) + ["tag"]
    case "since": ["last-refresh"]
    case "sort": ListOrder.allCases.map(\.rawValue)
    case "after", "before", "on": ["today", "yesterday"]
    default: []
    }
  }

  /// Those that begin with a text, then those that have it elsewhere, each once and in their order. Case and accents do
  /// not count.
  private static func matches(
    of typed: String, in choices: [String], anywhere: Bool = true
  ) -> [String] {
    let typed = folded(typed)
    var seen: Set<String> = []
    let once = choices.filter { seen.insert($0).inserted }.map { ($0, folded($0)) }
    let first = once.filter { $0.1.hasPrefix(typed) }
    let others = anywhere ? once.filter { !$0.1.hasPrefix(typed) && $0.1.contains(typed) } : []
    return (first + others).map(\.0)
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  /// A value as a query has it; nil for one with a quote in it, which no query can have.
  private static func quoted(_ value: String) -> String? {
    guard !value.contains("\""), !value.isEmpty else { return nil }
    let isBare = value.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    return isBare ? value : "\"\(value)\""
  }
}
