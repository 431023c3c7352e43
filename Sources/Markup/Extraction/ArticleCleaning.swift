internal import Text

/// Writes the elements of an article as HTML, without what stands between its paragraphs and is none of it.
struct ArticleCleaning {
  private let nodes: [HTMLPage.Node]
  private let weights: PageWeights
  private let isLenient: Bool
  private let title: String
  private let address: (String) -> String?
  /// Numbers of list items and inputs before each node.
  private var items: [Int32] = [0]
  private var inputs: [Int32] = [0]
  private var blocks: [Int32] = [0]
  private var codes: [Int32] = [0]
  /// Places of the page that its own links lead to: footnotes.
  private var targets: Set<String> = []
  /// Nodes of tables that were looked at.
  private var tableSteps = 0
  private var titlesLeft = 2
  private(set) var writer = ArticleTagWriter()
  private(set) var byline: String?

  private static let mostTableSteps = 1_000_000
  private static let mostTargets = 10_000
  private static let longestByline = 120

  init(
    _ nodes: [HTMLPage.Node], _ weights: PageWeights, title: String?, isLenient: Bool,
    address: @escaping (String) -> String?
  ) {
    self.nodes = nodes
    self.weights = weights
    self.isLenient = isLenient
    self.title = Self.key(title ?? "")
    self.address = address
    for (index, node) in nodes.enumerated() {
      let isKept = !weights.isDropped[index]
      items.append(items[index] + (isKept && node.name == "li" ? 1 : 0))
      let isInput = ["input", "select", "textarea", "button"].contains(node.name)
      inputs.append(inputs[index] + (isInput ? 1 : 0))
      blocks.append(
        blocks[index] + (!node.name.isEmpty && PageHints.isBlock(node.name) ? 1 : 0))
      let isCode = ["pre", "math", "video", "audio", "iframe"].contains(node.name)
      codes.append(codes[index] + (isCode && isKept ? 1 : 0))
      if node.name == "a", targets.count < Self.mostTargets,
        let href = node.attributes.first(where: { $0.name == "href" })?.value,
        href.hasPrefix("#"), href.utf8.count > 1
      {
        targets.insert(String(href.dropFirst()))
      }
    }
  }

  private func count(_ sums: [Int32], _ index: Int) -> Int {
    Int(sums[nodes[index].end] - sums[index])
  }

  // MARK: Writing

