internal import Text

/// Writer of HTML whose elements are written when something is in them.
///
/// An empty element leaves nothing, and so does a heading under which nothing follows.
struct ArticleTagWriter {
  private struct Open {
    var name: String
    var attributes: String
    var isWritten = false
  }

  private(set) var html = ""
  private var open: [Open] = []
  /// Headings that wait for what they stand above, with the number of elements around them.
  private var headings: [(level: Int, html: String, depth: Int)] = []
  private var needsSpace = false
  /// Where the heading that is being written begins, and the number of elements around it.
  private var heading: (start: Int, depth: Int)?
  private var preformatted = 0
  /// Letters that were written, as `PageWeights` counts them.
  private(set) var letters = 0
  /// The same, each of them counted once.
  private(set) var length = 0
  private(set) var pictures = 0

  var depth: Int { open.count }
  /// Whether white space is kept.
  var isPreformatted: Bool { preformatted > 0 }

  mutating func begin(_ name: String, _ attributes: [(String, String)] = []) {
    let text = attributes.map { " \($0)=\"\(HTMLPage.escaped($1))\"" }.joined()
    if let level = Self.level(of: name), heading == nil {
      writeOpen()
      headings.removeAll { $0.level >= level }
      heading = (html.utf8.count, open.count)
      needsSpace = false
    }
    if name == "pre" { preformatted += 1 }
    open.append(Open(name: name, attributes: text))
  }

  mutating func end() {
    guard let last = open.last else { return }
    if last.name == "pre" { preformatted -= 1 }
    if Self.holders.contains(last.name), headings.contains(where: { $0.depth >= open.count }) {
      flushHeadings()
    }
    open.removeLast()
    for index in headings.indices where headings[index].depth > open.count {
      headings[index].depth = open.count
    }
    if last.isWritten { html += "</\(last.name)>" }
    if PageHints.isBlock(last.name) { needsSpace = false }
    if let heading, heading.depth == open.count, let level = Self.level(of: last.name) {
      self.heading = nil
      let start = html.utf8.index(html.startIndex, offsetBy: heading.start)
      let text = String(html[start...])
      html.removeSubrange(start...)
      if !text.isEmpty { headings.append((level, text, heading.depth)) }
    }
  }

  /// Writes text with its white space collapsed, except in preformatted text.
  mutating func write(text: String) {
    if preformatted > 0 {
      guard !text.isEmpty else { return }
      writeContent()
      html += HTMLPage.escaped(text)
      count(text)
      return
    }
    let collapsed = text.collapsed()
    guard let first = text.utf8.first, let last = text.utf8.last else { return }
    guard !collapsed.isEmpty else {
      needsSpace = true
      return
    }
    if first.isASCIISpace { needsSpace = true }
    writeContent()
    html += HTMLPage.escaped(collapsed)
    count(collapsed)
    needsSpace = last.isASCIISpace
  }

  private mutating func count(_ text: String) {
    for scalar in text.unicodeScalars {
      let weight = PageWeights.weight(of: scalar)
      letters += Int(weight)
      if weight > 0 { length += 1 }
    }
  }

  /// Writes an element without content.
  mutating func write(void name: String, _ attributes: [(String, String)] = []) {
    writeContent()
    html += "<\(name)\(attributes.map { " \($0)=\"\(HTMLPage.escaped($1))\"" }.joined())>"
    if name == "img" { pictures += 1 }
    if name == "br" || name == "hr" { needsSpace = false }
  }

  /// A line break or rule that stands at no beginning.
  mutating func writeBreak(_ name: String) {
    guard letters > 0, heading == nil || !html.isEmpty else { return }
    if name == "br", open.last?.isWritten != true { return }
    write(void: name)
  }

  /// All that is written, its elements ended.
  mutating func finish() -> String {
    while !open.isEmpty { end() }
    return html
  }

  /// Elements out of which a heading cannot wait.
  private static let holders: Set = ["li", "td", "th", "blockquote", "dd", "details", "figure"]

  private static func level(of name: String) -> Int? {
    guard name.utf8.count == 2, name.hasPrefix("h"), let level = name.last?.wholeNumberValue,
      (1...6).contains(level)
    else { return nil }
    return level
  }

  private mutating func writeContent() {
    if heading == nil { flushHeadings() }
    writeOpen()
    if needsSpace {
      if let last = html.utf8.last, !last.isASCIISpace, !isAtBlockStart { html += " " }
      needsSpace = false
    }
  }

  /// Whether nothing stands in front on the same line.
  private var isAtBlockStart: Bool {
    guard html.utf8.last == UInt8(ascii: ">") else { return false }
    guard let tag = html.utf8.lastIndex(of: UInt8(ascii: "<")) else { return false }
    let name = html.utf8[tag...].dropFirst().drop { $0 == UInt8(ascii: "/") }
      .prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    let text = String(decoding: name, as: UTF8.self)
    return text == "br" || PageHints.isBlock(text)
  }

  private mutating func flushHeadings() {
    guard !headings.isEmpty else { return }
    let waiting = headings
    headings = []
    for heading in waiting {
      writeOpen(upTo: heading.depth)
      html += heading.html
    }
    needsSpace = false
  }

  private mutating func writeOpen(upTo depth: Int = .max) {
    for index in open.indices.prefix(depth) where !open[index].isWritten {
      if needsSpace, !PageHints.isBlock(open[index].name) {
        if let last = html.utf8.last, !last.isASCIISpace, !isAtBlockStart { html += " " }
        needsSpace = false
      }
      html += "<\(open[index].name)\(open[index].attributes)>"
      open[index].isWritten = true
    }
  }
}
