import Foundation
import Markup
import Testing

struct MarkupTests {
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/articles")

  @Test(arguments: ["blog", "tables", "old"])
  func `A page is read as its fixture says`(name: String) throws {
    let html = try String(
      contentsOf: Self.fixtures.appending(path: "\(name).html"), encoding: .utf8)
    let dump = Markup.document(html: html) { reference in
      reference.hasPrefix("//") ? "https:" + reference : "https://blog.example" + reference
    }.dump
    let expected = try? String(
      contentsOf: Self.fixtures.appending(path: "\(name).txt"), encoding: .utf8)
    #expect(dump == expected)
  }

  @Test(arguments: [
    // White space, across elements and line breaks.
    ("<p>a <b> b</b> c</p>", "p a *b* c\n"), ("<p>a<b> b </b> c", "p a* b *c\n"),
    ("  a  \n b  ", "p a b\n"), ("a <br> b", "p a⏎b\n"), ("<br><p>a<br></p>", "p a\n"),
    ("<p> </p><p>\n</p>", ""), ("a&nbsp;&nbsp;b", "p a\u{A0}\u{A0}b\n"), ("<i> </i>a", "p a\n"),
    ("<p>a <i> </i>", "p a\n"), ("<div>a<div>b</div>c</div>", "p a\np b\np c\n"),
    ("<details><summary>a</summary>b</details>", "p *a*\np b\n"),
    ("<fieldset><legend>a</legend>b</fieldset>c", "p *a*\np b\np c\n"),
    // Text is made harmless after its entities are decoded.
    ("a&#27;[31mb&#x202E;c&#155;d&#0;", "p a[31mbc›d\u{FFFD}\n"), ("\u{9B}x\u{7}y", "p ›xy\n"),
    // Links.
    ("<a href='https://x.example/'> a </a>b", "p {a }[1]b\n[1] https://x.example/ \"a\"\n"),
    ("<a href=' https://x.example/\n1 '>a</a>", "p {a}[1]\n[1] https://x.example/1 \"a\"\n"),
    ("<a href='vbscript:x'>a</a>", "p a\n"), ("<a href='/rel'>a</a>", "p a\n"),
    ("<a href='\u{1}javascript:x'>a</a>", "p a\n"), ("<a href=''>a</a>", "p a\n"),
    ("<a href='https://x.example/'></a>b", "p b\n"),
    (
      "<a href=http://x/1>a<a href=http://x/2>b",
      "p {a}[1]{b}[2]\n[1] http://x/1 \"a\"\n[2] http://x/2 \"b\"\n"
    ),
    ("<a href=http://x/><p>a</p><p>b</p></a>", "p {a}[1]\np {b}[1]\n[1] http://x/ \"ab\"\n"),
    // Addresses that are no links yet, but not in code and not within one.
    (
      "<p>See https://x.example/a_(b), (http://y.example/).</p>",
      "p See {https://x.example/a_(b)}[1], ({http://y.example/}[2]).\n"
        + "[1] https://x.example/a_(b) \"https://x.example/a_(b)\"\n"
        + "[2] http://y.example/ \"http://y.example/\"\n"
    ),
    (
      "<a href='https://x.example/'>https://y.example/</a><code>https://z.example/</code>",
      "p {https://y.example/}[1]`https://z.example/`\n"
        + "[1] https://x.example/ \"https://y.example/\"\n"
    ),
    (
      "<pre>https://x.example/</pre>a:b javascript://x",
      "pre\n  |https://x.example/\np a:b javascript://x\n"
    ),
    // Pictures.
    (
      "<img src='data:image/png;base64,x' data-src='https://x.example/1.png'>",
      "figure <image  at https://x.example/1.png [1]>\n[1] https://x.example/1.png \"image\"\n"
    ),
    ("hi <img alt='😀' src='https://s.example/1f600.png'>", "p hi 😀\n"),
    ("<img src='data:x'>", ""), ("<img alt='only words'>", "figure <image only words>\n"),
    (
      "<img srcset='https://x.example/1.png 1x, https://x.example/2.png 2x' alt=a>",
      "figure <image a at https://x.example/1.png [1]>\n[1] https://x.example/1.png \"a\"\n"
    ),
    // What is not closed, closed twice, or crosswise.
    ("<b>a<p>b</b>c</p>", "p *a*\np *b*c\n"), ("<p><b>a<p>b", "p *a*\np b\n"),
    ("</p></b></div>a", "p a\n"),
    ("<li>a<li>b", "list\n  - item\n    p a\nlist\n  - item\n    p b\n"),
    ("a<noscript>b", "p ab\n"), ("a<video src=http://x/>b", "p ab\n"), ("a<!-- b", "p a b\n"),
    ("a<!-->b<!--->c", "p abc\n"), ("a<script>b", "p a\n"), ("a<b", "p a\n"),
    ("a < b <", "p a < b <\n"),
    ("<textarea>a</textarea>b<svg><text>c</text></svg>", "p b\n"),
    ("a<<unknown>b>c", "p a<b>c\n"), ("<p title='<b>'>a", "p a\n"),
    // Preformatted text.
    ("<pre>\n\n a\n\n  b\n\n</pre>", "pre\n  | a\n  |  b\n"),
    ("<pre>a\r\nb<br>c<div>d</div>e</pre>", "pre\n  |a\n  |b\n  |c\n  |d\n  |e\n"),
    ("", ""),
  ])
  func `Markup becomes blocks`(html: String, dump: String) {
    #expect(Markup.document(html: html).dump == dump)
  }

  @Test func `Plain text keeps its lines and its addresses`() {
    let text =
      "One\ntwo (see https://x.example/a, or http://y.example/).\n \n\nThree <b>\u{1B}[1m\n"
    #expect(
      Markup.document(plainText: text).dump == """
        p One⏎two (see {https://x.example/a}[1], or {http://y.example/}[2]).
        p Three <b>[1m
        [1] https://x.example/a "https://x.example/a"
        [2] http://y.example/ "http://y.example/"

        """)
  }
}
