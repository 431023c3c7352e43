/// The title of an article, which headings in its text may repeat.
struct ArticleTitle {
  private let page: MeasuredPage
  private let title: String
  private let isThread: Bool
  /// High headings that may still be the title.
  private var headingsLeft = 2

  init(_ page: MeasuredPage, _ title: String?, isThread: Bool) {
    (self.page, self.isThread) = (page, isThread)
    self.title = Self.key(title ?? "")
  }

  mutating func isRepeated(by index: Int) -> Bool {
    guard !title.isEmpty else { return false }
    let name = page.nodes[index].name
    let isHigh = name == "h1" || name == "h2"
    guard isHigh, headingsLeft > 0, !isThread else {
      // Posts repeat the title of their thread.
      guard isThread || !isHigh, title.utf8.count > 20 || isThread && name == "h1" else {
        return false
      }
      let heading = heading(index)
      return heading == title || heading == "re" + title
    }
    headingsLeft -= 1
    let heading = heading(index)
    return Self.names(heading, title, mayBePart: name == "h1" || headingsLeft == 1)
  }

  private func heading(_ index: Int) -> String { Self.key(page.text(of: index, upTo: 500)) }

  /// Whether a heading is a title, or most of it.
  static func names(_ heading: String, _ title: String, mayBePart: Bool = true) -> Bool {
    guard !heading.isEmpty else { return false }
    return heading == title
      || mayBePart && title.contains(heading) && heading.count * 2 > title.count
  }

  /// Letters and digits in lower case.
  static func key(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
