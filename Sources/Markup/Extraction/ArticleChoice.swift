/// Decides which elements of a page are its article.
struct ArticleChoice {
  private let nodes: [HTMLPage.Node]
  private let weights: PageWeights

  /// Levels of ancestors that the text of a block counts for.
  private static let levels = 5
  /// The least text of an article's body that is known by its name, in letters.
  private static let leastNamed = 200

  init(_ nodes: [HTMLPage.Node], _ weights: PageWeights) {
    self.nodes = nodes
    self.weights = weights
  }

  /// The elements that make the article together, in the order of the page, none of them within another; empty for
  /// none.
  func parts() -> [Int] {
    let body = nodes.firstIndex { $0.name == "body" } ?? 0
    let total = weights.mass(body, nodes)
    guard total > 0 else { return [] }
    if let named = named(in: body, total: total) { return named }
    let root = main(total: total) ?? body
    guard let top = top(in: root) else { return [] }
    return joined(widened(top, in: root), in: root)
  }

  // MARK: By name

  /// Elements whose names say that they are the article, where they hold most of the text.
  private func named(in body: Int, total: Float) -> [Int]? {
    for isNamed in [
      { (index: Int) in weights.words[index].contains(.body) },
      { (index: Int) in nodes[index].name == "article" },
    ] {
      let found = outermost(isNamed)
      guard let largest = found.max(by: { mass($0) < mass($1) }),
        weights.text(largest, nodes) >= Self.leastNamed
      else { continue }
      let others = found.filter { $0 != largest && mass($0) >= 0.2 * mass(largest) }
      if others.isEmpty {
        if mass(largest) >= 0.45 * total { return [largest] }
        continue
      }
      // A page of several posts, or an article in several pieces.
      let parts = found.filter { $0 == largest || mass($0) >= 0.2 * mass(largest) }
      let isOne = parts.allSatisfy { nodes[$0].parent == nodes[largest].parent }
      if isOne, parts.reduce(0, { $0 + mass($1) }) >= 0.6 * total, parts.count <= 400 {
        return parts
      }
    }
    return nil
  }

  /// The one element for the main content, where it holds some of the text.
  private func main(total: Float) -> Int? {
    let found = outermost { index in
      nodes[index].name == "main"
        || nodes[index].attributes.contains { $0.name == "role" && $0.value == "main" }
    }
    guard found.count == 1, let main = found.first, mass(main) >= 0.4 * total else { return nil }
    return main
  }

  private func outermost(_ isWanted: (Int) -> Bool) -> [Int] {
    var found: [Int] = []
    var index = 0
    while index < nodes.count {
      if !nodes[index].name.isEmpty, nodes[index].name != "body", index > 0,
        !weights.isDropped[index], isWanted(index), mass(index) > 0
      {
        found.append(index)
        index = nodes[index].end
      } else {
        index += 1
      }
    }
    return found
  }

  private func mass(_ index: Int) -> Float { weights.mass(index, nodes) }

  // MARK: By text

  /// The element whose children and grandchildren hold the most text.
  private func top(in root: Int) -> Int? {
    var scores: [Int: Float] = [:]
    for index in root..<nodes[root].end where weights.values[index] > 0 {
      var ancestor = index == root ? root : nodes[index].parent
      // Text that stands in a box beside other boxes counts for the box itself, too.
      if nodes[index].name != "p" { scores[index, default: 0] += weights.values[index] / 2 }
      var level = 1
      while ancestor >= root, level <= Self.levels {
        scores[ancestor, default: 0] += weights.values[index] / Float(level)
        if ancestor == root { break }
        ancestor = nodes[ancestor].parent
        level += 1
      }
    }
    func final(_ index: Int, _ score: Float) -> Float {
      var score = score * Float(1 - weights.linkShare(index, nodes))
      if weights.words[index].contains(.body) { score *= 1.5 }
      if weights.words[index].contains(.positive) { score *= 1.2 }
      if weights.words[index].contains(.negative) { score *= 0.5 }
      switch nodes[index].name {
      case "article", "main": return score * 1.3
      case "li", "ul", "ol", "form", "th", "address", "dl": return score * 0.7
      default: return score
      }
    }
    let finals = scores.map { (index: $0, score: final($0, $1)) }
    // Of two that are equal the one that stands first: the order of a dictionary must not decide.
    return finals.max { ($0.score, $1.index) < ($1.score, $0.index) }?.index
  }

  /// The ancestor that has the rest of the article: other boxes as good as this one.
  private func widened(_ top: Int, in root: Int) -> Int {
    var top = top
    while top != root, nodes[top].parent > root || nodes[top].parent == root {
      let parent = nodes[top].parent
      guard nodes[parent].name != "body", nodes[parent].name != "html" else { break }
      let isWrapper = weights.text(parent, nodes) * 10 <= weights.text(top, nodes) * 11
      var others: Float = 0
      var child = parent + 1
      var looked = 0
      while child < nodes[parent].end, looked < 2_000 {
        looked += 1
        if child != top, !nodes[child].name.isEmpty, isGood(child),
          mass(child) >= 0.12 * mass(top)
        {
          others += mass(child)
        }
        child = nodes[child].end
      }
      guard isWrapper || others >= 0.2 * mass(top) else { break }
      top = parent
      if top == root { break }
    }
    return top
  }

  private func isGood(_ index: Int) -> Bool {
    !weights.isDropped[index] && !weights.words[index].contains(.negative)
      && weights.linkShare(index, nodes) < 0.3
  }

  /// The element with those of its siblings that go on with the article.
  private func joined(_ top: Int, in root: Int) -> [Int] {
    guard top != root, nodes[top].parent >= root else { return [top] }
    let parent = nodes[top].parent
    let least = max(3, 0.15 * mass(top))
    var siblings: [Int] = []
    var child = parent + 1
    while child < nodes[parent].end {
      if !nodes[child].name.isEmpty, !weights.isDropped[child] { siblings.append(child) }
      child = nodes[child].end
    }
    func continues(_ index: Int) -> Bool {
      if index == top { return true }
      guard isGood(index) else { return false }
      if mass(index) >= least { return true }
      return nodes[index].name == "p" && weights.text(index, nodes) >= 60
        && weights.linkShare(index, nodes) < 0.25
    }
    guard let first = siblings.firstIndex(where: continues),
      let last = siblings.lastIndex(where: continues)
    else { return [top] }
    return siblings[first...last].filter { index in
      continues(index)
        || weights.linkShare(index, nodes) < 0.5 && !weights.words[index].contains(.negative)
    }
  }
}
