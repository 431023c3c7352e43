internal import News
internal import Testing

@testable internal import Syndication

/// Articles of which nothing is left out, and walls that are none.
@Suite struct PageWholeTests {
  private static let sentences = [
    "The lock on the canal was opened in the year in which the railway came, and both of them were meant for slate.",
    "Of the nine keepers who lived in the small house beside it, only the last one wrote down what he saw, in forty books.",
    "He counted boats, otters and frosts, and on some days there is nothing but a drawing of the water, made in pencil.",
    "“My father thought that nobody would ever read them,” says his daughter, who found the books under the stairs.",
    "They will be printed next year by the museum of the town, which has also bought the house and opens it in May.",
  ]
  private static let text = sentences.map { "<p>\($0)</p>" }.joined()

  private func read(_ body: String) throws -> PageArticle {
    let menu = (0..<8).map { "<li><a href=/\($0)>Section \($0)</a></li>" }.joined()
    let page =
      "<!DOCTYPE html><html><head><meta charset=utf-8><title>Books | Gazette</title></head><body><nav><ul>\(menu)</ul></nav>"
      + "\(body)<footer><p>© Gazette. All rights reserved.</p></footer></body></html>"
    return try PageArticleReader.read(
      Array(page.utf8), contentType: "text/html", url: "https://example.org/a/b")
  }

  private func article(_ inner: String) -> String {
    "<main><article><h1>Books</h1>\(inner)</article></main>"
  }

  @Test(arguments: [
    ("<p>Call <b>+49 30 1234567</b> to book.</p>", "1234567"),
    ("<p><i>x</i> = <b>42</b></p>", "42"), ("<p>Result: <b>3:2</b></p>", "3:2"),
    ("<p><strong>24.12.2026</strong> The pier opens.</p>", "24.12.2026"),
    ("<p>12,50 €</p>", "12,50"),
    ("<ul><li><b>10:00</b> Doors</li><li><b>12:00</b> Music</li></ul>", "10:00"),
    ("<ul><li><code>404</code> not found</li><li><code>500</code> broken</li></ul>", "404"),
    ("<ul><li><a href=/1>2024</a> The pier</li><li><a href=/2>2025</a> The port</li></ul>", "2024"),
    ("<dl><dt>Price</dt><dd><b>5</b> €</dd></dl>", "5"),
    ("<ul><li><time>19:00</time> Doors</li><li><time>20:00</time> Play</li></ul>", "19:00"),
    (
      "<p>Number one.<a href='#n1'>1</a></p><aside id=n1>A note from the archive.</aside>",
      "archive"
    ),
    ("<figure><svg viewBox='0 0 600 300'><title>Tide chart</title></svg></figure>", "Tide chart"),
    (
      "<p>You may <a href='/cdn-cgi/l/email-protection#4d2c292c0d28352c203d212863223f2a'>write us</a>.</p>",
      "write us"
    ),
  ])
  func `Numbers and words before the text are a part of it`(inner: String, words: String) throws {
    #expect(try read(article(inner + Self.text)).html.contains(words))
  }

  @Test(arguments: [
    "<p>24.12.2026</p>", "<div><time>12 May 2026</time></div>", "<span>1,234</span>",
  ])
  func `A date or a count in a line of its own above the text is none`(inner: String) throws {
    let html = try read(article(inner + Self.text)).html
    #expect(!html.contains("2026") && !html.contains("1,234"))
  }

