package import News

extension NewsboatFilter {
  /// The filter as a query, with folders for tags of feeds, and tags for flags.
  ///
  /// - Parameter star: the flag that becomes a star.
  /// - Throws: `QueryError` about parts without a counterpart.
  package func query(star: Character? = nil) throws(QueryError) -> ArticleQuery {
    let text = try FilterTranslation(star: star).text(expression)
    do { return try ArticleQuery(text) } catch let error as QueryError {
      throw QueryError("\(error.message): \(text)", at: error.place)
    } catch {
      throw refused("it cannot be read as a query: \(text)")
    }
  }
}

private func refused(_ message: String) -> QueryError { QueryError(message, at: 0..<0) }

private struct FilterTranslation {
  let star: Character?

  func text(_ expression: NewsboatFilter.Expression) throws(QueryError) -> String {
    switch expression {
    case .comparison(let attribute, let operation, let value):
      try Comparison(attribute, operation, value, star: star).text()
    case .and(let left, let right):
      try conjunct(left) + " " + conjunct(right)
    case .or(let left, let right):
      // `and` binds more tightly, so no parentheses are needed.
      try text(left) + " OR " + text(right)
    }
  }

  private func conjunct(_ expression: NewsboatFilter.Expression) throws(QueryError) -> String {
    if case .or = expression { return "(" + (try text(expression)) + ")" }
    return try text(expression)
  }
}

private struct Comparison {
  let attribute: String
  /// Normalised: `=` for `==`, without the `!` of a negation.
  let operation: String
  let isDenied: Bool
  let value: String
  let star: Character?

  init(_ attribute: String, _ operation: String, _ value: String, star: Character?) {
    self.attribute = attribute
    isDenied = operation.hasPrefix("!")
    let sign = isDenied ? String(operation.dropFirst()) : operation
    // `!~` is the opposite of `=~`.
    self.operation = sign == "==" ? "=" : sign == "~" ? "=~" : sign
    self.value = value
    self.star = star
  }

  func text() throws(QueryError) -> String {
    switch attribute {
    case "title", "author": return signed(try matching(attribute))
    case "content": return signed(try matching("text"))
    case "link": return signed(try matching("url"))
    case "feedtitle", "rssurl": return signed(try matching("feed"))
    case "feedlink": return signed(try matching("site"))
    case "unread": return try readState()
    case "tags": return signed(try folder())
    case "flags": return signed(try flags())
    case "age": return try age()
    case "unread_count", "total_count":
      return try count(attribute == "unread_count" ? "unread" : "total")
    case "enclosure_url" where value.isEmpty && operation == "=":
      return isDenied ? "has:enclosure" : "-has:enclosure"
    case "enclosure_url"
    where operation == "=~" && [".", ".*", ".+", "^.+", "http"].contains(value):
      return signed("has:enclosure")
    case "enclosure_type" where operation == "=~" || operation == "=":
      return signed(try kindOfFile())
    case "guid": throw refused("queries do not know the ids of articles")
    case "date", "feeddate":
      throw refused("dates are no text in queries: use after:, before:, on: or age<")
    case "articleindex", "feedindex": throw refused("queries do not know the places in a list")
    case "description": throw refused("queries do not know the descriptions of feeds")
    case "enclosure_url", "enclosure_type":
      throw refused("queries know has:enclosure, has:audio, has:video and has:image only")
    default: throw refused("there is no counterpart for \(attribute)")
    }
  }

  private func signed(_ condition: String) -> String { isDenied ? "-" + condition : condition }

  private func matching(_ field: String) throws(QueryError) -> String {
    switch operation {
    case "=~":
      guard let expression = PosixExpression.translated(value), !expression.isEmpty else {
        throw refused("the regular expression \(value) has no counterpart")
      }
      return "\(field):/\(expression)/"
    case "=":
      guard !value.isEmpty else {
        guard field == "author" else { throw refused("an empty \(attribute) cannot be asked for") }
        // Negation of having one.
        return "(-has:author)"
      }
      return "\(field):/^\(PosixExpression.escaped(value))$/"
    case "#": return "\(field):/(?:^|\\s)\(PosixExpression.escaped(value))(?:\\s|$)/"
    default: throw refused("\(attribute) cannot be compared by \(operation)")
    }
  }

  private func quoted(_ name: String) throws(QueryError) -> String {
    guard !name.contains("\""), !name.isEmpty else {
      throw refused("a name with a quote in it cannot be asked for")
    }
    return "\"\(name)\""
  }

  private func readState() throws(QueryError) -> String {
    guard operation == "=", ["yes", "no"].contains(value) else {
      throw refused("unread is compared with yes or no")
    }
    return (value == "yes") != isDenied ? "unread" : "is:read"
  }

  private func folder() throws(QueryError) -> String {
    switch operation {
    case "#", "=": return "folder:" + (try quoted(FolderPath.joined([value])))
    case "=~": return try matching("folder")
    default: throw refused("tags cannot be compared by \(operation)")
    }
  }

  private func flags() throws(QueryError) -> String {
    let isSet = value.allSatisfy { $0.isASCII && $0.isLetter } && !value.isEmpty
    guard isSet, operation == "#" || operation == "=~", operation == "=~" || value.count == 1 else {
      throw refused("flags are asked for by their letters, as in flags # \"a\"")
    }
    // An expression of letters matches sorted flags only if they are adjacent.
    guard value.count == 1, let flag = value.first else {
      throw refused("flags are asked for one by one, as in flags # \"a\" and flags # \"b\"")
    }
    return flag == star ? "is:starred" : "tag:\(NewsboatFlags.tag(of: flag))"
  }

  private func kindOfFile() throws(QueryError) -> String {
    for kind in ["audio", "video", "image"] where value.lowercased().contains(kind) {
      return "has:\(kind)"
    }
    guard [".", ".*", ".+", "^.+"].contains(value) else {
      throw refused("queries know has:enclosure, has:audio, has:video and has:image only")
    }
    return "has:enclosure"
  }

  private func number(_ text: Substring) throws(QueryError) -> Int {
    guard let number = Int(text), (0...100_000).contains(number) else {
      throw refused("\(text) is no number that queries take")
    }
    return number
  }

  private func bounds() throws(QueryError) -> ClosedRange<Int> {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    guard operation == "between" else {
      let number = try number(value[...])
      return number...number
    }
    guard parts.count == 2 else { throw refused("\(value) is no range") }
    let (one, other) = (try number(parts[0]), try number(parts[1]))
    return min(one, other)...max(one, other)
  }

  /// In whole days.
  private func age() throws(QueryError) -> String {
    let bounds = try bounds()
    let (from, to) = (bounds.lowerBound, bounds.upperBound)
    switch operation {
    case "<": return "age<\(from)d"
    case "<=": return "age<\(from + 1)d"
    case ">": return "age>=\(from + 1)d"
    case ">=": return "age>=\(from)d"
    case "=", "between":
      let within = "age>=\(from)d age<\(to + 1)d"
      return isDenied ? "-(\(within))" : within
    default: throw refused("an age cannot be compared by \(operation)")
    }
  }

  private func count(_ name: String) throws(QueryError) -> String {
    let bounds = try bounds()
    switch operation {
    case "<", "<=", ">", ">=": return "\(name)\(operation)\(bounds.lowerBound)"
    case "=": return signed("\(name)=\(bounds.lowerBound)")
    case "between": return "\(name)>=\(bounds.lowerBound) \(name)<=\(bounds.upperBound)"
    default: throw refused("\(attribute) cannot be compared by \(operation)")
    }
  }
}
