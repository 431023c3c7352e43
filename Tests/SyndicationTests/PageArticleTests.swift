import Foundation
import Markup
import News
import Syndication
import TestSupport
import Testing
import Text

@Suite struct PageArticleTests {
  private static let pages = fixtureFiles(in: "pages").filter { $0.hasSuffix(".html") }
  private static let url = ExpectedPage.usualURL

  private func read(_ html: String, url: String? = url) throws -> PageArticle {
    try PageArticleReader.read(Array(html.utf8), contentType: "text/html", url: url)
  }

  @Test(arguments: pages)
  func `The article of a page is what is expected beside it`(file: String) throws {
    let bytes = try Array(Data(contentsOf: fixtures.appending(path: "pages/\(file)")))
    let expected = try ExpectedPage(String(file.dropLast(".html".count)))
    let article = try PageArticleReader.read(
      bytes, contentType: "text/html", url: expected.url ?? Self.url)
    #expect(article.kind.rawValue == expected.kind)
    func check(_ found: String?, _ given: String?, _ name: Testing.Comment) {
      if given != nil || expected.url == nil { #expect(found == given, name) }
    }
    check(article.title, expected.title, "title")
    #expect(article.byline == expected.byline, "byline")
    let published = article.published.map(Timestamp.text(of:))
    if let day = expected.published, day.utf8.count == 10 {
      check(published.map { String($0.prefix(10)) }, day, "published")
    } else {
      check(published, expected.published, "published")
    }
    check(article.language, expected.language, "language")
    check(article.siteName, expected.siteName, "site")
    check(article.picture, expected.picture, "picture")
    #expect(article.nextPage == expected.nextPage, "next page")
    for text in expected.keeps { #expect(article.html.contains(text), "\(text)") }
    for text in expected.leaves { #expect(!article.html.contains(text), "\(text)") }
  }

  @Test func `There are pages of each kind`() throws {
    let kinds = try Self.pages.map { file in
      let bytes = try Array(Data(contentsOf: fixtures.appending(path: "pages/\(file)")))
      return try PageArticleReader.read(bytes, contentType: nil, url: Self.url).kind
    }
    #expect(Set(kinds) == Set(PageArticle.Kind.allCases))
  }

  private static let paragraph = """
    <p>The ferry leaves at six, at noon, and at nine in the evening, and it waits for nobody who is \
    not on the pier by then, whatever the reason may be.</p>
    """
  private static let article = String(repeating: paragraph, count: 5)

  @Test(arguments: [
    ("/a?page=1", "/a?page=2", 1, true), ("/a", "/a/2", 1, true), ("/a", "/a/page/2/", 1, true),
    ("/a.html", "/a-2.html", 1, true), ("/a/2", "/a/3", 2, true),
    ("/a?x=1", "/a?x=1&page=2", 1, true), ("/3", "/3/2", 1, true), ("/3/2", "/3/3", 2, true),
    ("/a", "/b/2", 1, false), ("/a", "/a/3", 1, false), ("/a/2", "/a/2", 2, false),
    ("/a", "/a/x", 1, false), ("/a", "https://other.example/a/2", 1, false),
    // Articles with numbers.
    ("/3", "/4", 1, false), ("/2026/11", "/2026/12", 1, false),
    ("/a?x=1", "/a?x=2&page=2", 1, false),
  ])
  func `The next page of an article differs from it in the number only`(
    own: String, link: String, number: Int, isNext: Bool
  ) throws {
    let target = link.hasPrefix("/") ? "https://example.org/story" + link : link
    let html = "<article>\(Self.article)</article><a href='\(target)' rel=next>Next</a>"
    let article = try PageArticleReader.read(
      Array(html.utf8), contentType: nil, url: "https://example.org/story" + own, number: number)
    #expect(article.nextPage == (isNext ? target : nil))
  }

  @Test func `The rules of a user decide what is the article`() throws {
    let html = """
      <div class=lead><p>Short.</p></div><div class=x><p>Also this.</p><p class=no>Not this.</p></div>\
      <div>\(Self.article)</div><a class=on href=/else>on</a>
      """
    let rules = PageArticleRules(
      keep: [try Selector(".nothing"), try Selector(".lead, .x")], drop: [try Selector(".no")],
      next: try Selector("a.on"))
    let article = try PageArticleReader.read(
      Array(html.utf8), contentType: nil, url: Self.url, rules: rules)
    #expect(article.html == "<div><p>Short.</p></div><div><p>Also this.</p></div>")
    #expect(article.nextPage == "https://example.org/else")
  }

  @Test func `Comments are left out whatever else they are called, and no wrapper for its name`()
    throws
  {
    let html = """
      <div class="content-sidebar-wrap"><div class="site-inner"><h1>Ferries</h1>\(Self.article)</div>\
      <div class="post-comments entry"><p>\(String(repeating: "A remark, of a reader. ", count: 30))</p>\
      </div></div>
      """
    let article = try read(html)
    #expect(article.html.contains("waits for nobody"))
    #expect(!article.html.contains("A remark"))
  }

  @Test(arguments: [
    ("Opinion | The Case for Trains", "Opinion", "Opinion | The Case for Trains"),
    ("The Case for Trains | Opinion", "The Case for Trains", "The Case for Trains"),
    ("The Case for Trains - A Paper of All Others", "The Case for Trains", "The Case for Trains"),
  ])
  func `A title loses what follows its heading only where that is shorter or the site's name`(
    title: String, heading: String, expected: String
  ) throws {
    let article = try read(
      """
      <title>\(title)</title><meta property=og:title content='\(title)'>\
      <meta property=og:site_name content='A Paper of All Others'>\
      <h2>\(heading)</h2><article>\(Self.article)</article>
      """)
    #expect(article.title == expected)
  }

  @Test func `What is hidden is read where there is nothing else`() throws {
    let article = try read("<body><div style='display: none'>\(Self.article)</div></body>")
    #expect(article.kind == .article)
    #expect(article.html.contains("waits for nobody"))
  }

  @Test(arguments: [
    "div role=banner", "div role=tablist", "div role=complementary", "div role=dialog", "nav",
    "div role=navigation", "div role=contentinfo", "div role=search", "div role=alert", "dialog",
    "div role=region", "div role=button", "div aria-modal=true", "template", "noscript", "aside",
    "header", "footer", "form", "menu", "button", "canvas", "object",
    "script type=text/template",
  ])
  func `An element that holds the article is a part of it, whatever its name or role`(
    element: String
  ) throws {
    let name = element.prefix { $0 != " " }
    let menu = "<ul><li><a href=/1>Menu one</a><li><a href=/2>Menu two</a></ul>"
    for content in [Self.article, "<div class=menu>\(menu)</div><main>\(Self.article)</main>"] {
      let article = try read(
        "<nav>\(menu)</nav><h1>Ferries</h1><\(element)>\(content)</\(name)>"
          + "<footer><p>All rights are reserved.</p></footer>")
      #expect(article.kind == .article)
      #expect(article.html.contains("waits for nobody") && !article.html.contains("Menu"))
    }
  }

  @Test func `Text for browsers without scripts shows once`() throws {
    let article = try read(
      "<main>\(Self.article)<noscript>\(Self.article)<p>Only here.</p></noscript>"
        + "<noscript>Please enable JavaScript, or read nothing.</noscript>"
        + "<template><p>Only for a script.</p></template></main>")
    #expect(article.html.contains("Only here."))
    #expect(!article.html.contains("JavaScript") && !article.html.contains("for a script"))
    let copy = try read("<main>\(Self.article)<noscript>\(Self.article)</noscript></main>")
    #expect(copy.length == (try read("<main>\(Self.article)</main>")).length)
  }

  /// Five sentences: the beginning of a longer article is as long.
  private static let short = """
    <p>The ferry leaves at six, at noon, and at nine in the evening, and it waits for nobody who is late.</p>\
    <p>On Sundays it is full of bicycles, and the last of those who come have to stay on the pier.</p>\
    <p>There was a bridge, which the sea took away in the winter of 1911, and nobody has built another.</p>\
    <p>The council talks about it every year, and every year it paints the ferry anew.</p>\
    <p>For those who live there it is all the same, since the road behind the pier leads to a field, painted in green.</p>\
    <p>In August they sing on it, and whoever cannot sing may row across by himself, for nothing.</p>
    """

  @Test(arguments: [
    "<header>Already a subscriber? Subscribe to continue reading</header>ARTICLE",
    "ARTICLE<footer>Our archive is for subscribers only. Subscribe to read more.</footer>",
    "ARTICLE<aside><ul><li><a href=/a>Subscribers only: the new ferry</a></ul></aside>",
    "ARTICLE<div><a href=/a><h3>Subscribers only: the new ferry</h3></a></div>",
    "ARTICLE<div class=comments><p>Subscribe to continue reading the comments.</p></div>",
    "ARTICLE<div hidden>Subscribe to continue reading.</div>",
    "ARTICLE<div style='display:none'>You have 3 free articles left.</div>",
    "ARTICLE<dialog>Subscribe to continue reading.</dialog>",
    "ARTICLE<div role=dialog>Subscribe to continue reading.</div>",
    "ARTICLE<p>You have 3 free articles left this month.</p>",
    "<div class=paywall>ARTICLE</div>", "<div class='premium-content piano'>ARTICLE</div>",
    "<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"isAccessibleForFree\":false}</script>ARTICLE",
    "<header><form><input type=password></form></header>ARTICLE",
    "ARTICLE<div hidden><form><input type=password></form></div>",
    "<div id=consent><p>Our partners use cookies for advertising.</p><button>Accept all</button></div>ARTICLE",
  ])
  func `Words around an article that is whole make it no less`(page: String) throws {
    let article = try read(
      page.replacing("ARTICLE", with: "<main><article>\(Self.short)</article></main>"))
    #expect(article.kind == .article)
    #expect(article.html.contains("by himself, for nothing."))
  }

  @Test(arguments: [
    "<p>On Sundays it is full of bicy…</p><p>Subscribe to continue reading.</p>",
    "<div><a href=/s>Subscribe</a> to continue reading</div>",
    "<p>On Sundays it is full of bicycles, and the last of those who come have to</p><p>Already a subscriber?</p>",
    "<footer><p>This article is for subscribers.</p></footer>",
    "<section><h3>Already a subscriber?</h3><a href=/l>Log in</a></section>",
    "<p>Il vous reste 72 % de cet article à lire.</p>",
  ])
  func `A text that breaks off before a notice is for subscribers`(end: String) throws {
    let start = Self.short.prefix(Self.short.count / 2)
    let beginning = String(
      start[..<(start.range(of: "</p>", options: .backwards)?.upperBound ?? start.endIndex)])
    #expect(try read("<main><article>\(beginning)\(end)</article></main>").kind == .paywall)
  }

  @Test func `An article about cookies asks for nothing`() throws {
    let article = try read(
      "<main><article><h1>Cookies</h1><p>Most people accept all cookies, and the law on privacy has not changed that.</p>"
        + "<p>Consent is asked for by sites whose partners live on advertising, as nearly all of them do.</p>"
        + "<p>What they learn is sold to others, who know after a year where one lives, works and sleeps.</p></article></main>"
        + "<div><p>We use cookies.</p><button>Accept all</button></div>")
    #expect(article.kind == .article)
  }

  @Test(arguments: [
    ("<meta http-equiv=refresh content=\"0; url='/story'\">", "https://example.org/story"),
    (
      "<noscript><meta http-equiv=refresh content='0;URL=/story'></noscript>",
      "https://example.org/story"
    ),
    (
      "<script>window.location.replace('https:\\/\\/example.org\\/story');</script>",
      "https://example.org/story"
    ),
    ("<script>location.href = \"/story\"</script>", "https://example.org/story"),
    ("<script>if (location == '/a') { x('/b') }; var y = location.pathname</script>", nil),
    ("<script>location.href = '/story/' + name</script>", nil),
    ("<meta http-equiv=refresh content=300>", nil),
    ("<meta http-equiv=refresh content='0; url=javascript:x()'>", nil),
  ])
  func `A page that only leads to another says where`(head: String, target: String?) throws {
    let article = try read("<head>\(head)</head><body><a href=/story>go</a></body>")
    #expect(article.kind != .article)
    #expect(article.refresh == target)
    #expect(try read("<head>\(head)</head><body>\(Self.article)</body>").refresh == nil)
  }

  @Test func `A page that shows its article by a program may have it as linked data`() throws {
    let body = String(repeating: "The ferry leaves at six, at noon & at nine. ", count: 20)
    let article = try read(
      """
      <script type="application/ld+json">{"@type":"NewsArticle","articleBody":"\(body)\\n<b>End</b>"}\
      </script><div id=root></div>
      """)
    #expect(article.kind == .article)
    #expect(article.html.contains("noon &amp; at nine"))
    #expect(article.html.contains("<p>&lt;b>End&lt;/b></p>"))
  }

  @Test func `No address of a script, and none without a base, is left in an article`() throws {
    let html = """
      <article>\(Self.article)<p onclick="x()">A <a href="javascript:x()">word</a>, \
      <a href="/r">one</a>, <img src="/p.png" onerror="x()"><iframe src="https://ads.example/x"></iframe>\
      <iframe src="https://www.youtube.com/embed/1"></iframe></p></article>
      """
    #expect(
      try read(html).html.hasSuffix(
        "<p>A word, <a href=\"https://example.org/r\">one</a>, "
          + "<img src=\"https://example.org/p.png\">"
          + "<iframe src=\"https://www.youtube.com/embed/1\">www.youtube.com</iframe></p></div>"))
    let alone = try read(html, url: nil)
    #expect(!alone.html.contains("/r") && !alone.html.contains("/p.png"))
  }

  @Test(arguments: [1_000, 20_000])
  func `Deep and wide pages are read within bounds`(count: Int) throws {
    for html in [
      String(repeating: "<div class=comment>", count: count) + Self.article,
      String(repeating: "<table><tr><td>a", count: count),
      String(repeating: "<noscript><img src=a>", count: count),
      String(repeating: "<a href=/x><h2>b</h2>", count: count),
      String(repeating: "<ul><li>one, two", count: count),
      Self.article + String(repeating: "<div>", count: 100) + "Jane <time>May</time>"
        + String(repeating: "<b></b>", count: count),
    ] {
      _ = try read(html)
    }
  }
}
