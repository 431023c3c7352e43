/// Selector of elements of a page (Selectors Level 4): types, classes, ids, attributes, the four combinators,
/// `:first-child`, `:last-child`, `:only-child`, `:nth-child()`, `:nth-last-child()`, `:not()`, `:is()`, `:has()`,
/// and lists with commas.
///
/// Names of elements and attributes match in any case, classes and ids in theirs.
package struct Selector: Hashable, Sendable {
  package struct Mistake: Error, Hashable, Sendable {
    /// The beginning of a sentence.
    package var message: String
    /// In characters of the text, from 1.
    package var column: Int
  }

  package let text: String
  let alternatives: [SelectorPath]

  /// The most characters of a selector.
  private static let longest = 2_000

  package init(_ text: String) throws(Mistake) {
    guard text.unicodeScalars.count <= Self.longest else {
      throw Mistake(message: "it is longer than \(Self.longest) characters", column: 1)
    }
    self.text = text
    var parser = SelectorParser(characters: Array(text))
    alternatives = try parser.list()
  }
}

/// Its stored form is its text.
extension Selector: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { self = try Selector(container.decode(String.self)) } catch let mistake as Mistake {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: mistake.message)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// Compound selectors with what stands between them: `ul > li.new`.
struct SelectorPath: Hashable, Sendable {
  enum Combinator: Hashable, Sendable { case descendant, child, next, later }

  /// From left to right; the last one is about the element that is looked for.
  var compounds: [[SelectorTest]]
  /// `combinators[n]` stands before `compounds[n]`; that of the first counts in `:has()` only.
  var combinators: [Combinator]
}

enum SelectorTest: Hashable, Sendable {
  enum Comparison: Hashable, Sendable {
    case exists, equals, begins, ends, contains, word, language
  }

  case any
  /// In lower case.
  case type(String)
  case attribute(name: String, Comparison, value: String, ignoresCase: Bool)
  case className(String)
  /// The place among its siblings is `step` × n + `offset` for an n from 0.
  case place(step: Int, offset: Int, fromEnd: Bool)
  case only
  case root
  case empty
  case not([SelectorPath])
  case matches([SelectorPath])
  case has([SelectorPath])
}

private struct SelectorParser {
  typealias Mistake = Selector.Mistake

  let characters: [Character]
  private var index = 0
  private var depth = 0

  /// The most selectors within each other.
  private static let deepest = 8

  init(characters: [Character]) { self.characters = characters }

  private var next: Character? { index < characters.count ? characters[index] : nil }

  private func mistake(_ message: String, at place: Int? = nil) -> Mistake {
    Mistake(message: message, column: (place ?? index) + 1)
  }

  private var shown: String { next.map { "“\($0)”" } ?? "the end" }

