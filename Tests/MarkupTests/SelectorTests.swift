import Markup
import Testing

@Suite struct SelectorTests {
  private static let page = """
    <!doctype html><html lang=en><head><title>A &amp; B</title><base href="/base/"></head>
    <body class="home page">
    <div id=main data-Kind='say "hi"'>
      <h2>One</h2><p class="lead x">First<p>Second <a href="/a.html">link</a>
      <ul class=list><li>1<li class="new hot">2<li>3<li><b>4</b></ul>
      <my-card data-id="c-1"><span>card</span></my-card>
    </div>
    <table id=t><tr><td>a<td class=Num>b<tr><td>c</table>
    <article><img src=x.png alt=X><time datetime="2026-03-09">March</time></article>
    <article>plain</article>
    <script>document.write("<p class=no>")</script>
    """

  private func found(_ selector: String, in html: String = page) throws -> [String] {
    let page = HTMLPage(Array(html.utf8))
    return try page.elements(matching: Selector(selector)).map { element in
      let text = page.text(of: element)
      return text.isEmpty ? page.name(of: element) : text
    }
  }

  @Test(arguments: [
    ("h2", ["One"]), ("H2", ["One"]), ("p", ["First", "Second link"]), ("p.lead", ["First"]),
    (".x.lead", ["First"]), (".lea", []), ("#main h2", ["One"]), ("li", ["1", "2", "3", "4"]),
    ("ul > li.new", ["2"]), ("li.new + li", ["3"]), ("li.new ~ li", ["3", "4"]),
    ("div li b", ["4"]), ("div > b", []), ("li:first-child", ["1"]), ("li:last-child", ["4"]),
    ("li:nth-child(2)", ["2"]), ("li:nth-child(odd)", ["1", "3"]),
    ("li:nth-child(even)", ["2", "4"]),
    ("li:nth-child(-n + 2)", ["1", "2"]), ("li:nth-child(2n+3)", ["3"]),
    ("li:nth-last-child(2)", ["3"]), ("li:not(.new)", ["1", "3", "4"]),
    ("li:not(.new, :first-child)", ["3", "4"]), ("li:has(b)", ["4"]), ("li:has(> b)", ["4"]),
    ("div:has(> b)", []), ("li:has(+ .new)", ["1"]), ("li:has(~ .new)", ["1"]),
    ("p:has(+ p)", ["First"]), ("article:not(:has(img))", ["plain"]),
    (":is(h2, time)", ["One", "March"]), ("time, h2", ["One", "March"]),
    ("span:only-child", ["card"]),
    ("[data-kind]", ["One First Second link 1 2 3 4 card"]),
    ("[data-kind='say \"hi\"'] > h2", ["One"]),
    ("a[href^='/a']", ["link"]), ("a[href$=\".html\"]", ["link"]), ("a[href*='.h']", ["link"]),
    ("[class~=hot]", ["2"]), ("[class~='new hot']", []), ("[class='NEW HOT' i]", ["2"]),
    ("[class='NEW HOT']", []), (":root[lang|=en] h2", ["One"]),
    ("my-card[data-id|=c] span", ["card"]),
    ("#t > tbody > tr > td", ["a", "b", "c"]), ("td.Num", ["b"]), ("td.num", []),
    ("body.home > article:empty", []), ("img:empty", ["img"]), (".no", []),
    ("*:is(b)", ["4"]), (" h2 ,\n time ", ["One", "March"]), ("body.page h2", ["One"]),
    ("#\\6d ain h2", ["One"]), ("li.n\\65w", ["2"]), ("[class='\\6e ew hot']", ["2"]),
  ])
  func `A selector finds what a browser finds`(selector: String, expected: [String]) throws {
    #expect(try found(selector) == expected)
  }

  @Test(arguments: [
    ("", 1), ("div >", 6), ("div > > p", 7), ("div,", 5), (".", 2), ("#", 2), ("li:hover", 3),
    ("li:nth-child(x)", 14), ("li:nth-child(2", 13), ("a[href", 7), ("a[href=", 8),
    ("a[href='x]", 8),
    ("a[href=x", 2), ("p::before", 2), ("p)", 2), ("li:not(.a", 7), ("li:not()", 8), ("a%", 2),
    ("div p.lead:has(", 16), ("a[=x]", 3), ("> p", 1),
    ("a:not(b:not(c:not(d:not(e:not(f:not(g:not(h:not(i:not(j)))))))))", 50),
  ])
  func `A mistake is told with its place`(selector: String, column: Int) {
    let mistake = #expect(throws: Selector.Mistake.self) { try Selector(selector) }
    #expect(mistake?.column == column, "\(mistake?.message ?? "")")
  }

  @Test func `Title, base, text and content of a page are read`() throws {
    let page = HTMLPage(Array(Self.page.utf8))
    #expect(page.title == "A & B" && page.base == "/base/")
    let main = try #require(try page.elements(matching: Selector("#main")).first)
    #expect(page.lines(of: main) == ["One", "First", "Second link", "1", "2", "3", "4", "card"])
    let article = try #require(try page.elements(matching: Selector("article")).first)
    #expect(
      page.html(of: article)
        == #"<article><img src="x.png" alt="X"><time datetime="2026-03-09">March</time></article>"#)
    #expect(page.attribute("data-kind", of: main) == #"say "hi""#)
  }

  @Test(arguments: [
    String(repeating: "<div>", count: 200_000) + "<h2>deep</h2>",
    String(repeating: "<b title=x><p>", count: 100_000) + "<h2>deep</h2>",
    String(repeating: "<table><tr><td>", count: 50_000) + "<h2>deep</h2>",
    String(repeating: "<a href=x><div></a>", count: 50_000) + "<h2>deep</h2>",
    String(repeating: "<script>", count: 100_000) + "</script><h2>deep</h2>",
    "<p " + (0..<100_000).map { "a\($0)=x" }.joined(separator: " ") + "><h2>deep</h2>",
  ])
  func `A hostile page is read in time, and its text is there`(html: String) {
    let page = HTMLPage(Array(html.utf8))
    #expect(page.text(of: page.root).contains("deep"))
  }

  @Test func `A selector that asks for too much is given up`() throws {
    let html = String(repeating: "<p>x</p>", count: 20_000)
    let page = HTMLPage(Array(html.utf8))
    let selector = try Selector("p ~ p ~ p ~ p ~ p ~ h1")
    #expect(try page.elements(matching: selector) == [])
    #expect(throws: HTMLPage.TooMuchWork.self) {
      try page.elements(matching: Selector("p:has(~ p ~ p ~ h1)"))
    }
  }

  @Test(arguments: [
    "", "<", "<p", "text", "<!--", "<title>", "\u{0}<p>\u{0}", "</p></div>", "<svg><p>x",
  ])
  func `Any bytes are a page`(html: String) throws {
    let page = HTMLPage(Array(html.utf8))
    _ = page.lines(of: page.root)
    _ = page.html(of: page.root)
    _ = try page.elements(matching: Selector("* *"))
  }
}
