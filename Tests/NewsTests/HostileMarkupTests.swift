import News
import Testing

/// Each shape is a quarter of a megabyte of what makes a tokenizer look ahead, over and over: each
/// test would take minutes if it did.
struct HostileMarkupTests {
  static let pieces = [
    "<", "<a ", "<a href='", "<a href=\"", "<a b==' c='>", "<p a=", "<!--", "<!", "<?", "</", "</a",
    "<![CDATA[", "<script>", "<style></", "<title>", "<iframe/", "&", "&#", "&#x", "&amp", "&amp;",
    "\"", "'", "=", ">", "<link rel=alternate href='", "<base href=", "<img srcset='a 1x,",
    "<img srcset=',", "\u{202E}", "\u{200D}", "\u{301}", " ", "\r", "\t\n",
  ]

  @Test(arguments: pieces)
  func `Much of one thing in front leaves the text behind it`(piece: String) {
    let count = (256 << 10) / piece.utf8.count
    let html = "first " + String(repeating: piece, count: count)
    let stripped = PlainText.stripped(html: html)
    #expect(stripped.hasPrefix("first"))
    #expect(stripped.utf8.count <= html.utf8.count)
    #expect(PlainText.title(html: html).hasPrefix("first"))
    #expect(PlainText.stripped(html: html, limit: 5) == "first")
    // A tag or a comment without an end takes what follows; everything else does not.
    let swallows = piece.hasPrefix("<") && piece != "<" && piece != "<![CDATA["
    let whole = PlainText.stripped(html: html + " last")
    #expect(swallows || whole.hasSuffix("last"))
  }

  @Test(arguments: pieces)
  func `Much of one thing has no addresses to make absolute`(piece: String) {
    let count = (256 << 10) / piece.utf8.count
    let html = String(repeating: piece, count: count) + "'\"><a href='x'>"
    let base = "https://example.org/a/"
    let absolute = MarkupLinks.absolutized(html, base: base)
    #expect(MarkupLinks.absolutized(absolute, base: base) == absolute)
    let links = FeedLinks.find(in: Array(html.utf8), base: base)
    #expect(links.allSatisfy { $0.url.hasPrefix("https://example.org/") })
  }
}
