internal import Text

/// Writes the elements of an article as HTML, without what stands between its paragraphs and is none of it.
struct ArticleCleaning {
  private let page: MeasuredPage
  private let media: ArticleMedia
  private let bylines: ArticleBylines
  private let clutter: ArticleClutter
  /// Places of the page that its own links lead to, by their ids: footnotes, say.
  private let linkedPlaces: Set<String>
  private var title: ArticleTitle
  private var layout: LayoutTables
  private var context: ArticleContext
  private(set) var writer = ArticleTagWriter()
  /// The last text that was written; -1 for none.
  private(set) var lastText = -1
  private(set) var byline: String?
  /// White space by the styles around what is written, and where each style ends.
  private var whiteSpaces: [(end: Int, kind: WhiteSpace)] = []
  private var noteEnd = 0

  /// - Parameters:
  ///   - isLenient: whether only the surest clutter is left out.
  ///   - isThread: whether the article is several posts, each with its own date.
  ///   - address: makes an address of the page absolute; nil for one that is not followed.
  init(
    _ page: MeasuredPage, _ head: PageHead, isLenient: Bool, isThread: Bool,
    address: @escaping (String) -> String?
  ) {
    self.page = page
    linkedPlaces = Set(
      page.nodes.lazy.filter { $0.name == "a" }.compactMap { $0["href"] }
        .filter { $0.hasPrefix("#") && $0.utf8.count > 1 }.map { String($0.dropFirst()) })
    media = ArticleMedia(page: page, address: address)
    bylines = ArticleBylines(page, author: head.byline)
    clutter = ArticleClutter(page, isThread: isThread, linkedPlaces: linkedPlaces)
    title = ArticleTitle(page, head.title, isThread: isThread)
    layout = LayoutTables(page: page)
    context = ArticleContext(isLenient: isLenient, isThread: isThread)
  }

  /// Writes one of the parts of the article, which come in the order of the page.
  ///
  /// - Parameter isOneOfSeveral: whether others have text of the article as well.
  mutating func write(_ part: Int, isOneOfSeveral: Bool) {
    context.letters = writer.letters
    guard !clutter.containsPart(page.element(part), context, isOneOfSeveral: isOneOfSeveral)
    else { return }
    var ends: [(index: Int, depth: Int)] = []
    var index = part
    while index < page.nodes[part].end {
      while let end = ends.last, end.index <= index {
        while writer.depth > end.depth { writer.end() }
        ends.removeLast()
      }
      let node = page.nodes[index]
      context.letters = writer.letters
      context.leave(before: index)
      if page.isDropped[index] || (index != part && isLeftOut(index)) {
        index = node.end
        continue
      }
      if node.name.isEmpty {
        write(text: node.text, at: index)
        index += 1
        continue
      }
      if let whiteSpace = node["style"].flatMap(WhiteSpace.init) {
        whiteSpaces.append((node.end, whiteSpace))
      }
      context.enter(index, page)
      let depth = writer.depth
      let isOpen = begin(index)
      if writer.depth > depth { ends.append((node.end, depth)) }
      index = isOpen ? index + 1 : node.end
    }
    while let end = ends.popLast() {
      while writer.depth > end.depth { writer.end() }
    }
  }

  private mutating func isLeftOut(_ index: Int) -> Bool {
    let element = page.element(index)
    guard !element.name.isEmpty else { return false }
    if writer.isPreformatted { return element.words.contains(.gutter) }
    guard bylines.contains(element, context) else { return clutter.contains(element, context) }
    // Of a thread each post has its own.
    if element.text > 1, byline == nil, !context.isThread {
      byline = PlainText.sanitized(page.text(of: index, upTo: 2 * ArticleBylines.longest))
    }
    return true
  }

  private mutating func write(text: String, at index: Int) {
    if !text.utf8.allSatisfy(\.isASCIISpace) { lastText = index }
    while let last = whiteSpaces.last, last.end <= index { whiteSpaces.removeLast() }
    guard let whiteSpace = whiteSpaces.last?.kind, !writer.isPreformatted else {
      writer.write(text: text)
      return
    }
    for (number, line) in whiteSpace.lines(of: text).enumerated() {
      if number > 0 { writer.writeBreak("br") }
      writer.write(text: line)
    }
  }

  // MARK: Elements

  /// - Returns: whether what is in the element is written too.
  private mutating func begin(_ index: Int) -> Bool {
    let node = page.nodes[index]
    switch node.name {
    // Pages for phones (AMP) have a name of their own for it.
    case "img", "amp-img": media.writePicture(node, to: &writer)
    case "picture": return media.writePictureSet(index, to: &writer)
    case PageNormalizer.noscriptCopy:
      return page.text(index) > 0 || !media.standsBesidePicture(index)
    case "br", "hr": writer.writeBreak(node.name)
    case "wbr", "source", "track", "col", "colgroup": break
    case "math": media.writeFormula(index, to: &writer)
    case "audio", "video": media.writeMedium(index, to: &writer)
    case "iframe": media.writeFrame(node, to: &writer)
    case "h1", "h2", "h3", "h4", "h5", "h6":
      guard !title.isRepeated(by: index) else { return false }
      context.namedHeading = clutter.isNamedHeading(index) ? index : nil
      begin(node.name, node)
      return true
    default: return beginText(index)
    }
    return false
  }

