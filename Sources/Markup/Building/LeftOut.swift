internal import Text

extension DocumentBuilder.Element {
  var classes: [Substring] {
    self["class"].map { $0.split { $0 == " " || $0 == "\n" || $0 == "\t" } } ?? []
  }

  /// Whether a browser shows nothing of it, or only what is beside the text: the numbers of lines of code.
  var isLeftOut: Bool {
    // A search in the page finds it: it is there to be read.
    if let hidden = self["hidden"], hidden.lowercased() != "until-found" { return true }
    return isUndisplayed || isGutter
  }

  /// Whether its style says so, as that of the first lines of a newsletter does, which are for lists of mails.
  private var isUndisplayed: Bool {
    guard let style = self["style"], style.utf8.count >= "display:none".utf8.count else {
      return false
    }
    // Wikipedia hides the formula that its picture shows, and which says more than that.
    guard !classes.contains(where: { $0.hasPrefix("mwe-math") }) else { return false }
    return style.styleWords(of: "display").contains("none")
  }

  /// Whether it is the sign behind a heading that leads to the heading itself.
  func isHeadingSign(saying text: String) -> Bool {
    tag == .a && self["href"]?.hasPrefix("#") == true
      && ["¶", "#", "§", "🔗", "⚓", "⚓︎", "∞"].contains(text.collapsed())
  }

  /// The numbers beside the lines of code: of Pygments, Rouge, Chroma, GitHub, highlight.js, Prism, SyntaxHighlighter
  /// and Crayon.
  private var isGutter: Bool {
    switch tag {
    case .td, .th, .div, .pre, .span, .code, .a: break
    default: return false
    }
    return classes.contains { name in
      switch name {
      case "linenos", "lineno", "linenodiv", "rouge-gutter", "lnt", "blob-num", "hljs-ln-numbers",
        "line-numbers-rows", "crayon-nums", "crayon-num", "linenumber", "react-code-line-number":
        true
      case "gutter": tag == .td
      case "ln": tag == .span
      default: false
      }
    }
  }

  var isCodeTable: Bool {
    tag == .table
      && classes.contains { $0 == "js-file-line-container" || $0 == "hljs-ln" }
  }
}

extension DocumentBuilder {
  /// Whether an element shows a formula that is read elsewhere: KaTeX's letters beside its MathML, what MathJax makes
  /// of its scripts, the pictures of Wikipedia.
  mutating func showsAgain(_ element: Element) -> Bool {
    if isInNote, element.classes.contains(where: InlineNote.isRepeatedMark) { return true }
    guard !formulas.isEmpty, element["class"] != nil else { return false }
    for name in element.classes {
      switch name {
      case "katex": hasReadKaTeX = false
      case "katex-mathml": hasReadKaTeX = true
      case "katex-html": return hasReadKaTeX
      case "MathJax", "MathJax_Preview", "MathJax_Display", "MathJax_SVG", "MathJax_SVG_Display",
        "MathJax_CHTML", "mjx-chtml":
        if formulas.contains(.scripts) { return true }
      case "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display":
        if formulas.contains(.elements) { return true }
      default: break
      }
    }
    return false
  }
}

extension DocumentBuilder.Element {
  /// The formula that a picture shows, as WordPress and MediaWiki describe it in TeX.
  var formula: String? {
    guard tag == .img, let alt = self["alt"], !alt.isEmpty,
      classes.contains(where: { $0 == "latex" || $0 == "tex" || $0.hasPrefix("mwe-math-") })
    else { return nil }
    let text = TeX.text(alt)
    return text.isEmpty ? nil : text
  }
}

/// Notes that stand within the text that they are about: a browser shows them at its side, or when they are asked for.
enum InlineNote {
  /// The class with which the extraction of an article hands a note on.
  static let name = "sidenote"

  /// Whether a class is that of the text of a note: of Tufte CSS, Modern Footnotes (WordPress) and LaTeXML.
  static func isText(_ name: some StringProtocol) -> Bool {
    switch name {
    case "sidenote", "marginnote", "modern-footnotes-footnote__note", "ltx_note_content": true
    default: false
    }
  }

  /// Whether a class is that of the mark, which LaTeXML has in the text of a note once more, and twice there.
  static func isRepeatedMark(_ name: some StringProtocol) -> Bool {
    switch name {
    case "ltx_note_mark", "ltx_tag_note", "ltx_note_type": true
    default: false
    }
  }
}
