extension Document {
  /// The beginning of its text in one line, as a preview of it: paragraphs before anything else, formulas and notes
  /// once, the marks of notes not at all.
  ///
  /// - Parameter limit: the most UTF-8 bytes of the result, which ends with a whole word where words have spaces.
  package func excerpt(limit: Int) -> String {
    let paragraphs = ExcerptText.paragraphs(of: blocks, limit: limit)
    let text = paragraphs.isEmpty ? spoken : paragraphs
    return ExcerptText.beginning(of: text.collapsed(), limit: limit)
  }
}

private enum ExcerptText {
  static func paragraphs(of blocks: [Block], limit: Int) -> String {
    var text = ""
    for block in blocks {
      guard text.utf8.count <= limit else { break }
      let more =
        switch block {
        case .paragraph(let inlines): inlines.map(words).joined()
        case .quote(let inner), .indented(let inner): paragraphs(of: inner, limit: limit)
        case .heading, .list, .preformatted, .rule, .table, .figure, .note: ""
        }
      if !text.isEmpty, !more.isEmpty { text += " " }
      text += more
    }
    return text
  }

  private static func words(of inline: Inline) -> String {
    if inline.isMarkOfNote { return "" }
    return switch inline {
    case .text(let text, _, _): text
    case .lineBreak: " "
    case .image, .anchor: ""
    }
  }

  static func beginning(of text: String, limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var room = limit
    let fitting = text.prefix { character in
      room -= character.utf8.count
      return room >= 0
    }
    // A word that is cut is left out, unless there is hardly another.
    guard let space = fitting.lastIndex(of: " "), !text[fitting.endIndex...].hasPrefix(" "),
      fitting.utf8.distance(from: space, to: fitting.endIndex) < limit / 2
    else { return String(fitting) }
    return String(fitting[..<space])
  }
}
