internal import Text

/// Path in a JSON document, such as `labels.nodes[0].name`; stored as text. `[*]` is every element.
package struct GraphQLPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case member(String)
    case index(Int)
    case all
  }

  package struct Mistake: Error, Hashable, Sendable {
    package var message: String
  }

  private static let longest = 32

  let steps: [Step]

  /// - Parameter text: indices may be `nodes[0]` or `nodes.0`.
  package init(_ text: String) throws(Mistake) {
    var steps: [Step] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      let name = part.prefix { $0 != "[" }
      var rest = part.dropFirst(name.count)
      guard !name.isEmpty else { throw Mistake(message: "a name is missing in the path “\(text)”") }
      steps.append(try Self.step(name, in: text))
      while !rest.isEmpty {
        guard rest.hasPrefix("["), let end = rest.firstIndex(of: "]") else {
          throw Mistake(message: "a bracket is not closed in the path “\(text)”")
        }
        let place = rest[rest.index(after: rest.startIndex)..<end]
        let step = try Self.step(place, in: text)
        if case .member = step {
          throw Mistake(message: "“[\(place)]” in the path “\(text)” is no place in a list")
        }
        steps.append(step)
        rest = rest[rest.index(after: end)...]
      }
    }
    guard steps.count <= Self.longest else {
      throw Mistake(message: "the path has more than \(Self.longest) steps")
    }
    self.steps = steps
  }

  init(steps: [Step]) { self.steps = steps }

  private static func step(_ word: Substring, in text: String) throws(Mistake) -> Step {
    if word == "*" { return .all }
    if let first = word.utf8.first, first.isASCIIDigit {
      guard let index = Int(word), index < 1_000_000 else {
        throw Mistake(message: "“\(word)” in the path “\(text)” is no place in a list")
      }
      return .index(index)
    }
    guard PlainText.sanitized(String(word)) == word, !word.contains(where: \.isWhitespace),
      !word.contains("]")
    else { throw Mistake(message: "“\(word)” in the path “\(text)” is no name of a field") }
    return .member(String(word))
  }

  /// The path from the top of a response, whose content is in `data`.
  package var fromTop: GraphQLPath {
    steps.first == .member("data") ? self : GraphQLPath(steps: [.member("data")] + steps)
  }

  package var text: String { Self.text(of: steps[...]) }

  private static func text(of steps: ArraySlice<Step>) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .index(let index): text += "[\(index)]"
      case .all: text += "[*]"
      }
    }
    return text
  }
}

extension GraphQLPath: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { self = try GraphQLPath(container.decode(String.self)) } catch let mistake as Mistake {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: mistake.message)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension GraphQLPath {
  enum Target {
    /// At least one, none of them null.
    case values([JSONValue])
    case null(at: String)
    /// An object on the path lacks a member.
    case missing(name: String, in: String, has: [String])
    /// A value on the path has no members or elements.
    case wrong(at: String, is: String)
  }

  func target(in value: JSONValue) -> Target { follow(steps[...], in: value) }

  private func follow(_ rest: ArraySlice<Step>, in value: JSONValue) -> Target {
    var value = value
    var index = rest.startIndex
    func here() -> String { Self.text(of: steps[..<index]) }
    while index < rest.endIndex {
      if case .null = value { return .null(at: here()) }
      switch (rest[index], value) {
      case (.member(let name), .object(let members, _)):
        guard let member = members[name] else {
          return .missing(name: name, in: here(), has: members.keys.sorted())
        }
        value = member
      case (.index(let place), .array(let values)):
        guard values.indices.contains(place) else { return .null(at: here()) }
        value = values[place]
      case (.all, .array(let values)):
        return all(of: values, rest[(index + 1)...], at: here())
      default: return .wrong(at: here(), is: value.kind)
      }
      index += 1
    }
    if case .null = value { return .null(at: text) }
    return .values([value])
  }

  /// The values in all elements of a list, or the first mistake.
  private func all(
    of values: [JSONValue], _ rest: ArraySlice<Step>, at place: String
  ) -> Target {
    var found: [JSONValue] = []
    var other: Target?
    for value in values {
      switch follow(rest, in: value) {
      case .values(let more): found += more
      case let target: other = other ?? target
      }
    }
    return found.isEmpty ? other ?? .null(at: place) : .values(found)
  }
}

extension JSONValue {
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