  mutating func write(_ part: Int) {
    var ends: [(index: Int, depth: Int)] = []
    var index = part
    while index < nodes[part].end {
      while let end = ends.last, end.index <= index {
        while writer.depth > end.depth { writer.end() }
        ends.removeLast()
      }
      let node = nodes[index]
      if weights.isDropped[index] || (index != part && isClutter(index)) {
        index = node.end
        continue
      }
      if node.name.isEmpty {
        writer.write(text: node.text)
        index += 1
        continue
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
    case "img":
      writePicture(index)
      return false
    case "picture":
      return writePictureSet(index)
    case PageNormalizer.noscriptCopy:
      return !standsBesidePicture(index)
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
      writer.begin(node.name, kept())
    case "p", "blockquote", "ul", "dl", "dt", "dd", "pre", "figure", "figcaption", "details",
      "summary":
      writer.begin(node.name, kept("dir", "lang"))
    case "ol": writer.begin("ol", kept("start", "type", "reversed"))
    case "li": writer.begin("li", kept("value"))
    case "table":
      leaveTables(before: index)
      let isLayout = isLayout(index)
      tables.append((node.end, isLayout))
      writer.begin(isLayout ? "div" : "table", kept())
    case "thead", "tbody", "tfoot", "tr", "td", "th", "caption":
      leaveTables(before: index)
      if tables.last?.isLayout != true {
        writer.begin(node.name, kept("colspan", "rowspan", "scope"))
      } else if node.name == "td" || node.name == "th" || node.name == "caption" {
        writer.begin(count(blocks, index) > 1 ? "div" : "p", kept())
      }
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
      if let address = value("src").flatMap(address), Self.isPlayer(address) {
        writer.begin("iframe", [("src", address)])
        writer.write(text: WebAddress.host(of: address) ?? address)
        writer.end()
      }
      return false
    default:
      guard PageHints.isBlock(node.name) else {
        let id = kept()
        if !id.isEmpty { writer.begin("span", id) }
        break
      }
      let hasBlocks = count(blocks, index) > 1
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
  private var tables: [(end: Int, isLayout: Bool)] = []

  private mutating func leaveTables(before index: Int) {
    while let table = tables.last, table.end <= index { tables.removeLast() }
  }

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

  private mutating func writeFormula(_ index: Int) {
    var ends: [Int] = []
    for inner in index..<nodes[index].end {
      while let end = ends.last, end <= inner {
        writer.end()
        ends.removeLast()
      }
      let node = nodes[inner]
      if node.name.isEmpty {
        writer.write(text: node.text)
      } else {
        let names: Set = [
          "display", "alttext", "encoding", "mathvariant", "stretchy", "open", "close",
        ]
        writer.begin(node.name, node.attributes.filter { names.contains($0.name) }.map { ($0, $1) })
        ends.append(node.end)
      }
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
    return players.contains { host == $0 || host.hasSuffix("." + $0) }
      || address.contains("/videos/embed/")
  }

  // MARK: What is left out

  private mutating func isTitle(_ index: Int) -> Bool {
    guard titlesLeft > 0, nodes[index].name == "h1" || nodes[index].name == "h2" else {
      return false
    }
    titlesLeft -= 1
    let heading = Self.key(text(of: index, upTo: 500))
    guard !heading.isEmpty, !title.isEmpty else { return false }
    return heading == title
      || (nodes[index].name == "h1" || titlesLeft == 1)
        && title.contains(heading) && heading.count * 2 > title.count
  }

  /// Letters and digits in lower case.
  private static func key(_ text: String) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  private func text(of index: Int, upTo limit: Int) -> String {
    var text = ""
    for inner in index..<nodes[index].end where nodes[inner].name.isEmpty {
      text += nodes[inner].text
      if text.utf8.count > limit { break }
    }
    return text
  }

  private static let boxes: Set = [
    "div", "section", "ul", "ol", "dl", "table", "aside", "form", "header", "footer", "fieldset",
    "figure", "details", "center",
  ]

  private mutating func isClutter(_ index: Int) -> Bool {
    let name = nodes[index].name
    guard !name.isEmpty else { return false }
    let words = weights.words[index]
    let text = weights.text(index, nodes)
    if words.contains(.byline), !words.contains(.body), text < Self.longestByline,
      !["article", "section", "td", "blockquote", "cite"].contains(name),
      writer.letters < 400 || name != "a"
    {
      if text > 1, byline == nil {
        byline = PlainText.sanitized(self.text(of: index, upTo: 2 * Self.longestByline))
      }
      return true
    }
    if ["linenos", "lineno", "gutter", "line-numbers"].contains(where: { word in
      nodes[index].attributes.contains { $0.name == "class" && $0.value.contains(word) }
    }), weights.mass(index, nodes) == 0 {
      return true
    }
    if name == "a" {
      // Signs beside headings that lead to these, and buttons.
      return text <= 1 && weights.pictures(index, nodes) == 0 && isPlaceMark(index)
        || text < 40 && words.contains(.negative) && words.isDisjoint(with: [.positive, .notes])
    }
    if name == "td", tables.last?.isLayout == true {
      return weights.mass(index, nodes) == 0 && weights.linkShare(index, nodes) > 0.7
    }
    guard Self.boxes.contains(name) || name.contains("-") && name != PageNormalizer.noscriptCopy
    else { return name.hasPrefix("h") && words.contains(.negative) && name.utf8.count == 2 }
    let pictures = weights.pictures(index, nodes)
    let codes = count(codes, index)
    if text == 0 { return pictures == 0 && codes == 0 }
    if words.contains(.notes) || codes > 0 { return false }
    let share = weights.linkShare(index, nodes)
    let mass = weights.mass(index, nodes)
    if isLenient { return share > 0.8 && mass == 0 && text > 40 }
    let items = count(items, index)
    switch name {
    case "ul", "ol":
      if items > 2, share > 0.6, text / max(1, items) < 60 { return true }
      return words.contains(.negative) && share > 0.3
    case "aside": return mass < 3 || share > 0.3
    case "header", "footer": return mass == 0 && pictures == 0
    case "figure": return false
    case "form", "fieldset": return mass < 3
    case "table":
      return share > 0.7 && items == 0 && text / max(1, pictures + 1) < 400
    default: break
    }
    if words.contains(.negative), !words.contains(.body), mass < 3 || share > 0.3 { return true }
    if count(inputs, index) > 0, text < 200, mass < 2 { return true }
    if share > 0.5, text >= 25 || pictures == 0 { return mass < 3 || share > 0.7 }
    if share > 0.25, mass < 2, startsList(index) { return true }
    return pictures > 1 && text < 25 * pictures && share > 0.5
  }

  private func isPlaceMark(_ index: Int) -> Bool {
    nodes[index].attributes.contains {
      $0.name == "href" && $0.value.hasPrefix("#")
    } && ["#", "¶", "§", "🔗", ""].contains(text(of: index, upTo: 8).collapsed())
  }

  /// Words that stand above lists of other articles and above what asks for something.
  private static let lures = [
    "related", "read more", "read next", "more from", "most read", "most popular", "trending",
    "recommended", "share", "follow us", "you may also", "you might also", "see also our",
    "subscribe", "newsletter", "mehr zum thema", "lesen sie auch", "auch interessant", "à lire",
    "lire aussi", "sur le même sujet", "más noticias", "te puede interesar", "leggi anche",
    "lees ook", "läs också", "читайте также", "関連記事", "相关阅读", "相关文章",
  ]

  /// Whether an element begins as a list of other articles does.
  private func startsList(_ index: Int) -> Bool {
    let text = text(of: index, upTo: 60).lowercased().drop { $0.isWhitespace }
    return Self.lures.contains { text.hasPrefix($0) }
  }

  /// Whether a table only puts things side by side.
  private mutating func isLayout(_ index: Int) -> Bool {
    var (rows, cells, long) = (0, 0, 0)
    for inner in index + 1..<nodes[index].end {
      tableSteps += 1
      guard tableSteps < Self.mostTableSteps else { return true }
      switch nodes[inner].name {
      case "th", "caption", "thead":
        if count(codes, index) == 0 { return false }
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
