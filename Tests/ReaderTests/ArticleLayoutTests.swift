import Foundation
import Markup
import News
import Reader
import Screen
import Testing

struct ArticleLayoutTests {
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/articles")

  static func document(_ name: String) throws -> Document {
    let html = try String(
      contentsOf: fixtures.appending(path: "\(name).html"), encoding: .utf8)
    return Markup.document(html: html) { "https://blog.example" + $0 }
  }

  static let pages = ["layout", "blog", "tables", "old", "parts", "data", "math", "code"]

  /// Pages with a topic each, at two widths.
  @Test(arguments: ["parts", "data", "math", "code"], [80, 40])
  func `A page of one topic is laid out as its fixture says`(name: String, width: Int) throws {
    let layout = ArticleLayout(try Self.document(name), width: width)
    let expected = try? String(
      contentsOf: Self.fixtures.appending(path: "\(name)-\(width).txt"), encoding: .utf8)
    #expect(layout.plainText == expected)
  }

  @Test(arguments: [
    ("<img src='a.png' alt='A  graph'><figcaption>A <b>graph</b></figcaption>", 1),
    ("<figcaption>A graph</figcaption><img src='a.png' alt='A graph'>", 1),
    ("<img src='a.png' alt='A graph'><figcaption>A graph of it</figcaption>", 2),
  ])
  func `A caption that is the description stands there once`(_ html: String, _ count: Int) {
    let layout = ArticleLayout(Markup.document(html: "<figure>\(html)</figure>"), width: 60)
    #expect(layout.plainText.ranges(of: "A graph").count == count)
    #expect(layout.plainText.contains("[image"))
  }

  /// Asking each quote twice for its direction would take years.
  @Test(.timeLimit(.minutes(1)), arguments: ["blockquote", "ul><li", "dl><dd"])
  func `The direction of a text inside many blocks is found in time`(tag: String) {
    let html = String(repeating: "<\(tag)>", count: Document.deepestNesting) + "<p>שלום"
    let layout = ArticleLayout(Markup.document(html: html), width: 200)
    let line = layout.lines.first { $0.text.contains("שלום") }
    #expect(line != nil)
  }

  @Test(arguments: [80, 40, 10, 1])
  func `An article is laid out as its fixture says`(width: Int) throws {
    let layout = ArticleLayout(try Self.document("layout"), width: width)
    let expected = try? String(
      contentsOf: Self.fixtures.appending(path: "layout-\(width).txt"), encoding: .utf8)
    #expect(layout.plainText == expected)
  }

  @Test(arguments: pages)
  func `No line is too long at any width`(name: String) throws {
    let document = try Self.document(name)
    for width in 1...80 {
      for line in ArticleLayout(document, width: width).lines {
        let isOneGlyph = width == 1 && line.text.count == 1
        #expect(line.columns <= width || isOneGlyph, "\(line.text) at \(width)")
      }
    }
  }

  @Test(arguments: pages)
  func `No letter is lost at any width`(name: String) throws {
    let document = try Self.document(name)
    func letters(_ layout: ArticleLayout) -> [Character: Int] {
      layout.lines.flatMap(\.text).filter { $0.isLetter }.reduce(into: [:]) {
        $0[$1, default: 0] += 1
      }
    }
    let wide = letters(ArticleLayout(document, width: 1000))
    for width in 1...80 {
      // Where a table becomes a list, the names of its columns are repeated.
      let narrow = letters(ArticleLayout(document, width: width))
      for (letter, count) in wide { #expect(narrow[letter, default: 0] >= count) }
    }
  }

  @Test(arguments: pages)
  func `A place is found again at every width`(name: String) throws {
    let document = try Self.document(name)
    let wide = ArticleLayout(document, width: 60)
    for width in [1, 7, 23, 40, 200] {
      let narrow = ArticleLayout(document, width: width)
      #expect(zip(narrow.lines, narrow.lines.dropFirst()).allSatisfy { $0.position <= $1.position })
      for line in wide.lines.indices {
        let position = wide.position(ofLine: line)
        let found = narrow.line(at: position)
        #expect(narrow.lines[found].position <= position)
        if found + 1 < narrow.lines.count,
          narrow.lines[found + 1].position != narrow.lines[found].position
        {
          #expect(narrow.lines[found + 1].position > position)
        }
      }
    }
    // At the same width the line itself is found, or the first of its row of a table.
    for line in wide.lines.indices {
      let found = wide.line(at: wide.position(ofLine: line))
      #expect(wide.lines[found].position == wide.lines[line].position && found <= line)
    }
  }

  @Test(arguments: [
    ("some bold", "\u{301}words"), ("क", "्ष"), ("👩", "\u{200D}🚀 x"), ("日本", "語"), ("a", "é"),
    ("x ", "\u{301}b"), ("o\u{308}", "\u{301}"),
  ])
  func `What a tag parts from its letter stays with it`(_ one: String, _ two: String) {
    let document = Document(blocks: [
      .paragraph([.text(one, .strong, link: nil), .text(two, [], link: nil)])
    ])
    for width in [1, 5, 80] {
      let layout = ArticleLayout(document, width: width)
      for line in layout.lines {
        #expect(line.columns == TextWidth.columns(of: line.text))
      }
      #expect(
        layout.lines.map(\.text).joined().filter { !$0.isWhitespace }
          == (one + two).filter { !$0.isWhitespace })
    }
  }

