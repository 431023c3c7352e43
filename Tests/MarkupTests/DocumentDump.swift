import Markup

/// A document as text, one block a line, for comparison with a fixture.
extension Document {
  var dump: String {
    (Document.lines(of: blocks) + links.map { "[\($0.number)] \($0.url) \"\($0.text)\"" })
      .map { $0 + "\n" }.joined()
      + jumps.enumerated().map { "[-\($0 + 1)] #\($1)\n" }.joined()
  }

  private static func lines(of blocks: [Block]) -> [String] {
    blocks.flatMap { block -> [String] in
      switch block {
      case .heading(let level, let inlines): ["h\(level) \(text(inlines))"]
      case .paragraph(let inlines): ["p \(text(inlines))"]
      case .list(let list):
        [list.isInOrder ? list.numbers.map { "list from \($0[0])" } ?? "list" : list.markers]
          + list.items.flatMap { ["- item"] + indented($0) }.map { "  " + $0 }
      case .quote(let blocks): ["quote"] + indented(blocks)
      case .indented(let blocks): ["indented"] + indented(blocks)
      case .preformatted(let code):
        ["pre" + (code.language.map { " \($0)" } ?? "") + code.linkedParts]
          + code.text.split(separator: "\n").map { "  |\($0)" }
      case .rule: ["rule"]
      case .table(let table):
        ["table"]
          + table.rows.map { row in
            "  \(row.isHeader ? "header" : "row") "
              + row.cells.map { "(\(text($0.inlines)))\($0.details)" }.joined(separator: " ")
          }
      case .figure(let image): ["figure \(text([.image(image)]))"]
      case .note(let text): ["note \(text)"]
      }
    }
  }

  private static func indented(_ blocks: [Block]) -> [String] {
    lines(of: blocks).map { "  " + $0 }
  }

  private static func text(_ inlines: [Inline]) -> String {
    inlines.map { inline in
      switch inline {
      case .lineBreak: "⏎"
      case .anchor(let name): "⚓\(name) "
      case .image(let image):
        "<image \(image.alt)\(image.title.map { " “\($0)”" } ?? "")\(image.source.map { " at \($0)" } ?? "")\(image.link.map { " [\($0)]" } ?? "")>"
      case .text(let text, let traits, let link):
        [
          (Traits.strong, "*"), (.emphasis, "_"), (.code, "`"), (.strike, "~"), (.underline, "="),
          (.inserted, "+"), (.marked, "#"),
        ]
        .filter { traits.contains($0.0) }
        .reduce(link.map { "{\(text)}[\($0)]" } ?? text) { $1.1 + $0 + $1.1 }
      }
    }.joined()
  }
}

extension List {
  /// Whether its numbers are decimal and ascend one by one.
  fileprivate var isInOrder: Bool {
    guard let numbers else { return true }
    return style == .decimal && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }
  }

  fileprivate var markers: String {
    "list " + items.indices.map(marker).joined(separator: " ")
  }
}

extension Table.Cell {
  fileprivate var details: String {
    (isContinued ? "↑" : "") + (columns > 1 ? "×\(columns)" : "")
      + (alignment.map { " \($0)" } ?? "")
  }
}

extension Code {
  fileprivate var linkedParts: String {
    links.map { linked in
      let bytes = Array(text.utf8)[linked.range]
      return " {\(String(decoding: bytes, as: UTF8.self))}[\(linked.link)]"
    }.joined()
  }
}
