internal import Text

extension Document {
  /// The document as HTML that any page can hold: elements of text alone, without styles, scripts and frames, and
  /// without an attribute but the numbers of lists and the addresses of links, which are those of http and https.
  /// Pictures are links.
  package func html(_ form: HTMLForm) -> String {
    HTMLText(self, form).text(of: blocks)
  }
}

package struct HTMLForm: Sendable {
  /// The level of the first headings; those below six are six.
  package var headingsFrom: Int
  /// Whether it is XML as well: every element is closed, and no character is one that XML lacks.
  package var isXML = false
  /// The prefix of the ids of places that the text leads to, such as footnotes: a name of XML. Nil for text without
  /// such places.
  package var places: String?
  /// Where the page has a picture; nil for one that is to be a link.
  package var picture: @Sendable (Image) -> String? = { _ in nil }
  /// Where a link leads, instead of its address: a place in the same book. Nil for the address.
  package var page: @Sendable (String) -> String? = { _ in nil }

  package init(headingsFrom: Int = 1) { self.headingsFrom = headingsFrom }
}

/// Blocks as HTML. Recursive: blocks nest at most `Document.deepestNesting` levels deep.
private struct HTMLText {
  private let links: [Link]
  private let jumps: [String]
  private let form: HTMLForm
  /// The ids of the places that are led to.
  private let ids: [String: String]

  init(_ document: Document, _ form: HTMLForm) {
    (links, jumps, self.form) = (document.links, document.jumps, form)
    ids = document.placeIDs(form.places)
  }

  private var end: String { form.isXML ? "/>" : ">" }

  func text(of blocks: [Block]) -> String { blocks.map(text).joined() }

  private func text(of block: Block) -> String {
    switch block {
    case .heading(let depth, let inlines):
      let name = "h\(min(6, max(1, depth) + form.headingsFrom - 1))"
      return "<\(name)>\(text(of: inlines))</\(name)>\n"
    case .paragraph(let inlines): return "<p>\(text(of: inlines))</p>\n"
    case .list(let list):
      return text(of: list)
    case .quote(let blocks): return "<blockquote>\n\(text(of: blocks))</blockquote>\n"
    case .indented(let blocks):
      // A list of definitions has terms (WHATWG HTML, 4.4.9), which checkers of books insist on.
      return form.isXML
        ? "<div class=\"indented\">\n\(text(of: blocks))</div>\n"
        : "<dl><dd>\n\(text(of: blocks))</dd></dl>\n"
    // A line end directly behind the tag would be dropped (WHATWG HTML, 13.2.6.4.7).
    case .preformatted(let code): return "<pre>\n\(text(of: code))</pre>\n"
    case .rule: return "<hr\(end)\n"
    case .table(let table):
      let rows = table.rows.map { row in
        "<tr>"
          + row.cells.map { cell in
            let name = cell.isHeader ? "th" : "td"
            let rest = String(repeating: "<\(name)></\(name)>", count: cell.columns - 1)
            return "<\(name)>\(cell.isContinued ? "" : text(of: cell.inlines))</\(name)>" + rest
          }.joined() + "</tr>\n"
      }
      return "<table>\n\(rows.joined())</table>\n"
    case .figure(let image):
      guard form.picture(image) != nil else { return "<p>\(text(of: image))</p>\n" }
      let title = image.title.map { "<figcaption>\(escaped($0))</figcaption>" } ?? ""
      return "<figure>\(picture(image))\(title)</figure>\n"
    case .note(let text): return "<p><em>\(escaped(text))</em></p>\n"
    }
  }

  private func text(of code: Code) -> String {
    let bytes = Array(code.text.utf8)
    func part(_ range: Range<Int>) -> String {
      escaped(String(decoding: bytes[range], as: UTF8.self))
    }
    var output = ""
    var end = 0
    for linked in code.links {
      guard let address = address(of: linked.link) else { continue }
      output += part(end..<linked.range.lowerBound)
      output += "<a href=\"\(escaped(address))\">\(part(linked.range))</a>"
      end = linked.range.upperBound
    }
    return output + part(end..<bytes.count)
  }

