internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The parts of an article's page: its head, the text and its signs, and the address at its end.
struct ArticlePageTests {
  private func lines(_ article: Article, width: Int, standsAlone: Bool = false) -> [String] {
    ArticlePage(article, width: width, clock: Sample.clock, standsAlone: standsAlone)
      .lines.map(\.text)
  }

  private func article(_ html: String = "<p>Text</p>") -> Article {
    Sample.article(ArticleID(1_000), title: "The ferry", html: html)
  }

  // MARK: Head

  @Test(arguments: [
    (40, "Feed 1 · A. Writer · 21 Nov, 14:02"), (80, "Feed 1 · A. Writer · 21 Nov, 14:02"),
    (120, "Feed 1 · A. Writer · 21 Nov, 14:02"), (33, "A. Writer · 21 Nov, 14:02"),
    (24, "A. Writ… · 21 Nov, 14:02"), (15, "21 Nov, 14:02"),
  ])
  func `The head is the title and one line`(_ width: Int, _ line: String) {
    let page = ArticlePage(article(), width: width, clock: Sample.clock)
    #expect(page.lines.prefix(3).map(\.text) == ["The ferry", line, ""])
    #expect(page.lines[0].spans.map(\.role) == [.heading1])
    #expect(page.lines[1].spans.map(\.role) == [.dim])
  }

  @Test(arguments: [40, 80, 120])
  func `Many authors and a long feed take one line`(_ width: Int) {
    var article = article(String(repeating: "word ", count: 460))
    article.feedTitle = "The Proceedings of the Society"
    article.entry.authors = (1...12).map { Author("Author \($0)") }
    let line = lines(article, width: width)[1]
    #expect(line.hasPrefix("Author 1, ") && line.hasSuffix("… · 21 Nov, 14:02 · 2 min"))
    #expect(TextWidth.columns(of: line) <= width)
    // A pipe has all of it.
    let printed = lines(article, width: 1_000, standsAlone: true)
    #expect(printed[1] == article.feedTitle && printed[2].contains("Author 12 · Sat 21 Nov 2026"))
  }

  // MARK: Addresses

  @Test(arguments: [40, 80, 120])
  func `The address stands at the end and not in the head`(_ width: Int) {
    let address = "https://example.org/1000"
    let without = lines(article(), width: width)
    #expect(Array(without.suffix(3)) == ["Text", "", address])
    let link = "<p>Text <a href='https://x.example/'>there</a></p>"
    let with = lines(article(link), width: width)
    #expect(Array(with.suffix(5)) == ["Links", "", "[1] https://x.example/", "", address])
    // It is among the links once.
    let own = lines(article("<p><a href='\(address)'>here</a></p>"), width: width)
    #expect(own.filter { $0.contains(address) } == ["[1] \(address)"])
    let printed = lines(article(link), width: width, standsAlone: true)
    #expect(printed[3] == address && printed.last == "[1] https://x.example/")
  }

