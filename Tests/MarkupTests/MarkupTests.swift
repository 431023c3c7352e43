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
    // A script puts the picture in the place of another, or of none (WP Rocket, lazysizes).
    "<img src='data:image/gif;base64,x' data-lazy-src='https://x.example/1.png' alt=a>",
    "<img data-srcset='https://x.example/0.png 300w, https://x.example/1.png 900w' alt=a>",
    "<img src='https://x.example/placeholder.svg' data-lazy-src='https://x.example/1.png' alt=a>",
    "<img src='/blank.gif' data-src='/1.png' alt=a>",
    "<amp-img src='/1.png' alt=a layout=fill></amp-img>",
    // The addresses stand beside it.
    "<picture><source srcset='/1.png 2x, /0.png'><source srcset='/2.png'><img alt=a></picture>",
    // For browsers without scripts, alone or beside the picture that a script loads.
    "<noscript><img src='/1.png' alt=a></noscript>",
    "<img src='data:,' data-src='/1.png' alt=a> <noscript><img src='/1-small.png' alt=a></noscript>",
    "<noscript><img src='/1.png' alt=a></noscript><img src='data:,' data-src='/1-big.png' alt=a>",
    "<img src='data:,' alt=a><noscript><img src='/1.png'></noscript>",
    "<img src='data:,'><noscript><img src='/1.png' alt=a></noscript>",
    "<p><img src='/1.png' alt=a></p><noscript><img src='/1.png' alt=a></noscript>",
    "<amp-img src='/1.png' alt=a><noscript><img src='/1.png' alt=a></noscript></amp-img>",
  ])
  func `A picture is found wherever its address stands, and shows once`(html: String) {
    let dump = Markup.document(html: html) { "https://x.example" + $0 }.dump
    #expect(
      dump
        == "figure <image a at https://x.example/1.png [1]>\n[1] https://x.example/1.png \"a\"\n")
  }

  @Test(arguments: [
    // What counts readers, and what is no picture.
    "<noscript><img src='https://x.example/1.png' width=1 height=1></noscript>",
    "<noscript><img src='https://x.example/1.png' style='display:none'></noscript>",
    "<noscript><img src='https://x.example/1.png' style='position:absolute; left:-9999px'></noscript>",
    "<noscript><p><img src='https://x.example/1.png'></p></noscript>",
    "<noscript>Please enable <a href='https://x.example/'>scripts</a></noscript>",
  ])
  func `Other content for browsers without scripts is left out`(html: String) {
    #expect(Markup.document(html: "a" + html).dump == "p a\n")
  }

  @Test(arguments: [
    // Text that nothing else in the document shows.
    (
      "<noscript><p>Words <a href='/1'>here</a>.</p></noscript>",
      "p Words {here}[1].\n[1] https://x.example/1 \"here\"\n"
    ),
    ("<p>Words.</p><noscript><p>Words.</p></noscript>", "p Words.\n"),
    ("<noscript><p>Words.</p></noscript><p>Words.</p>", "p Words.\n"),
    ("<noscript><div><b>Words.</noscript><p>More.</p>", "p *Words.*\np More.\n"),
    ("<noscript>Words.</div></noscript><p>More.</p>", "p Words.\np More.\n"),
    ("<noscript>&lt;p&gt;Words.&lt;/p&gt;</noscript>", "p Words.\n"),
    ("<template><p>Words.</p></template>", "p Words.\n"),
    ("<noscript>a<noscript>b</noscript>c</noscript>", "p abc\n"),
    (
      "<noscript><a href='/2'><img src='/1.png' alt=a></a></noscript>",
      "figure <image a at https://x.example/1.png [1]>\n[1] https://x.example/2 \"a\"\n"
    ),
    // Scripts and elements that show a page of others.
    (
      "<script src='https://gist.github.com/a/1f.js'></script>",
      "p {[code: gist.github.com]}[1]\n[1] https://gist.github.com/a/1f \"[code: gist.github.com]\"\n"
    ),
    (
      "<script src='//static.polldaddy.com/p/12.js'></script> <noscript><a href='/1'>Poll</a></noscript>",
      "p {Poll}[1]\n[1] https://x.example/1 \"Poll\"\n"
    ),
    ("<script src='https://x.example/menu.js'></script>", ""),
    (
      "<lite-youtube videoid='ogfYd705cRs' playlabel='Keynote'><a href=/1>Play</a></lite-youtube>",
      "p {[video: Keynote · youtube.com]}[1]\n[1] https://www.youtube.com/watch?v=ogfYd705cRs \"[video: Keynote · youtube.com]\"\n"
    ),
    (
      "<lite-vimeo videoid=36></lite-vimeo>",
      "p {[video: vimeo.com]}[1]\n[1] https://vimeo.com/36 \"[video: vimeo.com]\"\n"
    ),
    (
      "<amp-youtube data-videoid='ogfYd705cRs' layout=fill></amp-youtube>",
      "p {[video: youtube.com]}[1]\n[1] https://www.youtube.com/watch?v=ogfYd705cRs \"[video: youtube.com]\"\n"
    ),
    (
      "<youtube-video src='https://www.youtube.com/watch?v=ogfYd705cRs'></youtube-video>",
      "p {[video: youtube.com]}[1]\n[1] https://www.youtube.com/watch?v=ogfYd705cRs \"[video: youtube.com]\"\n"
    ),
    ("<my-box videoid='<x>'>Words.</my-box>", "p Words.\n"),
    // Media whose address stands elsewhere, or nowhere.
    (
      "<iframe src='about:blank' data-src='https://vimeo.com/3'></iframe>",
      "p {[video: vimeo.com]}[1]\n[1] https://vimeo.com/3 \"[video: vimeo.com]\"\n"
    ),
    (
      "<iframe data-src='https://vimeo.com/3'></iframe><noscript><iframe src='https://vimeo.com/3'></iframe></noscript>",
      "p {[video: vimeo.com]}[1]\n[1] https://vimeo.com/3 \"[video: vimeo.com]\"\n"
    ),
    ("<iframe>Words.</iframe>", "p Words.\n"), ("<video><p>Words.</p></video>", "p Words.\n"),
    (
      "<video src='/v.mp4'><p>Words.</p></video>",
      "p {[video: x.example]}[1]\n[1] https://x.example/v.mp4 \"[video: x.example]\"\n"
    ),
    ("<object><p>Words.</p></object>", "p Words.\n"),
    (
      "<object data='/f.swf'><p>Words.</p></object>",
      "p {[media: x.example]}[1]\n[1] https://x.example/f.swf \"[media: x.example]\"\n"
    ),
    (
      "<object><param name=movie value='https://www.youtube.com/v/ogfYd705cRs&amp;hl=en'></object>",
      "p {[video: youtube.com]}[1]\n[1] https://www.youtube.com/watch?v=ogfYd705cRs \"[video: youtube.com]\"\n"
    ),
    (
      "<object><param name=movie value='/f.swf'><embed src='/f.swf'></object>",
      "p {[media: x.example]}[1]\n[1] https://x.example/f.swf \"[media: x.example]\"\n"
    ),
    (
      "<object data='/a.svg' type='image/svg+xml'><img src='/a.png' alt=a></object>",
      "figure <image a at https://x.example/a.png [1]>\n[1] https://x.example/a.png \"a\"\n"
    ),
    (
      "<object data='/a.svg' type='image/svg+xml'></object>",
      "figure <image  at https://x.example/a.svg [1]>\n[1] https://x.example/a.svg \"image\"\n"
    ),
    (
      "<picture><source srcset='/1.png'></picture>",
      "figure <image  at https://x.example/1.png [1]>\n[1] https://x.example/1.png \"image\"\n"
    ),
    // Drawings with a name, and buttons that name or link.
    ("<svg aria-label='Rain by month'><path/></svg>", "figure <image Rain by month>\n"),
    ("<svg><title>Rain &amp; sun</title><path/></svg>", "figure <image Rain & sun>\n"),
    ("<svg aria-hidden=true><title>icon</title></svg>", ""),
    ("<canvas>Words.</canvas>", "p Words.\n"),
    ("<h3><button>Why?</button></h3><p>So. <button>Copy</button></p>", "h3 Why?\np So.\n"),
    ("<a href='/1'><button>Go</button></a>", "p {Go}[1]\n[1] https://x.example/1 \"Go\"\n"),
    ("<button><a href='/1'>Go</a></button>", "p {Go}[1]\n[1] https://x.example/1 \"Go\"\n"),
  ])
  func `Nothing readable is lost for the element around it`(html: String, dump: String) {
    #expect(
      Markup.document(html: html) { $0.hasPrefix("/") ? "https://x.example" + $0 : nil }.dump
        == dump)
  }

  @Test func `Pictures without scripts that stand side by side show each`() {
    let html = (1...3).map { "<img src='data:,'><noscript><img src='https://x/\($0)'></noscript>" }
    let images = Markup.document(html: html.joined()).blocks
    #expect(images.count == 3)
  }

  @Test(arguments: [
    ("https://e.org/b\u{A0}and", "https://e.org/b"), ("“https://e.org/a”", "https://e.org/a"),
    ("「https://e.org/c」、", "https://e.org/c"), ("«https://e.org/f»", "https://e.org/f"),
    ("https://e.org/g\u{3000}h", "https://e.org/g"), ("https://e.org/i…", "https://e.org/i"),
    ("https://example.com/foo。然后", "https://example.com/foo"),
    ("（https://example.com/bar）还有", "https://example.com/bar"),
    ("‘https://e.org/a’.", "https://e.org/a"), ("https://e.org/a—", "https://e.org/a"),
    // Letters of any script.
    ("https://de.wikipedia.org/wiki/Käse.", "https://de.wikipedia.org/wiki/Käse"),
    ("(https://ja.wikipedia.org/wiki/東京)", "https://ja.wikipedia.org/wiki/東京"),
    (
      "https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ、",
      "https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ"
    ),
    // A text in Chinese, Japanese or Korean goes on without a space.
    ("见https://example.com/foo查看详情", "https://example.com/foo"),
    ("https://example.com/查看", "https://example.com/"),
    ("https://example.com查看", "https://example.com"),
    ("https://example.com:8080を見る", "https://example.com:8080"),
    ("https://example.com/a.html을 참고", "https://example.com/a.html"),
    ("https://例え.jp", "https://例え.jp"), ("https://例え.jpを見る", "https://例え.jp"),
    ("https://例え.テスト/a", "https://例え.テスト/a"),
    ("https://例え.jp/パス", "https://例え.jp/"),
    ("https://例え.jp/path/パスとa", "https://例え.jp/path/パスとa"),
    ("https://e.org/?q=日本語", "https://e.org/?q=日本語"),
    ("https://e.org/a?b=1です", "https://e.org/a?b=1"),
    (
      "https://fa.wikipedia.org/wiki/می\u{200C}خواهم،",
      "https://fa.wikipedia.org/wiki/می\u{200C}خواهم"
    ),
  ])
  func `An address in running text ends with it`(text: String, address: String) {
    #expect(Markup.document(html: "<p>\(text)</p>").links.map(\.url) == [address])
    #expect(Markup.document(plainText: text).links.map(\.url) == [address])
  }

  @Test func `Addresses are parted by East Asian punctuation`() {
    let document = Markup.document(html: "https://example.com/x、https://example.com/y")
    #expect(document.links.map(\.url) == ["https://example.com/x", "https://example.com/y"])
  }

  @Test(arguments: [
    // LaTeXML has the mark three times.
    (
      "a<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer>"
        + "<span class=ltx_note_content><sup class=ltx_note_mark>1</sup>"
        + "<span class='ltx_tag ltx_tag_note'>1</span>The note.</span></span></span> goes on.",
      "p a¹ [The note.] goes on.\n"
    ),
    // Modern Footnotes for WordPress.
    (
      "a<sup class='modern-footnotes-footnote '>2</sup><span class='modern-footnotes-footnote__note'> note </span>.",
      "p a² [note].\n"
    ),
    // Tufte CSS.
    (
      "a<label class='margin-toggle sidenote-number'></label><input type=checkbox class=margin-toggle>"
        + "<span class=sidenote>The <i>side</i>.</span> goes on.", "p a [The _side_.] goes on.\n"
    ),
    ("<span class=marginnote>a</span> b", "p [a] b\n"),
    ("<span class=ltx_note_mark>1</span><span class=note>a</span>", "p 1a\n"),
  ])
  func `A note within a sentence is set apart, with one mark`(html: String, dump: String) {
    #expect(Markup.document(html: "<p>\(html)</p>").dump == dump)
  }

  @Test(arguments: [
    ("<p style='white-space: pre-line'>\n  a\n   b\n\nc</p>", "p a⏎b\np c\n"),
    ("<p style='white-space:pre-wrap'>a\n  b <i>c\nd</i></p>", "p a⏎\u{A0}\u{A0}b _c_⏎_d_\n"),
    (
      "<div style='white-space:pre-line'>\n<p>a\nb</p>\n\n<p>c</p></div>d\ne", "p a⏎b\np c\np d e\n"
    ),
    (
      "<div style='white-space:pre-line'>a\nb<p style='white-space:normal'>c\nd</p></div>",
      "p a⏎b\np c d\n"
    ),
    ("<p style='white-space: nowrap'>a\nb</p>", "p a b\n"),
    ("<p style='color: red; WHITE-SPACE : pre-wrap !important'>a\r\n \r\nb</p>", "p a\np b\n"),
  ])
  func `Line ends stay where a style keeps them`(html: String, dump: String) {
    #expect(Markup.document(html: html).dump == dump)
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
      "figure <image a at https://x.example/2.png [1]>\n[1] https://x.example/2.png \"a\"\n"
    ),
    (
      "<img srcset='https://x.example/w_400,c_limit/a.jpg 400w, https://x.example/w_9000,c/a.jpg 9000w' alt=a>",
      "figure <image a at https://x.example/w_400,c_limit/a.jpg [1]>\n"
        + "[1] https://x.example/w_400,c_limit/a.jpg \"a\"\n"
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
    // Numbered codes: a table of Pygments, the rows of GitHub, those of highlight.js.
    (
      "<table class='highlighttable'><tr><td class='linenos'><div class='linenodiv'><pre>1\n2</pre></div>"
        + "<td class='code'><pre>a\n b</pre></table>", "pre\n  |a\n  | b\n"
    ),
    ("<pre><span class='linenos'>1 </span>a\n<span class=ln>2</span>b</pre>", "pre\n  |a\n  |b\n"),
    (
      "<table class='highlight js-file-line-container'><tr><td class='blob-num' data-line-number=1>"
        + "<td class='blob-code'>a  b<tr><td class='blob-num'><td> c</table>",
      "pre\n  |a  b\n  | c\n"
    ),
    (
      "<pre><code><table class='hljs-ln'><tr><td class='hljs-ln-numbers'>1<td>a<tr>"
        + "<td class='hljs-ln-numbers'>2<td> b</table></code></pre>", "pre\n  |a\n  | b\n"
    ),
    ("<p>a <span class=linenumbers>b</span></p>", "p a b\n"),
    // What a browser does not show.
    ("a<p hidden>b</p><div hidden='until-found'>c</div>", "p a\np c\n"),
    ("<dialog>a</dialog><dialog open>b</dialog>", "p b\n"),
    (
      "<form>a</form>b<table><form><tr><td>c<td>d</form></table>",
      "p a\np b\ntable\n  row (c) (d)\n"
    ),
    (
      "<p style='color:red; display : none !important'>a</p><p style='display:block'>b</p>", "p b\n"
    ),
    ("<h3>a<a class=headerlink href='#a'>¶</a></h3><p><a href='#b'>#1</a>", "h3 a\np #1\n"),
    (
      "<p><video src=http://x/><p>b <a href=http://y/>c</a></video>d",
      "p {[video: x]}[1]\np d\n[1] http://x/ \"[video: x]\"\n"
    ),
    (
      "<audio><source src=http://x/><p>b</p></audio>",
      "p {[audio: x]}[1]\n[1] http://x/ \"[audio: x]\"\n"
    ),
    ("<![CDATA[<p>a</p>]]>b ]]>", "p a\np b ]]>\n"),
    ("a<p>&nbsp;</p><p>&#8203;<br>&nbsp;</p><h2>&nbsp;</h2>b", "p a\np b\n"),
    ("<p><a href=http://x/>&nbsp;</a>a</p>", "p \u{A0}a\n"),
    // Lists.
    (
      "<ol reversed><li>a<li>b<li>c</ol>",
      "list 3. 2. 1.\n  - item\n    p a\n  - item\n    p b\n  - item\n    p c\n"
    ),
    ("<ol reversed start=9><li>a<li>b</ol>", "list 9. 8.\n  - item\n    p a\n  - item\n    p b\n"),
    (
      "<ol><li>a<li value=7>b<li>c</ol>",
      "list 1. 7. 8.\n  - item\n    p a\n  - item\n    p b\n  - item\n    p c\n"
    ),
    ("<ol type=a start=26><li>a<li>b</ol>", "list z. aa.\n  - item\n    p a\n  - item\n    p b\n"),
    ("<ol type=A><li>a</ol>", "list A.\n  - item\n    p a\n"),
    ("<ol type=i start=3><li>a<li>b</ol>", "list iii. iv.\n  - item\n    p a\n  - item\n    p b\n"),
    ("<ol type=I start=1999><li>a</ol>", "list MCMXCIX.\n  - item\n    p a\n"),
    (
      "<ol type=i start=0><li>a<li></li><li>b</ol>",
      "list 0. ii.\n  - item\n    p a\n  - item\n    p b\n"
    ),
    (
      "<ul><li><input type=checkbox checked disabled> a<li><input type=checkbox> b</ul><input>",
      "list\n  - item\n    p [x] a\n  - item\n    p [ ] b\n"
    ),
    ("<p>a<input type=checkbox> b</p><p><input type=checkbox checked>c", "p a b\np [x] c\n"),
    // Kinds of text.
    ("<q>a <q>b</q> <q>c</q></q> <q>d</q>", "p “a ‘b’ ‘c’” “d”\n"),
    (
      "<del>a</del><ins>b</ins> <u>c</u> <mark>d</mark> <s>e</s>",
      "p ~a~+b+ =c= #d# ~e~\n"
    ),
    ("<kbd><kbd>Ctrl</kbd>+<kbd>C</kbd></kbd> <kbd>X</kbd>", "p `[Ctrl+C]` `[X]`\n"),
    (
      "<abbr title='World Wide  Web'>WWW</abbr>, <abbr title='World Wide Web'>WWW</abbr>",
      "p WWW (World Wide Web), WWW\n"
    ),
    // A row of a page, which is no table; and a small table in one of data.
    (
      "<table><tr><td><img alt=a src=http://x/><td>b</table>",
      "figure <image a at http://x/ [1]>\np b\n[1] http://x/ \"a\"\n"
    ),
    (
      "<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e<tr><td>f<td>g</table></table>",
      "table\n  header (a) (b)\n  row (c) (d · e⏎f · g)\n"
    ),
    (
      "<table><tr><th>a<th>b<tr><td class='has-text-align-right'>c<td>d</table>",
      "table\n  header (a) (b)\n  row (c) trailing (d)\n"
    ),
    ("<table role=presentation><tr><td>a<td>b<tr><td>c</table>", "p a\np b\np c\n"),
    // Tables: cells of several columns and rows.
    (
      "<table><tr><td rowspan=2>a<td>b<tr><td>c</table>",
      "table\n  row (a) (b)\n  row (a)↑ (c)\n"
    ),
    (
      "<table><tr><th colspan=2>a<th rowspan=0>b<tr><td>c<td>d<tr><td>e<td>f</table>",
      "table\n  header (a)×2 (b)\n  row (c) (d) (b)↑\n  row (e) (f) (b)↑\n"
    ),
    (
      "<table><tr><td>a<td rowspan=2>b<td>c<tr><td colspan=3>d<td>e</table>",
      "table\n  row (a) (b) (c)\n  row (d) (b)↑ (e)\n"
    ),
    (
      "<table><tr><td>a<td>b<td rowspan=2>c<tr><td>d</table>",
      "table\n  row (a) (b) (c)\n  row (d) () (c)↑\n"
    ),
    // Columns and rows without text.
    (
      "<table><tr><td>a<td>&nbsp;<td>b<tr><td> <td><td><tr><td>c<td><td>d</table>",
      "table\n  row (a) (b)\n  row (c) (d)\n"
    ),
    ("<table><tr><td>&nbsp;<td>a</table>", "p a\n"),
    // Where text stands in its column.
    (
      "<table><tr align=right><td>a<td style='color: red; Text-Align: Center'>b<td align=left>c</table>",
      "table\n  row (a) trailing (b) center (c) leading\n"
    ),
    (
      "<table><thead><tr><td>a<td>b<tbody><tr><td>c<td>d</table>",
      "table\n  header (a) (b)\n  row (c) (d)\n"
    ),
    // Lists and pictures in cells; with heads, code and headings, too.
    (
      "<table><tr><td><ul><li>a<li>b<ol><li>c</ol></ul><td><img alt=d></table>",
      "table\n  row (• a⏎• b⏎\u{A0}\u{A0}1. c) (<image d>)\n"
    ),
    ("<table><tr><td><h3>a</h3><td>b</table>", "h3 a\np b\n"),
    (
      "<table><tr><th>x<th>y<tr><td><pre>a\nb</pre><td><h3>c</h3></table>",
      "table\n  header (x) (y)\n  row (`a`⏎`b`) (*c*)\n"
    ),
    // Frames and media.
    (
      "<iframe src='https://www.youtube.com/embed/abcdefghijk?rel=0' title='My  film'></iframe>",
      "p {[video: My film · youtube.com]}[1]\n[1] https://www.youtube.com/watch?v=abcdefghijk "
        + "\"[video: My film · youtube.com]\"\n"
    ),
    (
      "<iframe src='https://player.vimeo.com/video/1'></iframe>",
      "p {[video: player.vimeo.com]}[1]\n[1] https://player.vimeo.com/video/1 "
        + "\"[video: player.vimeo.com]\"\n"
    ),
    (
      "<iframe src='https://tube.example/videos/embed/1' title=Film></iframe>",
      "p {[video: Film · tube.example]}[1]\n[1] https://tube.example/videos/embed/1 "
        + "\"[video: Film · tube.example]\"\n"
    ),
    (
      "<iframe src='https://w.soundcloud.com/player/' title=Song></iframe>",
      "p {[audio: Song · w.soundcloud.com]}[1]\n[1] https://w.soundcloud.com/player/ "
        + "\"[audio: Song · w.soundcloud.com]\"\n"
    ),
    (
      "<iframe src='https://map.example/'></iframe>",
      "p {[frame: map.example]}[1]\n[1] https://map.example/ \"[frame: map.example]\"\n"
    ),
    (
      "<video src='http://x/y.mp4' data-duration=3675.2></video>",
      "p {[video: x · 1:01:15]}[1]\n[1] http://x/y.mp4 \"[video: x · 1:01:15]\"\n"
    ),
    (
      "<audio duration='2:05'><source src=http://x/a.mp3></audio>",
      "p {[audio: x · 2:05]}[1]\n[1] http://x/a.mp3 \"[audio: x · 2:05]\"\n"
    ),
    (
      "<img src=http://x/1.png alt=Wires title='What it really says'>",
      "figure <image Wires “What it really says” at http://x/1.png [1]>\n[1] http://x/1.png \"Wires\"\n"
    ),
    ("<img alt=a title=IMG_1234.JPG>", "figure <image a>\n"),
    ("<img alt='A b' title='a B'>", "figure <image A b>\n"),
    ("<img alt='' title='a b'>", "figure <image a b>\n"),
    // Links and languages of code.
    (
      "<pre>\n\na <a href='https://x.example/'>b\nc</a>  <a href='/x'>d</a>\n</pre>",
      "pre {b\nc}[1]\n  |a b\n  |c  d\n[1] https://x.example/ \"b c\"\n"
    ),
    ("<pre><code class='language-Swift'>a</code></pre>", "pre swift\n  |a\n"),
    (
      "<div class='highlight-source-shell'><pre>a</pre></div><pre>b</pre>",
      "pre shell\n  |a\npre\n  |b\n"
    ),
    ("<pre class='brush: js; gutter: false'>a</pre>", "pre js\n  |a\n"),
    ("<pre class='sourceCode haskell'>a</pre>", "pre haskell\n  |a\n"),
    ("<pre><code data-lang=go class=x>a</code></pre>", "pre go\n  |a\n"),
    ("<p><code class=lang-c>a</code></p><pre>b</pre>", "p `a`\npre\n  |b\n"),
    ("a<wbr>b", "p a\u{200B}b\n"),
    ("", ""),
  ])
  func `Markup becomes blocks`(html: String, dump: String) {
    #expect(Markup.document(html: html).dump == dump)
  }

  @Test func `Lengths of files are known from elsewhere, too, and are added up`() {
    let html = "<audio src=http://x/a.mp3></audio><video src=http://x/b.mp4 duration=30></video>"
    let document = Markup.document(html: html, lengths: ["http://x/a.mp3": 60])
    #expect(document.dump.hasPrefix("p {[audio: x · 1:00]}[1]\np {[video: x · 0:30]}[2]\n"))
    #expect(document.playingSeconds == 90)
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
