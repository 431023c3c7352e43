internal import Foundation
internal import Text

/// Parser of queries:
///
///     query     = and *( "OR" and ), with "sort:" order anywhere outside of parentheses
///     and       = *( [ "-" / "NOT" ] term )
///     term      = "(" query ")" / words / "/" expression "/" / state / name ( ":" / "<" / "<=" / "=" / ">=" / ">" ) value
///     words     = word [ "*" ] / DQUOTE phrase DQUOTE [ "*" ]
///
/// Case counts in `OR`, `AND` and `NOT` alone. The depth of parentheses is bounded.
struct QueryParser {
  private let characters: [Character]
  private var position: Int
  private var end: Int
  private var depth = 0

  // SQLite's parser has a stack of 100 symbols, and a parenthesis takes three or four.
  private static let maxDepth = 16
  /// Conditions.
  private static let maxCount = 200
  private var count = 0
  /// Characters.
  private static let maxLength = 4_096

  init(_ text: String) {
    characters = Array(text.prefix(Self.maxLength + 1))
    position = 0
    end = characters.count
    while position < end, characters[position].isWhitespace { position += 1 }
    while end > position, characters[end - 1].isWhitespace { end -= 1 }
    start = position
  }

  private let start: Int

  /// Nil without `sort:`.
  private(set) var order: ListOrder?
  private var orderPlaces: [Range<Int>] = []

  var conditionText: String {
    guard !orderPlaces.isEmpty else { return trimmedText }
    let kept = (start..<end).filter { place in !orderPlaces.contains { $0.contains(place) } }
    return String(kept.map { characters[$0] }).split(separator: " ").joined(separator: " ")
  }

  var trimmedText: String { String(characters[start..<end]) }

  mutating func parse() throws -> QueryCondition {
    guard characters.count <= Self.maxLength else {
      throw QueryError(
        "a query has at most \(Self.maxLength) characters", at: Self.maxLength..<Self.maxLength)
    }
    let condition = try alternatives()
    if position < end {
      throw QueryError("no parenthesis is open here", at: position..<position + 1)
    }
    return condition
  }

  // MARK: Structure

  private mutating func alternatives() throws -> QueryCondition {
    var all = [try conjunction()]
    while takeKeyword("OR") {
      let place = position
      let next = try conjunction()
      guard next != .all([]) else {
        throw QueryError("a condition is missing after OR", at: place..<place)
      }
      all.append(next)
    }
    guard all.count > 1 else { return all[0] }
    guard all[0] != .all([]) else {
      throw QueryError("a condition is missing before OR", at: start..<start)
    }
    return .any(all)
  }

