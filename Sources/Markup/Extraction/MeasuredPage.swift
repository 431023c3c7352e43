internal import Text

/// A page with the measures of its elements that decide what its article is, each read in one step.
///
/// A measure of an element is that of its descendants together, the difference of two prefix sums over the nodes in the
/// order of the document. Their cost is linear in the page.
struct MeasuredPage {
  /// How much is left out before anything is measured.
  enum Care: Int, CaseIterable {
    /// Whatever looks as if it stood around the article, unless it holds the article.
    case strict
    /// Parts that no article has, and those around one by their names or roles, unless they have much of the text.
    case loose
    /// As `loose`, with what is hidden: pages that show their article by a script.
    case hidden
  }

  let nodes: [HTMLPage.Node]
  /// Sums before each node; the last element is the sum of the page.
  private(set) var texts: [Int32] = [0]
  private var links: [Int32] = [0]
  private var masses: [Float] = [0]
  private var pictures: [Int32] = [0]
  private let counts: ElementCounts
  /// Nodes that are left out, with all that is in them.
  let isDropped: [Bool]
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

  init(_ nodes: [HTMLPage.Node], care: Care, dropping: Set<Int>) {
    self.nodes = nodes
    let count = nodes.count
    words = Array(repeating: [], count: count)
    values = Array(repeating: 0, count: count)
    ownTexts = Array(repeating: 0, count: count)
    var known: [String: PageHints.Words] = [:]
    for index in nodes.indices where !nodes[index].name.isEmpty {
      words[index] = PageHints.words(of: nodes[index], known: &known)
    }
    isConversation = Self.isConversation(nodes, words) || Self.isBareConversation(nodes, words)
    isDropped = PageTrimming(nodes, words, care, isConversation: isConversation)
      .dropped(with: dropping)
    counts = ElementCounts(nodes, isDropped: isDropped)
    measure()
    isThread = isConversation || isDiscussed
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
  private var isDiscussed: Bool {
    var (count, end) = (0, 0)
    var mass: Float = 0
    for index in nodes.indices
    where words[index].contains(.discussion) && text(index) > 0 {
      count += 1
      // Those within one of them are weighed with it.
      guard index >= end, nodes[index].name != "body", nodes[index].name != "html" else { continue }
      mass += self.mass(index)
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
      node.name == "meta" && node["property"] == "og:type" && node["content"] == "article"
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

  private mutating func measure() {
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
        if node.name == "a", let target = node["href"] {
          // A place on the same page is a note, or a heading.
          isInLink[index] = !target.hasPrefix("#")
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
    texts.reserveCapacity(nodes.count + 1)
    links.reserveCapacity(nodes.count + 1)
    masses.reserveCapacity(nodes.count + 1)
    pictures.reserveCapacity(nodes.count + 1)
    for index in nodes.indices {
      texts.append(texts[index] &+ nodeTexts[index])
      links.append(links[index] &+ (isInLink[index] ? nodeTexts[index] : 0))
      masses.append(masses[index] + values[index])
      let isPicture = !isDropped[index] && nodes[index].name == "img"
      pictures.append(pictures[index] + (isPicture ? 1 : 0))
    }
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

  func text(_ index: Int) -> Int { Int(texts[nodes[index].end] - texts[index]) }

  func link(_ index: Int) -> Int { Int(links[nodes[index].end] - links[index]) }

  func mass(_ index: Int) -> Float { masses[nodes[index].end] - masses[index] }

  func pictures(_ index: Int) -> Int { Int(pictures[nodes[index].end] - pictures[index]) }

  func count(_ kind: ElementCounts.Kind, _ index: Int) -> Int {
    counts.count(kind, in: range(of: index))
  }

  /// Whether an element has two items or more, of a list or a table, each with words that are no link.
  func hasFacts(_ index: Int) -> Bool {
    let items = range(of: index).prefix(600).filter {
      ["li", "dd", "tr"].contains(nodes[$0].name)
    }
    return items.count > 1
      && items.allSatisfy { text($0) < 200 && linkShare($0) < 0.85 }
  }

  /// The part of the text that stands in links, from 0 to 1.
  func linkShare(_ index: Int) -> Double {
    let text = text(index)
    return text == 0 ? 0 : Double(link(index)) / Double(text)
  }

  // MARK: The tree

  /// An element and its descendants.
  func range(of index: Int) -> Range<Int> { index..<nodes[index].end }

  func children(of index: Int) -> some Sequence<Int> {
    sequence(state: index + 1) { next in
      guard next < nodes[index].end else { return nil }
      defer { next = nodes[next].end }
      return next
    }
  }
}
