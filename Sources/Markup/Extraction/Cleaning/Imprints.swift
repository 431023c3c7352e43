internal import Text

/// Elements that say whose the rights are, or why a letter was sent and how to get no more.
struct Imprints {
  private let page: MeasuredPage
  /// Texts that may be of one, in order.
  private let places: [Int]

  init(_ page: MeasuredPage) {
    self.page = page
    places = page.nodes.indices.filter {
      page.nodes[$0].name.isEmpty && Self.words.isAny(in: page.nodes[$0].text)
    }
  }

  func contains(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    let index = element.index
    guard !places.isEmpty, element.text > 10, element.text < 700, !context.isLenient,
      ["p", "div", "td", "small", "center", "section", "footer", "span"].contains(element.name),
      places.hasElement(in: page.range(of: index)), page.count(.code, index) == 0
    else { return false }
    let text = page.words(of: index, upTo: 3_000)
    if text.contains("unsubscribe") {
      if Self.receipts.contains(where: text.contains) { return true }
      let isAsked = text.contains("receiv") || text.contains("preferences")
      if isAsked, page.isSmall(index), hasLink(in: index, saying: "unsubscribe") { return true }
    }
    return element.text < 200 && Self.rights.contains(where: text.contains)
  }

  private func hasLink(in index: Int, saying word: String) -> Bool {
    page.range(of: index).contains { inner in
      guard page.nodes[inner].name == "a", page.text(inner) < 40 else { return false }
      let words = page.words(of: inner, upTo: 160)
      return words.hasPrefix(word) || words.hasSuffix(word)
    }
  }

  private static let words = WordSearch(rights + ["unsubscribe"])

  private static let rights = [
    "all rights reserved", "alle rechte vorbehalten", "tous droits réservés",
    "todos los derechos reservados", "tutti i diritti riservati", "все права защищены",
  ]

  /// Sentences at the end of a newsletter about itself.
  private static let receipts = [
    "you are receiving", "you're receiving", "you’re receiving", "you received this",
    "you have received this", "you receive this",
  ]
}
