internal import Text

// Parts of sentences, and sentences.

extension ArticleCleaning {
  /// The block in which an element stands; itself where it is one.
  func block(around index: Int) -> Int {
    var block = index
    for _ in 0..<Self.mostInline where block > 0 && !nodes[block].isBlock {
      block = nodes[block].parent
    }
    return max(0, block)
  }

  /// Inline elements within each other that are looked through.
  private static let mostInline = 12

  /// Whether an element is a few words of a longer text: a year in bold, the number of a note.
  func isWithinSentence(_ look: Look) -> Bool {
    guard nodes[look.index].parent >= 0, !nodes[look.index].isBlock else { return false }
    if nodes[nodes[look.index].parent].name == "sup" { return true }
    let block = block(around: look.index)
    guard block != look.index, isProse(block) else { return lettersBeside(look.index) >= 30 }
    let text = weights.text(block, nodes)
    return text >= look.text + 60
      || text > look.text && isSmall(block, Self.mostOfLine)
        && isSentence(self.text(of: block, upTo: 600))
  }

  private func isProse(_ block: Int) -> Bool {
    ["p", "li", "td", "dd", "blockquote"].contains(nodes[block].name)
  }

  /// Nodes of a line that is looked at; what has more is none.
  static let mostOfLine = 300

  /// Letters of the texts next to an element, in the same one.
  private func lettersBeside(_ index: Int) -> Int {
    var letters = 0
    for other in [index - 1, nodes[index].end]
    where nodes.indices.contains(other) && nodes[other].name.isEmpty
      && nodes[other].parent == nodes[index].parent
    {
      letters += weights.text(other, nodes)
    }
    return letters
  }

  /// Whether a line is a sentence: it ends as one, or goes on in small letters without a full stop.
  func isSentence(_ text: String) -> Bool {
    let text = text.collapsed()
    if Self.endsSentence(text) { return true }
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

  /// Whether a text ends with the end of a sentence.
  static func endsSentence(_ text: some StringProtocol) -> Bool {
    var end = text[...]
    while let last = end.last, last.isWhitespace || "\"'”’»“)]".contains(last) {
      end = end.dropLast()
    }
    guard let last = end.last, ".?!。？！…".contains(last) else { return false }
    return !["a.m.", "p.m."].contains { end.hasSuffix($0) }
  }

  /// Whether a text begins with some words, and not only with a part of them.
  static func begins(_ text: some StringProtocol, with words: String) -> Bool {
    guard text.hasPrefix(words) else { return false }
    guard let last = words.unicodeScalars.last, last.properties.isAlphabetic,
      // Scripts without spaces.
      !last.properties.isIdeographic
    else { return true }
    return text.dropFirst(words.count).first.map { !$0.isLetter } ?? true
  }
}
