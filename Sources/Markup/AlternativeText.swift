internal import Text

/// Tells which contents of `<noscript>` and `<template>` show what nothing else in their document shows.
struct AlternativeText {
  /// The lines of the document outside of such elements, each as its letters and digits.
  private let lines: Set<String>

  /// In bytes: a shorter text that names scripts says that the browser has none.
  private static let longestNotice = 400
  private static let notice = WordSearch(["script"])
  private static let alternatives = ["noscript", "template"]

  init(of document: ByteBuffer) { lines = Self.lines(of: document, skipsAlternatives: true) }

  enum Words {
    case none
    /// Scripts are needed.
    case notice
    case text
  }

  /// What kind of words there are in an element.
  static func words(in content: ByteBuffer) -> Words {
    let text = PlainText.stripped(bytes: content, limit: longestNotice)
    // Markup that was escaped is no text.
    guard text.first != "<", text.contains(where: { $0.isLetter || $0.isNumber }) else {
      return .none
    }
    return text.utf8.count < longestNotice - 16 && notice.isAny(in: text) ? .notice : .text
  }

  /// Whether some line is none of the rest of the document.
  func isNew(_ content: ByteBuffer) -> Bool {
    !Self.lines(of: content, skipsAlternatives: false).isSubset(of: lines)
  }

  private static func lines(of input: ByteBuffer, skipsAlternatives: Bool) -> Set<String> {
    var lines: Set<String> = []
    var line = ""
    var position = 0
    var tokenizer = MarkupTokenizer(input)
    /// The element that is passed over.
    var skipped: String?
    func endLine() {
      if !line.isEmpty { lines.insert(line) }
      line = ""
    }
    func read(upTo end: Int) {
      guard skipped == nil, position < end else { return }
      line += CharacterReference.decoded(input.string(position..<end)).lowercased()
        .filter { $0.isLetter || $0.isNumber }
    }
    while let tag = tokenizer.nextTag() {
      read(upTo: tag.start)
      position = tag.end
      guard tag.kind != .other else { continue }
      let name = input.string(tag.name).lowercased()
      if tag.kind == .close, name == skipped { skipped = nil }
      if PageHints.isBlock(name) || name == "br" { endLine() }
      if tag.kind == .open, skipsAlternatives, skipped == nil, alternatives.contains(name) {
        endLine()
        skipped = name
      }
    }
    read(upTo: input.count)
    endLine()
    return lines
  }
}
