import Markup
import Testing

/// Documents written as HTML and as Markdown again.
struct WritingTests {
  private func document(_ html: String) -> Document {
    Markup.document(html: html) { "https://e.example" + $0 }
  }

  @Test(arguments: [
    (
      "<p>a <b>b</b> <i><code>&lt;x&gt;</code></i></p>",
      "<p>a <strong>b</strong> <em><code>&lt;x&gt;</code></em></p>\n"
    ),
    ("<h1>A</h1><h6>B</h6>", "<h3>A</h3>\n<h6>B</h6>\n"),
    ("<p onclick=x style=y>a<script>x</script></p>", "<p>a</p>\n"),
    (
      "<a href='/1?a=1&amp;b=\"' onclick=x>t</a>",
      "<p><a href=\"https://e.example/1?a=1&amp;b=&quot;\">t</a></p>\n"
    ),
    ("<a href='mailto:a@e.example'>t</a><a href='javascript:x'>u</a>", "<p>tu</p>\n"),
    (
      "<a href=/1>a <b>b</b></a> c",
      "<p><a href=\"https://e.example/1\">a <strong>b</strong></a> c</p>\n"
    ),
    (
      "<img src=/p.png alt='a &quot;b&quot;'>",
      "<p><a href=\"https://e.example/p.png\">[a &quot;b&quot;]</a></p>\n"
    ),
    ("<ol start=3><li>a</ol>", "<ol start=\"3\">\n<li><p>a</p>\n</li>\n</ol>\n"),
    ("<pre>a\n <b>&lt;</b></pre>", "<pre>\na\n &lt;</pre>\n"),
    (
      "<table><tr><td rowspan=2>a<th colspan=2>b<tr><td>c<td>d</table>",
      "<table>\n<tr><td>a</td><th>b</th><th></th></tr>\n"
        + "<tr><td></td><td>c</td><td>d</td></tr>\n</table>\n"
    ),
    (
      "<pre>a <a href='/1'>&lt;b</a> c</pre>",
      "<pre>\na <a href=\"https://e.example/1\">&lt;b</a> c</pre>\n"
    ),
    ("a<br>b", "<p>a<br>\nb</p>\n"),
    (
      "<ol type=a><li>a<li value=5>b</ol>",
      "<ol type=\"a\">\n<li><p>a</p>\n</li>\n<li value=\"5\"><p>b</p>\n</li>\n</ol>\n"
    ),
    (
      "<u>a</u> <ins>b</ins> <mark>c</mark>", "<p><u>a</u> <ins>b</ins> <mark>c</mark></p>\n"
    ),
    (
      "<img src=/p.png alt=a title='b &lt;c>'>",
      "<p><a href=\"https://e.example/p.png\">[a]</a> <em>b &lt;c&gt;</em></p>\n"
    ),
  ])
  func `HTML has the text, links of the web and nothing that acts`(html: String, expected: String) {
    #expect(document(html).html(HTMLForm(headingsFrom: 3)) == expected)
  }

