internal import Text

/// Lines of a thread that say who has written one of its posts, and what can be done with it.
struct ThreadLines {
  private let page: MeasuredPage
  /// How many elements have each name and class, and how many of these are no such lines; empty for no thread.
  private var kinds: [String: (count: Int, long: Int)] = [:]

  private static let longest = 120
  private static let names: Set = ["div", "p", "span", "header", "ul", "li"]

  init(_ page: MeasuredPage, isThread: Bool) {
    self.page = page
    guard isThread else { return }
    for index in page.nodes.indices where !page.isDropped[index] {
      guard let kind = Self.kind(of: page.nodes[index]) else { continue }
      let isLong = page.text(index) >= Self.longest || page.mass(index) >= 2.6
      let known = kinds[kind, default: (0, 0)]
      kinds[kind] = (known.count + 1, known.long + (isLong ? 1 : 0))
    }
  }

  private static func kind(of node: HTMLPage.Node) -> String? {
    guard names.contains(node.name) else { return nil }
    return node["class"].map { node.name + " " + $0 }
  }

  /// Whether an element is such a line, with a link and without a sentence, as nearly all of its kind are.
  func contains(_ element: ArticleElement) -> Bool {
    let index = element.index
    guard !kinds.isEmpty, element.text > 0, element.text < Self.longest, element.pictures == 0,
      page.mass(index) < 2.6, page.isSmall(index, 80),
      let kind = Self.kind(of: page.nodes[index]).flatMap({ kinds[$0] }), kind.count >= 3,
      kind.long * 4 <= kind.count, !page.isWithinSentence(index)
    else { return false }
    return page.nodes[page.range(of: index)].contains { $0.name == "a" }
      && page.count(.subheading, index) == 0 && page.count(.code, index) == 0
      && !page.text(of: index, upTo: 480).endsSentence
  }
}
