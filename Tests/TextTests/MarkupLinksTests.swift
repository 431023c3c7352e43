import Testing
import Text

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
    ("<img longdesc=\"/l\">", "<img longdesc=\"https://e.org/l\">"),
    ("<td background=\"b\">", "<td background=\"https://e.org/dir/b\">"),
    ("<form action=\"/f\">", "<form action=\"https://e.org/f\">"),
    ("<object data=\"o\">", "<object data=\"https://e.org/dir/o\">"),
    (
      "<img srcset=\"a.png, b.png 2x\">",
      "<img srcset=\"https://e.org/dir/a.png, https://e.org/dir/b.png 2x\">"
    ),
    (
      "<img srcset='https://c.example/a,b.png 1x,/d.png 2x'>",
      "<img srcset=\"https://c.example/a,b.png 1x, https://e.org/d.png 2x\">"
    ),
    (
      "<img src='data:,' data-lazy-src=a.png data-srcset='/b.png 2x'>",
      "<img src='data:,' data-lazy-src=\"https://e.org/dir/a.png\" data-srcset=\"https://e.org/b.png 2x\">"
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

  @Test(arguments: [
    "<p class=\"a\">b <a href=\"https://a.example/\" rel='x'>c</a>",
    "<img alt=\"\" srcset=\"https://a.example/1.jpg 1x, https://a.example/2.jpg 2x\"/>",
    "<strong>a</strong><br/><hr >", "<a\nhref='http://a.example/?a,b'>", "a < b </>",
    "<script>\"<a href='/x'>\"</script>", "<style type='x'><a href='/x'></style>",
    "<IFRAME title=\"x\"><a href='/x'></iframe>", "<p title='\"<a href=/x>'>",
  ])
  func `A relative address is found behind what has none`(_ html: String) {
    #expect(
      MarkupLinks.absolutized(html + "<a href=\"x\">", base: "https://e.org/")
        == html + "<a href=\"https://e.org/x\">")
  }

  @Test func `Each address of a list counts`() {
    let list = "<img srcset=\"https://a.example/1.jpg 1x, 2.jpg 2x\">"
    #expect(
      MarkupLinks.absolutized(list, base: "https://e.org/")
        == "<img srcset=\"https://a.example/1.jpg 1x, https://e.org/2.jpg 2x\">")
  }

  @Test(
    arguments: [
      ("<a href=\"https://u:p@e.org/x\">y</a>", "<a href=\"https://e.org/x\">y</a>"),
      ("<a href='//u:p@e.org/x'>", "<a href=\"//e.org/x\">"),
      (
        "<a href='https://u&#58;p&commat;e.org/?a=1&amp;b'>",
        "<a href=\"https://e.org/?a=1&amp;b\">"
      ),
      ("<a href='https:\\\\u:p@e.org/'>", "<a href=\"https:\\\\e.org/\">"),
      (
        "<img srcset='https://u:p@e.org/1 1x, https://e.org/@2 2x'>",
        "<img srcset=\"https://e.org/1 1x, https://e.org/@2 2x\">"
      ),
      ("<a href=\"https://e.org/@ada?m=a@b\">", "<a href=\"https://e.org/@ada?m=a@b\">"),
      ("<a href='mailto:a@b.example'>", "<a href='mailto:a@b.example'>"),
      ("<p>https://u:p@e.org/x</p>", "<p>https://u:p@e.org/x</p>"),
    ], [nil, "https://e.org/"])
  func `Addresses in a body have no name and password`(
    _ body: (html: String, expected: String), _ base: String?
  ) {
    let expected =
      base == nil ? body.expected : body.expected.replacing("\"//e.org", with: "\"https://e.org")
    #expect(MarkupLinks.absolutized(body.html, base: base) == expected)
  }

  @Test func `Names and passwords go from where there is no room for absolute addresses, too`() {
    let base = "https://example.org/" + String(repeating: "a/", count: 900)
    let html = String(repeating: "<a href='x'>", count: 50_000) + "<a href='http://u:p@e.org/'>"
    #expect(MarkupLinks.absolutized(html, base: base).hasSuffix("<a href=\"http://e.org/\">"))
  }

  @Test(arguments: ["", "no base", "ftp://e.org/", "javascript:x"])
  func `Without a base of the web nothing changes`(_ base: String) {
    #expect(MarkupLinks.absolutized("<a href=x>", base: base) == "<a href=x>")
  }
}
