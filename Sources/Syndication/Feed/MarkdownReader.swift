internal import Text

/// Markdown that generators of feeds have left in HTML without tags.
enum MarkdownReader {
  /// In bytes; longer texts are not converted.
  private static let longest = 256 << 10

  /// Whether a text without tags has a fence, a heading on a line of its own, or a link.
  static func isMarkdown(_ text: ByteBuffer) -> Bool {
    guard text.count <= longest, !hasTag(text) else { return false }
    var index = 0
    var isLineStart = true
    while index < text.count {
      let byte = text[index]
      if isLineStart {
        if text.hasWord("```", at: index) || text.hasWord("~~~", at: index) { return true }
        if byte == 0x23 {
          var end = index
          while end < text.count, text[end] == 0x23, end - index < 7 { end += 1 }
          // A single line with this beginning is a hashtag.
          if end - index < 7, end + 1 < text.count, text[end] == 0x20,
            text.firstIndex(of: 0x0A, from: end) != nil
          {
            return true
          }
        }
      }
      if byte == 0x5D,
        text.hasWord("](http", at: index) || text.hasWord("](/", at: index)
          || text.hasWord("](mailto:", at: index),
        text[..<index].last(where: { $0 == 0x5B || $0 == 0x0A }) == 0x5B
      {
        return true
      }
      isLineStart = byte == 0x0A || isLineStart && byte == 0x20
      index += 1
    }
    return false
  }

  /// Whether there is a tag, or anything that looks like one.
  private static func hasTag(_ text: ByteBuffer) -> Bool {
    var index = 0
    while let sign = text.firstIndex(of: 0x3C, from: index), sign + 1 < text.count {
      let next = text[sign + 1]
      if next.isASCIILetter || next == 0x2F || next == 0x21 { return true }
      index = sign + 1
    }
    return false
  }

  static func html(_ text: String) -> String {
    var blocks = Blocks()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { blocks.add(line) }
    blocks.end()
    return blocks.html
  }

  private struct Blocks {
    var html = ""
    private var paragraph: [String] = []
    private var list: String?
    private var fence: String?
    private var code: [Substring] = []
    private var rows: [[String]] = []

    mutating func add(_ line: Substring) {
      let bare = line.drop { $0 == " " || $0 == "\t" }
      if let fence {
        if bare.hasPrefix(fence) { endCode() } else { code.append(line) }
        return
      }
      if bare.hasPrefix("```") || bare.hasPrefix("~~~") {
        endText()
        return fence = String(bare.prefix(3))
      }
      if bare.isEmpty { return endText() }
      if let level = bare.prefixMatch(of: #/(#{1,6})\s+/#) {
        endText()
        let title = String(
          bare[level.range.upperBound...].trimmingSuffix { $0 == "#" || $0 == " " })
        let name = "h\(level.1.count)"
        return html += "<\(name)>\(Self.inline(title))</\(name)>"
      }
      if bare.wholeMatch(of: #/(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}/#) != nil {
        endText()
        return html += "<hr>"
      }
      if bare.hasPrefix("|") { return addRow(bare) }
      endTable()
      if let item = bare.prefixMatch(of: #/(?:[-*+]|\d{1,9}[.)])\s+/#) {
        let name = bare.first?.isNumber == true ? "ol" : "ul"
        if list != name {
          endText()
          html += "<\(name)>"
          list = name
        } else {
          endParagraph()
        }
        return paragraph.append(String(bare[item.range.upperBound...]))
      }
      if bare.hasPrefix(">") {
        endText()
        let quoted = bare.dropFirst().drop { $0 == " " }
        return html += "<blockquote><p>\(Self.inline(String(quoted)))</p></blockquote>"
      }
      paragraph.append(String(bare))
    }

    mutating func end() {
      if fence != nil { endCode() }
      endText()
    }

    private mutating func endCode() {
      html += "<pre><code>\(Self.escaped(code.joined(separator: "\n")))</code></pre>"
      (fence, code) = (nil, [])
    }

    private mutating func endText() {
      endParagraph()
      if let list { html += "</\(list)>" }
      list = nil
      endTable()
    }

    private mutating func endParagraph() {
      guard !paragraph.isEmpty else { return }
      let name = list == nil ? "p" : "li"
      html += "<\(name)>\(Self.inline(paragraph.joined(separator: "\n")))</\(name)>"
      paragraph = []
    }

    private mutating func addRow(_ line: Substring) {
      if rows.isEmpty { endText() }
      var cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
      if cells.last?.allSatisfy(\.isWhitespace) == true { cells = cells.dropLast() }
      rows.append(cells.map(\.trimmed))
    }

    private mutating func endTable() {
      guard !rows.isEmpty else { return }
      func isRule(_ row: [String]) -> Bool {
        row.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 == "-" || $0 == ":" } }
      }
      let hasHead = rows.count > 1 && isRule(rows[1])
      html += "<table>"
      for (number, row) in rows.enumerated() where !isRule(row) {
        let name = hasHead && number == 0 ? "th" : "td"
        let cells = row.map { "<\(name)>\(Self.inline($0))</\(name)>" }.joined()
        html += "<tr>\(cells)</tr>"
      }
      html += "</table>"
      rows = []
    }

    private static func escaped(_ text: String) -> String {
      // References are decoded, so the text is HTML except for its tags.
      text.replacing("<", with: "&lt;")
    }

    private static func inline(_ text: String) -> String {
      var html = ""
      var rest = escaped(text)[...]
      while let first = rest.first {
        if first == "\\", let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol {
          html.append(next)
          rest = rest.dropFirst(2)
        } else if let code = rest.prefixMatch(of: #/`([^`\n]+)`/#) {
          html += "<code>\(code.1)</code>"
          rest = rest[code.range.upperBound...]
        } else if let link = rest.prefixMatch(
          of: #/(!?)\[([^\[\]\n]*)\]\(\s*([^\s()]+(?:\([^\s()]*\))?)(?:\s+"[^"\n]*")?\s*\)/#)
        {
          let address = link.3.replacing("\"", with: "%22")
          html +=
            link.1.isEmpty
            ? "<a href=\"\(address)\">\(inline(String(link.2)))</a>"
            : "<img src=\"\(address)\" alt=\"\(link.2.replacing("\"", with: "&quot;"))\">"
          rest = rest[link.range.upperBound...]
        } else if let strong = rest.prefixMatch(of: #/(\*\*|__)(?=\S)([^\n]+?\S?)\1/#),
          first == "*" || !isInWord(html.last)
        {
          html += "<strong>\(inline(String(strong.2)))</strong>"
          rest = rest[strong.range.upperBound...]
        } else if let emphasis = rest.prefixMatch(of: #/([*_])(?=[^\s*_])([^*_\n]*[^\s*_])\1/#),
          first == "*"
            || !isInWord(html.last) && !isInWord(rest[emphasis.range.upperBound...].first)
        {
          html += "<em>\(inline(String(emphasis.2)))</em>"
          rest = rest[emphasis.range.upperBound...]
        } else {
          html.append(first)
          rest = rest.dropFirst()
        }
      }
      return html
    }

    /// `snake_case` has no emphasis.
    private static func isInWord(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber } ?? false
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ isLeftOut: (Character) -> Bool) -> Substring {
    var text = self
    while let last = text.last, isLeftOut(last) { text.removeLast() }
    return text
  }
}
