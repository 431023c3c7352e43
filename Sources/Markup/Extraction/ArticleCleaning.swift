internal import Text

/// Writes the elements of an article as HTML, without what stands between its paragraphs and is none of it.
struct ArticleCleaning {
  let nodes: [HTMLPage.Node]
  let weights: PageWeights
  let isLenient: Bool
  let title: String
  private let address: (String) -> String?
  private let counts: ElementCounts
  /// The name of the author, in lower case, as the page gives it.
  let author: String?
  /// Whether the article is several posts, each with its own date.
  let isThread: Bool
  /// Of a thread, by name and class.
  let lines: [String: (count: Int, long: Int)]
  /// Texts that may be an imprint.
  let imprints: [Int]
  /// Places of the page that it links to itself, by their ids.
  let linkedPlaces: Set<String>
  /// The last heading, where it is a named place of the article.
  private(set) var namedHeading: Int?
  /// Where the headers and footers around what is written end.
  private var frames: [Int] = []
  /// The figures with a caption around what is written.
  private(set) var figures: [(index: Int, end: Int, caption: Int)] = []
  /// Places of the page that its own links lead to: footnotes.
  private var targets: Set<String> = []
  /// Nodes of tables that were looked at.
  private var tableSteps = 0
  var titlesLeft = 2
  private(set) var writer = ArticleTagWriter()
  /// The last text that was written; -1 for none.
  private(set) var lastText = -1
  var byline: String?

  private static let mostTableSteps = 1_000_000
  private static let mostTargets = 10_000
  /// Nodes of a figure before its caption.
  private static let mostOfFigure = 1_000
  static let longestByline = 120

  init(
    _ nodes: [HTMLPage.Node], _ weights: PageWeights, _ counts: ElementCounts, head: PageHead,
    isLenient: Bool,
    isThread: Bool = false, address: @escaping (String) -> String?
  ) {
    self.nodes = nodes
    self.weights = weights
    self.counts = counts
    self.isLenient = isLenient
    self.isThread = isThread
    imprints = Self.places(of: Self.imprintWords, in: nodes)
    linkedPlaces = Set(
      nodes.lazy.filter { $0.name == "a" }.flatMap(\.attributes)
        .filter { $0.name == "href" && $0.value.hasPrefix("#") && $0.value.utf8.count > 1 }
        .map { String($0.value.dropFirst()) })
    lines = isThread ? Self.lines(nodes, weights) : [:]
    title = Self.key(head.title ?? "")
    author = head.byline.flatMap { name in
      let name = name.lowercased().collapsed()
      return (4...60).contains(name.unicodeScalars.count) ? name : nil
    }
    self.address = address
    for node in nodes {
      if node.name == "a", targets.count < Self.mostTargets,
        let href = node.attributes.first(where: { $0.name == "href" })?.value,
        href.hasPrefix("#"), href.utf8.count > 1
      {
        targets.insert(String(href.dropFirst()))
      }
    }
  }

  func count(_ kind: ElementCounts.Kind, _ index: Int) -> Int {
    counts.count(kind, in: index..<nodes[index].end)
  }

  /// Whether what is written stands in a header or footer of the article.
  var isInHeader: Bool { !frames.isEmpty }

  // MARK: Writing

