internal import Text

/// Finds what stands between the title of an article and the element that holds its body, and belongs to it: the
/// standfirst, and a picture with its caption.
struct ArticleLead {
  private let nodes: [HTMLPage.Node]
  private let weights: PageWeights
  private let title: String
  private let author: String?

  /// In letters: a longer stretch is none.
  private static let longest = 1_500
  private static let mostParts = 6
  private static let mostNodes = 600

  init(_ nodes: [HTMLPage.Node], _ weights: PageWeights, _ head: PageHead) {
    self.nodes = nodes
    self.weights = weights
    title = ArticleCleaning.key(head.title ?? "")
    author = head.byline?.lowercased().collapsed()
  }

  /// - Parameter parts: the elements of the article, in the order of the page.
  /// - Returns: elements before them, in the order of the page, none of them within another.
  func parts(above parts: [Int]) -> [Int] {
    guard let first = parts.first, let heading = heading(before: first) else { return [] }
    var found: [Int] = []
    var letters = 0
    var index = nodes[heading].end
    while index < first {
      let node = nodes[index]
      guard node.end <= first else {
        // Around the article: what is in it comes next.
        index += 1
        continue
      }
      if weights.isDropped[index] || node.name.isEmpty {
        index = node.end
        continue
      }
      if isLead(index) {
        found.append(index)
        letters += weights.text(index, nodes)
        index = node.end
      } else {
        index = isOpaque(index) ? node.end : index + 1
      }
    }
    return letters <= Self.longest && found.count <= Self.mostParts ? found : []
  }

  /// The last heading before the article that is its title.
  private func heading(before first: Int) -> Int? {
    guard !title.isEmpty else { return nil }
    var looked = 0
    for index in stride(from: first - 1, through: 0, by: -1) where nodes[index].name == "h1" {
      guard nodes[index].end <= first, !weights.isDropped[index] else { continue }
      let key = ArticleCleaning.key(text(of: index))
      if !key.isEmpty, key == title || title.contains(key) && key.count * 2 > title.count {
        return index
      }
      looked += 1
      if looked > 8 { return nil }
    }
    return nil
  }

  /// Whether nothing in an element is looked at.
  private func isOpaque(_ index: Int) -> Bool {
    if ["ul", "ol", "table", "form", "dl", "aside"].contains(nodes[index].name) { return true }
    return weights.words[index].contains(.negative)
      || weights.words[index].contains(.byline) && weights.text(index, nodes) < 200
  }

  private func isLead(_ index: Int) -> Bool {
    let node = nodes[index]
    let text = weights.text(index, nodes)
    if node.name == "figure" { return weights.pictures(index, nodes) > 0 }
    guard ["p", "h2", "h3", "div", "section", "blockquote"].contains(node.name), text >= 25,
      text <= 700, !weights.words[index].contains(.byline),
      weights.words[index].contains(.lead) || !weights.words[index].contains(.negative),
      weights.linkShare(index, nodes) < 0.3
    else { return false }
    guard node.end - index <= Self.mostNodes else { return false }
    let inside = nodes[index + 1..<node.end]
    guard !inside.contains(where: { ["time", "button", "form", "img", "h1"].contains($0.name) })
    else { return false }
    let isNamed = weights.words[index].contains(.lead)
    if !isNamed, inside.contains(where: \.isBlock) { return false }
    let words = self.text(of: index).lowercased().collapsed()
    if let author, words.contains(author) { return false }
    return isNamed || text >= 60 || words.hasSuffix(".") || words.hasSuffix("?")
  }

  private func text(of index: Int) -> String {
    var text = ""
    for inner in index..<nodes[index].end where nodes[inner].name.isEmpty {
      text += nodes[inner].text
      if text.utf8.count > 2_000 { break }
    }
    return text
  }
}
