internal import Text

/// Contents of `<noscript>` and `<template>` that nothing else in their document shows.
struct AlternativeText {
  /// The lines of the document outside of such elements, each as its letters and digits.
  private let lines: Set<String>

  /// In bytes: a shorter text that names scripts says that the browser has none.
  private static let longestNotice = 400
  private static let requests: Set = [
    "activate", "activer", "activez", "aktiviere", "aktivieren", "browser", "disabled", "enable",
    "enabled",
    "habilita", "habilite", "navegador", "navigateur", "need", "needs", "require", "required",
    "requires", "support",
    "turn", "turned", "without",
  ]
  private static let alternatives = ["noscript", "template"]

  /// Beginnings of pictures and media that pages load by a script, and have in `<noscript>` once more.
  static let copies: [StaticString] = ["<img", "<picture", "<figure", "<a ", "<video", "<audio"]

  init(of document: ByteBuffer) { lines = Self.lines(of: document, skipsAlternatives: true) }

  /// Whether an element shows what nothing else in its document shows: its text, or a copy.
  ///
  /// - Parameters:
  ///   - copies: the beginnings of what counts where there is no text.
  ///   - known: made for the first element that has text.
  static func isNeeded(
    _ content: ByteBuffer, copies: [StaticString], in document: ByteBuffer,
    _ known: inout AlternativeText?
  ) -> Bool {
    switch words(in: content) {
    case .notice: return false
    case .text:
      let text = known ?? AlternativeText(of: document)
      known = text
      // Some line is none of the rest of the document.
      return !lines(of: content, skipsAlternatives: false).isSubset(of: text.lines)
    case .none:
      guard let first = content.firstIndex(of: UInt8(ascii: "<"), from: 0) else { return false }
      return copies.contains { content.hasWord($0, at: first) }
    }
  }

  enum Words {
    case none
    /// Scripts are needed.
    case notice
    case text
  }

  /// The kind of words in an element.
  static func words(in content: ByteBuffer) -> Words {
    let text = PlainText.stripped(bytes: content, limit: longestNotice)
    // Markup that was escaped is no text.
    guard text.first != "<", text.contains(where: { $0.isLetter || $0.isNumber }) else {
      return .none
    }
    return text.utf8.count < longestNotice - 16 && isNotice(text, content) ? .notice : .text
  }

  /// Whether a text asks for scripts. One with a link to somewhere else offers that instead.
  private static func isNotice(_ text: String, _ content: ByteBuffer) -> Bool {
    let lower = text.lowercased()
    let words = Set(lower.split { !$0.isLetter }.map(String.init))
    let names =
      !words.isDisjoint(with: ["javascript", "js", "scripts"]) || lower.contains("java script")
    guard names,
      !words.isDisjoint(with: requests) || lower.contains(where: { !$0.isASCII && $0.isLetter })
    else { return false }
    var tokenizer = MarkupTokenizer(content)
    while let tag = tokenizer.nextTag() {
      guard tag.kind == .open, content.isWord("a", in: tag.name),
        let target = tag.value("href", in: content)?.lowercased()
      else { continue }
      let text = content[tag.end...].prefix { $0 != UInt8(ascii: "<") }
      return ["script", "disqus.com"].contains(where: target.contains)
        || String(decoding: text, as: UTF8.self).lowercased().contains("script")
    }
    return true
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
