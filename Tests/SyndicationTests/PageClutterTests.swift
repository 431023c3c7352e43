import Markup
import News
import Syndication
import Testing

/// What stands in an article and is none of it, and what looks like that and is.
@Suite struct PageClutterTests {
  private static let sentence = """
    The ferry leaves at six, at noon, and at nine in the evening, and it waits for nobody who is not on the pier by \
    then, whatever the reason may be.
    """
  private static let text = String(repeating: "<p>\(sentence)</p>", count: 5)

  private func article(_ html: String) throws -> String {
    try PageArticleReader.read(
      Array(html.utf8), contentType: "text/html", url: "https://example.org/story"
    ).html
  }

  @Test(arguments: [
    // The links in it are to places of the article.
    "<p><a href=#a>WAITING</a> | <a href=#b>LEAVING</a> | <a href=#c>ARRIVING</a></p>",
    "<h2 id=a>The pier <a href=#top>back to TOP</a></h2><p>Other words follow, of course.</p>",
    // Cards of other articles: Squarespace, blogs.
    """
    <section><h2>WAITING for more</h2><div><h3><a href=/1>One story that is told</a></h3><p>TOP of it</p></div>\
    <div><h3><a href=/2>Two stories that are told</a></h3></div><div><h3><a href=/3>Three stories told</a></h3>\
    <span>ARRIVING</span></div></section>
    """,
    "<ul><li>Share TOP on</li><li>Facebook</li><li>WhatsApp</li></ul>",
    "<div><h4>WAITING for more?</h4><p>Every week.</p><a href=/plus>Subscribe to TOP</a></div>",
    "<div><h4>WAITING for more?</h4><p>Every week.</p><a href=/signup>TOP</a></div>",
    "<section><h3>27 comments</h3><p>WAITING, and not even a boat.</p></section>",
    "<section><h3>Sobre la firma</h3><p>WAITING, since 1991, for the ferry.</p></section>",
    "<div class=paywall><p>WAITING? Subscribe to continue reading, today.</p></div>",
    "<p>© The Paper of TOP. All Rights Reserved.</p>",
    "<p>You are RECEIVING this letter, WAITING for it; unsubscribe at any time, to TOP.</p>",
    "<p>This post may contain affiliate links, TOP ones.</p>",
    "<div>Edited <time>Aug 20, 2025</time> by TOP</div>",
    "<div><span>TOP</span><button>Copy</button></div><pre>code</pre>",
    "<h3 id=m>The pier <a href=/s>source</a><span class=sr-only>TOP</span></h3><p>More, of course.</p>",
  ])
  func `What leads elsewhere or asks for something is left out`(clutter: String) throws {
    let html = try article("<h1>Ferries</h1><article>\(Self.text)\(clutter)\(Self.text)</article>")
    #expect(html.contains("waits for nobody"))
    for word in ["TOP", "WAITING", "RECEIVING", "ARRIVING", ">source<"] {
      #expect(!html.contains(word), "\(html)")
    }
  }