  @Test func `Tabs in code go to the next multiple of four columns, however many they are`() {
    let count = 20_000
    let code = "ab\tc\t世\t" + String(repeating: "d\t", count: count) + "e"
    let text = ArticleLayout(Document(blocks: [.preformatted(Code(code))]), width: 10_000).plainText
    #expect(text.hasPrefix("  ab  c   世  d   d   d"))
    #expect(text.filter { $0 == "d" }.count == count)
  }

  @Test func `A document that was flattened says so at its end`() {
    let html = String(repeating: "<blockquote>", count: 600) + "deep" + "<h2>After</h2>"
    let layout = ArticleLayout(Markup.document(html: html), width: 100)
    #expect(layout.lines.last?.text.contains("nested too deep") == true)
    #expect(layout.lines.last?.spans.allSatisfy { $0.role == .dim } == true)
  }

  @Test func `Places beyond the ends are the ends`() throws {
    let layout = ArticleLayout(try Self.document("layout"), width: 40)
    #expect(layout.line(at: ReadingPosition(block: 99, offset: 0)) == layout.lines.count - 1)
    #expect(layout.line(at: ReadingPosition(block: 0, offset: 0)) == 0)
    #expect(layout.position(ofLine: -5) == layout.position(ofLine: 0))
    #expect(layout.position(ofLine: 9999) == layout.lines.last?.position)
    let empty = ArticleLayout(Document(), width: 40)
    #expect(empty.lines.isEmpty && empty.line(at: ReadingPosition(block: 3, offset: 3)) == 0)
    #expect(empty.position(ofLine: 7) == ReadingPosition())
  }

