internal import Text

/// Finds what stands between the title of an article and the element that holds its body, and belongs to it: the
/// standfirst, and a picture with its caption.
struct ArticleLead {
  private let page: MeasuredPage
  private let title: String
  private let author: String?

  /// In letters; a longer stretch is no lead.
  private static let longest = 1_500
  private static let mostParts = 6

  init(_ page: MeasuredPage, _ head: PageHead) {
    self.page = page
    title = ArticleTitle.key(head.title ?? "")
    author = head.byline?.lowercased().collapsed()
  }

  /// - Parameter parts: the elements of the article, in the order of the page.
  /// - Returns: elements before them, in the order of the page, none of them within another.
  func parts(above parts: [Int]) -> [Int] {
    guard let first = parts.first, let heading = heading(before: first) else { return [] }
    var found: [Int] = []
    var letters = 0
    var index = page.nodes[heading].end
    while index < first {
      let node = page.nodes[index]
      guard node.end <= first else {
        // Around the article: what is in it comes next.
        index += 1
        continue
      }
      if page.isDropped[index] || node.name.isEmpty {
        index = node.end
        continue
      }
      if isLead(index) {
        found.append(index)
        letters += page.text(index)
        index = node.end
      } else {
        index = isOpaque(index) ? node.end : index + 1
      }
    }
    return letters <= Self.longest && found.count <= Self.mostParts ? found : []
  }

  /// The last heading before the article that is its title.
  private func heading(before first: Int) -> Int? {
    guard !title.isEmpty else { return nil }
    var looked = 0
    for index in stride(from: first - 1, through: 0, by: -1) where page.nodes[index].name == "h1" {
      guard page.nodes[index].end <= first, !page.isDropped[index] else { continue }
      let key = ArticleTitle.key(page.text(of: index, upTo: 2_000))
      if ArticleTitle.names(key, title) { return index }
      looked += 1
      if looked > 8 { return nil }
    }
    return nil
  }

  /// Whether no lead is looked for in an element.
  private func isOpaque(_ index: Int) -> Bool {
    if ["ul", "ol", "table", "form", "dl", "aside"].contains(page.nodes[index].name) {
      return true
    }
    return page.words[index].contains(.negative)
      || page.words[index].contains(.byline) && page.text(index) < 200
  }

  private func isLead(_ index: Int) -> Bool {
    let node = page.nodes[index]
    let text = page.text(index)
    if node.name == "figure" { return page.pictures(index) > 0 }
    guard ["p", "h2", "h3", "div", "section", "blockquote"].contains(node.name), text >= 25,
      text <= 700, !page.words[index].contains(.byline),
      page.words[index].contains(.lead) || !page.words[index].contains(.negative),
      page.linkShare(index) < 0.3
    else { return false }
    guard page.isSmall(index) else { return false }
    let inside = page.nodes[index + 1..<node.end]
    guard !inside.contains(where: { ["time", "button", "form", "img", "h1"].contains($0.name) })
    else { return false }
    let isNamed = page.words[index].contains(.lead)
    if !isNamed, inside.contains(where: \.isBlock) { return false }
    let words = page.words(of: index, upTo: 2_000)
    if let author, words.contains(author) { return false }
    return isNamed || text >= 60 || words.hasSuffix(".") || words.hasSuffix("?")
  }
}
