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
    // Other articles, each with a picture and a heading in one link.
    """
    <div><div><a href=/1><img src=/1.jpg><h3>TOP</h3></a><p>It was told on the pier, in the evening, by a man with a \
    boat.</p></div><div><a href=/2><img src=/2.jpg><h3>WAITING</h3></a><p>And by his wife, who had sold the boat, on the \
    next day.</p></div><div><a href=/3><img src=/3.jpg><h3>ARRIVING</h3></a><p>Nobody knows.</p></div></div>
    """,
    // HTML §4.3.2: an article in an article is a comment on it.
    "<section><h3>Comments</h3><article>TOP wrote: <p>\(Self.sentence)</p></article></section>",
    "<ul><li>Share TOP on</li><li>Facebook</li><li>WhatsApp</li></ul>",
    "<div><h4>WAITING for more?</h4><p>Every week.</p><a href=/plus>Subscribe to TOP</a></div>",
    "<div><h4>WAITING for more?</h4><p>Every week.</p><a href=/signup>TOP</a></div>",
    "<section><h3>27 comments</h3><p>WAITING, and not even a boat.</p></section>",
    "<section><h3>Sobre la firma</h3><p>WAITING, since 1991, for the ferry.</p></section>",
    "<div class=paywall><p>WAITING? Subscribe to continue reading, today.</p></div>",
    "<p>© The Paper of TOP. All Rights Reserved.</p>",
    "<p>You are RECEIVING this letter, WAITING for it; unsubscribe at any time, to TOP.</p>",
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
    "<aside><h3>Facts</h3><ul><li>KEPT</li><li>40 seats</li></ul></aside>",
    "<aside role=complementary><table><tr><td>KEPT</td></tr><tr><td>40</td></tr></table></aside>",
    "<p>The port of <a class=searchLink href='/search?q=KEPT'>KEPT</a>, where it lies.</p>",
    "<aside class=portable-infobox><h2>KEPT</h2><p>Born: 211</p></aside>",
    "<figure aria-hidden=true><img src=/p.jpg><figcaption>KEPT in a gallery</figcaption></figure>",
    // LaTeXML.
    "<h3><span class=ltx_tag>KEPT 1</span> Result</h3><p>More words, of course.</p>",
    "<ul><li><span class='ltx_tag ltx_role_refnum ltx_tag_bibitem'>[KEPT]</span><span class=ltx_bibblock>A. Author. A title.</span></li></ul>",
    "<h2 class=ltx_title><span class='ltx_tag ltx_tag_section'>KEPT 1 </span>Intro</h2><p>More words, of course.</p>",
    "<table class=ltx_equation><tr><td>a = b</td><td class=ltx_eqn_eqno><span class='ltx_tag ltx_tag_equation'>(KEPT)</span></td></tr></table>",
    "<ol><li><span class='ltx_tag ltx_tag_item'>(KEPT)</span><div class=ltx_para><p>The first of them.</p></div></li></ol>",
    "<div><div class=line><b>KEPT</b><button>01:20</button></div></div>",
    "<p><b>Waiting</b> costs nothing.<sup><a href=#n1>KEPT</a></sup></p>",
  ])
  func `What looks like that and belongs to the article is kept`(part: String) throws {
    let html = try article("<h1>Ferries</h1><article>\(Self.text)\(part)\(Self.text)</article>")
    #expect(html.contains("KEPT"), "\(html)")
    if part.contains("12345") { #expect(html.contains("12345")) }
  }

  @Test(arguments: [
    (
      "<p>Text<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer>"
        + "<span class=ltx_note_content><sup class=ltx_note_mark>1</sup><span class='ltx_tag ltx_tag_note'>1</span>"
        + "The note.</span></span></span> goes on, of course.</p>",
      "Text<sup>1</sup><span class=\"sidenote\">The note.</span> goes on"
    ),
    (
      "<p>Text<sup><a href='javascript:void(0)' role=button>2</a></sup><span class=modern-footnotes-footnote__note>The note.</span> goes on, of course.</p>",
      "Text<sup>2</sup><span class=\"sidenote\">The note.</span> goes on"
    ),
    // The lines of a poem.
    (
      "<p style='white-space: pre-line'>One line,\nand another.</p>",
      "<p>One line,<br>and another.</p>"
    ),
    // Pages for phones.
    (
      "<amp-img src='/p.jpg' alt=A><noscript><img src='/p.jpg'></noscript></amp-img>",
      "<img src=\"https://example.org/p.jpg\" alt=\"A\">"
    ),
  ])
  func `What its marking means is kept`(part: String, written: String) throws {
    let html = try article("<h1>Ferries</h1><article>\(Self.text)\(part)\(Self.text)</article>")
    #expect(html.contains(written), "\(html)")
  }

  @Test func `The number of the first section is kept`() throws {
    let html = try article(
      "<h1>T</h1><article><p>Short.</p><h2><span class='ltx_tag ltx_tag_section'>1 </span>Intro</h2>"
        + "\(Self.text)</article>")
    #expect(html.contains("<h2>1 Intro</h2>"), "\(html)")
  }

  @Test(arguments: [
    "渡船每天早上六点、中午和晚上九点出发，不等任何没有按时到达码头的人，不管他们有什么样的理由，也不管外面正在下着多大的雨。",
    "フェリーは朝六時と正午と夜九時に出発し、どのような理由があっても、その時刻までに桟橋に来ていない人を待つことはありません。",
  ])
  func `Two paragraphs are an article in a script whose words are short`(sentence: String) throws {
    let page = "<h1>T</h1><article><p>\(sentence)</p><p>\(sentence)</p></article>"
    let found = try PageArticleReader.read(
      Array(page.utf8), contentType: "text/html; charset=utf-8", url: "https://example.org/story")
    #expect(found.kind == .article)
    #expect(found.html.contains(sentence))
  }

  @Test(arguments: [
    (
      "<figure><img src=/p.jpg><blockquote>I had <em>no choice</em> then</blockquote><figcaption>Jane</figcaption></figure>",
      "no choice"
    ),
    (
      "<figure><div>I had no choice then</div><figcaption>Jane Doe, captain</figcaption></figure>",
      "no choice"
    ),
    (
      "<table><tr><th>Post</th><th>Euro</th></tr><tr><td><p>Advertising</p></td><td>1</td></tr></table>",
      "Advertising"
    ),
    (
      "<table><tr><th>Key</th><th>Use</th></tr><tr><td><span>Print</span></td><td>1</td></tr></table>",
      "Print"
    ),
    ("<h2>Advertising</h2><p>It pays for the ferry.</p>", "Advertising"),
    ("<ul><li>Press <b>Print</b> and wait</li><li>Leave</li></ul>", "Print"),
    ("<p><a href=/n>Shares of the ferry fall</a></p>", "Shares of the ferry"),
    ("<ul><li>Facebook</li><li>Reddit</li><li>TikTok</li></ul>", "Reddit"),
    (
      "<div>The whole survey is in our <a href=/newsletter/12>latest letter</a></div>",
      "whole survey"
    ),
    ("<div>Whoever asks gets <a href=/newsletter>a letter</a> of the captain's</div>", "a letter"),
    (
      "<p>Who wants to unsubscribe must receive an answer within ten days, says the law.</p>",
      "ten days"
    ),
    ("<section><h2>Responses</h2><p>Their words.</p>\(text)</section>", "Their words"),
    (
      "<section><h2>Key events</h2><p>In Swift.</p><pre>wait(.click)</pre></section>",
      "wait(.click)"
    ),
    (
      """
      <div><div><h3><a href=/1>A kettle that does not drip</a></h3><p>We have boiled with it for a year, every day.</p></div>\
      <div><h3><a href=/2>A lamp that does not blind</a></h3><p>We have read by it for a year, every night of it.</p></div>\
      <div><h3><a href=/3>A rope that does not tear</a></h3><p>We have climbed on it for a year, every week.</p></div></div>
      """, "boiled with it"
    ),
    (
      """
      <h2 id=gifts>What to give</h2><ul><li><h4><a href=/1>A kettle that does not drip at all, ever</a></h4></li>\
      <li><h4><a href=/2>A lamp that does not blind anybody, ever</a></h4></li>\
      <li><h4><a href=/3>A rope that does not tear in any wind, ever</a></h4></li></ul>
      """, "A kettle"
    ),
  ])
  func `Words of the article that are called as clutter is are kept`(part: String, words: String)
    throws
  {
    let html = try article("<h1>Ferries</h1><article>\(Self.text)\(part)\(Self.text)</article>")
    #expect(html.contains(words), "\(html)")
  }

  @Test(arguments: [
    (
      "<p><a href=/t/apple><span>Apple</span></a> said that it sells ferries now, all of them, to whoever wants one.</p>",
      "Apple"
    ),
    (
      "<p>The council told <a href=/b>Harbour News</a> that it sells ferries now, all of them, to whoever wants one.</p>",
      "Harbour News"
    ),
    ("<p>She told Harbour News: “Never!”</p>", "She told"),
    (
      "<p>The bridge closed on <time>12 May</time> for repairs.</p>",
      "closed on <time>12 May</time> for"
    ),
    (
      "<p>The bridge closed on <time>12 May</time> for repairs</p>",
      "closed on <time>12 May</time> for"
    ),
  ])
  func `The first sentence of an article keeps its names and dates`(part: String, words: String)
    throws
  {
    let html = try article(
      "<meta name=author content='Harbour News'><h1>Ferries</h1><article>\(part)\(Self.text)</article>"
    )
    #expect(html.contains(words), "\(html)")
  }

  /// Three lines of one class, each with a link.
  private static let facts = (1...3).map {
    "<p class=fact><a href=/\($0)>Pier \($0)</a> is open</p>"
  }
  .joined()

  @Test(arguments: [
    "<h1>Ferries</h1><article>\(text)\(facts)</article><article>\(text)</article>",
    // Cut into equal bodies, as by advertising.
    (1...4).map {
      "<div class=article-body>\(text)\($0 == 2 ? facts : "")</div><div class=ad>Ad</div>"
    }
    .joined(),
    "<h1>Ferries</h1><p class=byline>By Ann Lee, <time>12 May</time></p>"
      + (1...3).map { "<section class=story-text>\(text)\($0 == 3 ? facts : "")</section>" }
      .joined(),
    """
    <h1>Ferries</h1><article>\(text)\(facts)\(text)</article>\
    <div class=discussion-promo>One</div><div class=discussion-promo>Two</div><div class=discussion-promo>Three</div>
    """,
  ])
  func `An article in pieces, or beside modules for discussions, is no thread`(page: String) throws
  {
    let html = try article(page)
    for word in ["Pier 1", "Pier 2", "Pier 3"] { #expect(html.contains(word), "\(html)") }
  }

  @Test(arguments: [
    "<p>The timetable was last updated in 2019, and is wrong.</p>",
    "<p>Last updated in 2019, the timetable of the ferry says otherwise.</p>",
    "<p>When was the harbour last changed? In 1891.</p>",
    "<div>It was last modified by the pilots in 1987, at night.</div>",
  ])
  func `A sentence that tells of a change is no stamp`(sentence: String) throws {
    let html = try article("<h1>Ferries</h1><article>\(Self.text)\(sentence)\(Self.text)</article>")
    #expect(html.contains("</p>") && html.contains(sentence.dropFirst(6).prefix(20)), "\(html)")
  }

  @Test(arguments: [
    "<p>Last updated: 12 May 2019</p>",
    "<div>Last updated on Monday, May 12, 2019 at 10:20 am</div>",
    "<div>This page was last edited on 12 May 2019, at 10:20 (UTC).</div>",
    "<p>Zuletzt geändert am 12. Mai 2019 um 10:20 Uhr</p>",
    "<p>Dernière mise à jour : 12 mai 2019</p>",
  ])
  func `A line that says when the page was changed is left out`(line: String) throws {
    let html = try article("<h1>Ferries</h1><article>\(Self.text)\(line)</article>")
    #expect(html.contains("waits for nobody") && !html.contains("2019"), "\(html)")
  }

  @Test func `The name of a credit belongs to a picture, and elsewhere to the text`() throws {
    let picture = "<div class=image><img src=/p.jpg><span class=credit>Ann TOP Lee</span></div>"
    let beside = "<p><img src=/q.jpg></p><p class=photo-credit>Ben WAITING Lee</p>"
    let prose =
      "<p>You get <span class=credit>three KEPT</span> points for it.</p><p class=credits>The captain KNOWS who pays.</p>"
    let html = try article(
      "<h1>Ferries</h1><article>\(Self.text)\(picture)\(Self.text)\(beside)\(Self.text)\(prose)\(Self.text)</article>"
    )
    #expect(html.contains("KEPT") && html.contains("KNOWS"), "\(html)")
    #expect(!html.contains("TOP") && !html.contains("WAITING"), "\(html)")
  }

  @Test func `Short sentences with a link are words of a post, whatever their class`() throws {
    let posts = (1...3).map { number in
      Self.post(
        number, "\(Self.sentence)</p><p class=line>See <a href=/x>pier \(number)</a> there.")
    }.joined()
    let html = try article(
      "<div itemscope itemtype=https://schema.org/QAPage><h1>Ferries</h1>\(posts)</div>")
    for word in ["pier 1", "pier 2", "pier 3"] { #expect(html.contains(word), "\(html)") }
  }

  @Test func `An article that says so is none of a conversation, however long its comments`() throws
  {
    let remarks = (1...4).map { "<div class=comment><p>Remark \($0). \(Self.text)</p></div>" }
      .joined()
    let html = try article(
      "<head><meta property=og:type content=article></head><body><div><h1>Ferries</h1>\(Self.text)</div>"
        + "<div class=comments>\(remarks)</div></body>")
    #expect(html.contains("waits for nobody") && !html.contains("Remark"), "\(html)")
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
    let posts = (1...8).map { number in
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

  @Test(arguments: [
    "<main><article>METHOD</article><aside>INGREDIENTS</aside></main>",
    "<main><h1>Leeks</h1><article>INGREDIENTS</article><article>METHOD</article></main>",
    "<main><article><aside>INGREDIENTS</aside>METHOD</article></main>",
    "<div><div><div>INGREDIENTS</div></div><div><article>METHOD</article></div></div>",
  ])
  func `Ingredients in elements of their own belong to the recipe`(page: String) throws {
    let ingredients =
      "<h2>Ingredients</h2><ul><li>5 leeks as thick as a broom</li><li>3 spoons of oil</li></ul>"
    let html = try article(
      page.replacing("INGREDIENTS", with: ingredients).replacing("METHOD", with: Self.text))
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
