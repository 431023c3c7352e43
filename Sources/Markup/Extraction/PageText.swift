internal import Text

// The texts of elements, and what can be said of them by their letters.

extension MeasuredPage {
  /// Nodes of which the text is read: thousands may have none.
  private static let mostOfText = 2_000
  /// Nodes of a box that are looked at; a larger one is none of those that are left out.
  private static let mostOfBox = 600
  /// Nodes of a line that are looked at.
  static let mostOfLine = 300
  /// Levels of inline elements in which the block around them is looked for.
  private static let mostInline = 12
  /// Elements between a box and the heading that it begins with.
  static let mostNested = 40

  /// - Parameter limit: in bytes; the text that goes beyond is the last one.
  func text(of index: Int, upTo limit: Int) -> String {
    var text = ""
    for inner in range(of: index).prefix(Self.mostOfText) where nodes[inner].name.isEmpty {
      text += nodes[inner].text
      if text.utf8.count > limit { break }
    }
    return text
  }

  /// The text in lower case, its white space collapsed.
  func words(of index: Int, upTo limit: Int) -> String {
    text(of: index, upTo: limit).lowercased().collapsed()
  }

  func isSmall(_ index: Int, _ most: Int = mostOfBox) -> Bool { range(of: index).count <= most }

  /// The block in which an element stands; itself where it is one.
  func block(around index: Int) -> Int {
    var block = index
    for _ in 0..<Self.mostInline where block > 0 && !nodes[block].isBlock {
      block = nodes[block].parent
    }
    return max(0, block)
  }

  /// The heading that a box begins with; nil for none.
  ///
  /// - Parameter wrappers: the elements that may stand around it.
  func firstHeading(of index: Int, within wrappers: Set<String>) -> Int? {
    for inner in range(of: index).prefix(Self.mostNested).dropFirst() {
      let node = nodes[inner]
      if node.isHeading { return inner }
      guard
        node.name.isEmpty ? node.text.utf8.allSatisfy(\.isASCIISpace) : wrappers.contains(node.name)
      else { return nil }
    }
    return nil
  }

  /// Whether an element is a few words of a longer text: a year in bold, the number of a note.
  func isWithinSentence(_ index: Int) -> Bool {
    guard nodes[index].parent >= 0, !nodes[index].isBlock else { return false }
    if nodes[nodes[index].parent].name == "sup" { return true }
    let block = block(around: index)
    guard block != index, ["p", "li", "td", "dd", "blockquote"].contains(nodes[block].name) else {
      return lettersBeside(index) >= 30
    }
    let (own, whole) = (text(index), text(block))
    return whole >= own + 60
      || whole > own && isSmall(block, Self.mostOfLine) && text(of: block, upTo: 600).isSentence
  }

  /// Letters of the texts next to an element, in the same one.
  private func lettersBeside(_ index: Int) -> Int {
    [index - 1, nodes[index].end].reduce(0) { letters, other in
      guard nodes.indices.contains(other), nodes[other].name.isEmpty,
        nodes[other].parent == nodes[index].parent
      else { return letters }
      return letters + text(other)
    }
  }
}

extension String {
  /// Whether a line is a sentence: it ends as one, or goes on in small letters without a full stop.
  var isSentence: Bool {
    let text = collapsed()
    if text.endsSentence { return true }
    guard text.first?.isUppercase == true else { return false }
    let words = text.split(separator: " ")
    guard words.count >= 6, words[words.count - 1].first?.isLowercase == true,
      // `3 hours ago`, `5 min read`.
      !words.suffix(3).contains(where: { $0.contains(where: \.isNumber) }),
      !text.contains(where: { "·•|".contains($0) })
    else { return false }
    return !Self.lineStarts.contains(words[0].lowercased())
  }

  /// Words with which lines begin that say who has written the article, and when.
  private static let lineStarts: Set = [
    "by", "von", "par", "por", "di", "door", "av", "posted", "published", "updated", "edited",
    "written", "last", "modified", "filed",
  ]
}

extension StringProtocol {
  var endsSentence: Bool {
    var end = self[...]
    while let last = end.last, last.isWhitespace || "\"'”’»“)]".contains(last) {
      end = end.dropLast()
    }
    guard let last = end.last, ".?!。？！…".contains(last) else { return false }
    return !["a.m.", "p.m."].contains { end.hasSuffix($0) }
  }

  /// Whether it begins with some words, and not only with a part of them.
  func begins(with words: String) -> Bool {
    guard hasPrefix(words) else { return false }
    guard let last = words.unicodeScalars.last, last.properties.isAlphabetic,
      // Scripts without spaces.
      !last.properties.isIdeographic
    else { return true }
    return dropFirst(words.count).first.map { !$0.isLetter } ?? true
  }
}
