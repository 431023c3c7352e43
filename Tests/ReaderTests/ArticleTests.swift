internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The open article.
struct ArticleTests {
  private func reading(
    _ html: String, width: Int = 60, height: Int = 12, place: ReadingPosition? = nil
  ) throws -> Session {
    var session = Session(Sample.rows(1...5), width: width, height: height)
    session.send(keys: "<Enter>")
    try session.articleArrives(html: html, place: place)
    return session
  }

  /// Ten lines of text show.
  @Test(arguments: [
    ("j", 1), ("jjk", 1), ("k", 0), ("<Space>", 9), ("<PgDn>b", 0), ("<C-d>", 5), ("<C-d><C-u>", 0),
    ("Gg", 0), ("<End><Home>", 0),
  ])
  func `Keys scroll`(_ keys: String, _ top: Int) throws {
    var session = try reading(Sample.paragraphs(30))
    #expect(session.send(keys: keys) == [])
    #expect(session.state.article?.top == top)
  }

  @Test func `A key changes the length of lines, and the text stays in the middle`() throws {
    var session = try reading("<p><a href='https://x.example/'>a</a></p>", width: 120, height: 34)
    session.send(keys: "`")
    try session.articleArrives(html: "<p><a href='https://x.example/'>a</a></p>")
    let id = try #require(session.state.article?.id)
    #expect(LinkOpening.visibleLinks(in: session.state).first?.x == 20)
    for width in [90, 100, 60, 70] {
      #expect(session.send(keys: "%").contains(.article(.open(id, width: width))))
    }
    try session.articleArrives(html: "<p><a href='https://x.example/'>a</a></p>")
    #expect(LinkOpening.visibleLinks(in: session.state).first?.x == 25)
  }

  @Test(arguments: [
    (String(repeating: "word it’s ", count: 460), "· 4 min"),
    (String(repeating: "漢", count: 1_500), "· 3 min"),
    ("<audio src='http://x/a.mp3' data-duration='300'></audio>", "· 5 min"),
    (String(repeating: "word ", count: 230), nil),
    // Addresses in the list of links are not read.
    ("<a href='https://x.example/\(String(repeating: "a-", count: 2_000))'>a</a>", nil),
  ])
  func `The head says how long an article takes, from two minutes on`(
    html: String, time: String?
  ) throws {
    let lines = try #require(try reading(html, width: 80).state.article?.page?.lines.map(\.text))
    let found = lines.first { $0.hasSuffix(" min") }
    #expect(found?.suffix(7).description == time)
  }

  @Test func `A page past the end goes on to the next unread`() throws {
    var session = try reading(Sample.paragraphs(4))
    session.send(keys: "G")
    session.send(keys: "<Space>")
    #expect(session.state.article?.id == ArticleID(4))
    // What is still on its way is not skipped.
    session.send(keys: "<Space><Space>")
    #expect(session.state.article?.id == ArticleID(4))
  }

  @Test(arguments: [40, 61, 100, 200])
  func `The place is kept across widths`(_ width: Int) throws {
    var session = try reading(Sample.paragraphs(30))
    session.send(keys: "<Space><Space>")
    let top = session.state.article?.top
    let line = session.lines[1]
    for size in [Size(width: width, height: 12), Size(width: 60, height: 12)] {
      let effects = session.state.reduce(.resized(size))
      #expect(effects == [.article(.open(ArticleID(5), width: session.state.articleWidth))])
      try session.articleArrives(html: Sample.paragraphs(30))
    }
    #expect(session.state.article?.top == top)
    #expect(session.lines[1] == line)
  }

  @Test func `A screen that grows at the end of an article is filled`() throws {
    var session = try reading(Sample.paragraphs(30))
    session.send(keys: "G")
    _ = session.state.reduce(.resized(Size(width: 60, height: 40)))
    let page = try #require(session.state.article?.page)
    #expect(session.state.article?.top == page.lines.count - session.state.list.height)
  }

  @Test func `An article opens where it was left`() throws {
    var session = try reading(Sample.paragraphs(30), place: ReadingPosition(block: 10))
    #expect(session.lines[1].contains("Paragraph 11 "))
    let kept = Effect.article(.keepPlace(ArticleID(5), ReadingPosition(block: 10)))
    #expect(session.send(keys: "q") == [kept, .cancel(.article(.page))])
  }

  @Test(arguments: ["q", "J", "n", "Q"])
  func `A finished article opens at its top`(_ key: String) throws {
    var session = try reading(Sample.paragraphs(30), place: ReadingPosition(block: 10))
    session.send(keys: "G")
    #expect(session.send(keys: key).contains(.article(.keepPlace(ArticleID(5), nil))))
    // The store is asked before it has been written.
    session = try reading(Sample.paragraphs(30))
    session.send(keys: "Gq<Enter>")
    try session.articleArrives(html: Sample.paragraphs(30), place: ReadingPosition(block: 28))
    #expect(session.state.article?.top == 0)
  }

  @Test(arguments: ["q", "J", "n", "Q"])
  func `The place is kept when an article is left`(_ key: String) throws {
    var session = try reading(Sample.paragraphs(30))
    session.send(keys: "<Space><Space>")
    let place = try #require(session.state.article?.place)
    #expect(session.send(keys: key).contains(.article(.keepPlace(ArticleID(5), place))))
  }

