internal import Text

/// The measures of all elements of a page that decide what its article is, each of them read in one step.
///
/// A measure of an element is that of its descendants together: sums over the nodes in the order of the document, of
/// which an element has a stretch. Their cost is linear in the page.
struct PageWeights {
  /// How much is left out before anything is measured.
  enum Care: Int, CaseIterable {
    /// Whatever looks as if it stood around the article, unless it holds the article.
    case strict
    /// Parts that no article has, and those around one by their names or roles, unless they have much of the text.
    case loose
    /// As `loose`, with what is hidden: pages that show their article by a script.
    case hidden
  }

  /// Sums before each node; the last one is that of the page.
  private(set) var texts: [Int32] = [0]
  private(set) var links: [Int32] = [0]
  private(set) var masses: [Float] = [0]
  private(set) var pictures: [Int32] = [0]
  private(set) var kept: [Int32] = [0]
  /// Nodes that are left out, with all that is in them.
  private(set) var isDropped: [Bool]
  private(set) var words: [PageHints.Words]
  /// The weight of each element by its own text, its inline elements included.
  private(set) var values: [Float]
  private(set) var ownTexts: [Int32]
  /// Whether the page is of people who answer each other.
  let isConversation: Bool
  /// Whether there are posts, of whatever kind.
  private(set) var isThread = false

  /// A letter of a script that writes a word in one or two of them counts as several.
  static func weight(of scalar: Unicode.Scalar) -> Int32 {
    switch scalar.value {
    case 0...0x20, 0x7F...0xA0: 0
    case 0x2E80...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0x2_0000...0x3_FFFF: 3
    default: 1
    }
  }

