internal import Text

extension Document {
  /// The document as Markdown (CommonMark 0.31, tables as GitHub has them). What only looks like a mark in the text is
  /// escaped; links are those of http and https, pictures are links.
  ///
  /// - Parameters:
  ///   - level: that of its first headings; those below six are six.
  ///   - places: what the ids of places begin with that the text leads to, such as footnotes, which are elements of HTML
  ///     (CommonMark §6.6); nil for text without such places.
  package func markdown(headingsFrom level: Int = 1, places: String? = nil) -> String {
    MarkdownText(self, level: level, places: places).lines(of: blocks).joined(separator: "\n")
  }
}

package enum Markdown {
  /// One line of plain text, with what could be taken for a mark escaped.
  package static func escaped(_ text: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "_"),
        UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "&"), UInt8(ascii: "~"), UInt8(ascii: "|"):
        output.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "#"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="):
        // Marks at the beginning of a line only.
        if index == 0 { output.append(UInt8(ascii: "\\")) }
      case UInt8(ascii: "."), UInt8(ascii: ")"):
        // A number with one of these begins the item of a list.
        if index > 0, index < 10, output.allSatisfy(\.isASCIIDigit) {
          output.append(UInt8(ascii: "\\"))
        }
      default: break
      }
      output.append(byte)
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// A link; its text alone where the address is none of http or https.
  ///
  /// - Parameter text: in Markdown.
  package static func link(_ text: String, to url: String?) -> String {
    guard let url, WebAddress.isWeb(url) else { return text }
    var address = ""
    for scalar in url.unicodeScalars {
      switch scalar {
      case "(": address += "%28"
      case ")": address += "%29"
      case "<": address += "%3C"
      case ">": address += "%3E"
      case " ": address += "%20"
      case "\\": address += "%5C"
      default: address.unicodeScalars.append(scalar)
      }
    }
    return "[\(text)](\(address))"
  }
}

/// Blocks as lines. Recursive: blocks nest at most `Document.deepestNesting` levels deep.
private struct MarkdownText {
  private let links: [Link]
  private let jumps: [String]
  private let level: Int
  /// The ids of the places that are led to.
  private let ids: [String: String]

  init(_ document: Document, level: Int, places: String?) {
    (links, jumps, self.level) = (document.links, document.jumps, level)
    ids = document.placeIDs(places)
  }

  /// With an empty line between two blocks.
  func lines(of blocks: [Block]) -> [String] {
    var lines: [String] = []
    // Lists next to each other are one where they have the same marks (CommonMark §5.3).
    var isListBefore = false
    var hasOtherMarks = false
    for block in blocks {
      let isList = if case .list = block { true } else { false }
      hasOtherMarks = isList && isListBefore && !hasOtherMarks
      let more = self.lines(of: block, hasOtherMarks: hasOtherMarks)
      if !lines.isEmpty, !more.isEmpty { lines.append("") }
      lines += more
      if !more.isEmpty { isListBefore = isList }
    }
    return lines
  }

  private func lines(of block: Block, hasOtherMarks: Bool) -> [String] {
    switch block {
    case .heading(let depth, let inlines):
      let marks = String(repeating: "#", count: min(6, max(1, depth) + level - 1))
      return ["\(marks) \(text(of: inlines, breaks: " "))"]
    case .paragraph(let inlines): return split(text(of: inlines, breaks: "\\\n"))
    case .list(let list): return lines(of: list, hasOtherMarks: hasOtherMarks)
    case .quote(let blocks):
      return lines(of: blocks).map { $0.isEmpty ? ">" : "> " + $0 }
    // Markdown has no indentation that is not code.
    case .indented(let blocks): return lines(of: blocks)
    case .preformatted(let code):
      let fence = String(repeating: "`", count: max(3, longestRun(in: code.text) + 1))
      let language = code.language.map { $0.allSatisfy { $0.isLetter || $0.isNumber } ? $0 : "" }
      return [fence + (language ?? "")] + split(code.text) + [fence]
    case .rule: return ["---"]
    case .table(let table): return lines(of: table)
    case .figure(let image): return [text(of: image)]
    case .note(let text): return ["*\(Markdown.escaped(text))*"]
    }
  }

