internal import Text

/// Writer of HTML whose elements are written when something is in them.
///
/// An empty element leaves nothing, and so does a heading under which nothing follows.
struct ArticleTagWriter {
  private struct Open {
    var name: String
    var isBlock: Bool
    /// In HTML, a space before each.
    var attributes: [UInt8]
    var isWritten = false
  }

  private var html: [UInt8] = []
  private var open: [Open] = []
  /// Headings that wait for what they stand above, with the number of elements around them.
  private var headings: [(level: Int, html: [UInt8], depth: Int)] = []
  private var needsSpace = false
  /// Where the heading that is being written begins, and the number of elements around it.
  private var heading: (start: Int, depth: Int)?
  private var preformatted = 0
  /// Letters written, as `MeasuredPage` counts them.
  private(set) var letters = 0
  /// Letters written, those that `MeasuredPage` counts several times counted once.
  private(set) var length = 0
  private(set) var pictures = 0

  var depth: Int { open.count }
  var isPreformatted: Bool { preformatted > 0 }

  mutating func begin(_ name: String, _ attributes: [(String, String)] = []) {
    if let level = Self.level(of: name), heading == nil {
      writeOpen()
      headings.removeAll { $0.level >= level }
      heading = (html.count, open.count)
      needsSpace = false
    }
    if name == "pre" { preformatted += 1 }
    var open = Open(name: name, isBlock: PageHints.isBlock(name), attributes: [])
    Self.write(attributes, to: &open.attributes)
    self.open.append(open)
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
    if last.isWritten {
      html += "</".utf8
      html += last.name.utf8
      html.append(UInt8(ascii: ">"))
    }
    if last.isBlock { needsSpace = false }
    if let heading, heading.depth == open.count, let level = Self.level(of: last.name) {
      self.heading = nil
      let text = Array(html[heading.start...])
      html.removeSubrange(heading.start...)
      if !text.isEmpty { headings.append((level, text, heading.depth)) }
    }
  }

  /// Writes text with its white space collapsed, except in preformatted text.
  mutating func write(text: String) {
    if preformatted > 0 {
      guard !text.isEmpty else { return }
      writeContent()
      html += HTMLPage.escaped(text).utf8
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
    html += HTMLPage.escaped(collapsed).utf8
    count(collapsed)
    needsSpace = last.isASCIISpace
  }

  private mutating func count(_ text: String) {
    for scalar in text.unicodeScalars {
      let weight = MeasuredPage.weight(of: scalar)
      letters += Int(weight)
      if weight > 0 { length += 1 }
    }
  }

  mutating func write(void name: String, _ attributes: [(String, String)] = []) {
    writeContent()
    html.append(UInt8(ascii: "<"))
    html += name.utf8
    Self.write(attributes, to: &html)
    html.append(UInt8(ascii: ">"))
    if name == "img" { pictures += 1 }
    if name == "br" || name == "hr" { needsSpace = false }
  }

  /// Writes a line break or rule, but none at the beginning of the text.
  mutating func writeBreak(_ name: String) {
    guard letters > 0, heading == nil || !html.isEmpty else { return }
    if name == "br", open.last?.isWritten != true { return }
    write(void: name)
  }

  /// Ends the open elements and returns the HTML.
  mutating func finish() -> String {
    while !open.isEmpty { end() }
    return String(decoding: html, as: UTF8.self)
  }

  private static func write(_ attributes: [(String, String)], to html: inout [UInt8]) {
    for (name, value) in attributes {
      html.append(0x20)
      html += name.utf8
      html += "=\"".utf8
      html += HTMLPage.escaped(value).utf8
      html.append(UInt8(ascii: "\""))
    }
  }

  /// Elements at whose end the headings that wait in them are written.
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
      separate()
      needsSpace = false
    }
  }

  private mutating func separate() {
    if let last = html.last, !last.isASCIISpace, !isAtBlockStart { html.append(0x20) }
  }

  /// Whether the line is empty so far.
  private var isAtBlockStart: Bool {
    guard html.last == UInt8(ascii: ">"), let tag = html.lastIndex(of: UInt8(ascii: "<")) else {
      return false
    }
    let name = html[tag...].dropFirst().drop { $0 == UInt8(ascii: "/") }
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
      if needsSpace, !open[index].isBlock {
        separate()
        needsSpace = false
      }
      html.append(UInt8(ascii: "<"))
      html += open[index].name.utf8
      html += open[index].attributes
      html.append(UInt8(ascii: ">"))
      open[index].isWritten = true
    }
  }
}
