internal import News

/// The scope of a search, and its place in the history.
struct SearchPrompt: Hashable, Sendable {
  /// The list that is searched; nil for everything.
  private(set) var scope: Timeline?
  /// The place in the history of searches; nil on a line of one's own.
  private var place: Int?
  private var draft = ""

  /// A search of the list that shows, where that is not everything.
  init(in state: ReaderState) { _ = changeScope(in: state) }

  init() {}

  /// Looks in the list that the search was begun from instead of everything, or the other way round.
  ///
  /// - Returns: false where that list is everything.
  mutating func changeScope(in state: ReaderState) -> Bool {
    if scope != nil {
      scope = nil
      return true
    }
    let begun = (state.listBeforeSearch ?? state.list).query.timeline
    switch begun {
    case .all, .search: return false
    case .unread, .starred, .folder, .feed, .matching: scope = begun
    }
    return true
  }

  /// The words of an earlier search, or of a later one.
  mutating func recall(_ step: Int, _ current: String, in state: ReaderState) -> String? {
    state.searchHistory.recalled(step, current, place: &place, draft: &draft)
  }

  /// The timeline of words, or of a query; nil for none. A query with a mistake stands for its words.
  func timeline(of words: String, in state: ReaderState) -> Timeline? {
    guard !words.allSatisfy(\.isWhitespace) else { return nil }
    if let query = try? ArticleQuery(words), !query.isOfWords {
      return .matching(query, in: scope ?? .all)
    }
    guard let scope else { return .search(words) }
    guard let query = ArticleQuery.text(ofSearch: words).flatMap({ try? ArticleQuery($0) }) else {
      return nil
    }
    return .matching(query, in: scope)
  }
}

extension Timeline {
  /// Whether it is a list with a query over it.
  var isMatching: Bool { if case .matching = self { true } else { false } }
}
