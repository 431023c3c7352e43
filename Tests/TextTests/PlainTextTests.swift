import Testing
import Text

@Suite struct PlainTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("  a \t b\r\n c  ", "a b c"), ("\u{1B}[31mred", "[31mred"),
    ("a\u{7}b\u{7F}c\u{9D}d\u{0}e", "abcde"), ("a\u{85} b\u{2028}c", "a… b c"),
    // Windows-1252 that was taken for Latin-1; what would speak to the terminal is a letter of it.
    ("It\u{92}s \u{93}so\u{94}", "It’s “so”"), ("\u{9B}31m  \u{80}", "›31m €"),
    ("x\u{202E}gpj\u{202C}\u{2066}y\u{2069}", "xgpjy"), ("\u{FEFF}a\u{FFF9}b", "ab"),
    ("א\u{200E}!\u{200F}", "א\u{200E}!\u{200F}"), ("a\u{E0041}\u{E007F}b", "ab"),
    ("“quoted” — é 漢字 😀 ﬁ", "“quoted” — é 漢字 😀 ﬁ"), ("a  b", "a b"), (" ", ""),
    ("\u{1B}", ""), ("a \u{1B} b", "a b"),
  ])
  func `A line is made fit for the screen`(_ text: String, _ expected: String) {
    #expect(PlainText.sanitized(text) == expected)
    #expect(PlainText.sanitized(expected) == expected)
  }

  @Test(arguments: [
    ("a\tb\nc", "a\tb\nc"), ("a\r\nb\rc", "a\nb\nc"), ("a\u{1B}[0m  b ", "a[0m  b "),
    ("long enough to be looked at in words \u{202E}x", "long enough to be looked at in words x"),
    ("é\u{9D}é’\u{2069}’", "éé’’"), ("a\u{2029}b", "a\nb"), ("é\u{85}\n\u{96}", "é…\n–"),
  ])
  func `A block keeps its lines and tabs`(_ text: String, _ expected: String) {
    #expect(PlainText.sanitizedBlock(text) == expected)
    #expect(PlainText.sanitizedMarkup(text) == expected)
  }

  @Test(
    arguments: [
      ([0x61, 0xC2, 0x01, 0x9B, 0x62], 0x9B), ([0xC2, 0x7F, 0x9B], 0x9B),
      ([0xE2, 0x80, 0x01, 0xAE], 0x202E), ([0xE2, 0x01, 0x80, 0xAE], 0x202E),
      ([0x20, 0xE2, 0x81, 0xEF, 0xBB, 0xBF, 0xA6, 0x20], 0x2066),
      ([0xC2, 0xE2, 0x80, 0xAE, 0x9B], 0x9B), ([0xC2, 0xC2, 0x81, 0x9B], 0x9B),
    ] as [([UInt8], UInt32)])
  func `Bytes of a broken character do not join when others between them are left out`(
    bytes: [UInt8], joined: UInt32
  ) {
    bytes.withUnsafeBufferPointer { bytes in
      for text in [PlainText.sanitized(bytes: bytes), PlainText.sanitizedMarkup(bytes: bytes)] {
        #expect(text.unicodeScalars.allSatisfy { !$0.steersTerminals && $0.value != joined })
        #expect(text.contains("\u{FFFD}"))
        #expect(PlainText.sanitizedMarkup(text) == text)
      }
    }
  }

  @Test func `Each forbidden character is found at each place of a text`() {
    for scalar: Unicode.Scalar in [
      "\u{1}", "\u{1F}", "\u{7F}", "\u{81}", "\u{8D}", "\u{8F}", "\u{90}", "\u{9D}",
      "\u{202A}", "\u{2069}",
    ] {
      for length in 0..<40 {
        let text = String(repeating: "x", count: length)
        let dirty = text + String(scalar) + "é’yz"
        #expect(PlainText.sanitized(dirty) == text + "é’yz")
        #expect(PlainText.sanitizedBlock(dirty) == text + "é’yz")
      }
    }
  }

  @Test func `What steers a terminal is found at each place among quotes and pictures`() {
    for clean in ["“”–…’", "é\u{A0}ü", "！？（", "😀🎉", "\u{200E}\u{200F}"] {
      for length in 0..<20 {
        let text = String(repeating: "x", count: length) + clean
        for dirt: Unicode.Scalar in [
          "\u{202E}", "\u{2066}", "\u{206F}", "\u{9D}", "\u{FEFF}", "\u{FFF9}", "\u{E0001}",
          "\u{1B}",
        ] {
          #expect(PlainText.sanitizedBlock(text + String(dirt) + text) == text + text)
          #expect(PlainText.sanitized(text + String(dirt) + text) == text + text)
        }
        #expect(PlainText.sanitizedBlock(text) == text)
      }
    }
  }

  @Test func `White space and what is encoded in addresses are found at each place of a text`() {
    for before in 0..<40 {
      for after in [1, 15, 16, 17, 40] {
        let (start, end) = (
          String(repeating: "x", count: before), String(repeating: "é", count: after)
        )
        let spaced = (before == 0 ? "" : start + " ") + end
        for space in ["  ", "\n", " \t", "\u{2028}"] {
          #expect(PlainText.sanitized(start + space + end) == spaced)
          #expect(
            PlainText.sanitized(end + space + start) == (before == 0 ? end : "\(end) \(start)"))
        }
        #expect(PlainText.sanitized(start + "\u{1B}" + end) == start + end)
        #expect(PlainText.sanitizedBlock(start + "\n\t\u{1B}" + end) == start + "\n\t" + end)
        #expect(WebAddress.clean(start + "\u{202E}" + end) == start + "%E2%80%AE" + end)
        #expect(WebAddress.clean(start + "\u{1B}" + end) == start + "%1B" + end)
      }
    }
  }

  /// All of windows-1252 that is no Latin-1, as HTML reads references to these numbers.
  @Test func `A control character that was a letter is one again, at each place of a text`() {
    let letters = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
    for (place, letter) in letters.enumerated() where letter.value > 0xFF {
      for length in [0, 1, 15, 16, 40] {
        let text = String(repeating: "x", count: length)
        let dirty = text + String(Unicode.Scalar(UInt8(0x80 + place))) + "é’yz"
        #expect(PlainText.sanitized(dirty) == text + String(letter) + "é’yz")
        #expect(PlainText.sanitizedBlock(dirty) == text + String(letter) + "é’yz")
        #expect(PlainText.stripped(html: "<p>" + dirty) == text + String(letter) + "é’yz")
      }
    }
  }

  @Test(arguments: [
    ("<p>One</p><p>Two</p>", "One Two"), ("a<b>b</b>c", "abc"), ("a<br>b", "a b"),
    ("x <script>if (a < b) { '</p>' }</script>y", "x y"), ("<style>p{}</style>y", "y"),
    ("a<!-- <p>no --> b", "a b"), ("a<!-- unclosed", "a"), ("a<!-->b", "ab"),
    ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"), ("&lt;b&gt; &amp;amp; &quot;", "<b> &amp; \""),
    ("caf&eacute;&nbsp;&#8364;&#x1F600;&#150;", "café €😀–"), ("&nope; &amp", "&nope; &"),
    ("<a title=\"x > y\">z</a>", "z"), ("<a href=x\">z</a>", "z"), ("a</p >b", "a b"),
    ("&#27;[31m", "[31m"), ("&#x202E;x", "x"), ("<SCRIPT>x</ScRiPt>y", "y"), ("<", "<"),
    ("a<", "a<"),
    ("<![CDATA[text]]>", "text]]>"), ("<a", ""), ("<custom-tag>x</custom-tag>y", "x y"),
    ("&#0;", "\u{FFFD}"),
    ("&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}"), ("<iframe/>after", "after"), ("  ", ""),
  ])
  func `Tags go, text stays`(_ html: String, _ expected: String) {
    #expect(PlainText.stripped(html: html) == expected)
  }

  @Test func `A limit cuts between scalars`() {
    let html = "<p>aé€😀 aé€😀</p>"
    #expect(PlainText.stripped(html: "\u{92}\u{92}é\u{92}", limit: 8) == "’’é")
    #expect(PlainText.stripped(html: "\u{92} \u{92}", limit: 4) == "’")
    let whole = PlainText.stripped(html: html)
    for limit in 0...whole.utf8.count + 4 {
      let cut = PlainText.stripped(html: html, limit: limit)
      #expect(cut.utf8.count <= limit)
      #expect(whole.hasPrefix(cut))
      #expect(limit < whole.utf8.count || cut == whole)
      #expect(!cut.contains("\u{FFFD}"))
    }
  }

  /// WHATWG HTML, "before attribute name state": a `=` there is part of a name, and what stands behind it
  /// is no value, so that no quote hides the end of the tag.
  @Test(arguments: [
    ("<a =\"x>y</a> z", "y z"), ("<a b=\"1\"=\"x>y", "y"), ("<a b/=\"x>y", "y"),
    ("<a b=1 =\"x>y", "y"),
    ("<a b =\"x>y\">z", "z"), ("<a b= \"x>y\">z", "z"), ("<a b=\"x>y\" c='>'>z", "z"),
  ])
  func `Quotes open a value only behind a name`(_ html: String, _ expected: String) {
    #expect(PlainText.stripped(html: html) == expected)
  }

  /// Quadratic work on these would take minutes in a debug build.
  @Test(arguments: [
    "<", "<a", "<a ", "<!--", "<!", "</", "<script>", "<a b='", "&", "&#", "<x y=", "<![CDATA[",
    "-->", "<style",
    "<a href=\"", "<div>", "<div></p>",
  ])
  func `Hostile markup is walked over once`(_ piece: String) {
    let html = String(repeating: piece, count: 300_000 / piece.utf8.count)
    #expect(PlainText.stripped(html: html).utf8.count <= html.utf8.count)
    #expect(PlainText.title(html: html).utf8.count <= html.utf8.count)
    let absolute = MarkupLinks.absolutized(html, base: "https://example.org/")
    #expect(absolute.utf8.count < html.utf8.count * 8)
  }

  @Test(arguments: [
    ("Tom &amp; Jerry", "Tom & Jerry"), ("<b>Bold</b> text", "Bold text"),
    ("List<String> and <T>", "List<String> and <T>"), ("1 <2", "1 <2"), ("a <br/> b", "a b"),
    // A tag that is never closed is spoken of, unless it needs no end or the title was cut.
    ("The <div> tag", "The <div> tag"), ("<div>x</div> and <div>", "x and <div>"),
    ("<div> <div>x</div>", "<div> x"), ("</div> <div>", "<div>"), ("Map<Object>", "Map<Object>"),
    ("<p>x", "x"), ("x <b>y", "x y"), ("x <a href=y>z", "x z"), ("The <a> tag", "The <a> tag"),
    ("<DIV>x</div>", "x"), ("<i>x", "x"), ("a<img src=x>b", "a b"), ("<Table/>", "<Table/>"),
  ])
  func `A title keeps what only looks like a tag`(_ html: String, _ expected: String) {
    #expect(PlainText.title(html: html) == expected)
  }

  @Test func `What steers a terminal is what is left out of text`() {
    for value in UInt32(0)...0xE_0FFF {
      guard let scalar = Unicode.Scalar(value), value != 0x09, value != 0x0A else { continue }
      let text = "a\(scalar)b"
      #expect(scalar.steersTerminals == (PlainText.sanitizedBlock(text) != text), "\(value)")
    }
  }
}
