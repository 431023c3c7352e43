internal import News
internal import Screen

/// The state of the article when words began to be typed.
struct BegunFind: Hashable, Sendable {
  /// The first visible line, at the width of that time, and its place in the article.
  var top: Int
  var width: Int
  var position: ReadingPosition?
  /// The search before.
  var former: ArticleFind?
}

enum Finding {
  static func askToFind(in state: inout ReaderState) -> [Effect] {
    guard let article = state.article, let page = article.page else {
      return state.notify(ReadingStrings.noArticleOpen)
    }
    let begun = BegunFind(
      top: article.top, width: page.width, position: page.position(ofLine: article.top),
      former: article.find)
    state.ask(.find(from: begun))
    return []
  }

  /// Shows the first place of what is being typed, from the line on where that was begun.
  static func find(whileTyping words: String, from begun: BegunFind, in state: inout ReaderState) {
    guard let top = state.article?.line(of: begun) else { return }
    state.article?.find(words, from: top)
    if state.article?.find?.hits.isEmpty != false { state.article?.scroll(toLine: top) }
  }

  /// Goes back to where it was begun, and to what was looked for then.
  static func cancelFind(from begun: BegunFind, in state: inout ReaderState) {
    guard let top = state.article?.line(of: begun) else { return }
    state.article?.find = begun.former
    state.article?.scroll(toLine: top)
  }

  /// - Parameter text: nothing for the words that were looked for last.
  static func finishFind(
    _ text: String, from begun: BegunFind, in state: inout ReaderState
  ) -> [Effect] {
    let words = text.allSatisfy(\.isWhitespace) ? state.lastFind : text
    guard let words else {
      cancelFind(from: begun, in: &state)
      return []
    }
    return find(words, from: state.article?.line(of: begun), in: &state)
  }

  /// The whole word of the hit that the user is at; without one the words of the search that shows, or the last ones.
  static func findWord(in state: inout ReaderState) -> [Effect] {
    guard let article = state.article, article.page != nil else {
      return state.notify(ReadingStrings.noArticleOpen)
    }
    if let word = article.wordOfHit { return find(word, isWhole: true, from: nil, in: &state) }
    if case .search(let words) = state.shownTimeline {
      return find(words, anyOf: Self.phrases(of: words), from: article.top, in: &state)
    }
    guard let lastFind = state.lastFind else {
      return state.notify(FindingStrings.findFirst(state.key(.find)))
    }
    return find(lastFind, isWhole: true, from: article.top, in: &state)
  }

  /// The words and quoted phrases of a search.
  private static func phrases(of search: String) -> [String] {
    search.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap {
      index, part in
      // Between the first and the second quotation mark, the third and the fourth …
      index % 2 == 1 ? [String(part)] : part.split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }

  /// - Parameter top: the line from which on they are looked for; nil for the hit that the user is at.
  private static func find(
    _ words: String, anyOf phrases: [String]? = nil, isWhole: Bool = false, from top: Int?,
    in state: inout ReaderState
  ) -> [Effect] {
    state.lastFind = words
    let former = state.article?.top ?? 0
    let line = top ?? state.article?.hit?.line ?? former
    state.article?.find(words, anyOf: phrases, isWhole: isWhole, from: line)
    guard state.article?.find?.hits.isEmpty == true else { return [] }
    // The keys for the next hit stay with these words until the search is left.
    state.article?.scroll(toLine: top ?? former)
    return notifyMissing(words, in: &state)
  }

  static func notifyMissing(_ words: String, in state: inout ReaderState) -> [Effect] {
    state.notify(FindingStrings.missing(words))
  }
}

extension ArticleState {
  var hit: ArticleFind.Hit? { find.flatMap { find in find.current.map { find.hits[$0] } } }

  /// Marks the places of words, and goes to the first from a line on.
  mutating func find(
    _ words: String, anyOf phrases: [String]? = nil, isWhole: Bool = false, from line: Int
  ) {
    guard let text = foldedText() else { return }
    var find = ArticleFind(words, anyOf: phrases, isWhole: isWhole, in: text)
    find.goToFirst(from: line)
    self.find = find
    showHit()
  }

  /// Its text as it is compared. Made once for a layout: each typed letter looks at it.
  private mutating func foldedText() -> FoldedText? {
    guard let page else { return nil }
    if let folded, foldedWidth == page.width { return folded }
    folded = FoldedText(page.lines)
    foldedWidth = page.width
    return folded
  }

  /// Finds the same words on the lines of another layout, from the place of the hit on.
  ///
  /// - Parameters:
  ///   - former: the lines before.
  ///   - isShown: whether the place stays in sight.
  mutating func findAgain(after former: ArticlePage?, isShown: Bool) {
    folded = nil
    guard let page, let find, let former else { return }
    let position = hit.flatMap { former.position(ofLine: $0.line) }
    let line = position.map { page.line(at: $0) } ?? hit?.line ?? 0
    guard let text = foldedText() else { return }
    var again = find.again(in: text)
    again.goToFirst(from: line)
    self.find = again
    if isShown { showHit() }
  }

  /// Whether the hit that the user is at is in sight.
  var isHitShown: Bool { hit.map { top..<top + height ~= $0.line } ?? false }

  mutating func resize(to height: Int) {
    let isShown = isHitShown
    self.height = height
    scroll(by: 0)
    if isShown { showHit() }
  }

  /// The line that was the first one when words began to be typed.
  func line(of begun: BegunFind) -> Int? {
    guard let page else { return nil }
    return page.width == begun.width ? begun.top : page.line(at: begun.position)
  }

  /// - Returns: whether it went on at the other end.
  mutating func goToHit(_ step: Int) -> Bool {
    let isAround = find?.advance(by: step) ?? false
    showHit()
    return isAround
  }

  /// Scrolls only where the hit is out of sight.
  private mutating func showHit() {
    guard let line = hit?.line, line < top || line >= top + height else { return }
    scroll(toLine: line - height / 3)
  }

  fileprivate var wordOfHit: String? {
    guard let part = hit?.parts.first, let line = page?.lines[part.line] else { return nil }
    let characters = Array(line.text)
    func isOfWord(_ index: Int) -> Bool {
      characters.indices.contains(index)
        && (characters[index].isLetter || characters[index].isNumber)
    }
    var (start, end) = (part.characters.lowerBound, part.characters.lowerBound)
    while isOfWord(start - 1) { start -= 1 }
    while isOfWord(end) { end += 1 }
    return start < end ? String(characters[start..<end]) : nil
  }
}