  @Test(arguments: [
    // Sphinx, wikis: lists of links that the author has made.
    "<h2 id=see-also>See also</h2><ul><li><a href=/1>KEPT one</a></li><li><a href=/2>Two</a></li><li><a href=/3>3</a></li></ul>",
    "<pre><code><span class=hljs-comment># KEPT, what it says</span>\nrun()</code></pre>",
    "<pre><span>12345</span> KEPT</pre>",
    "<aside class=portable-infobox><h2>KEPT</h2><p>Born: 211</p></aside>",
    "<figure aria-hidden=true><img src=/p.jpg><figcaption>KEPT in a gallery</figcaption></figure>",
    // LaTeXML.
    "<h3><span class=ltx_tag>KEPT 1</span> Result</h3><p>More words, of course.</p>",
    "<div><div class=line><b>KEPT</b><button>01:20</button></div></div>",
    "<p><b>Waiting</b> costs nothing.<sup><a href=#n1>KEPT</a></sup></p>",
  ])
  func `What looks like that and belongs to the article is kept`(part: String) throws {
    let html = try article("<h1>Ferries</h1><article>\(Self.text)\(part)\(Self.text)</article>")
    #expect(html.contains("KEPT"), "\(html)")
    if part.contains("12345") { #expect(html.contains("12345")) }
  }

  @Test func `The number of a note and a year at the beginning of a text are none of a date`()
    throws
  {
    let html = try article(
      "<article><p>In <b>1891</b> the council decided.<sup><a href=#n>1</a></sup> \(Self.sentence)</p>"
        + "\(Self.text)<ol><li id=n>Minutes.</li></ol></article>")
    #expect(html.contains("<b>1891</b>") && html.contains(">1</a>"))
  }

  @Test func `Paragraphs with the name of a body are no articles`() throws {
    let paragraphs = Self.text.replacing("<p>", with: "<p class=post-body-paragraph>")
    let html = try article(
      "<h1>Ferries</h1><article><div>\(paragraphs)<h2>The pier</h2><ul><li>KEPT</li></ul>\(paragraphs)</div></article>"
    )
    #expect(html.contains("KEPT") && html.contains("The pier"))
  }

  private static func post(_ number: Int, _ text: String, name: String = "itemprop=text") -> String
  {
    "<div class=post><div class=post-head><a href=/u\(number)>Writer \(number)</a> says</div>"
      + "<div class=message \(name)><p>\(text)</p></div></div>"
  }

  @Test func `Posts that are called as those that microdata names are posts too`() throws {
    let posts =
      Self.post(1, "One, \(Self.sentence)") + Self.post(2, "Two, \(Self.sentence)")
      + Self.post(3, "Three, \(Self.sentence)", name: "")
    let html = try article(
      "<div itemscope itemtype=https://schema.org/QAPage><h1>Ferries</h1>\(posts)</div>")
    for word in ["One, ", "Two, ", "Three, "] { #expect(html.contains(word)) }
  }

  @Test func `A page of remarks alone is a conversation, without the lines above them`() throws {
    let remarks = (1...4).map { number in
      "<div class=comment><p class=tagline><a class=who href=/u>Writer \(number)</a> 1\(number) points</p>"
        + "<div class=md><p>Remark \(number): \(Self.sentence)</p></div></div>"
    }.joined()
    let html = try article(
      "<div class=thing><h1>Ferries</h1><div class=opening><p>Why? \(Self.sentence)</p></div></div>"
        + "<div class=commentarea>\(remarks)</div>")
    #expect(html.contains("Why?") && html.contains("Remark 1:") && html.contains("Remark 4:"))
    #expect(!html.contains("points"))
    // Where the page has an article the remarks are about it.
    let other = try article(
      "<article><h1>Ferries</h1>\(Self.text)</article><div>\(remarks)\(remarks)</div>")
    #expect(!other.contains("Remark"))
  }

  @Test func `Lines above the posts of a discussion are left out, and its short posts are not`()
    throws
  {
    let posts = (1...5).map { number in
      "<li class=note-discussion><div class=note-head><a href=/u>Writer \(number)</a> @w · Maintainer of it</div>"
        + "<div class=note-text><p>\(number == 3 ? "See <a href=/x>this</a>." : "Note \(number): " + Self.sentence)"
        + "</p></div></li>"
    }.joined()
    let html = try article("<main><h1>Ferries</h1><div>\(Self.text)</div><ul>\(posts)</ul></main>")
    #expect(html.contains("Note 1:") && html.contains("See "))
    #expect(!html.contains("Maintainer"))
  }

  @Test func `The ingredients beside the steps of a recipe are a part of it`() throws {
    let html = try article(
      "<div class=cols><div class=left><h2>Ingredients</h2><ul><li>5 leeks as thick as a broom</li><li>3 spoons of oil"
        + "</li></ul></div><div class=right>\(Self.text)</div></div>")
    #expect(html.contains("5 leeks") && html.contains("waits for nobody"))
  }

  @Test func `Pieces of a letter in tables of the same name are found inside others`() throws {
    func piece(_ text: String) -> String {
      "<tr><td class=text-content>\(text)<br>\(Self.sentence)</td></tr>"
    }
    let html = try article(
      "<table><tr><td><table class=text-content-container>\(piece("First, "))</table></td></tr>"
        + "<tr><td><table>\(piece("Second, "))</table></td></tr><tr><td><table>\(piece("Third, "))</table></td></tr>"
        + "<tr><td><table>\(piece("Fourth, "))</table></td></tr></table>")
    for word in ["First, ", "Second, ", "Third, ", "Fourth, "] { #expect(html.contains(word)) }
  }

  @Test func `The lead of an article is found whatever else it is called`() throws {
    let html = try article(
      "<article><header><h1>Ferries</h1><div class='subhead hidden-print'><p>They have waited long enough, and wait for nobody now</p></div></header>"
        + "<div class=article-body>\(Self.text)</div></article>")
    #expect(html.contains("for nobody now"))
  }

  @Test func `What a page says of itself above the text is left out`() throws {
    let html = try article(
      "<article><header><h1>Ferries</h1><details><summary>Widely available</summary><p>\(Self.sentence)</p></details>"
        + "</header><div>\(Self.text)</div></article>")
    #expect(!html.contains("Widely") && html.contains("waits for nobody"))
  }
}