  private mutating func conjunction() throws -> QueryCondition {
    var parts: [QueryCondition] = []
    while true {
      skipSpaces()
      guard position < end, characters[position] != ")", !isAtKeyword("OR") else { break }
      let place = position
      if takeKeyword("AND") {
        skipSpaces()
        guard !parts.isEmpty, position < end, characters[position] != ")", !isAtKeyword("OR") else {
          throw QueryError("AND stands between two conditions", at: place..<place + 3)
        }
        continue
      }
      if depth == 0, try takeOrder() { continue }
      parts += try negatable().parts
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Parses `sort:oldest`, which is about all of the query.
  private mutating func takeOrder() throws -> Bool {
    let place = position
    guard takeName().lowercased() == "sort", position < end, characters[position] == ":" else {
      position = place
      return false
    }
    position += 1
    order = try choice(of: "sort", from: place) as ListOrder
    orderPlaces.append(place..<position)
    return true
  }

  private mutating func negatable() throws -> QueryCondition {
    var isNegated = false
    while true {
      if takeKeyword("NOT") {
        skipSpaces()
      } else if position + 1 < end, characters[position] == "-",
        !characters[position + 1].isWhitespace
      {
        position += 1
      } else {
        break
      }
      isNegated.toggle()
    }
    guard position < end, characters[position] != ")" else {
      throw QueryError("a condition is missing here", at: position..<position)
    }
    let condition = try term()
    guard isNegated else { return condition }
    // Not read is unread.
    switch condition {
    case .state(.read): return .state(.unread)
    case .state(.unread): return .state(.read)
    default: return .not(condition)
    }
  }

  private mutating func term() throws -> QueryCondition {
    let place = position
    count += 1
    guard count <= Self.maxCount else {
      throw QueryError("a query has at most \(Self.maxCount) conditions", at: place..<place)
    }
    switch characters[position] {
    case "(":
      guard depth < Self.maxDepth else {
        throw QueryError("parentheses are too deep here", at: place..<place + 1)
      }
      depth += 1
      position += 1
      let inner = try alternatives()
      depth -= 1
      guard position < end else {
        throw QueryError("this parenthesis is not closed", at: place..<end)
      }
      position += 1
      guard inner != .all([]) else {
        throw QueryError("there is nothing between the parentheses", at: place..<position)
      }
      return inner
    case "\"": return try words(quoted(), nil, from: place)
    case "/": return .matches(.title, try expression())
    default: break
    }
    let name = takeName()
    if !name.isEmpty, position < end {
      let operation = position
      if let comparison = takeComparison() {
        return try number(name, comparison, from: place, operation)
      }
      if characters[position] == ":" {
        position += 1
        return try field(name, from: place)
      }
    }
    position = place
    let word = bareWord()
    if let state = Self.bareStates[word] { return .state(state) }
    return try words(word, nil, from: place)
  }

  private static let bareStates: [String: QueryState] = [
    "unread": .unread, "read": .read, "starred": .starred,
  ]

  // MARK: Fields

  private mutating func field(_ name: String, from place: Int) throws -> QueryCondition {
    let key = name.lowercased()
    let valuePlace = position
    switch key {
    case "title", "text":
      if isAtExpression { return .matches(key == "title" ? .title : .text, try expression()) }
      let isQuoted = position < end && characters[position] == "\""
      let value = try isQuoted ? quoted() : value(of: name, from: place)
      return try words(value, key == "title" ? .title : .text, from: valuePlace)
    case "author", "url", "category", "feed", "folder", "site", "account":
      let field = QueryField(rawValue: key) ?? .url
      return try isAtExpression
        ? .matches(field, expression()) : .contains(field, value(of: name, from: place))
    case "tag":
      if isAtExpression {
        throw QueryError("a tag is named whole, as in tag:swift", at: place..<position)
      }
      return .tag(try value(of: name, from: place))
    case "is": return .state(try choice(of: name, from: place))
    case "has":
      let value = try value(of: name, from: place).lowercased()
      if value == "tag" { return .state(.tagged) }
      guard let feature = QueryFeature(rawValue: value) else {
        let known = QueryFeature.allCases.map(\.rawValue) + ["tag"]
        throw QueryError(
          "has: is one of \(known.joined(separator: ", "))", at: valuePlace..<position)
      }
      return .has(feature)
    case "after", "before", "on", "arrived", "opened":
      return try date(key, try value(of: name, from: place), at: valuePlace..<position)
    case "age":
      throw QueryError("an age is compared, as in age<3d", at: place..<position)
    case "sort":
      throw QueryError(
        "sort: is about the whole query, and stands neither in parentheses nor behind -",
        at: place..<valuePlace - 1)
    case "since":
      let value = try value(of: name, from: place)
      if value == "last-refresh" { return .sinceLastRefresh }
      return try date("arrived", value, at: valuePlace..<position)
    default:
      let known = Self.fields.map { $0.hasSuffix("<") ? String($0.dropLast()) : $0 }
      if Self.fields.contains(key + "<") {
        throw QueryError("\(key) is compared, as in \(key)<10", at: place..<valuePlace)
      }
      var message = "there is no field “\(name)”"
      let near = known.first { $0.hasPrefix(key.prefix(2)) }
      message += near.map { "; did you mean \($0)?" } ?? "."
      throw QueryError(
        message + " Quotes look for the words themselves", at: place..<valuePlace - 1)
    }
  }

  /// For messages, completion and help.
  static let fields = [
    "title", "text", "author", "url", "category", "feed", "folder", "site", "account", "tag", "is",
    "has", "after", "before", "on", "arrived", "opened", "since", "sort", "age<", "unread<",
    "total<", "score<",
  ]

  private mutating func choice<Choice: RawRepresentable & CaseIterable>(
    of name: String, from place: Int
  ) throws -> Choice where Choice.RawValue == String {
    let start = position
    let value = try value(of: name, from: place)
    if let choice = Choice(rawValue: value.lowercased()) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw QueryError("\(name): is one of \(known)", at: start..<position)
  }

  private mutating func number(
    _ name: String, _ comparison: QueryComparison, from place: Int, _ operation: Int
  ) throws -> QueryCondition {
    let start = position
    let value = bareWord()
    switch name.lowercased() {
    case "age":
      guard let seconds = Self.seconds(of: value) else {
        throw QueryError("an age is a number with h, d, w, m or y, as in 3d", at: start..<position)
      }
      // Younger is later.
      let date: QueryComparison =
        switch comparison {
        case .less: .more
        case .atMost: .atLeast
        case .equal:
          throw QueryError("an age is compared by < or >", at: operation..<start)
        case .atLeast: .atMost
        case .more: .less
        }
      return .date(.written, date, .ago(seconds))
    case "unread", "total":
      guard let count = QueryCount(rawValue: name.lowercased()), let number = Int(value),
        number >= 0
      else { throw QueryError("a number is missing here", at: start..<position) }
      return .count(count, comparison, number)
    case "score":
      guard let number = Int(value) else {
        throw QueryError("a score is a number, as in score>0 or score<-2", at: start..<position)
      }
      return .score(comparison, number)
    default:
      throw QueryError("only age, unread, total and score are compared", at: place..<operation)
    }
  }

  private func date(
    _ name: String, _ value: String, at place: Range<Int>
  ) throws -> QueryCondition {
    guard let date = Self.date(value) else {
      throw QueryError(
        "a date is 2026-11-24, 2026-11, 2026, today, yesterday, or an age such as 3d", at: place)
    }
    switch name {
    case "after": return .date(.written, .atLeast, date)
    case "before": return .date(.written, .less, date)
    case "arrived": return .date(.arrived, .atLeast, date)
    case "opened": return .date(.opened, .atLeast, date)
    default:
      if case .ago = date {
        throw QueryError("on: takes a day, a month or a year", at: place)
      }
      return .date(.written, .equal, date)
    }
  }

  private static let units: [String: Int64] = [
    "min": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400, "m": 30 * 86_400, "y": 365 * 86_400,
  ]

  /// A month has 30 days, a year 365.
  static func seconds(of text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits), number < 1_000_000 else { return nil }
    return units[text[digits.endIndex...].lowercased()].map { number * $0 }
  }

  private static func date(_ text: String) -> QueryDate? {
    if text.lowercased() == "today" { return .today(daysAgo: 0) }
    if text.lowercased() == "yesterday" { return .today(daysAgo: 1) }
    if let seconds = seconds(of: text) { return .ago(seconds) }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let widths = [4, 2, 2]
    guard (1...3).contains(parts.count),
      zip(parts, widths).allSatisfy({ part, width in
        part.utf8.count == width && part.utf8.allSatisfy { (48...57).contains($0) }
      })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    let date = CalendarDay(
      year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1,
      day: numbers.count > 2 ? numbers[2] : 1)
    guard date.year > 0, date.exists else { return nil }
    let next =
      switch numbers.count {
      case 3: CalendarDay(number: date.number + 1)
      case 2 where date.month < 12: CalendarDay(year: date.year, month: date.month + 1, day: 1)
      default: CalendarDay(year: date.year + 1, month: 1, day: 1)
      }
    return .day(date.iso, next: next.iso)
  }

  // MARK: Words

  /// A star after the words makes the last one a prefix.
  private mutating func words(
    _ text: String, _ column: QueryWords.Column?, from place: Int
  ) throws -> QueryCondition {
    var phrase = text
    var isPrefix = false
    if position < end, characters[position] == "*" {
      position += 1
      isPrefix = true
    } else if phrase.hasSuffix("*") {
      phrase.removeLast()
      isPrefix = true
    }
    guard phrase.unicodeScalars.contains(where: Self.isIndexed) else {
      throw QueryError("there are no letters to find here", at: place..<position)
    }
    return .words(QueryWords(phrase, in: column, isPrefix: isPrefix))
  }

  /// Whether the search index treats a character as a part of a word.
  private static func isIndexed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  private mutating func value(of name: String, from place: Int) throws -> String {
    let text = position < end && characters[position] == "\"" ? try quoted() : bareWord()
    guard !text.isEmpty else {
      throw QueryError("a value is missing after \(name):", at: place..<position)
    }
    return text
  }

  private mutating func quoted() throws -> String {
    let start = position
    position += 1
    let first = position
    while position < end, characters[position] != "\"" { position += 1 }
    guard position < end else {
      throw QueryError("the quote that closes this one is missing", at: start..<end)
    }
    position += 1
    return String(characters[first..<position - 1])
  }

  private var isAtExpression: Bool { position < end && characters[position] == "/" }

  /// `\/` is a slash within the expression.
  private mutating func expression() throws -> String {
    let start = position
    position += 1
    var text = ""
    while position < end, characters[position] != "/" {
      if characters[position] == "\\", position + 1 < end {
        if characters[position + 1] != "/" { text.append("\\") }
        position += 1
      }
      text.append(characters[position])
      position += 1
    }
    guard position < end else {
      throw QueryError("the slash that closes this one is missing", at: start..<end)
    }
    position += 1
    guard !text.isEmpty, (try? NSRegularExpression(pattern: text)) != nil else {
      throw QueryError("this is not a regular expression", at: start..<position)
    }
    return text
  }

  private mutating func bareWord() -> String {
    let first = position
    while position < end, !characters[position].isWhitespace,
      !"()\"".contains(characters[position])
    {
      position += 1
    }
    return String(characters[first..<position])
  }

  // MARK: Tokens

  private mutating func skipSpaces() {
    while position < end, characters[position].isWhitespace { position += 1 }
  }

  private mutating func takeName() -> String {
    let first = position
    while position < end, characters[position].isASCII,
      characters[position].isLetter || characters[position] == "-"
    {
      position += 1
    }
    return String(characters[first..<position])
  }

  private mutating func takeComparison() -> QueryComparison? {
    // The longer signs begin with shorter ones.
    for length in [2, 1] where position + length <= end {
      let sign = String(characters[position..<position + length])
      guard let comparison = QueryComparison(rawValue: sign) else { continue }
      position += length
      return comparison
    }
    return nil
  }

  private func isAtKeyword(_ word: String) -> Bool {
    let letters = Array(word)
    let after = position + letters.count
    guard after <= end, Array(characters[position..<after]) == letters else { return false }
    return after == end || characters[after].isWhitespace || "()".contains(characters[after])
  }

  private mutating func takeKeyword(_ word: String) -> Bool {
    skipSpaces()
    guard isAtKeyword(word) else { return false }
    position += word.count
    return true
  }
}