  @Test(arguments: [
    "<p>Thank you for taking the time to read this article; it took a year to write it.</p>",
    "<p>This article is for everybody who wants to know more.</p>",
    "<p>If you want to read the rest of the series, look at the archive of the paper.</p>",
    "<p>Support us to keep reading worth your while.</p>",
    "<p>Then the page said “Subscribe to continue reading”, and she closed it.</p>",
    "<div class=newsletter><p>Subscribe to read our weekly letter.</p><a href=/n>Subscribe</a></div>",
    "<div class=cta>Enjoyed this? Subscribe to read more posts like it. <a href=/s>Subscribe</a></div>",
    "<template><p>Subscribe to continue reading</p><a href=/s>Subscribe</a></template>",
    "<dialog open><p>Subscribe to continue reading</p><a href=/s>Subscribe</a></dialog>",
    "<div class=modal><p>Subscribe to continue reading</p><button>Subscribe</button></div>",
    "<div class=card><h3><a href=/f>The ferry</a></h3><p>This article is for subscribers only.</p></div>",
    "<footer><p>Subscribe to read our stories every day.</p><a href=/s>Subscribe</a></footer>",
    "<div id=respond><p>Log in to read the full story and comment.</p><a href=/login>Log in</a></div>",
  ])
  func `Words like those of a wall below a whole article are none`(box: String) throws {
    for page in [article(Self.text + box), article(Self.text) + box] {
      let found = try read(page)
      #expect(found.kind == .article && found.html.contains("opens it in May"))
    }
  }

  @Test(arguments: [
    "<div><h2>This post is for paid subscribers</h2><a href=/s>Subscribe</a><p>Already one? <a href=/i>Sign in</a></p></div>",
    "<div><p>You have reached your limit of free articles this month.</p></div>",
    "<div><p>This content is available to premium members only.</p></div>",
    "<div><p>Start your free trial to access the full article.</p></div>",
    "<div><p>Unlock the rest with a digital subscription.</p></div>",
    "<div><p>Weiterlesen mit SZ Plus. Jetzt abonnieren.</p></div>",
    "<div><p>この記事は会員限定です。残り1234文字</p></div>", "<div><p>本文为付费内容</p></div>",
    "<div><p>Lees verder met een abonnement</p></div>",
  ])
  func `A text that breaks off before an offer is for subscribers`(box: String) throws {
    let text = "<p>\(Self.sentences[0])</p><p>\(Self.sentences[1].prefix(60))…</p>"
    #expect(try read(article(text + box)).kind == .paywall)
    #expect(try read(article(text) + box).kind == .paywall)
    #expect(try read(article(text + "<p>Photo: Ada</p>")).kind == .article)
  }

  @Test func `A question for consent or a form beside an article does not take its place`() throws {
    let consent =
      "<div>We use cookies and your data with partners; privacy <button>Accept all</button></div>"
    #expect(try read(article(consent + Self.text)).kind == .article)
    let form = "<div><form><input name=u><input type=password><button>Log in</button></form></div>"
    let two = Self.sentences[..<2].map { "<p>\($0)</p>" }.joined()
    #expect(try read(article(two) + form).kind == .article)
    #expect(try read("<main>\(form)<p>Forgot your password?</p></main>").kind == .login)
  }

  @Test(arguments: [
    "Ingredients (serves 4)", "For the dough", "Zutaten für 4 Personen", "Materials", "재료",
  ])
  func `Ingredients beside a recipe belong to it, by their quantities`(heading: String) throws {
    let list = "<h2>\(heading)</h2><ul><li>250 g flour</li><li>3 eggs</li></ul>"
    let linked =
      "<h2>\(heading)</h2><ul><li>250 g <a href=/f>flour</a></li><li>3 <a href=/e>eggs</a></li></ul>"
    for page in [
      "<main><h1>Cake</h1><article>\(list)</article><article>\(Self.text)</article></main>",
      "<main><article><h1>Cake</h1>\(Self.text)</article><aside>\(list)</aside></main>",
      article("<aside>\(list)</aside>" + Self.text),
      article("<aside>\(linked)</aside>" + Self.text),
    ] {
      let html = try read(page).html
      #expect(html.contains("250 g") && html.contains("opens it in May"))
    }
    let related =
      "<aside><h2>Related</h2><ul><li><a href=/a>The ferry is back</a></li><li><a href=/b>A map</a></li></ul></aside>"
    #expect(try !read(article(Self.text) + related).html.contains("ferry is back"))
  }
}