  /// Begins an element whose content is written, but for repeated titles and marks of notes.
  ///
  /// - Returns: whether it is.
  private mutating func beginText(_ index: Int) -> Bool {
    let node = page.nodes[index]
    switch node.name {
    case "a": beginLink(node)
    case "table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption": beginTablePart(index)
    case "span" where hasClass(InlineNote.isText, node),
      "small" where hasClass(InlineNote.isText, node):
      guard index >= noteEnd else { break }
      noteEnd = node.end
      writer.begin("span", [("class", InlineNote.name)] + attributes([], of: node))
    case "sup" where index < noteEnd && hasClass(InlineNote.isRepeatedMark, node),
      "span" where index < noteEnd && hasClass(InlineNote.isRepeatedMark, node):
      return false
    case "div" where node["role"] == "heading", "span" where node["role"] == "heading":
      guard !title.isRepeated(by: index) else { return false }
      let level = node["aria-level"].flatMap { Int($0) } ?? 2
      begin("h\(max(2, min(6, level)))", node)
    default:
      if let names = Self.keptAttributes[node.name] {
        begin(node.name, node, names)
      } else if node.isBlock {
        beginBox(index)
      } else {
        let id = attributes([], of: node)
        if !id.isEmpty { writer.begin("span", id) }
      }
    }
    return true
  }

  /// Elements that are written as they are, with the attributes that they keep.
  private static let keptAttributes: [String: [String]] = {
    let lists = [
      (
        "p blockquote ul dl dt dd pre figure figcaption details summary", ["dir", "lang"]
      ),
      ("ol", ["start", "type", "reversed"]),
      ("li", ["value"]),
      (
        """
        em strong b i u s del ins code kbd samp var sub sup mark small q cite abbr dfn time tt strike ruby rt rp bdi \
        bdo big
        """, ["datetime", "title", "dir"]
      ),
    ]
    return Dictionary(
      uniqueKeysWithValues: lists.flatMap { names, kept in
        names.split(separator: " ").map { (String($0), kept) }
      })
  }()

  private func attributes(_ names: [String], of node: HTMLPage.Node) -> [(String, String)] {
    var kept = names.compactMap { name in node[name].map { (name, $0) } }
    if let id = node["id"], linkedPlaces.contains(id) { kept.append(("id", id)) }
    return kept
  }

  private mutating func begin(_ name: String, _ node: HTMLPage.Node, _ names: [String] = []) {
    writer.begin(name, attributes(names, of: node))
  }

  private mutating func beginLink(_ node: HTMLPage.Node) {
    if let reference = node["href"] {
      if reference.hasPrefix("#") {
        writer.begin("a", [("href", reference)] + attributes([], of: node))
      } else if let address = media.address(reference) {
        writer.begin("a", [("href", address)])
      }
    } else if let id = node["id"] ?? node["name"], linkedPlaces.contains(id) {
      writer.begin("a", [("id", id)])
    }
  }

  private mutating func beginTablePart(_ index: Int) {
    let node = page.nodes[index]
    if node.name == "table" {
      let isLayout = layout.contains(index)
      context.tables.append((node.end, isLayout))
      begin(isLayout ? "div" : "table", node)
    } else if context.tables.last?.isLayout != true {
      begin(node.name, node, ["colspan", "rowspan", "scope"])
    } else if node.name == "td" || node.name == "th" || node.name == "caption" {
      beginBox(index)
    }
  }

  /// Begins a paragraph, or a box of several.
  private mutating func beginBox(_ index: Int) {
    begin(page.count(.block, index) > 1 ? "div" : "p", page.nodes[index])
  }

  private func hasClass(_ isWanted: (Substring) -> Bool, _ node: HTMLPage.Node) -> Bool {
    node["class"]?.split(whereSeparator: \.isWhitespace).contains(where: isWanted) == true
  }
}

/// Tables that only put things side by side.
struct LayoutTables {
  let page: MeasuredPage
  /// Nodes of tables that were looked at: tables in tables are looked at several times.
  private var steps = 0

  private static let mostSteps = 1_000_000

  init(page: MeasuredPage) { self.page = page }

  mutating func contains(_ index: Int) -> Bool {
    var (rows, cells, long) = (0, 0, 0)
    for inner in page.range(of: index).dropFirst() {
      steps += 1
      guard steps < Self.mostSteps else { return true }
      switch page.nodes[inner].name {
      case "th", "caption", "thead": if page.count(.code, index) == 0 { return false }
      case "table", "pre": return true
      case "tr": rows += 1
      case "td":
        cells += 1
        if page.text(inner) > 400 { long += 1 }
      default: break
      }
    }
    return page.nodes[index]["role"] == "presentation"
      || cells <= rows || rows < 2 || long * 4 > cells
  }
}
