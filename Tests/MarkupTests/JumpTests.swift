import Markup
import Testing

/// Links to places of the document itself.
struct JumpTests {
  @Test func `A footnote and the way back from it are jumps`() {
    let html = """
      <p>Text<sup id="r1"><a href="#n1">1</a></sup> goes on.</p>
      <ol><li id="n1"><p>A note. <a href="#r1">↩</a></p></li></ol>
      """
    #expect(
      Markup.document(html: html).dump == """
        p Text⚓r1 {¹}[-1] goes on.
        list from 1
          - item
            p ⚓n1 A note. {↩}[-2]
        [-1] #n1
        [-2] #r1

        """)
  }

  @Test(arguments: [
    // Nothing has the name.
    ("<a href='#none'>a</a>", "p a\n"), ("<p id=x>a</p>", "p a\n"), ("<a href='#'>a</a>", "p a\n"),
    // The first of several elements has it, however it is named.
    (
      "<a href=#x>a</a><p><a name=x>b</a><p id=x>c",
      "p {a}[-1]\np ⚓x b\np c\n[-1] #x\n"
    ),
    // White space goes on around a place.
    ("a <a id=x></a> b<a href=#x>c</a>", "p a ⚓x b{c}[-1]\n[-1] #x\n"),
    ("<p>a <a id=x></a></p><a href=#x>b</a>", "p a⚓x \np {b}[-1]\n[-1] #x\n"),
    ("a<br><a id=x></a><br>b<a href=#x>c</a>", "p a⚓x \np b{c}[-1]\n[-1] #x\n"),
    // What shows nothing leads to what comes next.
    ("<p><a id=x></a></p><p>a</p><a href=#x>b</a>", "p ⚓x a\np {b}[-1]\n[-1] #x\n"),
    (
      "<p id=x><img src=https://x.example/i alt=i></p><p>a</p><a href=#x>b</a>",
      "figure <image i at https://x.example/i [1]>\np ⚓x a\np {b}[-1]\n"
        + "[1] https://x.example/i \"i\"\n[-1] #x\n"
    ),
    // Names may be encoded, in the address and in the element.
    ("<p id='f&uuml;'>a</p><a href='#f%C3%BC'>b</a>", "p ⚓fü a\np {b}[-1]\n[-1] #fü\n"),
    ("<p id='a%20b'>a</p><a href='#a%20b'>b</a>", "p ⚓a%20b a\np {b}[-1]\n[-1] #a%20b\n"),
    // Of a raised text with a place in it the form stays.
    (
      "x<sup>1<a id=x></a>2</sup><a href=#x>c</a>", "p x⚓x ¹²{c}[-1]\n[-1] #x\n"
    ),
    (
      "<h2 id=x>a</h2><pre>b <a href=#x>c</a></pre>", "h2 ⚓x a\npre {c}[-1]\n  |b c\n[-1] #x\n"
    ),
  ])
  func `A link to a place of the document is a jump`(html: String, dump: String) {
    #expect(Markup.document(html: html).dump == dump)
  }

  @Test func `The document's own address with a place is a jump, another one a link`() {
    let html = """
      <p id="x">a</p><a href="https://x.example/a#x">b</a> <a href="a#x">c</a>
      <a href="/b#x">d</a> <a href="https://x.example/a?p#x">e</a>
      """
    let document = Markup.document(html: html) { reference in
      if reference.isEmpty { return "https://x.example/a" }
      return reference.hasPrefix("https:")
        ? reference : "https://x.example/" + reference.drop { $0 == "/" }
    }
    #expect(document.jumps == ["x", "x"])
    #expect(document.links.map(\.url) == ["https://x.example/b#x", "https://x.example/a?p#x"])
  }

  @Test func `Documents with many places and links to them have bounds`() {
    let text = (0..<30_000).map { "<a id=\"n\($0)\" href=\"#n\($0)\">x</a> " }.joined()
    let document = Markup.document(html: text)
    #expect(document.jumps.count == 2_000)
    let long = String(repeating: "n", count: 300)
    #expect(Markup.document(html: "<p id=\(long)>a<a href=#\(long)>b</a>").jumps.isEmpty)
  }
}
