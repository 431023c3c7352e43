internal import Text

extension HTMLPage {
  /// A selector asks for more comparisons than any page is worth.
  package struct TooMuchWork: Error, Hashable, Sendable {}

  /// The elements that a selector finds within another, in the order of the document.
  ///
  /// - Parameters:
  ///   - element: nil for the whole page. It can be found itself.
  ///   - limit: the most elements that are looked for.
  /// - Throws: where the selector compares more than `Matcher.mostSteps` elements.
  package func elements(
    matching selector: Selector, in element: Element? = nil, limit: Int = .max
  ) throws(TooMuchWork) -> [Element] {
    var matcher = Matcher(nodes: nodes)
    let start = element?.index ?? 0
    var found: [Element] = []
    for index in start..<nodes[start].end where !nodes[index].name.isEmpty {
      guard try matcher.matches(index, selector.alternatives) else { continue }
      found.append(Element(index: index))
      if found.count >= limit { break }
    }
    return found
  }
}

private struct Matcher {
  typealias TooMuchWork = HTMLPage.TooMuchWork

  static let mostSteps = 5_000_000

  let nodes: [HTMLPage.Node]
  private var steps = 0

  init(nodes: [HTMLPage.Node]) { self.nodes = nodes }

  mutating func matches(_ index: Int, _ paths: [SelectorPath]) throws(TooMuchWork) -> Bool {
    for path in paths {
      if try matches(index, path, path.compounds.count - 1, from: nil) { return true }
    }
    return false
  }

  /// Whether the compounds up to `last` match, the last of them at an element.
  ///
  /// - Parameter anchor: of `:has()`, to which the first compound stands as its combinator says.
  private mutating func matches(
    _ index: Int, _ path: SelectorPath, _ last: Int, from anchor: Int?
  ) throws(TooMuchWork) -> Bool {
    for test in path.compounds[last] where try !passes(index, test) { return false }
    let isFirst = last == 0
    if isFirst, anchor == nil { return true }
    func continues(_ other: Int) throws(TooMuchWork) -> Bool {
      if isFirst { return other == anchor }
      return try matches(other, path, last - 1, from: anchor)
    }
    let combinator = path.combinators[last]
    let isUp = combinator == .child || combinator == .descendant
    var other = isUp ? nodes[index].parent : nodes[index].previous
    if combinator == .child || combinator == .next {
      guard other >= 0 else { return false }
      return try continues(other)
    }
    while other >= 0 {
      try step()
      if try continues(other) { return true }
      other = isUp ? nodes[other].parent : nodes[other].previous
    }
    return false
  }

  private mutating func step() throws(TooMuchWork) {
    steps += 1
    if steps > Self.mostSteps { throw TooMuchWork() }
  }

  private mutating func passes(_ index: Int, _ test: SelectorTest) throws(TooMuchWork) -> Bool {
    try step()
    switch test {
    case .any: return true
    case .type(let name): return nodes[index].name == name
    case .className(let name):
      return nodes[index]["class"]?.split(whereSeparator: \.isWhitespace)
        .contains { $0 == name } ?? false
    case .attribute(let name, let comparison, let value, let ignoresCase):
      guard let own = nodes[index][name] else { return false }
      return ignoresCase
        ? Self.compare(own.lowercased(), comparison, value.lowercased())
        : Self.compare(own, comparison, value)
    case .place(let step, let offset, let fromEnd):
      let place =
        (fromEnd ? nodes[index].siblings - nodes[index].place + 1 : nodes[index].place) - offset
      return step == 0 ? place == 0 : place % step == 0 && place / step >= 0
    case .only: return nodes[index].siblings == 1
    case .root: return nodes[index].parent < 0
    case .empty: return nodes[index].end == index + 1
    case .not(let paths): return try !matches(index, paths)
    case .matches(let paths): return try matches(index, paths)
    case .has(let paths):
      for path in paths where try has(index, path) { return true }
      return false
    }
  }

  private mutating func has(_ anchor: Int, _ path: SelectorPath) throws(TooMuchWork) -> Bool {
    let isInside = path.combinators[0] == .child || path.combinators[0] == .descendant
    let parent = nodes[anchor].parent
    let end = isInside || parent < 0 ? nodes[anchor].end : nodes[parent].end
    for index in anchor + 1..<max(anchor + 1, end) where !nodes[index].name.isEmpty {
      if try matches(index, path, path.compounds.count - 1, from: anchor) { return true }
    }
    return false
  }

  private static func compare(
    _ own: String, _ comparison: SelectorTest.Comparison, _ value: String
  ) -> Bool {
    switch comparison {
    case .exists: true
    case .equals: own == value
    case .begins: !value.isEmpty && own.hasPrefix(value)
    case .ends: !value.isEmpty && own.hasSuffix(value)
    case .contains: !value.isEmpty && own.contains(value)
    case .word: own.split(whereSeparator: \.isWhitespace).contains { $0 == value }
    case .language: own == value || own.hasPrefix(value + "-")
    }
  }
}
