internal import Text

extension DocumentBuilder.Element {
  /// The words of its `class`.
  var classes: [Substring] {
    self["class"].map { $0.split { $0 == " " || $0 == "\n" || $0 == "\t" } } ?? []
  }

  /// Whether a browser shows nothing of it, or only what is beside the text: the numbers of lines of code.
  var isLeftOut: Bool {
    // What is found by a search in the page is there to be read.
    if let hidden = self["hidden"], hidden.lowercased() != "until-found" { return true }
    return isGutter
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

  /// Whether it is a table whose rows are lines of code.
  var isCodeTable: Bool {
    tag == .table
      && classes.contains { $0 == "js-file-line-container" || $0 == "hljs-ln" }
  }
}
