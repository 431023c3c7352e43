import Testing
import Text

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

  @Test func `Absolute addresses make a body several times as long, but not more`() {
    let link = "<a href='x'>"
    let count = 50_000
    let base = "https://example.org/" + String(repeating: "a/", count: 900)
    let html = String(repeating: link, count: count)
    let absolute = MarkupLinks.absolutized(html, base: base)
    #expect(absolute.utf8.count < 6 * html.utf8.count)
    // What there was no room for stays as it is.
    #expect(absolute.hasPrefix("<a href=\"\(base)x\">") && absolute.hasSuffix(link))
    #expect(absolute.split(separator: "<").count == count)
    let list = "<img srcset='" + String(repeating: "x 1x,", count: 10_000) + "'>"
    #expect(MarkupLinks.absolutized(list, base: base) == list)
  }

  @Test func `An address of kilobytes is no base`() {
    let base = "https://example.org/" + String(repeating: "a/", count: 2_000)
    #expect(WebAddress.resolve("x", against: base) == nil)
    #expect(WebAddress.resolve("http://x/", against: base) == "http://x/")
    #expect(MarkupLinks.absolutized("<a href='x'>", base: base) == "<a href='x'>")
    let query = "https://example.org/a?" + String(repeating: "b", count: 4_000)
    #expect(WebAddress.resolve("x", against: query) == "https://example.org/x")
  }

  @Test(arguments: pieces)
  func `Much of one thing has no addresses to make absolute`(piece: String) {
    let count = (256 << 10) / piece.utf8.count
    let html = String(repeating: piece, count: count) + "'\"><a href='x'>"
    let base = "https://example.org/a/"
    let absolute = MarkupLinks.absolutized(html, base: base)
    #expect(absolute.utf8.count <= 6 * html.utf8.count)
  }
}
