/// Finds the elements that are left out before a page is measured: those that look as if they stood around its article.
struct PageTrimming {
  private let nodes: [HTMLPage.Node]
  private let words: [PageHints.Words]
  private let care: MeasuredPage.Care
  private let isConversation: Bool
  /// The formulas of the page, in order: what is hidden and has one is shown as a picture beside it.
  private let formulas: [Int]
  /// Sums before each node: the bytes of sentences, and the elements that an article begins with. What holds both is no
  /// part around it, whatever it is called (`content-sidebar-wrap`).
  private var prose: [Int] = [0]
  private var beginnings: [Int] = [0]

  /// In bytes: shorter texts are labels.
  private static let leastProse = 40

  init(
    _ nodes: [HTMLPage.Node], _ words: [PageHints.Words], _ care: MeasuredPage.Care,
    isConversation: Bool
  ) {
    (self.nodes, self.words, self.care) = (nodes, words, care)
    self.isConversation = isConversation
    formulas = nodes.indices.filter { nodes[$0].name == "math" }
    var linkEnd = 0
    for (index, node) in nodes.enumerated() {
      if node.name == "a" { linkEnd = max(linkEnd, node.end) }
      let length = index < linkEnd ? 0 : node.text.utf8.count
      prose.append(prose[index] + (length < Self.leastProse ? 0 : length))
      let isBeginning =
        ["h1", "article", "main"].contains(node.name) || words[index].contains(.body)
      beginnings.append(beginnings[index] + (isBeginning ? 1 : 0))
    }
  }

  /// - Parameter others: elements that are left out in any case.
  /// - Returns: for each node whether it is left out, by itself or with an element around it.
  func dropped(with others: Set<Int>) -> [Bool] {
    var isDropped = Array(repeating: false, count: nodes.count)
    var codeEnd = 0
    var headingEnd = 0
    for (index, node) in nodes.enumerated() {
      if node.name == "pre" { codeEnd = max(codeEnd, node.end) }
      if node.isHeading || node.name == "figcaption" { headingEnd = max(headingEnd, node.end) }
      isDropped[index] =
        node.parent >= 0 && isDropped[node.parent]
        || !node.name.isEmpty
          && (others.contains(index)
            || isAround(index, isInCode: index < codeEnd, isInHeading: index < headingEnd))
    }
    return isDropped
  }

  private func isAround(_ index: Int, isInCode: Bool, isInHeading: Bool) -> Bool {
    let node = nodes[index]
    if PageHints.dropped.contains(node.name) { return true }
    if node.name == PageNormalizer.templateCopy, care != .hidden { return true }
    if index == 0 || node.name == "body" || node.name == "math" { return false }
    if care != .hidden, PageHints.isHidden(node), !formulas.hasElement(in: index..<node.end) {
      return true
    }
    if isAroundByRole(node), !(care == .strict ? holdsArticle(index) : hasMuch(index)) {
      return true
    }
    // Colours of code have names as well: that of a comment in it.
    return care == .strict && !isInCode && isAroundByName(index, isInHeading: isInHeading)
  }

  private func isAroundByName(_ index: Int, isInHeading: Bool) -> Bool {
    let node = nodes[index]
    var own = words[index]
    if own.contains(.comment), isConversation {
      // The other words count: a `comment-header` is no comment.
      guard PageHints.isAroundRemark(node["class"]?.lowercased() ?? "") else { return false }
      own = [.negative, .strong]
    }
    let isNamed =
      own.contains(.strong)
      ? !own.contains(.body)
      : own.contains(.negative) && own.isDisjoint(with: [.positive, .body, .notes, .lead])
        // The number of a section or a figure: a `tag`.
        && (node.name != "span" || !isInHeading)
        // A heading may have any name: that of the bar that it sticks to, say.
        && !node.isHeading
    return isNamed && !PageHints.exempt.contains(node.name) && !holdsArticle(index)
  }

  /// Whether an element stands around articles by its name or its role.
  private func isAroundByRole(_ node: HTMLPage.Node) -> Bool {
    if PageHints.aroundNames.contains(node.name) { return true }
    return node.attributes.contains { name, value in
      switch name {
      case "role":
        // The mark of a note that opens when it is pressed.
        let isMark = node.name == "a" && node.parent >= 0 && nodes[node.parent].name == "sup"
        // Those of these two names belong to the article in which they stand.
        return PageHints.aroundRoles.contains(value.lowercased()) && !isMark
          && node.name != "article" && node.name != "aside"
      case "aria-modal": return value.lowercased() == "true"
      default: return false
      }
    }
  }

  private func hasMuch(_ index: Int) -> Bool {
    (prose[nodes[index].end] - prose[index]) * 5 > prose[nodes.count] * 2
  }

  private func holdsArticle(_ index: Int) -> Bool {
    beginnings[nodes[index].end] > beginnings[index + 1] && hasMuch(index)
  }
}

extension [Int] {
  /// Whether one of the elements, which are in ascending order, is in a range.
  func hasElement(in range: Range<Int>) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] < range.upperBound
  }
}
