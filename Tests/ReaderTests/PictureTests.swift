internal import Markup
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The places of pictures in an article, when they are asked for, and how they are drawn.
struct PictureTests {
  private static let url = "https://example.org/a.png"
  private static let cell = PixelSize(width: 10, height: 20)

  private static func room(
    rows: Int = 20, sizes: [String: PixelSize] = [:]
  ) -> PictureRoom {
    PictureRoom(rows: rows, cell: cell) { sizes[$0] }
  }

  /// A picture of one sign.
  private static func cells(_ sign: Unicode.Scalar, columns: Int, rows: Int) -> CellPicture {
    CellPicture(
      columns: columns, rows: rows,
      cells: Array(
        repeating: Cell(Glyph(sign), style: Style(.rgb(0xFF0000), on: .rgb(0x00FF00))),
        count: columns * rows))
  }

  private func reading(
    _ html: String, _ room: PictureRoom = room(), width: Int = 80, height: Int = 30
  ) -> (session: Session, effects: [Effect]) {
    var session = Session(Sample.rows(1...5), width: width, height: height)
    session.send(keys: "<Enter>")
    let effects = show(html, room, in: &session)
    return (session, effects)
  }

  private func show(_ html: String, _ room: PictureRoom?, in session: inout Session) -> [Effect] {
    let page = ArticlePage(
      Sample.article(ArticleID(5), html: html), width: session.state.articleWidth,
      clock: session.state.clock, pictures: room)
    return session.state.reduce(.article(.arrived(page)))
  }

  private func wishes(_ effects: [Effect]) -> [PictureWish] {
    effects.compactMap { if case .pictures(.load(let wish)) = $0 { wish } else { nil } }
  }

  // MARK: Places

  @Test func `A picture in a right-to-left quote stands at the bar, which goes on beside it`()
    throws
  {
    let html =
      "<blockquote><p>שלום</p><img src='\(Self.url)' alt='אבג' width=100 height=100></blockquote>"
    var (session, effects) = reading(html)
    let wish = try #require(wishes(effects).first)
    let width = try #require(session.state.article?.page?.width)
    let cells = Self.cells("█", columns: wish.columns, rows: wish.rows)
    _ = session.state.reduce(.pictures(.arrived(wish, cells)))
    let rows = session.lines.filter { $0.contains("█") }
    #expect(rows.count == wish.rows && wish.columns == 10)
    // Its cells, a space, and the bar at the end of the page.
    let line = try #require(rows.first)
    #expect(line.hasSuffix(String(repeating: "█", count: 10) + " │"))
    let lines = try #require(session.state.article?.page?.lines.filter { $0.picture != nil })
    #expect(lines.allSatisfy { $0.columns == width && $0.fields.isEmpty })
  }

  @Test(arguments: [40, 80, 120])
  func `A picture smaller than the article says has its own size`(width: Int) throws {
    let html = "<p>a</p><img src='\(Self.url)' alt=x width=300 height=240><p>b</p>"
    // The place is kept as the article says while the file is not here.
    let (_, effects) = reading(html, width: width)
    let wish = try #require(wishes(effects).first)
    #expect(wish.columns == 30 && wish.rows == 12 && !wish.fills)
    for file in [PixelSize(width: 100, height: 80), PixelSize(width: 350, height: 280)] {
      let (_, effects) = reading(html, Self.room(sizes: [Self.url: file]), width: width)
      let wish = try #require(wishes(effects).first)
      #expect(wish.columns == file.width / 10 && wish.rows == file.height / 20 && !wish.fills)
    }
  }

  @Test func `A picture of another shape than was said is at the top of its place`() throws {
    var (session, effects) = reading(
      "<p>above</p><img src='\(Self.url)' alt='below it' width=400 height=300>")
    let wish = try #require(wishes(effects).first)
    let cells = Self.cells("█", columns: wish.columns, rows: 5)
    _ = session.state.reduce(.pictures(.arrived(wish, cells)))
    let lines = session.lines
    let above = try #require(lines.firstIndex { $0.contains("above") })
    let below = try #require(lines.firstIndex { $0.contains("below it") })
    let shown = lines.indices.filter { lines[$0].contains("█") }
    #expect(shown.count == 5 && shown[0] - above == 2 && below - shown[4] == 11)
  }

