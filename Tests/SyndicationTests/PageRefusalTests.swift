internal import News
internal import Testing

@testable internal import Syndication

/// Articles whose pages look as if there were none, or none for everybody.
@Suite struct PageRefusalTests {
  private static let sentences = [
    "The lighthouse on the north point was painted again this week, in the red that it had when it was built, and the keeper's house beside it got new windows.",
    "For eleven years the lamp had been dark, because nobody could say who was to pay for the current that it takes in the long nights of the winter.",
    "Now the fishermen of both villages share the cost, and every boat that comes in after dusk puts a coin into the box at the end of the mole.",
    "The first evening brought a crowd: children with paper lanterns, two old pilots with their caps, and a brass band that played until the rain began.",
    "In spring the stairs are to be mended too, so that visitors can climb up to the gallery and look over to the islands on a clear day.",
  ]
  private static let text = sentences.map { "<p>\($0)</p>" }.joined(separator: "\n")
  private static let menu =
    "<ul>" + (0..<12).map { "<li><a href=\"/\($0)\">Section \($0)</a></li>" }.joined() + "</ul>"
  private static let footer =
    "<footer><p>© The Courier <a href=\"/imprint\">Imprint</a></p></footer>"

  private func read(_ body: String) throws -> PageArticle {
    let page = """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Light again</title></head>
      <body>\(body)\(Self.footer)</body></html>
      """
    return try PageArticleReader.read(
      Array(page.utf8), contentType: "text/html", url: "https://example.org/light")
  }

  private func expectWhole(_ body: String) throws {
    let article = try read(body)
    #expect(article.kind == .article)
    for sentence in Self.sentences {
      #expect(article.html.contains(sentence.prefix(60)), "\(sentence.prefix(30))")
    }
    #expect(!article.html.contains("Section 7"))
  }

  @Test(arguments: [
    "banner", "tablist", "complementary", "dialog", "navigation", "contentinfo", "search", "alert",
    "toolbar", "menu",
  ])
  func `A role hides no article`(_ role: String) throws {
    let article = "<main><article><h1>Light again</h1>\(Self.text)</article></main>"
    try expectWhole("<div role=\"\(role)\"><div class=\"menu\">\(Self.menu)</div>\(article)</div>")
    // Nor one without an element that says so.
    try expectWhole("<div role=\"\(role)\"><div>\(Self.text)</div></div>")
  }

  @Test(arguments: ["dialog", "nav", "template", "noscript", "aside", "header", "form", "menu"])
  func `An element hides no article`(_ name: String) throws {
    try expectWhole("<\(name)><h1>Light again</h1>\(Self.text)</\(name)>")
    try expectWhole("<\(name)><div class=\"x\">\(Self.text)</div></\(name)>")
  }

  @Test func `A text in a script for templates is read where there is no other`() throws {
    try expectWhole(
      "<nav>\(Self.menu)</nav><div id=\"app\"><script type=\"text/template\">\(Self.text)</script></div>"
    )
  }

  @Test func `A text that stands in two elements that are not shown is read once`() throws {
    let article = try read(
      "<div><script type=\"text/template\">\(Self.text)</script><noscript>\(Self.text)</noscript></div>"
    )
    #expect(article.html.ranges(of: Self.sentences[1].prefix(50)).count == 1)
  }

  @Test(arguments: [
    "<header><span>Already a subscriber? <a href=\"/login\">Log in</a></span></header>",
    "<div class=\"modal\" style=\"display:none\"><p>You have 3 free articles left.</p></div>",
    "<aside class=\"more\"><h2>More</h2><a href=\"/a\">Subscribers only: the ferry</a></aside>",
    "<nav><a href=\"/abo\">Jetzt abonnieren und weiterlesen</a></nav>",
    "<dialog><p>To continue reading, accept our cookies and your data is used by partners.</p></dialog>",
    "<div class=\"comments\"><p>I am already a subscriber and love it.</p></div>",
    "<div class=\"paywall hidden-for-all\" hidden><p>This article is for subscribers</p></div>",
  ])
  func `Words beside a whole article are no wall`(_ beside: String) throws {
    try expectWhole("\(beside)<main><article><h1>Light again</h1>\(Self.text)</article></main>")
    try expectWhole("<main><article><h1>Light again</h1>\(Self.text)</article></main>\(beside)")
  }

  @Test func `Classes with the name of a wall around a whole article are none`() throws {
    try expectWhole(
      "<main><article class=\"paywall-content metered\"><h1>Light again</h1>\(Self.text)</article></main>"
    )
  }

  @Test(arguments: [
    "<article><h1>Light again</h1><p>The lighthouse was painted again this week, in the red that it had…</p><div class=\"paywall\"><p>Subscribe to continue reading.</p></div></article>",
    "<article><h1>Light again</h1><p>The lighthouse was painted again this week, in the red that it had when it was built.</p></article><div class=\"subscribe-box\"><p>This article is for subscribers.</p></div>",
    "<article><h1>Light again</h1><p>The lighthouse was painted again this week, in the red of</p></article><dialog open><p>To read the full article, register.</p></dialog>",
  ])
  func `A wall that cuts an article stays one`(_ body: String) throws {
    #expect(try read(body).kind == .paywall)
  }

  @Test func `A list in an aside that leads nowhere belongs to the article`() throws {
    let list = "<li>250 g flour</li><li>125 g butter, cold</li><li>1 egg</li><li>6 sour apples</li>"
    let article = try read(
      """
      <main><article><h1>Light again</h1><p>\(Self.sentences[0])</p>
      <aside class="ingredients"><h2>Ingredients</h2><ul>\(list)</ul></aside>
      <aside class="related"><h2>More</h2><ul><li><a href="/a">One</a></li><li><a href="/b">Two</a></li></ul></aside>
      <h2>Method</h2>\(Self.text)</article></main>
      """)
    #expect(article.html.contains("125 g butter"))
    #expect(!article.html.contains("/a\""))
  }
}
