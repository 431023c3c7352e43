internal import Discovery
internal import Markup
internal import News
internal import Reader
internal import Screen
internal import Syndication
internal import Text

extension FuzzTarget {
  func checkHTML(_ input: [UInt8]) throws(Violation) {
    let plan = InputPlan(input)
    let html = String(decoding: plan.document, as: UTF8.self)
    let base = "https://example.org/a/b.html"
    let document = Markup.document(html: html) { WebAddress.resolve($0, against: base) }
    try checkDocument(document)
    let reading = MarkupReading(html: html) { WebAddress.resolve($0, against: base) }
    if let nested = reading.nestedDocument {
      try require(nested == reading.treeDocument, "nested elements make another document")
    }
    let width = 1 + plan.choice % 120
    try checkLayout(of: document, width: width)
    _ = ArticlePage.text(ofHTML: html, url: base, width: width)
    try checkStripping(of: html, limit: 1 + plan.choice)
    let absolute = MarkupLinks.absolutized(html, base: base)
    // A body that would become many times as long is left as it is from some place on.
    let isWhole = absolute.utf8.count < 4 * html.utf8.count
    try require(
      !isWhole || MarkupLinks.absolutized(absolute, base: base) == absolute,
      "absolute addresses change again: \(absolute.debugDescription)")
    let page = PageText.utf8(plan.document, contentType: nil)
    try require(String(validating: page, as: UTF8.self) != nil, "a page's text is no UTF-8")
    for html in [page, plan.document] {
      let found = FeedLinks.look(in: html, base: base)
      let links = found.all
      try checkWeb(found.refresh, "where a page leads to")
      try require(Set(links.map(\.url)).count == links.count, "an address is there twice")
      for link in links {
        try checkWeb(link.url, "a feed's address")
        try checkLine(link.title, "a feed's title")
        try checkLine(link.type, "a feed's media type")
      }
    }
  }
}

extension FuzzTarget {
  /// The article of a page, with the rules of a user for some.
  func checkPage(_ input: [UInt8]) throws(Violation) {
    let plan = InputPlan(input)
    let url = plan.choice & 1 == 0 ? "https://example.org/a/b.html" : nil
    var rules: PageArticleRules?
    if plan.choice & 2 != 0, let keep = try? Selector("p, td"), let drop = try? Selector("a") {
      rules = PageArticleRules(keep: [keep], drop: [drop])
    }
    let article: PageArticle
    do throws(SourceError) {
      article = try PageArticleReader.read(
        plan.document, contentType: nil, url: url, rules: rules)
    } catch {
      return try checkLine(error.message, "the message of an error")
    }
    try checkPlain(article.html, "an article", isBlock: true)
    for text in [article.title, article.byline, article.siteName, article.excerpt] {
      try checkLine(text, "a text about an article")
    }
    try checkWeb(article.picture, "the picture of an article")
    try checkWeb(article.nextPage, "the next page of an article")
    try require(article.html.utf8.count <= 16 * plan.document.count + 4_096, "it grows")
    let tags = ["<script", "<style", "<form", "<input", "<object", "=\"javascript:"]
    for tag in tags {
      try require(!article.html.contains(tag), "\(tag) in \(article.html.debugDescription)")
    }
    try checkDocument(Markup.document(html: article.html))
  }
}

private func checkStripping(of html: String, limit: Int) throws(Violation) {
  let text = PlainText.stripped(html: html)
  try checkPlain(text, "stripped text")
  try checkPlain(PlainText.title(html: html), "a title")
  let cut = PlainText.stripped(html: html, limit: limit)
  try checkPlain(cut, "text that was cut")
  try require(cut.utf8.count <= limit, "\(cut.utf8.count) bytes where \(limit) were asked for")
}

// MARK: - Documents

private func checkDocument(_ document: Document) throws(Violation) {
  var open = document.blocks.map { (block: $0, depth: 1) }
  while let (block, depth) = open.popLast() {
    try require(depth <= 2 * Document.deepestNesting, "blocks are nested \(depth) deep")
    switch block {
    case .heading(let level, let inlines):
      try require((1...6).contains(level), "a heading of level \(level)")
      try check(inlines, document)
    case .paragraph(let inlines): try check(inlines, document)
    case .list(let list):
      open += list.items.joined().map { ($0, depth + 1) }
    case .quote(let blocks), .indented(let blocks): open += blocks.map { ($0, depth + 1) }
    case .table(let table):
      for cell in table.rows.flatMap(\.cells) {
        try check(cell.inlines, document)
      }
    case .figure(let image): try check([.image(image)], document)
    case .preformatted(let code):
      try checkPlain(code.text, "a text", isBlock: true)
      for linked in code.links {
        try require(linked.link <= document.links.count, "code has the link \(linked.link)")
        try require(linked.range.upperBound <= code.text.utf8.count, "a link ends behind its code")
      }
    case .note(let text): try checkPlain(text, "a text", isBlock: true)
    case .rule: break
    }
  }
  for (index, link) in document.links.enumerated() {
    try require(link.number == index + 1, "link \(index + 1) has the number \(link.number)")
    let lower = link.url.lowercased()
    try require(
      ["http:", "https:", "mailto:"].contains { lower.hasPrefix($0) }, "a link to \(link.url)")
    try checkPlain(link.url, "a link", isBlock: true)
    try checkPlain(link.text, "a link's text", isBlock: true)
  }
}

