/// One-line excerpt of an article's text around matches.
package struct Snippet: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var text: String
    package var isHit: Bool

    package init(_ text: String, isHit: Bool = false) {
      self.text = text
      self.isHit = isHit
    }
  }

  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }
}

/// Words of a search that stand together.
package struct SoughtWords: Hashable, Sendable {
  package var phrase: String
  /// Whether the last word may be a prefix.
  package var isPrefix = false

  /// Parses a typed search: quoted words stand together, and the last word may be a prefix.
  package static func all(in typed: String) -> [SoughtWords] {
    var all: [SoughtWords] = []
    let pieces = typed.split(separator: "\"", omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      if index % 2 == 1 {
        all.append(SoughtWords(phrase: String(piece), isPrefix: index == pieces.count - 1))
      } else {
        all += piece.split(whereSeparator: \.isWhitespace).map { SoughtWords(phrase: String($0)) }
      }
    }
    all.removeAll { !$0.phrase.contains { $0.isLetter || $0.isNumber } }
    if pieces.count % 2 == 1, let last = all.indices.last, pieces.last?.isEmpty == false {
      all[last].isPrefix = true
    }
    return all
  }
}

extension Timeline {
  /// The words that its articles were found by in their texts; none for lists that are no search.
  package var soughtWords: [SoughtWords] {
    switch self {
    case .all, .unread, .starred, .folder, .feed: []
    case .search(let words): SoughtWords.all(in: words)
    case .matching(let query, let whole): query.condition.soughtWords + whole.soughtWords
    }
  }
}

extension QueryCondition {
  /// Words that a matching article may contain; excluded words are not among them.
  fileprivate var soughtWords: [SoughtWords] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.soughtWords)
    case .words(let words) where words.column != .title:
      [SoughtWords(phrase: words.phrase, isPrefix: words.isPrefix)]
    default: []
    }
  }
}

/// Progress of building a search index. Newest articles come first; older ones are not found yet.
package struct IndexProgress: Hashable, Sendable {
  /// From 0 to 99.
  package var percent: Int

  package init(percent: Int) { self.percent = min(max(percent, 0), 99) }

  package var text: String {
    "the search index is being rebuilt: \(percent)%, older articles are not found yet"
  }
}
