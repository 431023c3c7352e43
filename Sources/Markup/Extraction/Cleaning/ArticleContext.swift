/// Element of an article, which may be left out.
struct ArticleElement {
  let index: Int
  let name: String
  let words: PageHints.Words
  /// Letters, as `MeasuredPage` counts them.
  let text: Int
  let pictures: Int
}

extension MeasuredPage {
  func element(_ index: Int) -> ArticleElement {
    ArticleElement(
      index: index, name: nodes[index].name, words: words[index], text: text(index),
      pictures: pictures(index))
  }
}

/// The text that was written before an element of an article, and the elements around it.
struct ArticleContext {
  /// Whether only the surest clutter is left out.
  let isLenient: Bool
  /// Whether the article is several posts.
  let isThread: Bool
  /// Letters written, as `MeasuredPage` counts them.
  var letters = 0
  /// The last heading, where it is a named place of the article.
  var namedHeading: Int?
  var tables: [(end: Int, isLayout: Bool)] = []
  /// Figures with a caption.
  private(set) var figures: [(index: Int, end: Int, caption: Int)] = []
  /// Where headers and footers end.
  private(set) var frames: [Int] = []

  /// Nodes of a figure before its caption.
  private static let mostOfFigure = 1_000

  /// Letters above which the beginning of an article is over.
  static let beginning = 200

  /// Whether lines above the text of the article may still come.
  var isAtBeginning: Bool { letters < Self.beginning }

  /// Whether other articles may come.
  var isWellInside: Bool { letters > 400 }

  var isInHeader: Bool { !frames.isEmpty }

  /// Forgets the elements that end before a node.
  mutating func leave(before index: Int) {
    while let end = frames.last, end <= index { frames.removeLast() }
    while let figure = figures.last, figure.end <= index { figures.removeLast() }
    while let table = tables.last, table.end <= index { tables.removeLast() }
  }

  mutating func enter(_ index: Int, _ page: MeasuredPage) {
    let node = page.nodes[index]
    switch node.name {
    case "header", "footer": frames.append(node.end)
    case "figure":
      let caption = (index + 1..<node.end).prefix(Self.mostOfFigure).first {
        page.nodes[$0].name == "figcaption"
      }
      if let caption { figures.append((index, node.end, caption)) }
    default: break
    }
  }
}
