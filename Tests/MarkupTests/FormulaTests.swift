import Markup
import Testing

/// Raised and lowered text, and formulas in MathML and TeX.
struct FormulaTests {
  private static func text(_ html: String) -> String {
    Markup.document(html: html).blocks.map(\.text).joined(separator: "\n")
  }

  /// Twice the work for each level would take longer than anybody waits.
  @Test(.timeLimit(.minutes(1)), arguments: ["^", "_"])
  func `Scripts in scripts are written once for each level`(sign: String) {
    let tex =
      String(repeating: "x\(sign){", count: 31) + "y" + String(repeating: "}", count: 31)
    let text = Self.text("<script type=\"math/tex\">\(tex)</script>")
    #expect(text.contains { $0 == "x" } && text.contains { "yʸᵧ".contains($0) })
  }

  @Test(arguments: [
    // Unicode's signs where there are some for all of it.
    ("x<sup>2</sup>", "x²"), ("a<sub>1</sub>", "a₁"), ("10<sup>−3</sup>", "10⁻³"),
    ("H<sub>2</sub>O", "H₂O"), ("<sup>1</sup>/<sub>2</sub>", "¹/₂"),
    ("x<sup><i>n</i>+1</sup>", "xⁿ⁺¹"),
    ("a<sub>1,2</sub>", "a₁,₂"), ("y<sup> 3 </sup>z", "y³ z"),
    // Signs in front of the others.
    ("e<sup>iπ</sup>", "e^(iπ)"), ("a<sub>max</sub>", "a_max"), ("x<sup>n/2</sup>", "x^(n/2)"),
    ("x<sup>2n</sup>", "x²ⁿ"), ("x<sup>2k</sup>", "x^(2k)"),
    ("x<sup>a <b>b</b></sup>.", "x^(a b)."),
    ("2<sup>2<sup>n</sup></sup>", "2^(2ⁿ)"),
    ("x<sub>i</sub><sup>2</sup>", "x_i²"),
    // What needs none: ordinal numbers, abbreviations, notes, a text in small letters.
    ("1<sup>st</sup>, 2<sup>ND</sup>", "1st, 2ND"), ("XIX<sup>e</sup> siècle", "XIXe siècle"),
    ("M<sup>me</sup> n<sup>o</sup>", "Mme no"), ("Name<sup>TM</sup>®", "NameTM®"),
    ("a<sup>[b 1]</sup>", "a[b 1]"),
    ("word<sup>*</sup>", "word*"), ("<sup>Photo by somebody</sup>", "Photo by somebody"),
    ("a<sup>this is a remark on it</sup>", "athis is a remark on it"), ("x<sup></sup>y", "xy"),
    ("<p>x<sup><p>2</p></sup>", "x\n2"), ("<pre>x<sup>2</sup></pre>", "x2"),
  ])
  func `Raised and lowered text keeps its meaning in the line`(html: String, expected: String) {
    #expect(Self.text(html) == expected)
  }

