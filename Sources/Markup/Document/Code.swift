/// Preformatted lines, and what is known of them.
package struct Code: Hashable, Sendable, ExpressibleByStringLiteral {
  /// A stretch of the text that is part of a link.
  package struct LinkedText: Hashable, Sendable {
    /// In UTF-8 bytes.
    package var range: Range<Int>
    /// The number of the link.
    package var link: Int
  }

  /// Its lines, with their white space.
  package var text: String
  /// The programming language that the document names, in lower case; nil where it names none.
  package var language: String?
  /// In order, and apart.
  package var links: [LinkedText]

  package init(_ text: String, language: String? = nil, links: [LinkedText] = []) {
    self.text = text
    self.language = language
    self.links = links
  }

  package init(stringLiteral text: String) { self.init(text) }
}

struct CodeBuilder {
  private(set) var text = ""
  private var links: [Code.LinkedText] = []

  var length: Int { text.utf8.count }

  mutating func append(_ more: String, link: Int? = nil) {
    let start = length
    text += more
    guard let link, length > start else { return }
    if let last = links.last, last.link == link, last.range.upperBound == start {
      links[links.count - 1].range = last.range.lowerBound..<length
    } else {
      links.append(Code.LinkedText(range: start..<length, link: link))
    }
  }

  mutating func endLine() {
    if !text.isEmpty, text.utf8.last != UInt8(ascii: "\n") { text += "\n" }
  }

  /// Without the empty lines around it; nil where nothing is left.
  func code(language: String?) -> Code? {
    let lines = text.trimmingBlankLines()
    guard !lines.isEmpty else { return nil }
    let behind = text.utf8.reversed().prefix { $0 == 0x20 || (0x09...0x0D).contains($0) }.count
    let before = length - behind - lines.utf8.count
    let bounds = 0..<lines.utf8.count
    let moved = links.compactMap { linked -> Code.LinkedText? in
      let range =
        (max(0, linked.range.lowerBound - before)..<max(0, linked.range.upperBound - before))
        .clamped(to: bounds)
      return range.isEmpty ? nil : Code.LinkedText(range: range, link: linked.link)
    }
    return Code(lines, language: language, links: moved)
  }
}

extension DocumentBuilder.Element {
  /// The programming language that its `class` or `data-lang` names, as pages have them for highlight.js, Prism,
  /// GitHub, Sphinx, Pandoc and SyntaxHighlighter.
  var language: String? {
    if let named = self["data-lang"], !named.isEmpty { return named.lowercased() }
    let classes = classes
    for (index, name) in classes.enumerated() {
      for prefix in ["language-", "lang-", "highlight-source-", "highlight-text-", "brush:"] {
        guard name.hasPrefix(prefix) else { continue }
        let rest = name.dropFirst(prefix.count)
        if !rest.isEmpty { return rest.prefix { $0 != ";" }.lowercased() }
        // "brush: swift"
        if index + 1 < classes.count { return classes[index + 1].prefix { $0 != ";" }.lowercased() }
      }
      if name == "sourceCode", index + 1 < classes.count { return classes[index + 1].lowercased() }
      if name.hasPrefix("highlight-"), name != "highlight-source" {
        return name.dropFirst("highlight-".count).lowercased()
      }
    }
    return nil
  }
}
