internal import Text

/// Lines of an article that stand above advertising and above lists of other articles.
struct ArticleLabels {
  let page: MeasuredPage

  /// Whether an element is a line that is no sentence of the article: a label of advertising, a paragraph that leads to
  /// another article, the names behind a report of an agency.
  func contains(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    guard element.text > 1, element.text < 240, element.pictures == 0, !context.isLenient,
      Self.names.contains(element.name), context.tables.last?.isLayout != false,
      page.isSmall(element.index), !isWithinLine(element)
    else { return false }
    if element.text < 80, isLabel(element, context) { return true }
    guard element.name == "p" || element.name == "div" else { return false }
    if page.linkShare(element.index) > 0.5 { return startsList(element.index) }
    guard context.isWellInside else { return false }
    let text = page.text(of: element.index, upTo: 240).lowercased()
    let start = text.drop { $0.isWhitespace || $0 == "(" }
    return start.hasPrefix("reporting by ") && text.contains("editing by ")
  }

  private static let names: Set = [
    "p", "div", "span", "a", "small", "strong", "b", "h2", "h3", "h4", "h5", "h6", "section",
  ]

  private func isLabel(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    let text = page.words(of: element.index, upTo: 160)
    let isHeading = page.nodes[element.index].isHeading
    return Self.labels.contains(text) && (!isHeading || text.contains(" "))
      || Self.makers.contains(where: text.hasPrefix) && !text.hasSuffix(".")
      || context.isThread && (text.hasPrefix("last edited by ") || text.hasPrefix("edited by "))
  }

  /// Whether an element is some of the words of a paragraph, an item or a heading.
  private func isWithinLine(_ element: ArticleElement) -> Bool {
    guard !page.nodes[element.index].isBlock else { return false }
    let block = page.block(around: element.index)
    let node = page.nodes[block]
    guard node.isHeading || Self.wordHolders.contains(node.name) else {
      return page.isWithinSentence(element.index)
    }
    return node.isHeading || page.text(block) > element.text
  }

  private static let wordHolders: Set = ["p", "li", "dt", "dd", "td", "th", "blockquote"]

  /// Whether an element begins as a list of other articles does.
  func startsList(_ index: Int) -> Bool {
    // A heading and what stands below it are texts of their own.
    let first = page.range(of: index).prefix(MeasuredPage.mostOfLine).first { inner in
      page.nodes[inner].name.isEmpty && page.text(inner) > 0
    }
    guard let first else { return false }
    return Self.isLure(page.nodes[first].text.prefix(160).lowercased().collapsed())
  }

  /// - Parameter text: in lower case, without spaces at its beginning.
  static func isLure(_ text: String) -> Bool {
    lures.contains(where: text.begins)
      || loneLures.contains(Appendices.key(text.prefix { $0 != ":" }))
  }

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
  /// Words that do so only where they stand alone: other texts begin with them, too.
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
}
