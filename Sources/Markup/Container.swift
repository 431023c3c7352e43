/// A block that is being built out of others.
struct Container {
  enum Kind {
    case root
    case quote
    case indented
    /// Without a numbering: of bullets.
    case list(ListNumbering?)
    case item(value: Int?)
    case table
    case row
    case cell(isHeader: Bool)
  }

  /// A row of a table, its cells still of blocks.
  private struct Row {
    var cells: [(isHeader: Bool, blocks: [Block])]
  }

  let kind: Kind
  private(set) var blocks: [Block] = []
  /// Items of a list, those without content included, and the numbers that they name.
  private var items: [(blocks: [Block], value: Int?)] = []
  private var rows: [Row] = []
  private var cells: [(isHeader: Bool, blocks: [Block])] = []

  init(_ kind: Kind) { self.kind = kind }

  mutating func append(_ block: Block) {
    guard case .list = kind else {
      blocks.append(block)
      return
    }
    // A list directly inside a list belongs to the item before it.
    if items.isEmpty { items.append(([], nil)) }
    items[items.count - 1].blocks.append(block)
  }

  /// Takes over what was built in `inner`, which has ended.
  mutating func take(_ inner: Container) {
    switch inner.kind {
    case .quote where !inner.blocks.isEmpty: append(.quote(inner.blocks))
    case .indented where !inner.blocks.isEmpty: append(.indented(inner.blocks))
    case .list(let numbering): if let list = inner.list(numbering) { append(.list(list)) }
    case .item(let value): items.append((inner.blocks, value))
    case .cell(let isHeader): cells.append((isHeader, inner.blocks))
    case .row:
      if !inner.cells.isEmpty { rows.append(Row(cells: inner.cells)) }
      blocks += inner.blocks
    case .table: blocks += inner.blocksOfTable()
    case .root, .quote, .indented: break
    }
  }

  /// Nil where no item has content.
  private func list(_ numbering: ListNumbering?) -> List? {
    let filled = items.indices.filter { !items[$0].blocks.isEmpty }
    guard !filled.isEmpty else { return nil }
    let numbers = numbering?.numbers(of: items.map(\.value))
    return List(
      numbers: numbers.map { numbers in filled.map { numbers[$0] } },
      style: numbering?.style ?? .decimal, items: filled.map { items[$0].blocks })
  }

  /// A table of data as one block. A table that only arranges things on a page, for it has a single
  /// column or more than text in its cells, comes apart into what is in it.
  func blocksOfTable() -> [Block] {
    let filled = rows.filter { row in row.cells.contains { !$0.blocks.isEmpty } }
    let everything = filled.flatMap(\.cells).flatMap(\.blocks)
    let isData = filled.contains { $0.cells.count > 1 } && everything.allSatisfy(\.isParagraph)
    guard isData else { return blocks + everything }
    let table = Table(
      rows: filled.map { row in
        Table.Row(
          isHeader: row.cells.allSatisfy(\.isHeader),
          cells: row.cells.map { inlines(of: $0.blocks) })
      })
    return blocks + [.table(table)]
  }

  private func inlines(of blocks: [Block]) -> [Inline] {
    let paragraphs = blocks.map { block -> [Inline] in
      switch block {
      case .paragraph(let inlines): inlines
      case .figure(let image): [.image(image)]
      default: []
      }
    }
    return Array(paragraphs.joined(separator: [.lineBreak]))
  }
}

extension Block {
  fileprivate var isParagraph: Bool {
    switch self {
    case .paragraph, .figure: true
    default: false
    }
  }
}
