import Markup
import Testing

struct HostileMarkupTests {
  static let tooDeep = "Parts of this article were nested too deep and are shown as plain text."

  @Test(arguments: [
    "div", "b", "blockquote", "ul><li", "table><tr><td", "span", "a href=x", "font",
  ])
  func `Nesting without end is flattened, and its text is kept`(tag: String) {
    let html = "start" + String(repeating: "<\(tag)>x", count: 100_000) + "end"
    let document = Markup.document(html: html)
    let text = document.withoutNotes.text
    #expect(text.filter { $0 == "x" }.count == 100_000)
    #expect(text.hasPrefix("start") && text.hasSuffix("end"))
    // One link ends the one before it, and what `font` says is not for a terminal.
    let isFlat = tag != "a href=x" && tag != "font"
    #expect(document.warnings.isEmpty != isFlat)
  }

  @Test func `Well-nested depth is flattened, too, and what follows is not`() {
    let html =
      String(repeating: "<div>", count: 100_000) + "deep"
      + String(repeating: "</div>", count: 100_000)
      + "<h2>After</h2>"
    let document = Markup.document(html: html)
    #expect(
      document.withoutNotes.blocks == [
        .paragraph([.text("deep")]), .heading(level: 2, [.text("After")]),
      ])
    #expect(document.warnings == [Self.tooDeep])
    #expect(document.blocks.last == .note(Self.tooDeep))
  }

  @Test func `Nesting as deep as is allowed is no reason for a warning`() {
    let deep =
      String(repeating: "<div>", count: 512) + "x" + String(repeating: "</div>", count: 512)
    #expect(Markup.document(html: deep).warnings == [])
    #expect(Markup.document(html: "<div>" + deep).warnings == [Self.tooDeep])
  }

  @Test func `More elements than are read are text, and a warning says so`() {
    let html = String(repeating: "<i>x</i>", count: 200_010)
    let document = Markup.document(html: html)
    #expect(document.withoutNotes.text.filter { $0 == "x" }.count == 200_010)
    #expect(document.warnings.count == 1 && document.warnings[0].contains("too many elements"))
    #expect(document.blocks.last == .note(document.warnings[0]))
  }

  @Test func `Many elements inside many others are text in the end, too`() {
    let html = String(repeating: "<b>", count: 500) + String(repeating: "<p>x", count: 50_000)
    let document = Markup.document(html: html)
    #expect(document.withoutNotes.text.filter { $0 == "x" }.count == 50_000)
    #expect(document.warnings.count == 1 && document.warnings[0].contains("too many elements"))
    let fewer = String(repeating: "<div>", count: 50) + String(repeating: "<p>x", count: 50_000)
    #expect(Markup.document(html: fewer).warnings == [])
  }

  /// A shape, and how often its letter "w" is to be found in the text.
  struct Shape: Sendable, CustomTestStringConvertible {
    var before = ""
    var piece: String
    var count = 4_000
    /// In each piece.
    var letters = 1

    var testDescription: String { "\(before.prefix(40))(\(piece))×\(count)" }
    var html: String { before + String(repeating: piece, count: count) }
  }

  /// The active formatting elements, the adoption agency and foster parenting of WHATWG HTML §13.2
  /// copy or move elements; what they move about keeps its text, once.
  @Test(arguments: [
    Shape(piece: "<p><b>w"), Shape(piece: "<b><p></b>w"), Shape(piece: "<b id=1><div></b>w"),
    Shape(before: String(repeating: "<b>", count: 600), piece: "<p>w</b>"),
    Shape(piece: "<a href=http://x/><p>w"), Shape(piece: "<font color=1><p>w</font>"),
    Shape(before: "<table>", piece: "<b>w"), Shape(before: "<table><tr>", piece: "w<td>"),
    Shape(before: "<table>", piece: "<div>w</div>"), Shape(piece: "<table><td>w"),
    Shape(piece: "<form><div></form>w"), Shape(piece: "<ruby><rt>w"), Shape(piece: "<nobr>w"),
    Shape(piece: "<math><mi>w</mi>"), Shape(piece: "<h1>w</h2>"), Shape(piece: "<dl><dt><dd>w"),
    Shape(piece: "<select>w", letters: 0), Shape(piece: "<svg>w</svg>", letters: 0),
    Shape(piece: "<template>w</template>", letters: 0), Shape(before: "<pre>", piece: "w\t"),
  ])
  func `Formatting that is never closed loses no text and shows none twice`(shape: Shape) {
    let text = Markup.document(html: shape.html).withoutNotes.text
    let isDropped = shape.letters == 0
    let found = text.filter { $0 == "w" }.count
    // What browsers leave out is left out, unless its end tag is missing.
    #expect(isDropped ? found == 0 || found == shape.count : found == shape.count * shape.letters)
  }

  /// Each of these takes quadratic time, or memory, in a parser that does not guard against it.
  @Test(arguments: [
    "<p><b id=1>", "<p><font color=1>x", "</b>", "</p>", "<video>", "<!--", "<noscript>", "<table>",
    "<table><b>", "<a href=http://x/><p>", "<a", "<b a", "&", "&amp", "<br>", "<svg>", "<select>",
    "<ruby><rt>", "<dl><dt><dd>", "<", "<![CDATA[", "<li></ul>", "<form>", "<h1></h2>", "<button>",
    "\u{202E}", "<video><!--</video>", "<video><source a='</video>", "<img alt=x src=http://x/>",
    "<tr><td>", "<b></p>",
  ])
  func `Much of one thing is read`(piece: String) {
    let html = String(repeating: piece, count: (64 << 10) / piece.utf8.count) + " end"
    _ = Markup.document(html: html)
  }

  @Test(arguments: [
    "<td colspan=1000>w", "<td rowspan=65534>w<tr>", "<td colspan=1000 rowspan=65534>w<tr>",
    "<td rowspan=65534 colspan=9223372036854775807>w", "<tr><td colspan=-1 rowspan=0>w<td>",
  ])
  func `Cells of very many columns and rows take no more than they hold`(piece: String) throws {
    let html = "<table>" + String(repeating: piece, count: 4_000) + "</table>"
    let document = Markup.document(html: html)
    #expect(document.text.filter { $0 == "w" }.count == 4_000)
    guard case .table(let table)? = document.blocks.first else { return }
    #expect(table.rows.reduce(0) { $0 + $1.cells.count } < 500_000)
  }

  @Test func `A long text in a cell of many rows is kept once`() throws {
    let text = String(repeating: "w", count: 20_000)
    let html =
      "<table><tr><td rowspan=60000>\(text)<td>a" + String(repeating: "<tr><td>b", count: 2_000)
    guard case .table(let table)? = Markup.document(html: html).blocks.first else {
      Issue.record("no table")
      return
    }
    let letters = table.rows.flatMap(\.cells).flatMap(\.inlines).reduce(0) { sum, inline in
      if case .text(let text, _, _) = inline { sum + text.utf8.count } else { sum }
    }
    #expect(letters < 40_000)
  }

  @Test func `A wide row makes the Markdown of narrow ones no wider`() {
    let html =
      "<table><tr>" + String(repeating: "<td>a", count: 2_000)
      + String(repeating: "<tr><td>b<td>c", count: 2_000) + "</table>"
    let document = Markup.document(html: html)
    #expect(document.markdown(headingsFrom: 1).utf8.count < 10 * html.utf8.count)
  }

  @Test(arguments: [".", ")", "(", "()", "]'"])
  func `An address of a megabyte in the text is read`(piece: String) {
    let end = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
    #expect(Markup.document(html: "<p>http://x.example/a\(end)</p>").links.count == 1)
  }

  @Test func `An attribute of a megabyte is left out`() {
    let long = String(repeating: "x", count: 1 << 20)
    let html = "<a href='https://example.org/\(long)'>text</a><img alt=\"\(long)\">"
    #expect(Markup.document(html: html).blocks == [.paragraph([.text("text")])])
  }

  @Test func `An element of a hundred thousand attributes is read`() {
    let attributes = (0..<100_000).map { "a\($0)=1" }.joined(separator: " ")
    #expect(Markup.document(html: "<p \(attributes)>text").blocks == [.paragraph([.text("text")])])
  }

  @Test func `What is longer than the cap is cut, and a note says so`() {
    let html = "<p>" + String(repeating: "ä", count: Markup.mostBytes / 2) + "</p><p>tail</p>"
    let blocks = Markup.document(html: html).blocks
    #expect(blocks.count == 2)
    guard case .note(let note) = blocks.last else {
      Issue.record("no note")
      return
    }
    #expect(note.contains("8 MiB"))
  }

  @Test func `Nothing that steers a terminal comes through, wherever it stands`() {
    let evil = "&#27;]0;x&#7;&#x9b;&#x202e;\u{1B}\u{9D}\u{2067}"
    let html = """
      <h1>\(evil)</h1><p title="\(evil)"><a href="http://x/\(evil)">\(evil)a</a>
      <img alt="\(evil)b" src="http://x/\(evil)"><pre>\(evil)c</pre><table><tr><td>\(evil)d<td>e</table>
      """
    let description = String(describing: Markup.document(html: html))
    let isClean = description.unicodeScalars.allSatisfy { scalar in
      scalar == "\n"
        || scalar.properties.generalCategory != .control
          && !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
    }
    #expect(isClean)
  }

  /// Random documents of the tags that interact, from a fixed seed.
  @Test(arguments: 0..<40)
  func `Tag soup keeps its words`(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let tags = [
      "p", "b", "i", "a href=http://x/", "div", "ul", "ol", "li", "table", "tr", "td", "th", "pre",
      "blockquote", "h2", "dl", "dt", "dd", "br", "hr", "caption", "tbody", "code", "sup", "q",
      "rt",
    ]
    var html = ""
    for word in 0..<300 {
      for _ in 0..<next(4) {
        let tag = tags[next(tags.count)]
        html += next(2) == 0 ? "<\(tag)>" : "</\(tag.prefix { $0 != " " })>"
      }
      html += " w\(word)w "
    }
    let text = Markup.document(html: html).text
    for word in 0..<300 { #expect(text.contains("w\(word)w"), "\(html)") }
  }
}

extension Document {
  /// What the author wrote.
  var withoutNotes: Document {
    Document(
      blocks: blocks.filter { if case .note = $0 { false } else { true } }, links: links)
  }

  /// All text, in order.
  var text: String { blocks.map(\.text).joined(separator: " ") }
}

extension Block {
  var text: String {
    switch self {
    case .heading(_, let inlines), .paragraph(let inlines): inlines.map(\.text).joined()
    case .list(let list): list.items.flatMap { $0 }.map(\.text).joined(separator: " ")
    case .quote(let blocks), .indented(let blocks): blocks.map(\.text).joined(separator: " ")
    case .preformatted(let code): code.text
    case .rule: ""
    case .table(let table):
      table.rows.flatMap(\.cells).filter { !$0.isContinued }
        .map { $0.inlines.map(\.text).joined() }.joined(separator: " ")
    case .figure(let image): image.alt
    case .note(let note): note
    }
  }
}

extension Inline {
  var text: String {
    switch self {
    case .text(let text, _, _): text
    case .lineBreak: " "
    case .anchor: ""
    case .image(let image): image.alt
    }
  }
}