  private func text(of list: List) -> String {
    guard let numbers = list.numbers, let start = numbers.first else {
      return "<ul>\n" + list.items.map { "<li>\(text(of: $0))</li>\n" }.joined() + "</ul>\n"
    }
    let type = list.style == .decimal ? "" : " type=\"\(list.style.rawValue)\""
    var output = "<ol\(start == 1 ? "" : " start=\"\(start)\"")\(type)>\n"
    for (index, item) in list.items.enumerated() {
      let follows = index == 0 || numbers[index] == numbers[index - 1] &+ 1
      output += follows ? "<li>" : "<li value=\"\(numbers[index])\">"
      output += text(of: item) + "</li>\n"
    }
    return output + "</ol>\n"
  }

  private func text(of inlines: [Inline]) -> String {
    var output = ""
    var open: String?
    func link(to address: String?) {
      guard open != address else { return }
      if open != nil { output += "</a>" }
      if let address { output += "<a href=\"\(escaped(address))\">" }
      open = address
    }
    for inline in inlines {
      switch inline {
      case .text(let text, let traits, let number):
        link(to: address(of: number))
        output += marked(escaped(text), traits)
      case .lineBreak: output += "<br\(end)\n"
      case .image(let image):
        link(to: nil)
        output += text(of: image)
      case .anchor(let name):
        // No element of a link is within another.
        link(to: nil)
        if let id = ids[name] { output += "<span id=\"\(id)\"></span>" }
      }
    }
    link(to: nil)
    return output
  }

  private func marked(_ text: String, _ traits: Traits) -> String {
    let names: [(Traits, String)] = [
      (.code, "code"), (.strike, "s"), (.inserted, "ins"), (.underline, "u"), (.marked, "mark"),
      (.emphasis, "em"), (.strong, "strong"),
    ]
    return names.reduce(text) { text, mark in
      traits.contains(mark.0) ? "<\(mark.1)>\(text)</\(mark.1)>" : text
    }
  }

  private func text(of image: Image) -> String {
    let title = image.title.map { " <em>\(escaped($0))</em>" } ?? ""
    if form.picture(image) != nil { return picture(image) + title }
    let name = "[\(escaped(image.alt.isEmpty ? "image" : image.alt))]"
    guard let address = address(of: image) else { return name + title }
    return "<a href=\"\(escaped(address))\">\(name)</a>" + title
  }

  /// The picture itself, in the link around it where that leads to something else.
  private func picture(_ image: Image) -> String {
    guard let source = form.picture(image) else { return "" }
    let element = "<img src=\"\(escaped(source))\" alt=\"\(escaped(image.alt))\"\(end)"
    guard let link = address(of: image.link), link != image.source else { return element }
    return "<a href=\"\(escaped(link))\">\(element)</a>"
  }

  private func address(of image: Image) -> String? {
    image.source.flatMap { WebAddress.isWeb($0) ? $0 : nil } ?? address(of: image.link)
  }

  private func address(of number: Int?) -> String? {
    guard let number else { return nil }
    if number < 0 {
      return jumps.indices.contains(-number - 1) ? ids[jumps[-number - 1]].map { "#" + $0 } : nil
    }
    guard links.indices.contains(number - 1) else { return nil }
    let url = links[number - 1].url
    if let page = form.page(url) { return page }
    guard WebAddress.isWeb(url) else { return nil }
    return form.isXML ? url.withBytes { WebAddress.encoded($0, 0..<$0.count) } : url
  }

  private func escaped(_ text: String) -> String {
    let text = HTMLPage.escaped(text)
    guard form.isXML, text.utf8.contains(0xEF) else { return text }
    // XML 1.0 §2.2 lacks these two; control characters are removed from all text.
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value != 0xFFFE && $0.value != 0xFFFF }))
  }
}