/// The signs that the document puts around text with a direction of its own (`<bdi>`, `<bdo>`, `dir`).
private struct IsolateSigns {
  private var open: [UInt32] = []

  /// - Returns: a part of a paragraph without the signs.
  mutating func take(_ text: String) throws(Violation) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x2066...0x2068, 0x202D, 0x202E: open.append(scalar.value)
      case 0x2069:
        let last = open.popLast() ?? 0
        try require((0x2066...0x2068).contains(last), "an isolate ends that has not begun: \(text)")
      case 0x202C:
        let last = open.popLast() ?? 0
        try require((0x202D...0x202E).contains(last), "an override ends without one: \(text)")
      default: plain.append(scalar)
      }
    }
    try require(open.count <= 24, "isolates are \(open.count) deep")
    return String(plain)
  }

  func finish() throws(Violation) { try require(open.isEmpty, "an isolate does not end") }
}

private func check(_ inlines: [Inline], _ document: Document) throws(Violation) {
  var signs = IsolateSigns()
  for inline in inlines {
    let link: Int?
    switch inline {
    case .lineBreak: continue
    case .anchor(let name):
      try checkScalars(name)
      continue
    case .text(let text, _, let number):
      try checkScalars(signs.take(text))
      link = number
    case .image(let image):
      try checkScalars(image.alt)
      link = image.link
    }
    if let link {
      try require(
        link < 0 ? -link <= document.jumps.count : 1..<document.links.count + 1 ~= link,
        "a link numbered \(link)")
    }
  }
  try signs.finish()
}

/// A part of a line, at whose ends there may be spaces.
private func checkScalars(_ text: String) throws(Violation) {
  try checkPlain(text, "a text", isBlock: true)
}

// MARK: - Lines

private func checkLayout(of document: Document, width: Int) throws(Violation) {
  let layout = ArticleLayout(document, width: width)
  var previous = ReadingPosition()
  for line in layout.lines {
    // A line may have a part of an isolate.
    let text = line.text.unicodeScalars.filter {
      !(0x2066...0x2069).contains($0.value) && !(0x202C...0x202E).contains($0.value)
    }
    try checkPlain(String(String.UnicodeScalarView(text)), "a line", isBlock: true)
    // One glyph of two columns has a line of its own on a screen of one.
    let shown = line.text.trimmedOfSpaces
    let rest = TextWidth.prefix(of: shown, fitting: max(0, TextWidth.columns(of: shown) - 1))
    let isLoneGlyph = TextWidth.columns(of: rest) == 0
    try require(
      line.columns <= width || isLoneGlyph,
      "a line of \(line.columns) columns on \(width): \(line.text.debugDescription)")
    try require(line.position >= previous, "positions go back")
    previous = line.position
  }
  for link in document.links {
    for line in layout.lines(ofLink: link.number) {
      try require(layout.lines.indices.contains(line), "link \(link.number) is on line \(line)")
    }
  }
  // A table is a grid or a list, depending on the width; all other text is the same in any.
  guard !holdsTable(document.blocks) else { return }
  let wide = letters(ArticleLayout(document, width: 500))
  try require(letters(layout) == wide, "text is lost on \(width) columns")
}

private func holdsTable(_ blocks: [Block]) -> Bool {
  var open = blocks
  while let block = open.popLast() {
    switch block {
    case .table: return true
    case .list(let list): open += list.items.joined()
    case .quote(let blocks), .indented(let blocks): open += blocks
    default: break
    }
  }
  return false
}

private func letters(_ layout: ArticleLayout) -> [UInt8] {
  layout.lines.flatMap { $0.text.utf8.filter(isLetterOrDigit) }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
  default: false
  }
}

extension String {
  fileprivate var trimmedOfSpaces: Substring {
    var rest = self[...]
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