  @Test(arguments: [40, 80, 120])
  func `Files are named in the head and their addresses stand in the list`(_ width: Int) {
    var article = article()
    article.entry.enclosures = [
      Enclosure(url: "https://example.org/a.mp3", type: "audio/mpeg"),
      Enclosure(url: "https://example.org/b"),
    ]
    let lines = lines(article, width: width)
    #expect(Array(lines[2...3]) == ["[1] + audio/mpeg", "[2] + https://example.org/b"])
    #expect(
      Array(lines.suffix(4)) == [
        "[1] https://example.org/a.mp3", "[2] https://example.org/b", "",
        "https://example.org/1000",
      ])
  }

  // MARK: Title

  @Test(arguments: [40, 80, 120])
  func `The text does not repeat the title`(_ width: Int) {
    for html in ["<h1>The Ferry.</h1><p>It waits.</p>", "<p>THE FERRY<br>It waits.</p>"] {
      var article = article(html)
      let own = ["", "It waits.", "", "https://example.org/1000"]
      #expect(Array(lines(article, width: width).dropFirst(2)) == own)
      article.entry.contentHTML = "<p>Short.</p>"
      article.fullText = FullText(
        url: "https://example.org/page", html: html, pages: 1, fetched: .distantPast, isShown: true)
      let full = lines(article, width: width)
      #expect(full.contains("It waits."))
      #expect(full.count { $0.lowercased().contains("the ferry") } == 1)
    }
  }

  // MARK: Signs

  private static let marked = """
    <p>The <del>old</del> <ins>new</ins> <mark>main</mark> <u>low</u> \
    <kbd>Ctrl</kbd>+<kbd>C</kbd> <kbd>X</kbd><kbd>Y</kbd></p>
    """
  private static let signs = "The ~~old~~ ++new++ ==main== _low_ [Ctrl]+[C] [X][Y]"

  private func text(_ html: String, _ theme: Theme?, width: Int) -> String {
    let page = ArticlePage(
      article(html), width: width, clock: Sample.clock, theme: theme)
    return page.lines.map(\.text)[3...].prefix { !$0.isEmpty }.joined(separator: " ")
  }

  @Test(arguments: [40, 80, 120])
  func `Marked text and keys have signs where no style shows them`(_ width: Int) {
    for theme in [Theme.dark, .light, .safe] + ThemePair.builtIn.dropFirst().map(\.dark)
    where theme != .none {
      #expect(text(Self.marked, theme, width: width) == "The old new main low Ctrl+C X Y")
    }
    for theme in [Theme.none, nil] {
      #expect(text(Self.marked, theme, width: width) == Self.signs)
    }
    // Text of less importance is plain in eight colours, and code as well on a light background.
    #expect(
      text(Self.marked, .basicDark, width: width) == "The ~~old~~ new main low Ctrl+C X Y")
    #expect(
      text(Self.marked, .basicLight, width: width) == "The ~~old~~ new main low [Ctrl]+[C] [X][Y]")
  }

  @Test(arguments: [
    // The style of a link, code or a heading hides the other one.
    ("<ins>a <a href='https://x.example/'>b</a></ins>", "a ++b++[1]"),
    ("<del>a <code>b</code></del>", "a ~~b~~"), ("<h3>a <ins>b</ins></h3>", "a ++b++"),
    ("<del><mark>a</mark></del>", "==a=="), ("<kbd>[</kbd> <kbd>]</kbd>", "[ ]"),
    ("<kbd><kbd>Ctrl</kbd>+<kbd>C</kbd></kbd>", "Ctrl+C"),
    // Changes of a feed.
    ("<del>− a</del> <ins>+ b</ins>", "− a + b"),
  ])
  func `What a style hides has its sign`(_ html: String, _ expected: String) {
    #expect(text(html, .dark, width: 40) == expected)
  }

  // MARK: Code

  private static let code = """
    let articles = store.articles(matching: query).filter { $0.isUnread && !$0.isHidden }
    https://feeds.example.org/all?since=2026-11-01&format=json&fields=title,author,published,language
    """

  @Test(arguments: [40, 80, 120])
  func `Code goes on below with a sign, and no token of it is cut`(_ width: Int) {
    let lines = lines(article("<pre>\(Self.code)</pre>"), width: width).dropFirst(3)
      .prefix { !$0.isEmpty }
    func tokens(_ text: String) -> [Substring] {
      text.split { !($0.isLetter || $0.isNumber) }
    }
    #expect(lines.flatMap(tokens) == tokens(Self.code))
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= width })
    let begins = Self.code.split(separator: "\n").map { $0.prefix(20) }
    for line in lines
    where !begins.contains(where: { $0.hasPrefix(line.dropFirst(2).prefix(15)) }) {
      #expect(line.hasPrefix("  ↳ "))
    }
    #expect((lines.count == 2) == (width == 120))
  }

  @Test(arguments: [40, 80, 120])
  func `A token longer than the line is cut with the sign`(_ width: Int) {
    let token = String(repeating: "x", count: 200)
    let lines = lines(article("<pre>\(token)</pre>"), width: width).dropFirst(3)
      .prefix { !$0.isEmpty }
    #expect(lines.count == (200 - (width - 2) + width - 5) / (width - 4) + 1)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ↳ x") })
  }
}
