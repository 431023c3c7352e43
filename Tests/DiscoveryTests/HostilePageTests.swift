import Discovery
import News
import Testing

/// Pages of a quarter of a megabyte of what makes a tokenizer look ahead, over and over: each test would
/// take minutes if it did.
struct HostilePageTests {
  static let pieces = [
    "<", "<a", "<a ", "<a href='", "<a href=\"", "<a b==' c='>", "<p a=", "<!--", "<!", "<?", "</",
    "</a",
    "<![CDATA[", "<script>", "<style></", "<title>", "<iframe/", "&", "&#", "&#x", "&amp", "&amp;",
    "\"", "'", "=", ">", "<link rel=alternate href='", "<base href=", "<img srcset='a 1x,",
    "<img srcset=',", "\u{202E}", "\u{200D}", "\u{301}", " ", "\r", "\t\n", "-->",
  ]

  @Test(arguments: ["<a href=x>", "<a href=x>yy</a>", "<a href=/feeds/1/2>", "<a href=x><b c=d>"])
  func `Behind very many links only what is declared counts`(piece: String) {
    let html =
      "<a href=/first>RSS</a>" + String(repeating: piece, count: 20_000)
      + "<a href=/last>RSS</a><link rel=alternate type=application/rss+xml href=/f>"
    let found = FeedLinks.look(in: Array(html.utf8), base: "https://example.org/a/")
    #expect(found.declared.map(\.url) == ["https://example.org/f"])
    #expect(found.labelled.map(\.url) == ["https://example.org/first"])
  }

  @Test(arguments: pieces)
  func `Much of one thing names no feed`(piece: String) {
    let count = (256 << 10) / piece.utf8.count
    let html = String(repeating: piece, count: count) + "'\"><a href='x'>"
    let links = FeedLinks.look(in: Array(html.utf8), base: "https://example.org/a/").best
    #expect(links.allSatisfy { $0.url.hasPrefix("https://example.org/") })
  }
}