  @Test(
    arguments: [
      (CommentLinks(page: "https://a.example/c", count: 4), "4 comments", ": https://a.example/c"),
      (CommentLinks(page: "https://a.example/c"), "comments", ": https://a.example/c"),
      (CommentLinks(feed: "https://a.example/f", count: 1), "1 comment", ""),
    ])
  func `Comments are where a browser shows them`(
    _ comments: CommentLinks, _ words: String, _ address: String
  ) {
    var article = Sample.article(ArticleID(5), html: "<p>Text</p>")
    article.entry.comments = comments
    let lines = ArticlePage(article, width: 80, clock: Sample.clock).lines.map(\.text)
    #expect(lines.contains(address.isEmpty ? words : "[1] \(words)"))
    #expect(lines.contains("[1] https://a.example/c") == !address.isEmpty)
    let printed = ArticlePage(article, width: 80, clock: Sample.clock, standsAlone: true)
    #expect(printed.lines.map(\.text).contains(words + address))
  }

  @Test(arguments: [(false, "comments"), (true, "feed of the comments: https://a.example/f")])
  func `A feed of comments is named`(_ standsAlone: Bool, _ line: String) {
    var article = Sample.article(ArticleID(5), html: "<p>Text</p>")
    article.entry.comments = CommentLinks(feed: "https://a.example/f")
    let page = ArticlePage(article, width: 80, clock: Sample.clock, standsAlone: standsAlone)
    #expect(page.lines.map(\.text).contains(line))
  }

  @Test func `Comments that are here and their feed has not told are counted`() {
    var article = Sample.article(ArticleID(5), html: "<p>Text</p>")
    article.entry.comments = CommentLinks(count: 1)
    article.keptComments = 2
    let page = ArticlePage(article, width: 80, clock: Sample.clock)
    #expect(page.lines.map(\.text).contains("2 comments"))
  }

  @Test func `The date is the feed's, and where it gives none the time it was seen`() throws {
    var article = Sample.article(ArticleID(5), html: "<p>Text</p>")
    func head() -> String? {
      ArticlePage(article, width: 80, clock: Sample.clock).lines.map(\.text)
        .first { $0.contains("A. Writer") }
    }
    let seen = Sample.clock.dated(article.position.date)
    article.entry.published = nil
    #expect(head() == "Feed 1 · A. Writer · arrived \(seen)")
    article.entry.published = Date(timeIntervalSince1970: 2_051_222_400)
    #expect(head()?.contains("1 Jan 2035") == true)
  }

  @Test func `A text that comes too late is not shown`() throws {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "<Enter>J")
    let late = ArticlePage(
      Sample.article(ArticleID(5), html: "<p>late</p>"), width: 60, clock: Sample.clock)
    _ = session.state.reduce(.article(.arrived(late)))
    #expect(session.state.article?.id == ArticleID(4))
    #expect(session.state.article?.page == nil)
  }

  // MARK: Links

  struct LinkKeys: Sendable {
    var count: Int
    var keys: String
    var opens: Int?
    var notice: String?
  }

  @Test(arguments: [
    LinkKeys(count: 9, keys: "1"), LinkKeys(count: 9, keys: "9<Enter>", opens: 9),
    LinkKeys(count: 3, keys: "4<Enter>", notice: "This article has no link 4."),
    LinkKeys(count: 0, keys: "1<Enter>", notice: "This article has no links."),
    LinkKeys(count: 0, keys: "<Tab>", notice: "This article has no links."),
    LinkKeys(count: 10, keys: "1"), LinkKeys(count: 10, keys: "1<Enter>", opens: 1),
    LinkKeys(count: 12, keys: "12<Enter>", opens: 12),
    LinkKeys(count: 12, keys: "1<BS>7<Enter>", opens: 7), LinkKeys(count: 12, keys: "1<Esc>"),
    LinkKeys(count: 12, keys: "13<Enter>", notice: "This article has no link 13."),
    LinkKeys(
      count: 12, keys: "1x",
      notice: "x (Follow the advice) does not work on this page. Press ? to see the keys."),
    LinkKeys(count: 12, keys: "12<BS><Enter>", opens: 1),
    LinkKeys(count: 12, keys: "<Tab><Enter>", opens: 1),
    LinkKeys(count: 12, keys: "<Tab><Tab><Enter>", opens: 2),
    LinkKeys(count: 12, keys: "<Tab><S-Tab><Enter>", opens: 12),
    LinkKeys(count: 12, keys: "<Tab><Tab>o", opens: 2), LinkKeys(count: 12, keys: "<Enter>"),
    LinkKeys(count: 12, keys: "<Tab><Esc><Enter>"),
  ])
  func `Links open by number and by picking`(_ link: LinkKeys) throws {
    var session = try reading(link.count == 0 ? "<p>none</p>" : Sample.links(link.count))
    let effects = session.send(keys: link.keys)
    let opened = effects.filter { if case .opening(.openLink) = $0 { true } else { false } }
    #expect(
      opened == (link.opens.map { [.opening(.openLink("https://example.org/l/\($0)"))] } ?? []))
    #expect(session.state.notice?.text == link.notice)
  }

  @Test func `The picked link is in sight`() throws {
    var session = try reading(Sample.links(40), height: 8)
    for number in 1...40 {
      session.send(keys: "<Tab>")
      #expect(session.state.article?.link == number)
      #expect(session.lines[1...6].contains { $0.contains("[\(number)]") })
    }
  }

  @Test func `o opens the page of an article`() throws {
    var session = Session(Sample.rows(1...5), width: 60)
    #expect(session.send(keys: "o") == [.opening(.openArticleLink(ArticleID(5)))])
    session = try reading("<p>text</p>")
    #expect(session.send(keys: "o") == [.opening(.openArticleLink(ArticleID(5)))])
  }

  @Test(arguments: [("J", 4), ("JJ", 3), ("JJK", 4), ("K", 5), ("JJJJJJ", 1)])
  func `Keys go from article to article`(_ keys: String, _ id: Int64) {
    var session = Session(Sample.rows(1...5), width: 60)
    session.send(keys: "<Enter>" + keys)
    #expect(session.state.article?.id == ArticleID(id))
    #expect(session.selected == id)
  }
}
