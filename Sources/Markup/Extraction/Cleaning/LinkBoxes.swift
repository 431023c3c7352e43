internal import Text

struct LinkBoxes {
  let page: MeasuredPage

  /// Whether an element is the table of contents of the article: hardly more than links to places in it.
  func isContents(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    guard element.text > 0, element.text < 1_500, !context.isLenient, element.pictures == 0,
      page.isSmall(element.index), page.count(.code, element.index) == 0
    else { return false }
    var (links, letters) = (0, 0)
    for index in page.range(of: element.index) where page.nodes[index].name == "a" {
      guard let target = page.nodes[index]["href"], target.hasPrefix("#"), target.utf8.count > 1
      else { continue }
      links += 1
      letters += page.text(index)
    }
    return links >= 3 && letters * 4 >= element.text * 3
  }

  func isTopLink(_ element: ArticleElement) -> Bool {
    element.text < 30 && isPlaceLink(element.index)
      && Self.topWords.contains(page.words(of: element.index, upTo: 100))
  }

  private func isPlaceLink(_ index: Int) -> Bool {
    page.nodes[index]["href"]?.hasPrefix("#") == true
  }

  private static let topWords: Set = [
    "top", "[top]", "↑", "↑ top", "back to top", "to top", "return to top", "nach oben",
    "zurück nach oben", "haut de page", "retour en haut", "volver arriba", "arriba", "torna su",
    "наверх", "トップへ戻る",
  ]

  /// Whether a link is the sign of a heading that leads to the heading itself.
  func isPlaceMark(_ element: ArticleElement) -> Bool {
    element.text <= 1 && element.pictures == 0 && isPlaceLink(element.index)
      && ["#", "¶", "§", "🔗", ""].contains(page.text(of: element.index, upTo: 8).collapsed())
  }

  /// Whether a link leads to the source of what a heading names, or to its editor.
  func isSourceLink(_ element: ArticleElement) -> Bool {
    element.text > 2 && element.text < 20 && isInHeading(element.index)
      && Self.sourceWords.contains(page.words(of: element.index, upTo: 60))
  }

  private static let sourceWords: Set = [
    "source", "[source]", "[src]", "src", "view source", "edit", "[edit]", "edit on github",
  ]

  private func isInHeading(_ index: Int) -> Bool {
    var parent = page.nodes[index].parent
    for _ in 0..<3 where parent > 0 {
      let node = page.nodes[parent]
      if node.isHeading || node.name == "dt" { return true }
      // Beside the heading, in the box of both.
      if ["div", "section"].contains(node.name) {
        return page.text(parent) < 200 && page.count(.subheading, parent) > 0
      }
      parent = node.parent
    }
    return false
  }

  /// Whether an element above the text is a link to the section of the paper that the article is in.
  func isKicker(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    guard context.letters == 0, element.text > 0, element.text < 60, element.pictures == 0,
      !context.isLenient, ["a", "p", "div", "span", "ul", "ol"].contains(element.name),
      !page.isWithinSentence(element.index)
    else { return false }
    if element.name == "a" {
      let parent = page.nodes[element.index].parent
      return parent >= 0 && page.count(.block, parent) > 1
        && ["div", "header", "section", "article", "main"].contains(page.nodes[parent].name)
    }
    return page.linkShare(element.index) > 0.9
  }

  // MARK: Other articles

  /// Whether a box has other articles, each as a card: a heading or picture, a link, and a line that is no sentence.
  func isCards(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    guard context.isWellInside, element.text > 90, element.text < 6_000, !context.isLenient,
      ["div", "section", "aside", "ul", "ol"].contains(element.name),
      page.isSmall(element.index, 1_200)
    else { return false }
    var (cards, others) = (0, 0)
    for child in page.children(of: element.index) {
      let (node, text) = (page.nodes[child], page.text(child))
      if node.name.isEmpty {
        if text > 60 { return false }
      } else if text > 0, !node.isHeading {
        if text < 260, page.isSmall(child, 120), isCard(child) { cards += 1 } else { others += 1 }
        if others > 1 { return false }
      }
    }
    return cards >= 3
  }

  private func isCard(_ index: Int) -> Bool {
    var (hasFace, linked) = (false, 0)
    var faceEnd = 0
    for inner in page.range(of: index) {
      let node = page.nodes[inner]
      switch node.name {
      case "":
        // A comment on the page that the link leads to.
        if inner >= faceEnd, node.text.utf8.count > 40, node.text.endsSentence { return false }
      case "h2", "h3", "h4", "h5":
        hasFace = true
        faceEnd = max(faceEnd, node.end)
      case "img": hasFace = true
      case "a":
        guard let target = node["href"], !target.hasPrefix("#") else { break }
        linked += page.text(inner)
        faceEnd = max(faceEnd, node.end)
        // A picture and a heading in one link are those of another article, whatever is said of it.
        if page.pictures(inner) > 0, page.count(.subheading, inner) > 0 { return true }
      case "pre", "table", "math", "blockquote": return false
      default: break
      }
    }
    return hasFace && linked >= 15
  }
}
