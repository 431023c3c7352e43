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
