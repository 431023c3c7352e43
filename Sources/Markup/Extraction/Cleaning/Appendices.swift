internal import Text

/// Parts behind an article, or between its parts, that their headings name: comments, other articles, its author.
struct Appendices {
  let page: MeasuredPage

  func contains(_ box: ArticleElement, _ context: ArticleContext) -> Bool {
    guard ["section", "div", "aside", "footer"].contains(box.name), !box.words.contains(.body),
      context.letters > ArticleContext.beginning,
      let heading = page.firstHeading(of: box.index, within: ["div", "section", "header", "span"])
    else { return false }
    let text = page.text(of: heading, upTo: 80)
    let key = Self.key(text)
    guard Self.headings.contains(key) else { return false }
    // Parts of an article may have the same heading where it is a single word, unless it counts what is below it.
    if key.contains(" "), key != "key events" { return true }
    if text.contains(where: \.isNumber), key != text.lowercased().collapsed() { return true }
    return page.mass(box.index) < 10 && page.count(.code, box.index) == 0
      || page.linkShare(box.index) > 0.3
  }

  func isHeading(_ index: Int) -> Bool {
    Self.headings.contains(Self.key(page.text(of: index, upTo: 80)))
  }

  /// Whether a heading is a place of the article with a name of its own, to which a link leads: lists of links below
  /// it are the author's.
  func isNamedHeading(_ index: Int) -> Bool {
    let hasName = page.range(of: index).prefix(4).contains { inner in
      page.nodes[inner]["id"]?.isEmpty == false
    }
    guard hasName, page.words[index].isDisjoint(with: [.strong, .comment]) else { return false }
    let key = Self.key(page.text(of: index, upTo: 160))
    return !Self.headings.contains(key) && !ArticleLabels.isLure(key)
  }

  /// A heading in lower case without the number of what is below it: `Comments (12)`, `3 Answers`.
  static func key(_ heading: some StringProtocol) -> String {
    func isCount(_ character: Character) -> Bool {
      character.isNumber || character.isWhitespace || "().:,".contains(character)
    }
    var key = heading.lowercased().collapsed()[...]
    while let first = key.first, isCount(first) { key.removeFirst() }
    while let last = key.last, isCount(last) { key.removeLast() }
    return String(key)
  }

  private static let headings: Set = [
    "about this article", "rights and permissions", "cite this article", "share this article",
    "about the author", "about the authors", "author information", "related articles",
    "related content", "related posts", "related topics", "related stories", "related",
    "more on this story", "more stories", "comments", "leave a comment", "leave a reply",
    "share this", "share", "tags", "recommended", "similar content being viewed by others",
    "read next", "you may also like", "you might also like", "most read", "most popular",
    "trending", "trending now", "newsletter", "key events", "top stories", "featured",
    "mehr zum thema", "kommentare", "auch interessant", "das könnte sie auch interessieren",
    "über den autor", "commentaires", "sur le même sujet", "comentarios", "artículos relacionados",
    "reviews", "responses", "discussion about this post", "about the writer", "filed under",
    "more episodes", "people also ask", "we're hiring", "we’re hiring", "sobre la firma",
    "sobre el autor", "sobre la autora", "archivado en", "lo más visto", "à propos de l’auteur",
    "les plus lus", "mehr von diesem autor", "commenti", "reacties", "комментарии", "читайте также",
    "関連記事", "コメント",
  ]
}