  @Test func `A link is found on the lines that it runs over, and in the list`() {
    let document = Markup.document(
      html: "<p>before <a href='https://x.example/'>one two three</a> after</p>")
    let layout = ArticleLayout(document, width: 12)
    #expect(
      layout.plainText == """
        before one
        two three[1]
        after

        Links

        [1] https://
            x.exampl
            e/

        """)
    #expect(layout.lines(ofLink: 1) == [0, 1, 6, 7, 8])
    #expect(layout.lines(ofLink: 2) == [])
    #expect(layout.lines[1].spans.map(\.role) == [.link, .linkNumber])
    #expect(layout.lines[1].spans.allSatisfy { $0.link == 1 })
  }

  @Test(
    arguments: [
      ("<b>a</b>", .strong), ("<i>a</i>", .emphasis), ("<b><i>a</i></b>", .strongEmphasis),
      ("<code>a</code>", .code), ("<del>a</del>", .strike), ("a", .body),
      ("<u>a</u>", .underlined), ("<ins>a</ins>", .underlined), ("<mark>a</mark>", .marked),
      ("<kbd>a</kbd>", .code), ("<h1>a</h1>", .heading1),
      ("<h2><b>a</b></h2>", .heading2), ("<h6>a</h6>", .heading3), ("<pre>a</pre>", .code),
      ("<a href=http://x/>a</a>", .link), ("<img alt=a>", .imagePlace), ("<hr>", .rule),
      ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", .tableHeader),
    ] as [(String, TextRole)])
  func `Each kind of text has its role`(html: String, role: TextRole) {
    let layout = ArticleLayout(Markup.document(html: html), width: 10)
    let first = layout.lines.first?.spans.first { $0.text != "  " }
    #expect(first?.role == role)
  }

  @Test(arguments: [
    ("<del>a b</del> c", "~~a b~~ c"), ("x<del> a </del>y", "x ~~a~~ y"),
    ("<del>a <b>b</b></del><ins>c</ins>", "~~a b~~++c++"),
    ("<del><mark>a</mark> b</del>", "~~==a== b~~"), ("<u>a<br>b</u>", "_a_\n_b_"),
    ("<p>a <mark><a href='https://x.example/'>b</a></mark> c", "a ==b==[1] c"),
    ("<h2>a <del>b</del></h2>", "a ~~b~~"),
  ])
  func `Struck, inserted and marked text has signs where it begins and ends`(
    html: String, text: String
  ) {
    for width in [40, 80] {
      let layout = ArticleLayout(Markup.document(html: html), width: width)
      #expect(layout.plainText.hasPrefix(text + "\n"))
    }
  }

  /// As Wikipedia, Word, Substack and Markdown write them.
  @Test(arguments: [
    ("a.<sup><a href='#n'>[2]</a></sup><i id=n>n</i>", "a.²n"),
    ("a <a href='#n'>[12]</a> b<i id=n>n</i>", "a ¹² bn"),
    ("a.<a href='#n'>1</a><i id=n>n</i>", "a.¹n"),
    ("a <a href='#n'>1</a> b<i id=n>n</i>", "a 1 bn"),
    ("a.<a href='http://x/'>[2]</a>", "a.[2][1]"),
  ])
  func `The number of a note does not look like that of a link`(html: String, text: String) {
    let layout = ArticleLayout(Markup.document(html: html), width: 40)
    #expect(layout.lines[0].text == text)
  }

  @Test func `Short explanations of one term stand close together`() {
    let html = "<dl><dt>a</dt><dd>b</dd><dd>c</dd><dd><p>d</p><p>e</p></dd></dl>"
    #expect(
      ArticleLayout(Markup.document(html: html), width: 40).plainText
        == "a\n  b\n  c\n\n  d\n\n  e\n")
  }

  @Test func `A hyphen shows where a soft hyphen ends a line, and nowhere else`() {
    let html = "<p>Donau&shy;dampf&shy;schiff&shy;fahrt auf<wbr>warts</p>"
    let document = Markup.document(html: html)
    func text(_ width: Int) -> String { ArticleLayout(document, width: width).plainText }
    #expect(text(40) == "Donaudampfschifffahrt aufwarts\n")
    #expect(text(17) == "Donaudampfschiff-\nfahrt aufwarts\n")
    // The hyphen needs a column of its own.
    #expect(text(16) == "Donaudampf-\nschifffahrt auf\nwarts\n")
    #expect(ArticleLayout(document, width: 17).lines[0].columns == 17)
  }

  @Test func `Headings of the first two levels have rules as wide as they are`() {
    let document = Markup.document(html: "<h1>One</h1>a<h2>Two words</h2>b<h3>Three</h3>c")
    #expect(
      ArticleLayout(document, width: 40).plainText
        == "One\n═══\na\n\nTwo words\n─────────\nb\n\nThree\n\nc\n")
    #expect(ArticleLayout(document, width: 5).plainText.contains("Two\nwords\n─────\nb"))
  }

  @Test func `Code in a language that is known has the roles of its parts`() {
    func roles(_ language: String) -> [String] {
      let code = Code("let a = \"b\" // c\n\tlet 0x1F", language: language)
      return ArticleLayout(Document(blocks: [.preformatted(code)]), width: 40).lines
        .flatMap(\.spans).filter { $0.role != .code }.map { "\($0.role) \($0.text)" }
    }
    #expect(
      roles("swift") == [
        "codeKeyword let", "codeString \"b\"", "codeComment // c", "codeKeyword let",
        "codeNumber 0x1F",
      ])
    #expect(roles("unknown").isEmpty)
    #expect(roles("python").contains("codeString \"b\""))
  }

  @Test(arguments: [
    ("python", "def f(): # x\n  '''a\nb''' + 'c\nd", ["def", "# x", "'''a\nb'''", "'c"]),
    ("sql", "SELECT a -- b\nfrom c", ["SELECT", "-- b", "from"]),
    ("sh", "if [ $# ]; then # x", ["if", "then", "# x"]),
    ("c", "/* a\nb */ int x.if 'q\\'' /* c", ["/* a\nb */", "int", "'q\\''", "/* c"]),
    ("js", "`a\n${b}` return 1.5e3", ["`a\n${b}`", "return", "1.5e3"]),
    ("swift", String(repeating: "let ", count: 20_000), []),
  ])
  func `Comments, strings, keywords and numbers are told`(
    language: String, text: String, parts: [String]
  ) {
    let document = Document(blocks: [.preformatted(Code(text, language: language))])
    let lines = ArticleLayout(document, width: 10_000).lines
    let found = lines.flatMap(\.spans).filter { $0.role != .code && $0.role != .dim }.map(\.text)
    #expect(found == parts.flatMap { $0.split(separator: "\n").map(String.init) })
  }

  @Test(arguments: ["\"", "'", "/*", "#", "\\", "\"\"\"", "a", "1", "=begin "])
  func `Much of one thing in code is read`(piece: String) {
    let text = String(repeating: piece, count: (60 << 10) / piece.utf8.count)
    for language in ["swift", "ruby", "python", "c"] {
      let code = Code(text, language: language)
      let layout = ArticleLayout(Document(blocks: [.preformatted(code)]), width: 1_000)
      #expect(layout.lines.count > 50)
    }
  }

  @Test func `A quote has a bar on every line, between its paragraphs, too`() {
    let html = "<blockquote><p>one two</p><p>three</p></blockquote>"
    let layout = ArticleLayout(Markup.document(html: html), width: 8)
    #expect(layout.plainText == "│ one\n│ two\n│\n│ three\n")
    #expect(layout.lines.allSatisfy { $0.spans.first?.role == .quoteBar })
    #expect(layout.lines[0].spans.last?.role == .quote)
  }

  @Test func `A long head of a column does not stand whole in front of each cell`() {
    let head = String(repeating: "head ", count: 2_000)
    let html =
      "<table><tr><th>\(head)" + String(repeating: "<th>x", count: 12)
      + String(repeating: "<tr><td>a<td>b", count: 1_000) + "</table>"
    let layout = ArticleLayout(Markup.document(html: html), width: 40)
    let text = layout.lines.map(\.text)
    #expect(text.count { $0.hasPrefix("head head head") } >= 1_000)
    #expect(text.reduce(0) { $0 + $1.utf8.count } < 20 * html.utf8.count)
  }

  @Test func `A table too narrow for columns becomes a list of named values`() {
    let html = """
      <table><tr><th>Name<th>What it is<tr><td>News<td>the domain as values, all of them
      <tr><td>Screen<td>a grid of cells</table>
      """
    let document = Markup.document(html: html)
    #expect(
      ArticleLayout(document, width: 30).plainText == """
        Name   │ What it is
        ───────┼──────────────────────
        News   │ the domain as values,
               │ all of them
        Screen │ a grid of cells

        """)
    #expect(
      ArticleLayout(document, width: 16).plainText == """
        Name: News
        What it is: the
        domain as
        values, all of
        them

        Name: Screen
        What it is: a
        grid of cells

        """)
  }

  @Test(arguments: [
    // The names of two rows, and of one that has no `<th>`.
    (
      "<tr><th rowspan=2>Line<th colspan=2>Sold<tr><th>in 2019<th>in 2020<tr><td>N<td>1<td>2",
      "Line: N\nSold in 2019: 1\nSold in 2020: 2\n"
    ),
    (
      "<tr><td><b>Countries</b><td><b>Capital city</b><tr><td>Norway<td>Oslo",
      "Countries: Norway\nCapital city: Oslo\n"
    ),
    // Words above numbers.
    (
      "<tr><td>Countries<td>Inhabitants<tr><td>Norway<td>5.6 M<tr><td>Malta<td>0.5 M",
      "Countries: Norway\nInhabitants: 5.6 M\n\nCountries: Malta\nInhabitants: 0.5 M\n"
    ),
    // A first row of data.
    (
      "<tr><td>Norway again<td>Oslo<tr><td>Malta<td>Valletta",
      "Norway again\nOslo\n\nMalta\nValletta\n"
    ),
    (
      "<tr><td>Plain one one<td>Plain two two<tr><td>3<td>4",
      "Plain one one\nPlain two two\n\n3\n4\n"
    ),
    // The heads of rows, and those with heads of columns beside them.
    (
      "<tr><th scope=row>Monday<td>Mathematics<td>Art<tr><th scope=row>Tuesday<td>English<td>2 h",
      "Monday\nMathematics\nArt\n\nTuesday\nEnglish\n2 h\n"
    ),
    (
      "<tr><td><th>Morning<th>Evening<tr><th>Mon<td>Maths<td>Art<tr><th>Tue<td>English<td>Sports",
      "Mon\nMorning: Maths\nEvening: Art\n\nTue\nMorning: English\nEvening: Sports\n"
    ),
    // Numbers name nothing.
    ("<tr><td>Gross 2019<td>2019 again<tr><td>a<td>b", "Gross 2019\n2019 again\n\na\nb\n"),
    // What reaches down is said again.
    (
      "<tr><th>Place name<th>Year number<tr><td rowspan=2>Rome<td>1<tr><td>2",
      "Place name: Rome\nYear number: 1\n\nPlace name: Rome\nYear number: 2\n"
    ),
    (
      "<tr><th>Place name<th>Year number<tr><td colspan=2>All<tr><td>a<td>b",
      "All\n\nPlace name: a\nYear number: b\n"
    ),
  ])
  func `A table too wide becomes records`(rows: String, text: String) {
    let document = Markup.document(html: "<table>\(rows)</table>")
    #expect(ArticleLayout(document, width: 18).plainText == text)
  }

  @Test(arguments: [Int.min, -1, 0, 1, 2, 3, Int.max])
  func `Any width will do`(width: Int) throws {
    var blocks: [Block] = [.paragraph([.text("漢字 word")]), .preformatted("\tcode\n\n漢")]
    for _ in 0..<20 { blocks = [.quote([.list(List(start: .max, items: [blocks, []]))])] }
    let layout = ArticleLayout(Document(blocks: blocks), width: width)
    #expect(layout.plainText.contains("w"))
  }
}
