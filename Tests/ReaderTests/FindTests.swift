internal import News
internal import Screen
internal import Testing

@testable import Reader

/// Finding words in the open article.
struct FindTests {
  private func reading(
    _ html: String, width: Int = 60, height: Int = 12, rows: ClosedRange<Int64> = 1...5
  ) throws -> Session {
    var session = Session(Sample.rows(rows), width: width, height: height)
    session.send(keys: "<Enter>")
    try session.articleArrives(html: html)
    return session
  }

  private func hits(_ words: String, _ html: String, width: Int = 30, isWhole: Bool = false)
    -> [[String]]
  {
    let page = ArticlePage(
      Sample.article(ArticleID(1), html: html), width: width, clock: Sample.clock)
    return ArticleFind(words, isWhole: isWhole, in: FoldedText(page.lines)).hits.map { hit in
      hit.parts.map { String(page.lines[$0.line].text($0.characters)) }
    }
  }

  @Test(arguments: [
    ("café", "<p>The CAFÉ, a cafe.</p>", [["CAFÉ"], ["cafe"]]),
    ("CAFE\u{301}", "<p>a café</p>", [["café"]]),
    ("link, e", "<p>a <a href='https://x.example'>link</a>, enough</p>", [["link[1], e"]]),
    ("bold word", "<p>a <b>bold</b> <i>word</i></p>", [["bold word"]]),
    ("見出し", "<p>新聞の見出し一覧</p>", [["見出し"]]),
    ("б", "<p>Ббя</p>", [["Б"], ["б"]]),
    ("aa", "<p>aaaaa</p>", [["aa"], ["aa"]]),
    ("x  y", "<p>x y</p>", [["x y"]]),
    ("one two", "<p>one</p><p>two</p>", []),
    ("   ", "<p>one two</p>", []),
    ("👨‍👩‍👧", "<p>a 👨‍👩‍👧 b</p>", [["👨‍👩‍👧"]]),
    ("word", "<p>שלום w<bdi>or</bdi>d</p>", [["w\u{2068}or\u{2069}d"]]),
    ("w\u{AD}ord", "<p>a wo\u{2060}rd</p>", [["wo\u{2060}rd"]]),
    ("Ω", "<p>ω</p>", [["ω"]]), ("か", "<p>がか</p>", [["か"]]), ("한", "<p>하한</p>", [["한"]]),
  ])
  func `Case and marks above letters do not count, nor how words are set`(
    _ words: String, _ html: String, _ found: [[String]]
  ) {
    #expect(hits(words, html) == found)
  }