  @Test func `Raised text keeps its link and its emphasis`() {
    let document = Markup.document(html: "a<sup><a href='https://x.example/'><i>n</i>/2</a></sup>")
    #expect(
      document.blocks == [
        .paragraph([.text("a"), .text("^(n", .emphasis, link: 1), .text("/2)", [], link: 1)])
      ])
  }

  @Test(arguments: [
    (
      "<mrow><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"
        + "<mn>2</mn></mfrac></mrow>", "x² = (a+b)/2"
    ),
    ("<msqrt><mi>x</mi><mo>-</mo><mn>1</mn></msqrt>", "√(x−1)"),
    ("<mroot><mi>x</mi><mn>3</mn></mroot>", "∛x"), ("<mroot><mi>x</mi><mi>n</mi></mroot>", "ⁿ√x"),
    (
      "<mi>A</mi><mo>=</mo><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
        + "<mtr><mtd><mn>3</mn></mtd><mtd><mi>x</mi><mo>+</mo><mn>1</mn></mtd></mtr></mtable><mo>)</mo>",
      "A = (1, 2; 3, x+1)"
    ),
    (
      "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"
        + "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "∑_(i=1)ⁿ x_i²"
    ),
    ("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", "sin x"),
    ("<mn>2</mn><mo>&#8290;</mo><mi>x</mi>", "2x"),
    ("<mover><mi>v</mi><mo>→</mo></mover>", "v\u{20D7}"), ("<mo>-</mo><mn>1</mn>", "−1"),
    ("<mfenced open='[' close=')'><mi>a</mi><mi>b</mi></mfenced>", "[a, b)"),
    ("<mi>a</mi><mo>&lt;</mo><mi>b</mi><mo>&amp;</mo>", "a < b&"),
    // The presentation counts, and its annotation where there is none.
    (
      "<semantics><mi>x</mi><annotation encoding='application/x-tex'>y</annotation></semantics>",
      "x"
    ),
    (
      "<semantics><annotation encoding='application/x-tex'>\\alpha^2</annotation></semantics>", "α²"
    ),
    ("<mi>x", "x"), ("<msup><mi>x</mi></msup>", "x"), ("", ""),
  ])
  func `MathML is written on one line`(content: String, expected: String) {
    #expect(Self.text("<math>\(content)</math>") == expected)
  }

  @Test func `MathML without content is its alternative text`() {
    #expect(Self.text("<math alttext='\\frac{a}{b+c}'></math>") == "a/(b+c)")
  }

  @Test(arguments: [
    ("E=mc^2", "E = mc²"), ("\\frac{a+b}{2c}", "(a+b)/(2c)"), ("\\frac12", "1/2"),
    ("x = -b \\pm \\sqrt{b^2-4ac}", "x = −b ± √(b²−4ac)"), ("\\sqrt[3]{x}", "∛x"),
    ("\\begin{pmatrix}a & b\\\\ c & d\\end{pmatrix}", "(a, b; c, d)"),
    (
      "f(x) = \\begin{cases} 1 & x>0 \\\\ 0 & \\text{otherwise}\\end{cases}",
      "f(x) = {1, x>0; 0, otherwise"
    ),
    ("\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}", "a = b; c = d"),
    ("\\left(\\frac{a}{b}\\right)^2", "(a/b)²"), ("x^\\infty", "x^∞"),
    ("\\lim_{x\\to 0} \\frac{1}{x}", "lim_(x→0) 1/x"),
    ("\\sin(\\omega_i t)", "sin(ω_i t)"), ("x_i^2y", "x_i²y"), ("e^{kt}x", "e^(kt)x"),
    ("a_{\\max}", "a_max"), ("\\mathbb{R}^n \\setminus \\{0\\}", "ℝⁿ ∖ {0}"), ("90^\\circ", "90°"),
    ("f''(x)", "f″(x)"), ("\\log_2 n", "log₂ n"), ("e^{i\\pi}", "e^(iπ)"),
    ("\\unknown x", "unknown x"),
    // What is broken.
    ("{{{", ""), ("}}}x", "x"), ("x^", "x"), ("\\frac", "/"), ("\\begin{array}{c} 1 & 2", "1 2"),
    ("\\", ""),
    ("\\end{x}\\right) a", "x)a"),
  ])
  func `TeX is written on one line`(tex: String, expected: String) {
    #expect(Self.text("<script type='math/tex'>\(tex)</script>") == expected)
  }

  @Test(arguments: [
    (
      "<span class='katex'><span class='katex-mathml'><math><semantics><mi>x</mi><annotation "
        + "encoding='application/x-tex'>x</annotation></semantics></math></span>"
        + "<span class='katex-html' aria-hidden='true'><span>x</span></span></span> y", "x y"
    ),
    // Without MathML its letters are all there is.
    ("<span class='katex'><span class='katex-html'>x</span></span>", "x"),
    (
      "<span class='MathJax_Preview'>x</span><span class='MathJax'>x</span><script type='math/tex'>x</script>",
      "x"
    ),
    ("<span class='MathJax'>x</span>", "x"),
    (
      "<span class='mwe-math-element'><span class='mwe-math-mathml-inline' style='display: none'><math>"
        + "<mi>x</mi></math></span><img class='mwe-math-fallback-image-inline' alt='x'></span>", "x"
    ),
    ("<img class='latex' alt='x^2'>", "x²"), ("a<script>x</script>b", "ab"),
  ])
  func `A formula shows once`(html: String, expected: String) {
    #expect(Self.text(html) == expected)
  }

  @Test(arguments: [
    (#"<p>Let \(x^2\) and \(a_1\) be."#, "Let x² and a₁ be."), (#"so \(n\) is"#, "so n is"),
    (#"<p>a $$\frac{1}{2}$$ b"#, "a 1/2 b"), (#"a \[x &lt; y^2\] b"#, "a x < y² b"),
    (#"it costs $$ or $5, $$$"#, #"it costs $$ or $5, $$$"#),
    // Brackets that were escaped, and what is no text.
    (#"see \(the list\) and \[1\]"#, #"see \(the list\) and \[1\]"#),
    (#"<pre>\(x^2\)</pre>"#, #"\(x^2\)"#), (#"<code>\(x^2\)</code>"#, #"\(x^2\)"#),
    // Without an end, or beyond an element.
    (#"\(x^2"#, #"\(x^2"#), (#"\(x^<b>2</b>\)"#, #"\(x^2\)"#),
  ])
  func `A formula between the signs of MathJax is one`(html: String, expected: String) {
    #expect(Self.text(html) == expected)
  }

  @Test(arguments: [#"\("#, #"\["#, "$$", #"\(x^2\)"#, #"\(\["#])
  func `Much of the signs of MathJax is read`(piece: String) {
    let count = (1 << 20) / piece.utf8.count
    #expect(Self.text(String(repeating: piece, count: count) + "<p>end").hasSuffix("end"))
  }

  @Test func `A displayed formula has a line of its own`() {
    let html =
      "a <script type='math/tex; mode=display'>x</script> b <math display='block'><mi>y</mi></math>"
    #expect(
      Markup.document(html: html).blocks == [
        .paragraph([
          .text("a"), .lineBreak, .text("x"), .lineBreak, .text("b"), .lineBreak, .text("y"),
        ])
      ])
  }

  @Test(arguments: [
    "<mrow>", "<msup><mi>x</mi>", "<mfrac>", "<mtable><mtr><mtd>", "<mi>", "</mrow>", "<mfenced>",
    "&", "<",
  ])
  func `Much of one thing in MathML is read`(piece: String) {
    let count = (64 << 10) / piece.utf8.count
    let html = "<math>" + String(repeating: piece, count: count) + "</math> end"
    #expect(Self.text(html).hasSuffix("end"))
    _ = Markup.document(html: String(repeating: "<math>", count: 10_000))
  }

  @Test(arguments: [
    "{", "\\frac", "^", "_{", "\\left(", "\\sqrt[", "\\begin{array}", "&", "\\\\", "'", "\\hat",
  ])
  func `Much of one thing in TeX is read`(piece: String) {
    let count = (15 << 10) / piece.utf8.count
    let html = "<script type='math/tex'>" + String(repeating: piece, count: count) + "</script> end"
    #expect(Self.text(html).hasSuffix("end"))
  }

  @Test func `Words in brackets have no space at these`() {
    #expect(
      Self.text("<p><math><mo>(</mo><mn>12.42</mn><mtext>h</mtext><mo>)</mo></math></p>")
        == "(12.42 h)")
    #expect(
      Self.text("<p><math><mo>(</mo><mtext>if</mtext><mi>x</mi><mo>)</mo></math></p>") == "(if x)")
  }
}
