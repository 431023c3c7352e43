extension Document {
  /// The document as text for the ear: a paragraph is a line, with an empty one behind it. Headings and items end as
  /// sentences do, cells of a table follow the names of their columns, pictures are their descriptions, and the marks of
  /// notes are left out.
  package var spoken: String {
    SpokenText().lines(of: blocks).filter { !$0.isBlank }.joined(separator: "\n\n")
  }
}

/// Blocks as lines to be read aloud. Recursive: blocks nest at most `Document.deepestNesting` levels deep.
private struct SpokenText {
  func lines(of blocks: [Block]) -> [String] { blocks.flatMap(lines) }

  private func lines(of block: Block) -> [String] {
    switch block {
    case .heading(_, let inlines): [sentence(text(of: inlines))]
    case .paragraph(let inlines): [text(of: inlines)]
    case .list(let list):
      list.items.enumerated().flatMap { index, item -> [String] in
        var lines = lines(of: item)
        guard let first = lines.first else { return [] }
        let number = list.numbers == nil ? "" : list.marker(of: index) + " "
        lines[0] = number + sentence(first)
        return lines
      }
    case .quote(let blocks), .indented(let blocks): lines(of: blocks)
    case .preformatted(let code): [code.text]
    case .rule: []
    case .table(let table): lines(of: table)
    case .figure(let image): [description(of: image, isAlone: true)]
    case .note(let text): [text]
    }
  }

  private func lines(of table: Table) -> [String] {
    let names = table.rows.first.flatMap { row in
      row.isHeader && table.rows.count > 1 ? row.cells.map { text(of: $0.inlines) } : nil
    }
    return table.rows.dropFirst(names == nil ? 0 : 1).map { row in
      let cells = row.cells.enumerated().compactMap { index, cell -> String? in
        let words = text(of: cell.inlines)
        guard !words.isBlank else { return nil }
        guard let names, names.indices.contains(index), !names[index].isBlank, !cell.isHeader
        else { return words }
        return "\(names[index]): \(words)"
      }
      return sentence(cells.joined(separator: ", "))
    }
  }

  private func text(of inlines: [Inline]) -> String {
    let parts = inlines.map { inline -> String in
      switch inline {
      case .text(let text, _, _): inline.isMarkOfNote ? "" : text
      case .lineBreak: "\n"
      case .image(let image): description(of: image, isAlone: false)
      case .anchor: ""
      }
    }
    return parts.joined().split(separator: "\n").map { $0.collapsedSpaces }
      .joined(separator: "\n")
  }

  private func description(of image: Image, isAlone: Bool) -> String {
    guard isAlone else { return image.alt.isEmpty ? "" : " \(image.alt) " }
    let words = [image.alt, image.title ?? ""].filter { !$0.isBlank }.map(sentence)
    return words.isEmpty ? "" : "Picture: " + words.joined(separator: " ")
  }

  /// With a full stop, unless it ends as a sentence does: a voice pauses there.
  private func sentence(_ text: String) -> String {
    guard let last = text.last(where: { !$0.isWhitespace }) else { return text }
    return last.isLetter || last.isNumber || last == ")" ? text + "." : text
  }
}

extension Inline {
  /// Whether it is a text that leads to a note or back from it, and says nothing by itself: `¹`, `[1]`, `↩`.
  var isMarkOfNote: Bool {
    guard case .text(let text, _, let link?) = self, link < 0, text.count <= 6 else { return false }
    return !text.contains { $0.isLetter }
  }
}

extension Substring {
  fileprivate var collapsedSpaces: String {
    split(separator: " ").joined(separator: " ")
  }
}