  @Test(arguments: [20, 13, 9])
  func `Words are found across the end of a line, also behind the bar of a quotation`(_ width: Int)
  {
    let html = "<blockquote><p>some words that go over the end of lines</p></blockquote>"
    let found = hits("words that go over the end", html, width: width)
    #expect(found.count == 1)
    #expect(
      found.first?.map { $0.split(separator: " ").joined(separator: " ") }
        .joined(separator: " ") == "words that go over the end")
    #expect(found.first.map { $0.count > 1 } == true)
  }

  @Test func `A word that a line ends in is found too`() {
    #expect(hits("well-known", "<p>12345678 well-known</p>", width: 14).count == 1)
    #expect(hits("日本語の新聞", "<p>日本語の新聞です</p>", width: 6).count == 1)
    let long = String(repeating: "x", count: 40) + "y"
    #expect(hits("xy", "<p>\(long)</p>", width: 20).count == 1)
  }

  @Test func `Words that another layout lacks are told to be missing there`() throws {
    var session = try reading("<p>a needle</p>")
    session.send(keys: "/needle<Enter>")
    let id = try #require(session.state.article?.id)
    let other = OtherText(by: "tr", "something else", isHTML: false)
    let page = ArticlePage(
      Sample.article(id, html: "<p>a needle</p>"), width: session.state.articleWidth,
      clock: session.state.clock, with: other)
    _ = session.state.reduce(.article(.arrived(page)))
    session.send(keys: "n")
    #expect(session.state.notice?.text == "“needle” is not in this article.")
    #expect(session.state.article?.id == id)
  }

  @Test func `Esc brings back what was looked for before`() throws {
    var session = try reading("<p>one needle</p>")
    session.send(keys: "/needle<Enter>/one<Esc>")
    #expect(session.state.article?.find?.words == "needle")
    session.send(keys: "q/a<BS><Enter>")
    #expect(session.state.article?.find?.words == "needle")
  }

  @Test func `Nothing typed before anything was found finds nothing`() throws {
    var session = try reading("<p>one needle</p>")
    session.send(keys: "/a<BS><Enter>")
    #expect(session.state.article?.find == nil)
    session.send(keys: "/ <Enter>")
    #expect(session.state.article?.find == nil && !session.state.isAsking)
  }

  @Test func `A whole word is no part of another one`() {
    #expect(hits("art", "<p>art, party, art; Art's 2art</p>", isWhole: true).count == 3)
    #expect(hits("c++", "<p>c++ is c++</p>", isWhole: true).count == 2)
  }

  @Test func `The place shows while the words are typed, and Esc goes back`() throws {
    var session = try reading(Sample.paragraphs(60) + "<p>needle</p>")
    session.send(keys: "jjj")
    #expect(session.state.article?.top == 3)
    session.send(keys: "/needle")
    #expect(session.lines.contains { $0.contains("needle") && !$0.contains("Find") })
    session.send(keys: "x")
    #expect(session.state.article?.top == 3)
    session.send(keys: "<BS>")
    #expect(session.state.article?.top != 3)
    session.send(keys: "<Esc>")
    #expect(session.state.article?.top == 3 && session.state.article?.find == nil)
  }

  @Test func `n and N go among the hits and round the ends, q takes the marks away`() throws {
    let text = (1...90).map { "<p>\($0 % 30 == 0 ? "needle" : "hay") \($0)</p>" }.joined()
    var session = try reading(text)
    session.send(keys: "/NEEDLE<Enter>")
    #expect(session.lines.contains { $0.contains("needle 30") })
    #expect(session.lines.last?.contains("1/3") == true)
    session.send(keys: "n")
    #expect(session.lines.contains { $0.contains("needle 60") })
    session.send(keys: "nn")
    #expect(session.lines.contains { $0.contains("needle 30") })
    #expect(session.state.notice?.text == "Continued from the top.")
    session.send(keys: "N")
    #expect(session.lines.contains { $0.contains("needle 90") })
    let id = session.state.article?.id
    session.send(keys: "q")
    #expect(session.state.article?.find == nil && session.state.focus == .article)
    session.send(keys: "n")
    #expect(session.state.article?.id != id)
  }

  @Test func `What is not there is told, and the place stays`() throws {
    var session = try reading(Sample.paragraphs(60))
    session.send(keys: "jj/nowhere<Enter>")
    #expect(session.state.notice?.text == "“nowhere” is not in this article.")
    #expect(session.state.article?.top == 2)
  }

  @Test(arguments: ["n", "N"])
  func `After words that are not there the keys of the next hit stay with them until Esc`(
    _ key: String
  ) throws {
    var session = try reading(Sample.paragraphs(60), rows: 1...5)
    session.send(keys: "J")
    try session.articleArrives(html: Sample.paragraphs(60))
    let id = session.state.article?.id
    session.send(keys: "/nowhere<Enter>j")
    #expect(session.state.notice == nil)
    #expect(session.lines.last?.contains("find again (no “nowhere”)") == true)
    for _ in 1...2 {
      #expect(session.send(keys: key).allSatisfy { if case .remind = $0 { true } else { false } })
      #expect(session.state.notice?.text == "“nowhere” is not in this article.")
      #expect(session.state.article?.id == id)
    }
    session.send(keys: "<Esc>")
    #expect(session.state.focus == .article && session.state.article?.id == id)
    session.send(keys: "n")
    #expect(session.state.article?.id != id)
  }

  @Test func `Nothing typed finds the last words, also in another article`() throws {
    var session = try reading("<p>one needle</p>")
    session.send(keys: "/needle<Enter>")
    session.send(keys: "J")
    #expect(session.state.article?.find == nil)
    try session.articleArrives(html: "<p>a needle, needles</p>")
    session.send(keys: "/<Enter>")
    #expect(session.state.article?.find?.hits.count == 2)
    session.send(keys: "*")
    #expect(session.state.article?.find?.hits.count == 1)
  }

  @Test func `The star takes the whole word of a hit, and the words of a search without one`()
    throws
  {
    var session = try reading("<p>parties, a party, party</p>")
    session.send(keys: "/part<Enter>")
    #expect(session.state.article?.find?.hits.count == 3)
    session.send(keys: "n*")
    #expect(session.state.article?.find?.words == "party")
    #expect(session.state.article?.find?.hits.count == 2)
    #expect(session.state.article?.find?.current == 0)
    var search = Session(Sample.rows(1...3), width: 60, of: .search("party"))
    search.send(keys: "<Enter>")
    try search.articleArrives(html: "<p>a party</p>")
    search.send(keys: "*")
    #expect(search.state.article?.find?.hits.count == 1)
    // All white space is between words: a tab, that of Japanese text, and one without a break.
    for (words, hits) in [
      ("two \"one and\"", 2), ("one\ttwo", 3), ("one\u{3000}two", 3), ("one\u{A0}two", 3),
    ] {
      var several = Session(Sample.rows(1...3), width: 60, of: .search(words))
      several.send(keys: "<Enter>")
      try several.articleArrives(html: "<p>one and two, and one</p>")
      several.send(keys: "*")
      #expect(several.state.article?.find?.hits.count == hits)
    }
  }

  @Test func `The hit stays the same one at another width`() throws {
    let text = (1...40).map { "<p>some words before it, a needle \($0), and after</p>" }.joined()
    var session = try reading(text)
    session.send(keys: "/needle<Enter>nnnn")
    _ = session.state.reduce(.resized(Size(width: 30, height: 12)))
    try session.articleArrives(html: text)
    #expect(session.state.article?.find?.current == 4)
    #expect(session.state.article?.find?.hits.count == 40)
  }

  @Test(arguments: [Size(width: 80, height: 6), Size(width: 30, height: 6)])
  func `A hit that shows is in sight in a smaller window, too`(_ size: Size) throws {
    let text =
      (1...40).map { "<p>some words before it, and after \($0)</p>" }.joined()
      + "<p>a needle</p>" + String(repeating: "<p>after it</p>", count: 40)
    var session = try reading(text, height: 24)
    session.send(keys: "/needle<Enter>")
    #expect(session.lines.contains { $0.contains("needle") })
    _ = session.state.reduce(.resized(size))
    try session.articleArrives(html: text)
    #expect(session.lines.dropLast().contains { $0.contains("needle") }, "\(session.lines)")
  }

  @Test func `Marked are the characters of the hit, and the hit itself differently`() throws {
    var session = try reading("<p>日本 <b>nee</b>dle and needle</p>")
    session.send(keys: "/needle<Enter>")
    let row = try #require(session.lines.firstIndex { $0.contains("needle and") })
    let cells = session.state.render().row(row)
    let theme = session.state.theme
    let current = cells.filter { $0.style == theme.currentHit }
    #expect(
      String(String.UnicodeScalarView(current.map { Unicode.Scalar($0.glyph.rawValue)! }))
        == "needle")
    #expect(cells.filter { $0.style == theme.hit }.count == 6)
  }

  @Test func `In a search n goes to what was found, read or not`() {
    var rows = Sample.rows(1...5)
    for index in rows.indices {
      guard case .article(var row) = rows[index] else { continue }
      row.status.isRead = true
      rows[index] = .article(row)
    }
    var session = Session(rows, of: .search("x"))
    session.send(keys: "nn")
    #expect(session.selected == 3)
    session.send(keys: "N")
    #expect(session.selected == 4)
  }

  @Test func `N opens the unread article above`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "jjjN")
    #expect(session.state.article?.id == ArticleID(3))
    session.send(keys: "qggN")
    #expect(session.state.notice?.text == "No unread article above.")
  }
}
