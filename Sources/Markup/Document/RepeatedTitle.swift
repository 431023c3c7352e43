extension Document {
  /// Leaves out a first heading or line that is the title, by its letters and digits, where more text follows.
  ///
  /// Pictures may stand before it. The places of jumps in it move to the text below.
  package mutating func removeRepeatedTitle(_ title: String) {
    guard let index = blocks.firstIndex(where: { !$0.isFigure }), let text = blocks[index].inlines
    else { return }
    let line = text.prefix { $0 != .lineBreak }
    let rest = Array(text.dropFirst(line.count + 1))
    guard !rest.isEmpty || index + 1 < blocks.count, Self.names(line, title) else { return }
    if rest.isEmpty { blocks.remove(at: index) } else { blocks[index].inlines = rest }
    let places = line.filter(\.isAnchor)
    if !places.isEmpty, let next = blocks[index].inlines { blocks[index].inlines = places + next }
  }

  private static func names(_ line: ArraySlice<Inline>, _ title: String) -> Bool {
    guard line.allSatisfy({ $0.image == nil }) else { return false }
    let text = line.compactMap(\.text).joined()
    // An article in one paragraph is too long for its title.
    guard text.utf8.count < 2 * title.utf8.count + 100 else { return false }
    let key = ArticleTitle.key(title)
    return !key.isEmpty && ArticleTitle.key(text) == key
  }
}

extension Block {
  fileprivate var isFigure: Bool { if case .figure = self { true } else { false } }

  /// The text of a heading or a paragraph; nil for other blocks.
  fileprivate var inlines: [Inline]? {
    get {
      switch self {
      case .heading(_, let inlines), .paragraph(let inlines): inlines
      default: nil
      }
    }
    set {
      guard let newValue else { return }
      if case .heading(let level, _) = self {
        self = .heading(level: level, newValue)
      } else {
        self = .paragraph(newValue)
      }
    }
  }
}
