import Discovery
import News
import Testing

@Suite struct FeedLinksTests {
  private func find(_ html: String) -> [FeedLink] {
    FeedLinks.look(in: Array(html.utf8), base: "https://e.org/dir/page").best
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
      (
        "<a rel='alternate' type='application/rss+xml' href='/r?id=1'>x</a>",
        ["https://e.org/r?id=1"]
      ),
      ("<a type='application/atom+xml; charset=utf-8' href=/r>x</a>", ["https://e.org/r"]),
      ("<a rel=feed href=r.xml>x</a>", ["https://e.org/dir/r.xml"]),
      (
        "<a rel=feed href=/notes>Notes</a><link rel=alternate type=text/rss href=/f>",
        ["https://e.org/f"]
      ),
      ("<a rel=alternate hreflang=de href=/de>Deutsch</a>", []),
      ("<a type=text/xml href=/data>Data</a>", []),
      (
        "<link rel=alternate type=application/rss+xml href='feed://e.org/f#top'>",
        ["https://e.org/f"]
      ),
      (
        "<link rel=alternate type=application/rss+xml href='https://bücher.example/f'>",
        ["https://xn--bcher-kva.example/f"]
      ),
      ("<template><link rel=feed href=/t></template><link rel=feed href=/f>", ["https://e.org/f"]),
      (
        "<template><template></template><a href=/t.rss>RSS</a></template>",
        []
      ),
      ("<template/><link rel=feed href=/f>", ["https://e.org/f"]),
      ("</template><link rel=feed href=/f>", ["https://e.org/f"]),
      ("<noscript><link rel=feed href=/f></noscript>", ["https://e.org/f"]),
    ] as [(String, [String])])
  func `Feeds are declared in many ways`(_ html: String, _ urls: [String]) {
    #expect(find(html).map(\.url) == urls)
  }

  @Test(
    arguments: [
      ("<a href='/x?id=1'>RSS</a>", "RSS"),
      ("<a href='/x?id=1'> <b>Atom</b>-Feed </a>", "Atom -Feed"),
      ("<a title='Subscribe to RSS feed' href='/x?id=1'></a>", "Subscribe to RSS feed"),
      ("<a href='/x?id=1'><img src=i.png alt='RSS'></a>", "RSS"),
      ("<a aria-label='News feed' href='/x?id=1'><svg></svg></a>", "News feed"),
      ("<a href='/x?id=1'><svg><title>RSS</title></svg>News</a>", "RSS News"),
      ("<a href='/x?id=1'>News<span title='rss'></span></a>", "News"),
      ("<a href='/x?id=1'>Flux</a>", "Flux"), ("<a href='/x?id=1'>RSSフィード</a>", "RSSフィード"),
      ("<a href='/x?id=1'>Лента новостей</a>", "Лента новостей"),
      ("<a href='/x?id=1'>R&amp;D feed", "R&D feed"),
      ("<a href='/x?id=1'>RSS<a href=/y>Imprint</a>", "RSS"),
    ])
  func `A link that is called a feed is taken for one`(_ html: String, _ title: String) {
    #expect(find(html) == [FeedLink(url: "https://e.org/x?id=1", title: title)])
  }

  @Test(arguments: [
    "<a href='/x'>Feedback</a>", "<a href='/x'>Feeding the birds</a>", "<a href='#rss'>RSS</a>",
    "<a href='/x'>How we came to read all our news in a feed reader, and why</a>",
    "<a href='https://feedly.com/x'>RSS</a>", "<a name=x>RSS</a>", "<a href='/x'>News</a> RSS",
    "<a href='/x'>Universums</a>", "<a href='mailto:rss@e.org'>RSS</a>",
    "<template><a href='/x'>RSS</a></template>", "<a href='/x'><script>'RSS'</script></a>",
  ])
  func `Other links are not`(_ html: String) {
    #expect(find(html).isEmpty)
  }

  @Test
  func `What is declared goes before what looks like a feed, and that before what is called so`() {
    let html =
      "<a href=/d>Dog feed</a><a href=/c>RSS</a><a href=/b.rss>B</a><a href=/data/1.xml>All</a>"
    let found = FeedLinks.look(in: Array(html.utf8), base: "https://e.org/")
    #expect(found.labelled.map(\.url) == ["https://e.org/c", "https://e.org/d"])
    #expect(found.best == [FeedLink(url: "https://e.org/b.rss", title: "B")])
    #expect(found.documents == [FeedLink(url: "https://e.org/data/1.xml", title: "All")])
    #expect(found.all.map(\.title) == ["B", "RSS", "All", "Dog feed"])
  }

  @Test func `On a page over http feed: means http`() {
    let html = "<link rel=alternate type=text/rss href='feed://e.org/f'><a rel=feed href=/x>"
    let found = FeedLinks.look(in: Array(html.utf8), base: "http://e.org/").best
    #expect(found.map(\.url) == ["http://e.org/f"])
  }

  @Test(
    arguments: [
      ("0; url=/home/", "https://e.org/home/"), ("0;URL='/home/'", "https://e.org/home/"),
      ("5 , url = \"home\" x", "https://e.org/dir/home"), ("0 /home/#top", "https://e.org/home/"),
      ("0;url=javascript:alert(1)", nil), ("300", nil), ("", nil), ("url=/home/", nil),
      ("0; url=", nil), ("0;url='", nil),
    ] as [(String, String?)])
  func `A page may lead on by itself`(_ content: String, _ target: String?) {
    let html = "<meta http-equiv=Refresh content='\(content.replacing("'", with: "&#39;"))'>"
    #expect(FeedLinks.look(in: Array(html.utf8), base: "https://e.org/dir/p").refresh == target)
  }

  @Test(arguments: [
    ("<?xml version='1.0'?><!-- a --><opml version='2.0'>", true), ("<OPML>", true),
    ("<html><opml>", false), ("", false),
  ])
  func `A list of feeds is no page`(_ text: String, _ expected: Bool) {
    #expect(
      FeedLinks.look(in: Array(text.utf8), base: "https://e.org/").isListOfFeeds == expected)
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