  @Test(arguments: [
    ("<p>a <b> b </b>c <i>d</i> <s>e</s></p><p>f</p>", "a **b** c *d* ~~e~~\n\nf"),
    ("<h1>A #</h1><h6>B</h6>", "### A #\n\n###### B"),
    (
      "<p>*a* _b_ [c](d) `e` &lt;f&gt; \\ &amp;amp;</p>",
      #"\*a\* \_b\_ \[c\](d) \`e\` \<f\> \\ \&amp;"#
    ),
    ("<p># a</p><p>- b</p><p>1. c</p><p>+ d</p>", "\\# a\n\n\\- b\n\n1\\. c\n\n\\+ d"),
    ("<a href='/a(b)'>t]</a>", #"[t\]](https://e.example/a%28b%29)"#),
    ("<a href='javascript:x'>u</a>", "u"),
    ("<p><code>a`b</code></p>", "``a`b``"),
    ("<pre>x\n```\ny</pre>", "````\nx\n```\ny\n````"),
    ("<pre class=language-swift>let a</pre>", "```swift\nlet a\n```"),
    ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n\n  - b\n- c"),
    ("<ol start=9><li>a<p>b</p><li>c</ol>", "9. a\n\n   b\n10. c"),
    ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    ("<ol reversed><li>a<li>b</ol>", "- 2\\. a\n- 1\\. b"),
    ("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>", "- a\n\n* b\n\n- c"),
    ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
    ("<b>重要。</b>次", "<strong>重要。</strong>次"),
    (
      "<b>Note:</b>text <b>Note:</b> <i>“a”</i>b",
      "<strong>Note:</strong>text **Note:** <em>“a”</em>b"
    ),
    ("a<s>(b)</s> <b>c</b>d", "a<del>(b)</del> **c**d"),
    ("<a href='/1'><b>a!</b></a>b", "[**a!**](https://e.example/1)b"),
    ("<u>a</u>", "*a*"),
    ("<img src=/p.png alt=a title='b *c'>", #"[\[a\]](https://e.example/p.png) *b \*c*"#),
    ("a<br>b", "a\\\nb"), ("a<hr>b", "a\n\n---\n\nb"),
    (
      "<table><tr><th>a|b<th>c<tr><td>1<td>2<tr><td>3</table>",
      "| a\\|b | c |\n| --- | --- |\n| 1 | 2 |\n| 3 |"
    ),
    (
      "<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td>d</table>",
      "|  |  |  |\n| --- | --- | --- |\n| a | b |  |\n|  | c | d |"
    ),
    (
      "<table><tr><td align=right>1<td><code>a|b</code><tr><td align=right>2<td>c</table>",
      "|  |  |\n| ---: | --- |\n| 1 | `a\\|b` |\n| 2 | c |"
    ),
    (
      "<ul><li><input type=checkbox checked> a<li><input type=checkbox> b<li>[x]c</ul>",
      "- [x] a\n- [ ] b\n- \\[x\\]c"
    ),
    ("<img src=/p.png alt='x'>", #"[\[x\]](https://e.example/p.png)"#),
    (
      "a<sup id=r><a href='#n'>1</a></sup><ol><li id=n>b <a href='#r'>back</a></ol><a href='#x'>x</a>",
      "a<a id=\"p2\"></a>[¹](#p1)\n\n1. <a id=\"p1\"></a>b [back](#p2)\n\nx"
    ),
  ])
  func `Markdown escapes what only looks like a mark`(html: String, expected: String) {
    #expect(document(html).markdown(headingsFrom: 3, places: "p") == expected)
  }

  @Test(arguments: [
    ("a<br>b<hr>", "<p>a<br/>\nb</p>\n<hr/>\n"),
    ("<dl><dd>a</dl>", "<div class=\"indented\">\n<p>a</p>\n</div>\n"),
    ("<p>a&#xFFFE;b&#xFFFF;", "<p>ab</p>\n"),
    ("<a href='/{a}|\"'>t</a>", "<p><a href=\"https://e.example/%7Ba%7D%7C%22\">t</a></p>\n"),
    ("<a href='/page'>t</a>", "<p><a href=\"two.xhtml\">t</a></p>\n"),
    (
      "<p><img src=/p.png alt='a&amp;b' title='The joke'>",
      "<figure><img src=\"p1.png\" alt=\"a&amp;b\"/><figcaption>The joke</figcaption></figure>\n"
    ),
    (
      "x <a href=/to><img src=/p.png></a>",
      "<p>x <a href=\"https://e.example/to\"><img src=\"p1.png\" alt=\"\"/></a></p>\n"
    ),
    // A place has an id where something leads to it.
    (
      "<p id=x>a <a href=#y>b</a></p><p id=y>c</p>",
      "<p>a <a href=\"#n1\">b</a></p>\n<p><span id=\"n1\"></span>c</p>\n"
    ),
    (
      "<a href=/1>a<b id=y>b</b></a><a href=#y>c</a>",
      "<p><a href=\"https://e.example/1\">a</a><span id=\"n1\"></span>"
        + "<a href=\"https://e.example/1\"><strong>b</strong></a><a href=\"#n1\">c</a></p>\n"
    ),
  ])
  func `HTML for a book is XML, with places, pictures and pages of the book`(
    html: String, text: String
  ) {
    var form = HTMLForm()
    form.isXML = true
    form.places = "n"
    form.picture = { $0.source == "https://e.example/p.png" ? "p1.png" : nil }
    form.page = { $0 == "https://e.example/page" ? "two.xhtml" : nil }
    #expect(document(html).html(form) == text)
  }
}