  @Test(arguments: [
    // Its own pixels: 400 of them are 40 columns, 300 are 15 rows.
    (400, 300, 78, 20, 40, 15),
    // Wider than the text.
    (1_600, 300, 78, 20, 78, 7),
    // Taller than the pane.
    (400, 3_000, 78, 20, 5, 19),
    (30, 40, 78, 20, 3, 2),
    (1, 1, 78, 20, 1, 1),
    (20_000, 1, 78, 20, 78, 1),
    (1, 20_000, 78, 20, 1, 20),
  ])
  func `A picture keeps its shape, within the text and the pane, and is not enlarged`(
    width: Int, height: Int, columns: Int, most: Int, wide: Int, tall: Int
  ) {
    let cells = Self.room(rows: most)
      .cells(of: PixelSize(width: width, height: height), columns: columns)
    #expect(cells == (wide, tall))
  }

  @Test func `Pictures within a paragraph stand between its parts, and signs stay in its lines`() {
    let html = """
      <p>One <img src="https://example.org/smile.png" alt=":-)" width="20" height="20"> two
      <img src="https://example.org/a.png" alt="A map" width="100" height="100"> three
      <img src="https://latex.example/svg?x" alt="x²" width="90" height="60"> four.<br>
      <img src="https://example.org/b.png" alt="A plan"><br>Five
      <img src="https://example.org/unknown.gif" alt=";-)">
      <img src="https://example.org/dot.png" width="16" height="16">six.</p>
      """
    let document = Markup.document(html: html) { $0 }
    let layout = ArticleLayout(document, width: 60, pictures: Self.room())
    #expect(layout.pictures.map(\.alt) == ["A map", "A plan"])
    #expect(layout.pictures.map(\.url) == document.figures.compactMap(\.source))
    let text = layout.lines.map(\.text).prefix { $0 != "Links" }.filter { !$0.isEmpty }
    #expect(
      text == [
        "One [image: :-)][1] two", "A map[2]", "three [image: x²][3] four.", "A plan[4]",
        "Five [image: ;-)][5] six.",
      ])
    // In their order, with a line between them and the text.
    #expect(layout.lines[1].text.isEmpty && layout.pictures[0].line == 2)
    // As words they stay where they are.
    let words = ArticleLayout(document, width: 200).lines.map(\.text)
    #expect(words[0].hasPrefix("One [image: :-)][1] two [image: A map][2] three"))
  }

  @Test func `A place between two pictures of a paragraph is found`() throws {
    let html = """
      <p><a href="#f2">There</a></p><p>Text
      <img src="https://example.org/a.png" alt="A" width="600" height="400"> <a id="f2"></a>
      <img src="https://example.org/b.png" alt="B" width="600" height="400"></p>
      """
    let document = Markup.document(html: html) { $0.hasPrefix("#") ? nil : $0 }
    let parts = document.blocks.compactMap { block -> [ParagraphPart]? in
      if case .paragraph(let inlines) = block { inlines.partsAroundPictures } else { nil }
    }.flatMap { $0 }
    let texts = parts.compactMap { if case .text(let inlines) = $0 { inlines } else { nil } }
    #expect(parts.count == 3)
    #expect(texts.joined().contains { if case .anchor = $0 { true } else { false } })
  }

  @Test func `The room of a picture is that of its file, else of its attributes, else one for all`()
    throws
  {
    let html = """
      <p><img src="https://example.org/known.png" width="100" height="20"></p>
      <p><img src="https://example.org/told.png" width="300" height="200px"></p>
      <p><img src="https://example.org/share.png" width="100%" height="200"></p>
      """
    let document = Markup.document(html: html) { $0 }
    let known = ["https://example.org/known.png": PixelSize(width: 200, height: 200)]
    let pictures = ArticleLayout(document, width: 60, pictures: Self.room(sizes: known)).pictures
    #expect(pictures.map(\.columns) == [20, 30, 60])
    #expect(pictures.map(\.rows) == [10, 10, 17])
    // What comes below does not move when they are there.
    #expect(pictures.map(\.line) == [0, 12, 24])
  }

  @Test(arguments: [
    "<p>Text <img src=\"https://example.org/a.png\" alt=\"sign\"> text</p>",
    "<p><img src=\"https://example.org/a.png\" alt=\"sign\" width=\"16\" height=\"16\"></p>",
    "<p><img src=\"data:image/png;base64,AAAA\" alt=\"sign\"></p>",
    "<p><img alt=\"sign\"></p>",
  ])
  func `Signs within a line, small ones and those without an address stay words`(_ html: String) {
    let layout = ArticleLayout(
      Markup.document(html: html) { $0.hasPrefix("http") ? $0 : nil }, width: 60,
      pictures: Self.room())
    #expect(layout.pictures.isEmpty)
    #expect(layout.plainText.contains("[image: sign]"))
  }

  @Test func `Positions in the text are the same with and without pictures`() {
    let html = "<p>One</p><p><img src=\"\(Self.url)\" alt=\"A map\"></p><p>Two</p>"
    let document = Markup.document(html: html) { $0 }
    let with = ArticleLayout(document, width: 60, pictures: Self.room())
    let without = ArticleLayout(document, width: 60)
    for line in without.lines.indices {
      let position = without.position(ofLine: line)
      #expect(with.position(ofLine: with.line(at: position)) == position)
    }
    #expect(without.plainText.contains("[image: A map][1]"))
    #expect(with.plainText.contains("A map[1]"))
  }

  // MARK: Asking

  @Test func `Pictures near the screen are asked for once, and all of them for the disk`() {
    let urls = (1...12).map { "https://example.org/\($0).png" }
    let html = urls.map { "<p><img src=\"\($0)\" width=\"200\" height=\"200\"></p>" }.joined()
    var (session, effects) = reading(html)
    let first = wishes(effects)
    #expect((1..<12).contains(first.count))
    #expect(first.map(\.columns) == Array(repeating: 20, count: first.count))
    #expect(effects.contains(.pictures(.keep(FeedID(1), urls))))
    #expect(wishes(session.send(keys: "j")).count <= 1)
    let last = wishes(session.send(keys: "G"))
    #expect(last.last?.url == "https://example.org/12.png")
    #expect(!last.contains { first.contains($0) })
  }

  @Test func `Leaving an article ends the wait for its pictures`() throws {
    var (session, effects) = reading("<p><img src=\"\(Self.url)\"></p>")
    let wish = try #require(wishes(effects).first)
    #expect(session.send(keys: "q").contains(.cancel(.pictures(.picture(wish)))))
    // What comes late shows nowhere.
    _ = session.state.reduce(.pictures(.arrived(wish, Self.cells("x", columns: 3, rows: 1))))
    #expect(!session.lines.joined().contains("xxx"))
  }

  @Test func `An article that is only looked at brings the pictures that show`() {
    var session = Session(Sample.rows(1...9), width: 200, height: 40)
    session.send(keys: "j")
    let page = ArticlePage(
      Sample.article(ArticleID(8), html: "<p><img src=\"\(Self.url)\"></p>"),
      width: session.state.articleWidth, clock: session.state.clock, pictures: Self.room())
    let effects = session.state.reduce(.article(.arrived(page)))
    #expect(wishes(effects).count == 1)
    #expect(!effects.contains(.pictures(.keep(FeedID(1), [Self.url]))))
  }

  // MARK: Drawing

  @Test func `A picture is drawn at its place, and nothing moves when it comes`() throws {
    let html = """
      <p>Above.</p><blockquote><img src="\(Self.url)" width="100" height="60"></blockquote><p>Below.</p>
      """
    var (session, effects) = reading(html)
    let wish = try #require(wishes(effects).first)
    #expect((wish.columns, wish.rows) == (10, 3))
    let before = session.lines
    let place = try #require(before.firstIndex { $0.contains("[picture] …") })
    let below = try #require(before.firstIndex { $0.contains("Below.") })
    _ = session.state.reduce(.pictures(.arrived(wish, Self.cells("x", columns: 10, rows: 3))))
    #expect(session.lines.firstIndex { $0.contains("Below.") } == below)
    for row in place - 1...place + 1 {
      #expect(session.lines[row] == " │ xxxxxxxxxx")
    }
    let cell = session.state.render()[3, place]
    #expect(cell.style.foreground == .rgb(0xFF0000) && cell.style.background == .rgb(0x00FF00))
    // Scrolled, the rest of it shows at the top.
    session.send(keys: String(repeating: "j", count: place - 1))
    #expect(session.lines.filter { $0.contains("xxxxxxxxxx") }.count <= 3)
  }

  @Test func `A picture that cannot be had says why in its place`() throws {
    var (session, effects) = reading("<p><img src=\"\(Self.url)\"></p>")
    let wish = try #require(wishes(effects).first)
    _ = session.state.reduce(.pictures(.failed(wish, reason: "no network")))
    #expect(session.lines.joined().contains("[picture] no network"))
  }

  // MARK: Keys

  @Test func `A command leaves pictures as words, and shows them again`() {
    var (session, _) = reading("<p><img src=\"\(Self.url)\"></p>")
    #expect(session.state.pictureLook != nil)
    #expect(
      session.send(keys: ":pictures<Enter>").contains(
        .article(.open(ArticleID(5), width: session.state.articleWidth))))
    #expect(session.state.pictureLook == nil)
    _ = show("<p><img src=\"\(Self.url)\" alt=\"A map\"></p>", nil, in: &session)
    #expect(session.lines.joined().contains("[image: A map]"))
    session.send(keys: ":show-picture<Enter>")
    #expect(session.lines.joined().contains("Pictures are hidden. “pictures” shows pictures."))
    session.send(keys: ":pictures<Enter>")
    #expect(session.state.pictureLook != nil)
  }

  @Test func `Where each byte costs, pictures are left as words until they are asked for`() {
    var freshness = Sample.fresh
    freshness.savesData = true
    var session = Session(width: 80, height: 30)
    session.arrive(Sample.rows(1...5), freshness: freshness)
    #expect(session.state.pictureLook == nil)
    session.send(keys: "<Enter>:pictures<Enter>")
    #expect(session.state.pictureLook != nil)
    // Those that show, and no others ahead.
    let effects = show("<p><img src=\"\(Self.url)\"></p>", Self.room(), in: &session)
    #expect(wishes(effects).count == 1)
    #expect(!effects.contains(.pictures(.keep(FeedID(1), [Self.url]))))
  }

  @Test(arguments: [":show-picture<Enter>", "<Tab><Enter>"])
  func `A picture is shown as large as the screen, and the next one after it`(_ keys: String) throws
  {
    let html = """
      <p><img src="https://example.org/a.png" alt="A map"></p>
      <p><img src="https://example.org/b.png" alt="A plan"></p>
      """
    var (session, _) = reading(html)
    let wish = try #require(wishes(session.send(keys: keys)).first)
    #expect((wish.columns, wish.rows) == (80, 28))
    #expect(session.lines[0].contains("A map") && session.lines[0].contains("1 of 2"))
    _ = session.state.reduce(.pictures(.arrived(wish, Self.cells("x", columns: 40, rows: 28))))
    #expect(
      session.lines[1] == String(repeating: " ", count: 20) + String(repeating: "x", count: 40))
    #expect(wishes(session.send(keys: "n")).map(\.url) == ["https://example.org/b.png"])
    #expect(session.lines[0].contains("A plan"))
    session.send(keys: "n")
    #expect(session.lines.joined().contains("This is the last picture."))
    #expect(session.send(keys: "o").contains(.opening(.openLink("https://example.org/b.png"))))
    session.send(keys: "q")
    #expect(session.lines.joined().contains("Article 5"))
  }

  @Test func `A picture is made as wide as the screen, and scrolled`() throws {
    let html =
      "<p><img src='https://example.org/a.png'></p><p><img src='https://example.org/b.png'></p>"
    var (session, _) = reading(html)
    let whole = try #require(wishes(session.send(keys: ":show-picture<Enter>")).first)
    #expect(whole.fills && whole.rows == 28)
    _ = session.state.reduce(.pictures(.arrived(whole, Self.cells("x", columns: 9, rows: 28))))
    let wide = try #require(wishes(session.send(keys: "%")).first)
    #expect(wide.columns == 80 && wide.rows > 28 && wide.fills)
    _ = session.state.reduce(.pictures(.arrived(wide, Self.cells("y", columns: 80, rows: 60))))
    #expect(session.lines[0].contains("1 of 2 · 46 %"))
    #expect(session.lines[1] == String(repeating: "y", count: 80))
    session.send(keys: "j ")
    #expect(session.lines[0].contains("93 %"))
    session.send(keys: "G")
    #expect(session.lines[0].contains("100 %"))
    session.send(keys: "j")
    #expect(session.lines[0].contains("1 of 2 · 100 %"))
    // A page goes on to the next picture, which begins at its top.
    let next = try #require(wishes(session.send(keys: " ")).first)
    #expect(next.url == "https://example.org/b.png" && next.columns == 80)
    #expect(session.lines[0].contains("2 of 2"))
    session.send(keys: "b")
    #expect(session.lines[0].contains("1 of 2 · 46 %"))
    session.send(keys: "%")
    #expect(session.lines[0].hasSuffix("1 of 2") || session.lines[0].contains("1 of 2 "))
    #expect(!session.lines[0].contains("%"))
  }

  @Test func `A picture with a link around it opens the link`() {
    var (session, _) = reading(
      "<p><a href=\"https://example.org/page\"><img src=\"\(Self.url)\"></a></p>")
    #expect(session.send(keys: "<Tab><Enter>") == [.opening(.openLink("https://example.org/page"))])
  }
}