  private static func isComma(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", ";", "、", "，", "。", "،", "؛", "।", "፣": true
    default: false
    }
  }

  init(_ nodes: [HTMLPage.Node], care: Care, dropping: Set<Int> = []) {
    let count = nodes.count
    isDropped = Array(repeating: false, count: count)
    words = Array(repeating: [], count: count)
    values = Array(repeating: 0, count: count)
    ownTexts = Array(repeating: 0, count: count)
    var known: [String: PageHints.Words] = [:]
    for index in nodes.indices where !nodes[index].name.isEmpty {
      words[index] = PageHints.words(of: nodes[index], known: &known)
    }
    isConversation =
      Self.isConversation(nodes, words) || Self.isBareConversation(nodes, words)
    mark(nodes, care: care, dropping: dropping)
    measure(nodes)
    isThread = isConversation || isDiscussed(nodes)
  }

  /// Whether remarks are what the page is about: most of the text by the name of a body stands in them.
  private static func isConversation(
    _ nodes: [HTMLPage.Node], _ words: [PageHints.Words]
  ) -> Bool {
    var remarks = 0
    var (inside, outside) = (0, 0)
    var end = 0
    var bodyEnd = 0
    for (index, node) in nodes.enumerated() {
      if index >= end, words[index].contains(.comment), !node.name.isEmpty {
        end = node.end
        remarks += 1
      }
      if words[index].contains(.body) { bodyEnd = max(bodyEnd, node.end) }
      guard node.name.isEmpty, index < bodyEnd else { continue }
      if index < end { inside += node.text.utf8.count } else { outside += node.text.utf8.count }
    }
    return remarks > 1 && inside > outside
  }

  /// Whether there are three parts or more of a discussion, which have more text together than all the rest: modules of
  /// a page may have that name, too.
  private func isDiscussed(_ nodes: [HTMLPage.Node]) -> Bool {
    var (count, end) = (0, 0)
    var mass: Float = 0
    for index in nodes.indices
    where words[index].contains(.discussion) && text(index, nodes) > 0 {
      count += 1
      // Those within one of them are weighed with it.
      guard index >= end, nodes[index].name != "body", nodes[index].name != "html" else { continue }
      mass += self.mass(index, nodes)
      end = nodes[index].end
    }
    return count >= 3 && mass * 2 > masses[nodes.count]
  }

  /// Whether nothing says that there is an article, and more than half of the text without links are remarks.
  private static func isBareConversation(
    _ nodes: [HTMLPage.Node], _ words: [PageHints.Words]
  ) -> Bool {
    // In the head, which has no text.
    let isArticle = nodes.contains { node in
      node.name == "meta"
        && node.attributes.contains { $0.name == "property" && $0.value == "og:type" }
        && node.attributes.contains { $0.name == "content" && $0.value == "article" }
    }
    if isArticle { return false }
    var (remarks, inside, outside) = (0, 0, 0)
    var end = 0
    var linkEnd = 0
    var index = 0
    while index < nodes.count {
      let node = nodes[index]
      defer { index += 1 }
      if node.name.isEmpty {
        guard index >= linkEnd else { continue }
        let count = node.text.utf8.count { !$0.isASCIISpace }
        if index < end { inside += count } else { outside += count }
        continue
      }
      if PageHints.dropped.contains(node.name) || PageHints.aroundNames.contains(node.name) {
        index = max(index, node.end - 1)
        continue
      }
      if node.name == "a" { linkEnd = max(linkEnd, node.end) }
      if index >= end {
        if words[index].contains(.comment), node.name != "body", node.name != "html" {
          end = node.end
          remarks += 1
        } else if node.name == "article" || words[index].contains(.item)
          || words[index].contains(.body) && node.name != "body"
        {
          return false
        }
      }
    }
    return remarks > 0 && inside > outside
  }

  private mutating func mark(_ nodes: [HTMLPage.Node], care: Care, dropping: Set<Int>) {
    /// Where the formulas of the page are: what is hidden and has one is shown as a picture beside it.
    let formulas = nodes.indices.filter { nodes[$0].name == "math" }
    func hasFormula(_ index: Int) -> Bool {
      var low = 0
      var high = formulas.count
      while low < high {
        let middle = (low + high) / 2
        if formulas[middle] < index { low = middle + 1 } else { high = middle }
      }
      return low < formulas.count && formulas[low] < nodes[index].end
    }
    // Sentences of the page, by their length, and the elements that an article begins with: what holds both is no part
    // around it, whatever it is called (`content-sidebar-wrap`).
    var prose: [Int] = [0]
    var beginnings: [Int] = [0]
    var linkEnd = 0
    for (index, node) in nodes.enumerated() {
      if node.name == "a" { linkEnd = max(linkEnd, node.end) }
      let length = index < linkEnd ? 0 : node.text.utf8.count
      prose.append(prose[index] + (length < Self.leastProse ? 0 : length))
      let isBeginning =
        ["h1", "article", "main"].contains(node.name) || words[index].contains(.body)
      beginnings.append(beginnings[index] + (isBeginning ? 1 : 0))
    }
    func hasMuch(_ index: Int) -> Bool {
      (prose[nodes[index].end] - prose[index]) * 5 > prose[nodes.count] * 2
    }
    func holdsArticle(_ index: Int) -> Bool {
      beginnings[nodes[index].end] > beginnings[index + 1] && hasMuch(index)
    }
    func isKept(_ index: Int) -> Bool { care == .strict ? holdsArticle(index) : hasMuch(index) }
    var codeEnd = 0
    var headingEnd = 0
    for index in nodes.indices {
      let node = nodes[index]
      if node.name == "pre" { codeEnd = max(codeEnd, node.end) }
      if ArticleCleaning.isHeading(node.name) || node.name == "figcaption" {
        headingEnd = max(headingEnd, node.end)
      }
      if node.parent >= 0, isDropped[node.parent] {
        isDropped[index] = true
        continue
      }
      guard !node.name.isEmpty else { continue }
      if dropping.contains(index) || PageHints.dropped.contains(node.name) {
        isDropped[index] = true
        continue
      }
      if node.name == PageNormalizer.templateCopy, care != .hidden {
        isDropped[index] = true
        continue
      }
      if index == 0 || node.name == "body" || node.name == "math" { continue }
      if care != .hidden, PageHints.isHidden(node), !hasFormula(index) {
        isDropped[index] = true
        continue
      }
      if isAround(node, nodes), !isKept(index) {
        isDropped[index] = true
        continue
      }
      // Colours of code have names as well: that of a comment in it.
      guard care == .strict, index >= codeEnd else { continue }
      var own = words[index]
      if own.contains(.comment), isConversation {
        // The other words count: a `comment-header` is no comment.
        let name = node.attributes.first { $0.name == "class" }?.value.lowercased() ?? ""
        guard PageHints.isAroundRemark(name) else { continue }
        own = [.negative, .strong]
      }
      let isNamed =
        own.contains(.strong)
        ? !own.contains(.body)
        : own.contains(.negative) && own.isDisjoint(with: [.positive, .body, .notes, .lead])
          // The number of a section or a figure: a `tag`.
          && (node.name != "span" || index >= headingEnd)
      // A heading may have any name: that of the bar that it sticks to, say.
      if isNamed, !ArticleCleaning.isHeading(node.name) || own.contains(.strong),
        !PageHints.exempt.contains(node.name), !holdsArticle(index)
      {
        isDropped[index] = true
      }
    }
  }

  /// In bytes: shorter texts are labels.
  private static let leastProse = 40

  /// Whether an element stands around articles by its name or its role.
  private func isAround(_ node: HTMLPage.Node, _ nodes: [HTMLPage.Node]) -> Bool {
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

  private mutating func measure(_ nodes: [HTMLPage.Node]) {
    var blocks = Array(repeating: 0, count: nodes.count)
    var isInLink = Array(repeating: false, count: nodes.count)
    var ownLinks = Array(repeating: Int32(0), count: nodes.count)
    var commas = Array(repeating: Int32(0), count: nodes.count)
    var nodeTexts = Array(repeating: Int32(0), count: nodes.count)
    for index in nodes.indices {
      let node = nodes[index]
      let parent = max(0, node.parent)
      isInLink[index] = isInLink[parent]
      blocks[index] = blocks[parent]
      if !node.name.isEmpty {
        if node.name == "a", let target = node.attributes.first(where: { $0.name == "href" }) {
          // A place on the same page is a note, or a heading.
          isInLink[index] = !target.value.hasPrefix("#")
        }
        if node.isBlock { blocks[index] = index }
      }
      guard node.name.isEmpty, !isDropped[index] else { continue }
      var text: Int32 = 0
      for scalar in node.text.unicodeScalars {
        text += Self.weight(of: scalar)
        if Self.isComma(scalar) { commas[blocks[index]] += 1 }
      }
      nodeTexts[index] = text
      ownTexts[blocks[index]] += text
      if isInLink[index] { ownLinks[blocks[index]] += text }
    }
    for index in nodes.indices where blocks[index] == index && !isDropped[index] {
      values[index] = Self.value(
        of: nodes[index].name, text: ownTexts[index], link: ownLinks[index],
        commas: commas[index])
    }
    reserve(nodes.count + 1)
    for index in nodes.indices {
      texts.append(texts[index] &+ nodeTexts[index])
      links.append(links[index] &+ (isInLink[index] ? nodeTexts[index] : 0))
      masses.append(masses[index] + values[index])
      let isPicture = !isDropped[index] && nodes[index].name == "img"
      pictures.append(pictures[index] + (isPicture ? 1 : 0))
      kept.append(kept[index] + (isDropped[index] ? 0 : 1))
    }
  }

  private mutating func reserve(_ count: Int) {
    texts.reserveCapacity(count)
    links.reserveCapacity(count)
    masses.reserveCapacity(count)
    pictures.reserveCapacity(count)
    kept.reserveCapacity(count)
  }

  /// The weight of the text in one block: its length, and the commas that sentences have and labels have not.
  private static func value(of name: String, text: Int32, link: Int32, commas: Int32) -> Float {
    guard text >= 25, link * 2 < text else { return 0 }
    let share: Float =
      switch name {
      case "p", "pre", "blockquote": 1
      case "td", "th", "dd": 0.6
      case "li", "dt": 0.5
      case "figcaption", "caption", "address", "footer", "summary", "h1", "h2", "h3", "h4", "h5",
        "h6":
        0
      default: 0.9
      }
    let length = Float(text)
    let value = 1 + min(Float(commas), length / 20) + length / 80
    return share * value * (1 - Float(link) / length)
  }

  // MARK: Measures of an element

  func text(_ index: Int, _ nodes: [HTMLPage.Node]) -> Int {
    Int(texts[nodes[index].end] - texts[index])
  }

  func link(_ index: Int, _ nodes: [HTMLPage.Node]) -> Int {
    Int(links[nodes[index].end] - links[index])
  }

  func mass(_ index: Int, _ nodes: [HTMLPage.Node]) -> Float {
    masses[nodes[index].end] - masses[index]
  }

  func pictures(_ index: Int, _ nodes: [HTMLPage.Node]) -> Int {
    Int(pictures[nodes[index].end] - pictures[index])
  }

  /// Whether an element has two items or more, of a list or a table, each with words that are no link.
  func hasFacts(_ index: Int, _ nodes: [HTMLPage.Node]) -> Bool {
    let items = (index..<nodes[index].end).prefix(600).filter {
      ["li", "dd", "tr"].contains(nodes[$0].name)
    }
    return items.count > 1
      && items.allSatisfy { text($0, nodes) < 200 && linkShare($0, nodes) < 0.85 }
  }

  /// The part of the text that stands in links, from 0 to 1.
  func linkShare(_ index: Int, _ nodes: [HTMLPage.Node]) -> Double {
    let text = text(index, nodes)
    return text == 0 ? 0 : Double(link(index, nodes)) / Double(text)
  }
}
