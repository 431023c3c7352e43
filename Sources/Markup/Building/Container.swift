struct Container {
  enum Kind {
    case root
    case quote
    case indented
    /// Without a numbering: of bullets.
    case list(ListNumbering?)
    case item(value: Int?)
    /// One that only arranges a page comes apart.
    case table(isLayout: Bool)
    case row(Table.Alignment?)
    case cell(TableGrid.Cell)
  }

  let kind: Kind
  private(set) var blocks: [Block] = []
  /// Items of a list, those without content included, and the numbers that they name.
  private var items: [(blocks: [Block], value: Int?)] = []
  private var rows: [[TableGrid.Cell]] = []
  private var cells: [TableGrid.Cell] = []

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

  /// Adds the content of a container that has ended.
  mutating func append(_ inner: Container) {
    switch inner.kind {
    case .quote where !inner.blocks.isEmpty: append(.quote(inner.blocks))
    case .indented where !inner.blocks.isEmpty: append(.indented(inner.blocks))
    case .list(let numbering): if let list = inner.list(numbering) { append(.list(list)) }
    case .item(let value): items.append((inner.blocks, value))
    case .cell(var cell):
      cell.blocks = inner.blocks
      cells.append(cell)
    case .row:
      if !inner.cells.isEmpty { rows.append(inner.cells) }
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
  /// column or more than cells of data hold, comes apart into what is in it.
  func blocksOfTable() -> [Block] {
    let cells = rows.joined()
    let hasHeads = cells.contains(where: \.isHeader)
    if case .table(isLayout: true) = kind { return blocks + cells.flatMap(\.blocks) }
    if cells.allSatisfy({ CellText.holds($0.blocks, inTableWithHeads: hasHeads) }) {
      let table = TableGrid(rows).table
      // One row of pictures and paragraphs stands side by side on a page that has room.
      let isRowOfPage =
        table.rows.count == 1 && !hasHeads && cells.contains { CellText.isLong($0.blocks) }
      if !isRowOfPage, table.rows.contains(where: { $0.cells.count > 1 }) {
        return blocks + [.table(table)]
      }
    }
    return blocks + cells.flatMap(\.blocks)
  }
}