  /// - Parameter isOneOfSeveral: whether others have text of the article as well.
  mutating func write(_ part: Int, isOneOfSeveral: Bool = false) {
    guard !(isThread || isOneOfSeveral) || !isImprint(look(at: part)), !isCards(look(at: part))
    else { return }
    var ends: [(index: Int, depth: Int)] = []
    var index = part
    while index < nodes[part].end {
      while let end = ends.last, end.index <= index {
        while writer.depth > end.depth { writer.end() }
        ends.removeLast()
      }
      while let end = frames.last, end <= index { frames.removeLast() }
      while let figure = figures.last, figure.end <= index { figures.removeLast() }
      while let table = tables.last, table.end <= index { tables.removeLast() }
      let node = nodes[index]
      if weights.isDropped[index] || (index != part && isClutter(index)) {
        index = node.end
        continue
      }
      if node.name.isEmpty {
        write(text: node.text, at: index)
        index += 1
        continue
      }
      if let style = node.attributes.first(where: { $0.name == "style" })?.value,
        let whiteSpace = WhiteSpace(style: style)
      {
        whiteSpaces.append((node.end, whiteSpace))
      }
      if node.name == "header" || node.name == "footer" { frames.append(node.end) }
      if node.name == "figure",
        let caption = (index + 1..<node.end).prefix(Self.mostOfFigure).first(where: {
          nodes[$0].name == "figcaption"
        })
      {
        figures.append((index, node.end, caption))
      }
      let depth = writer.depth
      if begin(index, isPart: index == part) {
        if writer.depth > depth { ends.append((node.end, depth)) }
        index += 1
      } else {
        while writer.depth > depth { writer.end() }
        index = node.end
      }
    }
    while let end = ends.popLast() {
      while writer.depth > end.depth { writer.end() }
    }
    frames.removeAll()
    figures.removeAll()
    tables.removeAll()
    whiteSpaces.removeAll()
    noteEnd = 0
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

  /// White space by the styles around what is written, and where each style ends.
  private var whiteSpaces: [(end: Int, kind: WhiteSpace)] = []
  /// Where the note ends that is written.
  private var noteEnd = 0

  private func isOf(_ index: Int, _ isName: (Substring) -> Bool) -> Bool {
    nodes[index].attributes.first { $0.name == "class" }?.value
      .split(whereSeparator: \.isWhitespace).contains(where: isName) == true
  }

  /// - Returns: whether what is in the element is written too.
  private mutating func begin(_ index: Int, isPart: Bool) -> Bool {
    let node = nodes[index]
    func value(_ name: String) -> String? { node.attributes.first { $0.name == name }?.value }
    func kept(_ names: String...) -> [(String, String)] {
      var kept: [(String, String)] = []
      for name in names { if let value = value(name) { kept.append((name, value)) } }
      if let id = value("id"), targets.contains(id) { kept.append(("id", id)) }
      return kept
    }
    switch node.name {
    // Pages for phones (AMP) have a name of their own for it.
    case "img", "amp-img":
      writePicture(index)
      return false
    case "picture":
      return writePictureSet(index)
    case PageNormalizer.noscriptCopy:
      return weights.text(index, nodes) > 0 || !standsBesidePicture(index)
    case "br", "hr":
      writer.writeBreak(node.name)
      return false
    case "wbr", "source", "track", "col", "colgroup": return false
    case "a":
      if let name = value("href") {
        if name.hasPrefix("#") {
          writer.begin("a", [("href", name)] + kept())
        } else if let address = address(name) {
          writer.begin("a", [("href", address)])
        }
      } else if let id = value("id") ?? value("name"), targets.contains(id) {
        writer.begin("a", [("id", id)])
      }
    case "h1", "h2", "h3", "h4", "h5", "h6":
      if isTitle(index) { return false }
      namedHeading = isNamedHeading(index) ? index : nil
      writer.begin(node.name, kept())
    case "p", "blockquote", "ul", "dl", "dt", "dd", "pre", "figure", "figcaption", "details",
      "summary":
      writer.begin(node.name, kept("dir", "lang"))
    case "ol": writer.begin("ol", kept("start", "type", "reversed"))
    case "li": writer.begin("li", kept("value"))
    case "table":
      let isLayout = isLayout(index)
      tables.append((node.end, isLayout))
      writer.begin(isLayout ? "div" : "table", kept())
    case "thead", "tbody", "tfoot", "tr", "td", "th", "caption":
      if tables.last?.isLayout != true {
        writer.begin(node.name, kept("colspan", "rowspan", "scope"))
      } else if node.name == "td" || node.name == "th" || node.name == "caption" {
        writer.begin(count(.block, index) > 1 ? "div" : "p", kept())
      }
    case "span" where isOf(index, InlineNote.isText), "small" where isOf(index, InlineNote.isText):
      guard index >= noteEnd else { break }
      noteEnd = node.end
      writer.begin("span", [("class", InlineNote.name)] + kept())
    case "sup" where index < noteEnd && isOf(index, InlineNote.isRepeatedMark),
      "span" where index < noteEnd && isOf(index, InlineNote.isRepeatedMark):
      return false
    case "em", "strong", "b", "i", "u", "s", "del", "ins", "code", "kbd", "samp", "var", "sub",
      "sup", "mark", "small", "q", "cite", "abbr", "dfn", "time", "tt", "strike", "ruby", "rt",
      "rp", "bdi", "bdo", "big":
      writer.begin(node.name, kept("datetime", "title", "dir"))
    case "math":
      writeFormula(index)
      return false
    case "audio", "video":
      writeMedia(index)
      return false
    case "iframe":
      let sources = (["src"] + PagePicture.lazyAttributes).compactMap(value)
      if let address = sources.compactMap(address).first, Self.isPlayer(address) {
        writer.begin("iframe", [("src", address)])
        writer.write(text: WebAddress.host(of: address) ?? address)
        writer.end()
      }
      return false
    case "div", "span":
      if value("role") == "heading" {
        if isTitle(index) { return false }
        let level = value("aria-level").flatMap { Int($0) } ?? 2
        writer.begin("h\(max(2, min(6, level)))", kept())
        break
      }
      fallthrough
    default:
      guard node.isBlock else {
        let id = kept()
        if !id.isEmpty { writer.begin("span", id) }
        break
      }
      let hasBlocks = count(.block, index) > 1
      let id = kept()
      if !hasBlocks {
        writer.begin("p", id)
      } else if weights.ownTexts[index] > 0 || !id.isEmpty || isPart {
        writer.begin("div", id)
      } else {
        // Keeps the words on either side apart.
        writer.begin("div")
      }
    }
    return true
  }

  /// The tables around what is written.
  var tables: [(end: Int, isLayout: Bool)] = []

  private mutating func writePicture(_ index: Int) {
    let node = nodes[index]
    guard let source = PagePicture.address(of: node), let address = address(source) else { return }
    var attributes = [("src", address)]
    for name in ["alt", "title", "width", "height"] {
      if let value = node.attributes.first(where: { $0.name == name })?.value {
        attributes.append((name, value))
      }
    }
    writer.write(void: "img", attributes)
  }

  /// A `<picture>`: its `<img>`, with the address of the first `<source>` where it has none of its own.
  ///
  /// - Returns: whether what is in it is written.
  private mutating func writePictureSet(_ index: Int) -> Bool {
    let inner = index + 1..<nodes[index].end
    let images = inner.filter { nodes[$0].name == "img" }
    guard !images.contains(where: { PagePicture.address(of: nodes[$0]) != nil }) else {
      return true
    }
    for source in inner where nodes[source].name == "source" {
      let sets = nodes[source].attributes.filter { $0.name.hasSuffix("srcset") }
      guard let best = sets.lazy.compactMap({ PagePicture.best(of: $0.value) }).first,
        let address = address(best)
      else { continue }
      let alt = images.first.flatMap { image in
        nodes[image].attributes.first { $0.name == "alt" }?.value
      }
      writer.write(void: "img", [("src", address)] + (alt.map { [("alt", $0)] } ?? []))
      break
    }
    return false
  }

  /// Whether the element before a copy for browsers without scripts shows a picture already.
  private func standsBesidePicture(_ index: Int) -> Bool {
    let before = nodes[index].previous
    guard before >= 0 else { return false }
    return (before..<nodes[before].end).prefix(64).contains {
      nodes[$0].name == "img" && PagePicture.address(of: nodes[$0]) != nil
    }
  }

  /// The elements of MathML. What else is in a formula leaves its text, as a browser shows it, or nothing.
  private static let formulaNames: Set = [
    "math", "mrow", "mfrac", "msqrt", "mroot", "mstyle", "merror", "mpadded", "mphantom", "mfenced",
    "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts",
    "mprescripts", "none", "mtable", "mtr", "mlabeledtr", "mtd", "maction", "mi", "mn", "mo",
    "mtext", "mspace", "ms", "mglyph", "maligngroup", "malignmark", "semantics", "annotation",
    "annotation-xml",
  ]
  private static let formulaAttributes: Set = [
    "display", "alttext", "encoding", "mathvariant", "stretchy", "open", "close",
  ]

  private mutating func writeFormula(_ index: Int) {
    var ends: [Int] = []
    var inner = index
    while inner < nodes[index].end {
      while let end = ends.last, end <= inner {
        writer.end()
        ends.removeLast()
      }
      let node = nodes[inner]
      if PageHints.dropped.contains(node.name) {
        inner = node.end
        continue
      }
      if node.name.isEmpty {
        writer.write(text: node.text)
      } else if Self.formulaNames.contains(node.name) {
        writer.begin(
          node.name,
          node.attributes.filter { Self.formulaAttributes.contains($0.name) }.map { ($0, $1) })
        ends.append(node.end)
      }
      inner += 1
    }
    for _ in ends { writer.end() }
  }

  private mutating func writeMedia(_ index: Int) {
    let inner = index..<nodes[index].end
    let sources = inner.flatMap { index in
      nodes[index].attributes.filter { $0.name == "src" || $0.name == "data-src" }
    }
    guard let address = sources.first.flatMap({ address($0.value) }) else { return }
    writer.begin(nodes[index].name, [("src", address)])
    writer.write(text: WebAddress.host(of: address) ?? address)
    writer.end()
  }

  private static let players = [
    "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "dailymotion.com", "soundcloud.com",
    "open.spotify.com", "player.twitch.tv", "player.bilibili.com", "codepen.io", "archive.org",
    "bandcamp.com", "ted.com", "arte.tv",
  ]

  private static func isPlayer(_ address: String) -> Bool {
    guard let host = WebAddress.host(of: address) else { return false }
    return (players + EmbeddedPage.codeHosts + EmbeddedPage.pollHosts)
      .contains { host == $0 || host.hasSuffix("." + $0) }
      || address.contains("/videos/embed/")
  }

  /// Whether a table only puts things side by side.
  private mutating func isLayout(_ index: Int) -> Bool {
    var (rows, cells, long) = (0, 0, 0)
    for inner in index + 1..<nodes[index].end {
      tableSteps += 1
      guard tableSteps < Self.mostTableSteps else { return true }
      switch nodes[inner].name {
      case "th", "caption", "thead":
        if count(.code, index) == 0 { return false }
      case "table", "pre": return true
      case "tr": rows += 1
      case "td":
        cells += 1
        if weights.text(inner, nodes) > 400 { long += 1 }
      default: break
      }
    }
    if nodes[index].attributes.contains(where: { $0.name == "role" && $0.value == "presentation" })
    {
      return true
    }
    return cells <= rows || rows < 2 || long * 4 > cells
  }
}