  /// - Returns: whether there was any.
  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = index
    while let next, next.isWhitespace { index += 1 }
    return index > start
  }

  private mutating func skip(_ wanted: Character) -> Bool {
    guard next == wanted else { return false }
    index += 1
    return true
  }

  // MARK: Paths

  mutating func list() throws(Mistake) -> [SelectorPath] {
    let paths = try paths(isRelative: false)
    if index < characters.count { throw mistake("\(shown) has no place here") }
    return paths
  }

  /// - Parameter isRelative: whether they may begin with a combinator.
  private mutating func paths(isRelative: Bool) throws(Mistake) -> [SelectorPath] {
    var paths: [SelectorPath] = []
    repeat {
      paths.append(try path(isRelative: isRelative))
    } while skip(",")
    return paths
  }

  private mutating func path(isRelative: Bool) throws(Mistake) -> SelectorPath {
    skipSpace()
    var combinator = SelectorPath.Combinator.descendant
    if isRelative, let first = readCombinator() { combinator = first }
    skipSpace()
    var path = SelectorPath(compounds: [try compound()], combinators: [combinator])
    while true {
      let hasSpace = skipSpace()
      let start = index
      guard let combinator = readCombinator() ?? (hasSpace && beginsCompound ? .descendant : nil)
      else { return path }
      skipSpace()
      guard beginsCompound else {
        throw mistake(
          "no element is named behind “\(characters[start])”, but \(shown) follows")
      }
      path.combinators.append(combinator)
      path.compounds.append(try compound())
    }
  }

  private mutating func readCombinator() -> SelectorPath.Combinator? {
    if skip(">") { return .child }
    if skip("+") { return .next }
    if skip("~") { return .later }
    return nil
  }

  private var beginsCompound: Bool {
    guard let next else { return false }
    return "*.#[:".contains(next) || beginsName
  }

  private var beginsName: Bool {
    guard let next else { return false }
    return next.isLetter || next == "_" || next == "-" || next == "\\" || !next.isASCII
  }

  // MARK: One element

  private mutating func compound() throws(Mistake) -> [SelectorTest] {
    var tests: [SelectorTest] = []
    if skip("*") {
      tests.append(.any)
    } else if beginsName {
      tests.append(.type(try name().lowercased()))
    }
    while let next {
      switch next {
      case "#":
        index += 1
        tests.append(
          .attribute(name: "id", .equals, value: try name(), ignoresCase: false))
      case ".":
        index += 1
        tests.append(.className(try name()))
      case "[": tests.append(try attribute())
      case ":": tests.append(try pseudoClass())
      default:
        guard tests.isEmpty else { return tests }
        throw mistake("\(shown) has no place here")
      }
    }
    guard !tests.isEmpty else { throw mistake("the name of an element is missing") }
    return tests
  }

  private mutating func name() throws(Mistake) -> String {
    var name = ""
    while let next {
      if next == "\\", index + 1 < characters.count {
        name.append(readEscaped())
      } else if next.isLetter || next.isNumber || next == "_" || next == "-" || !next.isASCII {
        name.append(next)
        index += 1
      } else {
        break
      }
    }
    guard !name.isEmpty else { throw mistake("a name is missing before \(shown)") }
    return name
  }

  /// The character of an escape (CSS Syntax Level 3, "consume an escaped code point"): browsers
  /// write the id `1st` as `#\31 st`.
  private mutating func readEscaped() -> Character {
    index += 1
    let digits = characters[index...].prefix(6).prefix { $0.isASCII && $0.isHexDigit }
    guard let number = UInt32(String(digits), radix: 16) else {
      index += 1
      return characters[index - 1]
    }
    index += digits.count
    if let next, next.isWhitespace { index += 1 }
    return Unicode.Scalar(number).map(Character.init) ?? "\u{FFFD}"
  }

  private mutating func attribute() throws(Mistake) -> SelectorTest {
    let start = index
    index += 1
    skipSpace()
    let name = try name().lowercased()
    skipSpace()
    if skip("]") { return .attribute(name: name, .exists, value: "", ignoresCase: false) }
    let comparisons: [Character: SelectorTest.Comparison] = [
      "^": .begins, "$": .ends, "*": .contains, "~": .word, "|": .language,
    ]
    var comparison = SelectorTest.Comparison.equals
    if let next, let other = comparisons[next] {
      comparison = other
      index += 1
    }
    guard skip("=") else { throw mistake("“=” or “]” is missing before \(shown)") }
    skipSpace()
    let value = try next == "\"" || next == "'" ? quoted() : self.name()
    skipSpace()
    var ignoresCase = false
    if next == "i" || next == "I" || next == "s" {
      ignoresCase = next != "s"
      index += 1
      skipSpace()
    }
    guard skip("]") else { throw mistake("a bracket is not closed", at: start) }
    return .attribute(name: name, comparison, value: value, ignoresCase: ignoresCase)
  }

  private mutating func quoted() throws(Mistake) -> String {
    let start = index
    let quote = characters[index]
    index += 1
    var text = ""
    while let next, next != quote {
      if next == "\\", index + 1 < characters.count {
        text.append(readEscaped())
        continue
      }
      text.append(next)
      index += 1
    }
    guard skip(quote) else { throw mistake("a quote is not closed", at: start) }
    return text
  }

  private mutating func pseudoClass() throws(Mistake) -> SelectorTest {
    let start = index
    index += 1
    if next == ":" { throw mistake("what “::” names is no element", at: start) }
    let name = try name().lowercased()
    switch name {
    case "first-child": return .place(step: 0, offset: 1, fromEnd: false)
    case "last-child": return .place(step: 0, offset: 1, fromEnd: true)
    case "only-child": return .only
    case "root": return .root
    case "empty": return .empty
    case "nth-child", "nth-last-child", "not", "is", "where", "has": break
    default: throw mistake("“:\(name)” is not known", at: start)
    }
    guard skip("(") else { throw mistake("“(” is missing behind “:\(name)”") }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw mistake("more than \(Self.deepest) selectors are within each other", at: start)
    }
    let test: SelectorTest
    switch name {
    case "not": test = .not(try paths(isRelative: false))
    case "has": test = .has(try paths(isRelative: true))
    case "is", "where": test = .matches(try paths(isRelative: false))
    default:
      let (step, offset) = try place()
      test = .place(step: step, offset: offset, fromEnd: name == "nth-last-child")
    }
    skipSpace()
    guard skip(")") else {
      throw next == nil
        ? mistake("“(” is not closed", at: start + name.count + 1)
        : mistake("\(shown) has no place here")
    }
    return test
  }

  /// `odd`, `even`, `3`, `2n+1`, `-n + 3` (CSS Syntax Level 3, "An+B").
  private mutating func place() throws(Mistake) -> (step: Int, offset: Int) {
    skipSpace()
    let start = index
    var text = ""
    while let next, next != ")" {
      if !next.isWhitespace { text.append(next) }
      index += 1
    }
    text = text.lowercased()
    if text == "odd" { return (2, 1) }
    if text == "even" { return (2, 0) }
    func number(_ text: Substring) -> Int? {
      guard let number = Int(text.hasPrefix("+") ? text.dropFirst() : text),
        abs(number) < 1_000_000
      else { return nil }
      return number
    }
    if let n = text.firstIndex(of: "n") {
      let (before, behind) = (text[..<n], text[text.index(after: n)...])
      let step = before.isEmpty || before == "+" ? 1 : before == "-" ? -1 : number(before)
      let offset = behind.isEmpty ? 0 : "+-".contains(behind.first ?? " ") ? number(behind) : nil
      if let step, let offset { return (step, offset) }
    } else if let offset = number(text[...]) {
      return (0, offset)
    }
    throw mistake("“\(text)” is no place: write it as in 2, odd or 3n+1", at: start)
  }
}