  private func lines(of list: List, hasOtherMarks: Bool) -> [String] {
    var lines: [String] = []
    // Numbers are counted on from the first one (CommonMark §5.3): others are words of the items.
    let isCounted =
      list.numbers.map { numbers in
        numbers.indices.allSatisfy { numbers[$0] == numbers[0] + $0 } && (numbers.first ?? 0) >= 0
      } ?? false
    for (index, item) in list.items.enumerated() {
      var mark = hasOtherMarks ? "* " : "- "
      var number = ""
      if let numbers = list.numbers {
        if isCounted {
          mark = "\(numbers[index])\(hasOtherMarks ? ")" : ".") "
        } else {
          number = "\(numbers[index])\\. "
        }
      }
      let indent = String(repeating: " ", count: mark.utf8.count)
      for (line, written) in self.lines(of: item).enumerated() {
        let text = line == 0 && list.numbers == nil ? Self.task(written) : written
        lines.append(line == 0 ? mark + number + text : text.isEmpty ? "" : indent + text)
      }
    }
    return lines
  }

  /// A task has its box (GFM §5.3).
  private static func task(_ line: String) -> String {
    for box in ["[ ] ", "[x] "] {
      let escaped = "\\" + box.replacing("]", with: "\\]")
      if line.hasPrefix(escaped) { return box + line.dropFirst(escaped.count) }
    }
    return line
  }

  private func lines(of table: Table) -> [String] {
    let count = table.rows.map { $0.cells.reduce(0) { $0 + $1.columns } }.max() ?? 0
    guard count > 0 else { return [] }
    /// A row may have fewer cells than the head (GFM §4.10).
    func line(_ cells: [Table.Cell]) -> String {
      let texts = cells.flatMap { cell in
        [cell.isContinued ? "" : barred(text(of: cell.inlines, breaks: " "))]
          + Array(repeating: "", count: cell.columns - 1)
      }
      return "| " + texts.joined(separator: " | ") + " |"
    }
    let hasHeader = table.rows.first?.isHeader == true
    let header = hasHeader ? table.rows[0].cells : []
    let rest = count - header.reduce(0) { $0 + $1.columns }
    return [
      line(header + Array(repeating: Table.Cell(inlines: []), count: rest)),
      "|" + (0..<count).map { " \(marks(of: $0, in: table)) |" }.joined(),
    ] + table.rows.dropFirst(hasHeader ? 1 : 0).map { line($0.cells) }
  }

  /// A cell ends at a bar, even within code (GFM §4.10).
  private func barred(_ text: String) -> String {
    var (output, isEscaped) = ("", false)
    for character in text {
      if character == "|", !isEscaped { output.append("\\") }
      isEscaped = character == "\\" && !isEscaped
      output.append(character)
    }
    return output
  }

  /// The mark of a column, by the side on which most of its cells stand that say so.
  private func marks(of column: Int, in table: Table) -> String {
    var counts: [Table.Alignment: Int] = [:]
    for row in table.rows {
      var place = 0
      for cell in row.cells {
        if place == column, let alignment = cell.alignment { counts[alignment, default: 0] += 1 }
        place += cell.columns
      }
    }
    let (most, count) = counts.max { $0.value < $1.value } ?? (.leading, 0)
    guard count * 2 > table.rows.count else { return "---" }
    return switch most {
    case .leading: ":---"
    case .center: ":---:"
    case .trailing: "---:"
    }
  }

  private func split(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func text(of inlines: [Inline], breaks: String) -> String {
    var output = ""
    for (index, inline) in inlines.enumerated() {
      switch inline {
      case .text(let text, let traits, let number):
        let isLink = number != nil
        let marked = marked(
          text, traits, before: isLink ? "[" : output.last,
          after: isLink ? "]" : Self.first(of: inlines[(index + 1)...]))
        output +=
          place(of: number).map { "[\(marked)](#\($0))" }
          ?? Markdown.link(marked, to: address(of: number))
      case .lineBreak: output += breaks
      case .image(let image): output += text(of: image)
      case .anchor(let name): output += ids[name].map { "<a id=\"\($0)\"></a>" } ?? ""
      }
    }
    return output
  }

  /// The first character of what follows, as far as it matters to a mark before it.
  private static func first(of inlines: ArraySlice<Inline>) -> Character? {
    switch inlines.first(where: { !$0.isAnchor }) {
    case .text(let text, let traits, let number): number == nil && traits.isEmpty ? text.first : "["
    case .image: "["
    case .lineBreak, .anchor, nil: nil
    }
  }

  /// Marks stand at words: spaces around them are left outside. Where they would stand between a letter and a sign, they
  /// are none to CommonMark (§6.2), and elements of HTML say the same.
  private func marked(
    _ text: String, _ traits: Traits, before: Character?, after: Character?
  ) -> String {
    let inner = text.drop { $0 == " " }
    let head = text.prefix(text.count - inner.count)
    let core = String(inner.reversed().drop { $0 == " " }.reversed())
    let tail = inner.dropFirst(core.count)
    guard !core.isEmpty else { return text }
    var marked: String
    if traits.contains(.code) {
      let fence = String(repeating: "`", count: longestRun(in: core) + 1)
      let pad = core.hasPrefix("`") || core.hasSuffix("`") ? " " : ""
      marked = fence + pad + core + pad + fence
    } else {
      marked = Markdown.escaped(core)
    }
    let isMark =
      Self.isMark(marked.first, beside: head.last ?? before)
      && Self.isMark(marked.last, beside: tail.first ?? after)
    if traits.contains(.strike) { marked = isMark ? "~~\(marked)~~" : "<del>\(marked)</del>" }
    if !traits.isDisjoint(with: [.emphasis, .underline, .inserted, .marked]) {
      marked = isMark ? "*\(marked)*" : "<em>\(marked)</em>"
    }
    if traits.contains(.strong) {
      marked = isMark ? "**\(marked)**" : "<strong>\(marked)</strong>"
    }
    return head + marked + tail
  }

  /// Whether a mark between two characters is one: beside a sign within it, no letter stands outside.
  private static func isMark(_ inner: Character?, beside outer: Character?) -> Bool {
    guard let inner, let outer else { return true }
    func isSign(_ character: Character) -> Bool {
      character.isPunctuation || character.isSymbol
    }
    return !isSign(inner) || isSign(outer) || outer.isWhitespace
  }

  private func text(of image: Image) -> String {
    let name = Markdown.escaped(image.alt.isEmpty ? "image" : image.alt)
    let source = image.source.flatMap { WebAddress.isWeb($0) ? $0 : nil }
    let title = image.title.map { " *\(Markdown.escaped($0))*" } ?? ""
    return Markdown.link("\\[\(name)\\]", to: source ?? address(of: image.link)) + title
  }

  private func place(of number: Int?) -> String? {
    guard let number, number < 0, jumps.indices.contains(-number - 1) else { return nil }
    return ids[jumps[-number - 1]]
  }

  private func address(of number: Int?) -> String? {
    guard let number, links.indices.contains(number - 1) else { return nil }
    return links[number - 1].url
  }

  private func longestRun(in text: String) -> Int {
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
