import News
import Testing

@Suite struct MarkupLinksTests {
  @Test(arguments: [
    ("<a href=\"/x\">y</a>", "<a href=\"https://e.org/x\">y</a>"),
    ("<a href='x?a=1&amp;b=2'>", "<a href=\"https://e.org/dir/x?a=1&amp;b=2\">"),
    ("<img alt=\"a > b\" src=i.png>", "<img alt=\"a > b\" src=\"https://e.org/dir/i.png\">"),
    ("<IMG SRC='//cdn.example/i'>", "<IMG SRC=\"https://cdn.example/i\">"),
    (
      "<video poster=p src=v>", "<video poster=\"https://e.org/dir/p\" src=\"https://e.org/dir/v\">"
    ),
    ("<q cite=\"/c\">", "<q cite=\"https://e.org/c\">"),
    ("<object data=\"o\">", "<object data=\"https://e.org/dir/o\">"),
    (
      "<img srcset=\"a.png, b.png 2x\">",
      "<img srcset=\"https://e.org/dir/a.png, https://e.org/dir/b.png 2x\">"
    ),
    (
      "<img srcset='https://c.example/a,b.png 1x,/d.png 2x'>",
      "<img srcset=\"https://c.example/a,b.png 1x, https://e.org/d.png 2x\">"
    ),
    ("<a href = ' x '>", "<a href = \"https://e.org/dir/x\">"),
    ("<a href='\"><script>'>", "<a href=\"https://e.org/dir/%22%3E%3Cscript%3E\">"),
  ])
  func `A relative address becomes absolute`(_ html: String, _ expected: String) {
    #expect(MarkupLinks.absolutized(html, base: "https://e.org/dir/page") == expected)
    #expect(MarkupLinks.absolutized(expected, base: "https://other.example/") == expected)
  }

  @Test(
    arguments: [
      "plain", "<p class=x>y</p>", "<a href=\"https://a.example/\">", "<a href='#note'>",
      "<a href=''>",
      "<a href>", "<a href=javascript:alert(1)>", "<a href='java&#115;cript:alert(1)'>",
      "<img src='data:image/png;base64,AAAA'>", "<a href=mailto:a@b.example>",
      "<!-- <a href=/x> -->",
      "<script>\"<a href='/x'>\"</script>", "</a href=/x>", "<p title='/x'>", "a < b href=/x",
      "<a href='/x",
    ].dropLast())
  func `What is not relative stays`(_ html: String) {
    #expect(MarkupLinks.absolutized(html, base: "https://e.org/") == html)
  }

  @Test(arguments: ["", "no base", "ftp://e.org/", "javascript:x"])
  func `Without a base of the web nothing changes`(_ base: String) {
    #expect(MarkupLinks.absolutized("<a href=x>", base: base) == "<a href=x>")
  }
}

@Suite struct FeedLinksTests {
  private func find(_ html: String) -> [FeedLink] {
    FeedLinks.find(in: Array(html.utf8), base: "https://e.org/dir/page")
  }

  @Test func `Declared feeds come in order, those of comments last`() {
    let html = """
      <html><head>
      <link rel="stylesheet" href="/s.css" type="text/css">
      <link rel="alternate" type="application/rss+xml" title="Comments Feed" href="/comments/feed">
      <LINK REL='Alternate' TYPE='application/atom+xml' TITLE='At&amp;om &#27;[1m' HREF='atom.xml'>
      <link rel="alternate" type="application/feed+json; charset=utf-8" href="//cdn.example/f.json">
      <link rel="alternate" type="application/atom+xml" href="/dir/atom.xml">
      <link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/1">
      <link rel="alternate" hreflang="de" href="/de">
      <link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">
      </head><a href="/feed">Feed</a>
      """
    #expect(
      find(html) == [
        FeedLink(
          url: "https://e.org/dir/atom.xml", title: "At&om [1m", type: "application/atom+xml"),
        FeedLink(url: "https://cdn.example/f.json", type: "application/feed+json"),
        FeedLink(
          url: "https://e.org/comments/feed", title: "Comments Feed", type: "application/rss+xml"),
      ])
  }

  @Test func `The page's base counts`() {
    let html = "<base href='/other/'><link rel=alternate type=application/rss+xml href=feed>"
    #expect(find(html).map(\.url) == ["https://e.org/other/feed"])
  }

  @Test func `Links that look like feeds are the fallback`() {
    let html = """
      <a href="/about">About</a> <a href="/index.xml">RSS</a> <a href="/blog/feed/">Feed</a>
      <a href="news.rss?x=1">News</a> <a href="feed://other.example/atom">Other</a> <a href="/index.xml">x</a>
      """
    #expect(
      find(html).map(\.url) == [
        "https://e.org/index.xml", "https://e.org/blog/feed/", "https://e.org/dir/news.rss?x=1",
        "https://other.example/atom",
      ])
  }

  @Test(
    arguments: [
      ("<link rel='alternate feed' href=/f>", ["https://e.org/f"]),
      ("<LINK HREF=/f TYPE='Application/RSS+XML' REL='Alternate'>", ["https://e.org/f"]),
      ("<link rel=feed href=/f>", ["https://e.org/f"]),
      ("<link rel=alternate href=/feed.xml>", ["https://e.org/feed.xml"]),
      ("<link rel='alternate stylesheet' type=text/xml href=/f>", []),
      ("<link rel=alternate hreflang=de href=/de>", []),
      ("<link rel=alternate type=text/html href=/feed>", []),
      ("<link rel=alternate type=application/json+oembed href=/oembed>", []),
      ("<link rel=alternate type=application/json href='/?rest_route=/wp/v2/posts'>", []),
      (
        "<link rel=alternate type=application/rss+xml href='feed:http://e.org/f'>",
        ["http://e.org/f"]
      ),
      ("<link rel=alternate type=application/rss+xml href='file:///etc/passwd'>", []),
      ("<link rel=alternate type=application/rss+xml>", []),
      (
        "<body><link rel=alternate type=application/atom+xml href=f></body>",
        ["https://e.org/dir/f"]
      ),
      ("<a href='https://feedly.com/i/subscription/feed/https://e.org/feed'>Feedly</a>", []),
      ("<a href='/?feed=rss2'>Feed</a>", ["https://e.org/?feed=rss2"]),
      ("<a href='/feedback'>Feedback</a> <a href='/sitemap.xml'>Map</a>", []),
    ] as [(String, [String])])
  func `Feeds are declared in many ways`(_ html: String, _ urls: [String]) {
    #expect(find(html).map(\.url) == urls)
  }

  @Test(
    arguments: [
      "<meta name=generator content='WordPress 6.5'>",
      "<link rel='https://api.w.org/' href=/wp-json/>",
      "<link rel=stylesheet href='/wp-content/themes/x/style.css'>",
    ])
  func `WordPress gives itself away`(_ html: String) {
    #expect(FeedLinks.look(in: Array(html.utf8), base: "https://e.org/").isWordPress)
    #expect(
      !FeedLinks.look(in: Array("<p>wp-content</p>".utf8), base: "https://e.org/").isWordPress)
  }

  @Test func `A page without feeds names none`() {
    #expect(find("<html><a href='/about'>About</a> <!-- <link rel=alternate> --></html>").isEmpty)
  }
}
