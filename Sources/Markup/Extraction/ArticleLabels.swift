internal import Text

// Lines that stand above advertising and above lists of other articles, and the headings of appendices.

extension ArticleCleaning {
  /// Words that stand above lists of other articles and above what asks for something.
  private static let lures = [
    "related stories", "related articles", "related posts", "related content", "related topics",
    "related coverage", "related news", "related links", "related reading", "related videos",
    "read more", "read next", "read also", "more from", "more on", "more in ", "more stories",
    "most read", "most popular", "most viewed", "trending now", "trending stories",
    "recommended for you", "recommended stories", "recommended articles", "recommended reading",
    "recommended videos", "share this", "share on", "share via", "follow us", "you may also",
    "you might also", "you might like", "you might have missed", "see also our", "subscribe to",
    "subscribe now", "subscribe for", "subscribe today", "sign up", "top stories", "keep reading",
    "up next", "filed under", "tags:", "about the author", "don't miss", "don’t miss", "get our",
    "join our", "popular stories", "popular posts", "popular articles", "popular now",
    "people are also reading", "what's next", "más información",
    "mehr zum thema", "mehr dazu", "lesen sie auch", "auch interessant", "das könnte sie",
    "das könnte dich", "das könnte ihnen", "das könnte euch", "über den autor", "à lire",
    "lire aussi", "sur le même sujet", "más noticias", "te puede interesar", "lee también",
    "leggi anche", "lees ook", "läs också", "leia também",
    "читайте также", "関連記事", "相关阅读", "相关文章",
  ]
  /// Such words that other texts begin with, too.
  private static let loneLures: Set = [
    "related", "trending", "recommended", "share", "subscribe", "newsletter", "popular",
  ]
  /// Labels above advertising, and where it would be.
  private static let labels: Set = [
    "advertisement", "advertising", "ad", "anzeige", "werbung", "publicité", "publicidad",
    "sponsored", "sponsored content", "story continues below advertisement",
    "article continues below", "article continues after advertisement",
    "article continues below advertisement", "continue reading below", "skip advertisement",
    "share this article", "share this story", "share this", "listen to this article",
    "save article", "save this article", "back to top", "read more", "show more", "copy link",
    "jump to recipe", "print recipe", "pin recipe", "print", "pin",
    "view this email in your browser", "view in browser", "view online", "sort or filter",
    "print this article", "loading…", "loading...",
  ]

  /// Words before the name of a picture's maker.
  private static let makers = [
    "illustration by ", "illustrations by ", "photograph by ", "photographs by ", "photo by ",
    "photos by ", "photo: ", "image: ", "credit: ", "foto: ", "bild: ", "photograph: ",
  ]

  /// Whether an element begins as a list of other articles does.
  func startsList(_ index: Int) -> Bool {
    // A heading and what stands below it are texts of their own.
    let first = (index..<nodes[index].end).prefix(Self.mostOfLine).first { inner in
      nodes[inner].name.isEmpty && weights.text(inner, nodes) > 0
    }
    guard let first else { return false }
    return Self.isLure(nodes[first].text.prefix(160).lowercased().collapsed())
  }

  /// - Parameter text: in lower case, without spaces at its beginning.
  static func isLure(_ text: some StringProtocol) -> Bool {
    lures.contains { begins(text, with: $0) }
      || loneLures.contains(headingKey(String(text.prefix { $0 != ":" })))
  }

  /// Whether an element is a line that is no sentence of the article: what stands above advertising, a paragraph that
  /// leads to another article, the names behind a report of an agency.
  func isLabel(_ look: Look) -> Bool {
    guard look.text > 1, look.text < 240, look.pictures == 0, !isLenient,
      ["p", "div", "span", "a", "small", "strong", "b", "h2", "h3", "h4", "h5", "h6", "section"]
        .contains(look.name), tables.last?.isLayout != false, isSmall(look.index),
      !isWithinLine(look)
    else { return false }
    if look.text < 80 {
      let text = text(of: look.index, upTo: 160).lowercased().collapsed()
      if Self.labels.contains(text), !Self.isHeading(look.name) || text.contains(" ") {
        return true
      }
      if Self.makers.contains(where: { text.hasPrefix($0) }), !text.hasSuffix(".") { return true }
      if isThread, text.hasPrefix("last edited by ") || text.hasPrefix("edited by ") { return true }
    }
    guard look.name == "p" || look.name == "div" else { return false }
    if weights.linkShare(look.index, nodes) > 0.5 { return startsList(look.index) }
    guard writer.letters > 400 else { return false }
    let text = text(of: look.index, upTo: 240).lowercased()
    let start = text.drop { $0.isWhitespace || $0 == "(" }
    return start.hasPrefix("reporting by ") && text.contains("editing by ")
  }

  /// Whether an element is some of the words of a paragraph, an item or a heading.
  private func isWithinLine(_ look: Look) -> Bool {
    guard !nodes[look.index].isBlock else { return false }
    let block = block(around: look.index)
    if Self.wordHolders.contains(nodes[block].name) {
      return weights.text(block, nodes) > look.text || Self.isHeading(nodes[block].name)
    }
    return isWithinSentence(look)
  }

  private static let wordHolders: Set = [
    "p", "li", "dt", "dd", "td", "th", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6",
  ]

  /// Headings of what stands behind an article, or between its parts, and is none of it.
  static let appendices: Set = [
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

  /// Whether a box begins with the heading of an appendix.
  func isAppendix(_ look: Look) -> Bool {
    guard ["section", "div", "aside", "footer"].contains(look.name), !look.words.contains(.body),
      writer.letters > Self.beginning
    else { return false }
    var index = look.index + 1
    while index < min(nodes[look.index].end, look.index + Self.mostNested) {
      let node = nodes[index]
      if Self.isHeading(node.name) {
        return isAppendix(look, under: text(of: index, upTo: 80))
      }
      if node.name.isEmpty {
        guard node.text.utf8.allSatisfy(\.isASCIISpace) else { return false }
      } else if !["div", "section", "header", "span"].contains(node.name) {
        return false
      }
      index += 1
    }
    return false
  }

  /// Parts of an article may be called as an appendix is, where it is a single word, unless it says how many are below it.
  private func isAppendix(_ look: Look, under heading: String) -> Bool {
    let key = Self.headingKey(heading)
    guard Self.appendices.contains(key) else { return false }
    if key.contains(" "), key != "key events" { return true }
    if key != heading.lowercased().collapsed(), heading.contains(where: \.isNumber) { return true }
    return weights.mass(look.index, nodes) < 10 && count(.code, look.index) == 0
      || weights.linkShare(look.index, nodes) > 0.3
  }
}
