internal import Text

struct PictureCredits {
  let page: MeasuredPage

  private static let longestCaption = 400
  private static let names: Set = ["span", "small", "em", "i", "cite", "div", "p", "a"]

  func contains(_ element: ArticleElement, _ context: ArticleContext) -> Bool {
    guard element.text > 0, element.text < 140, element.pictures == 0,
      Self.names.contains(element.name)
    else { return false }
    if element.words.contains(.credit), element.words.isDisjoint(with: [.body, .notes]),
      isBesidePicture(element.index, context)
    {
      return true
    }
    guard let figure = context.figures.last, context.tables.isEmpty else { return false }
    if element.index > figure.caption, element.index < page.nodes[figure.caption].end {
      guard element.text < page.text(figure.caption) else { return false }
      let text = page.text(of: element.index, upTo: 60).lowercased().drop { $0.isWhitespace }
      return Self.words.contains { text.hasPrefix($0) }
    }
    // Beside the picture, not in its caption.
    return element.text < 80 && element.name != "p" && page.pictures(figure.index) > 0
      && !page.isWithinSentence(element.index) && !isQuoted(element, in: figure.index)
      && !page.range(of: element.index).prefix(64).contains {
        ["figcaption", "table", "pre", "blockquote", "video", "audio", "p"]
          .contains(page.nodes[$0].name)
      }
  }

  /// Whether a picture is around an element, before it, or in a small box with it.
  private func isBesidePicture(_ index: Int, _ context: ArticleContext) -> Bool {
    if context.figures.last.map({ page.pictures($0.index) > 0 }) == true { return true }
    let most = page.text(index) + Self.longestCaption
    var index = index
    for _ in 0..<3 {
      let parent = page.nodes[index].parent
      guard parent >= 0 else { return false }
      if page.pictures(parent) > 0, page.text(parent) <= most { return true }
      guard page.text(index) <= most else { return false }
      let before = page.nodes[index].previous
      if before >= 0, page.pictures(before) > 0, page.text(before) <= Self.longestCaption {
        return true
      }
      index = parent
    }
    return false
  }

  /// Whether an element is a part of a quotation in a figure, or of a text in it.
  private func isQuoted(_ element: ArticleElement, in figure: Int) -> Bool {
    var parent = page.nodes[element.index].parent
    for _ in 0..<MeasuredPage.mostNested {
      if parent <= figure { return false }
      let name = page.nodes[parent].name
      if ["blockquote", "li", "dd", "pre"].contains(name)
        || name == "p" && page.text(parent) > element.text
      {
        return true
      }
      parent = page.nodes[parent].parent
    }
    return true
  }

  private static let words = [
    "credit", "photo:", "photograph:", "photo by", "photograph by", "picture:", "image:", "©",
    "foto:", "bild:", "crédit", "photo :", "fotografía", "写真",
  ]
}
