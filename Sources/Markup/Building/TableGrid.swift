internal import Text

/// The cells of a table as its rows name them, and the columns that they come to.
struct TableGrid {
  /// A cell, still of blocks.
  struct Cell {
    var isHeader: Bool
    var blocks: [Block] = []
    /// Columns and rows that it takes (`colspan`, `rowspan`).
    var columns = 1
    /// 0 for all rows below.
    var rows = 1
    var alignment: Table.Alignment?
  }

  /// Columns that a cell may take (WHATWG HTML §4.9.11).
  private static let mostColumns = 1000
  /// Places that cells of several columns or rows may take together. What asks for more is a cell like others: no
  /// attribute decides how much memory a table takes.
  private static let mostSpanned = 200_000
  /// Bytes of a text that a cell of several rows has in each of them. A longer one stands in the first alone.
  private static let longestRepeated = 200

  private struct Placed {
    var column: Int
    var cell: Table.Cell
  }

  private var rows: [[Placed]] = []
  /// By column: the first row that is free again, and the cell above.
  private var free: [Int] = []
  private var above: [Table.Cell?] = []
  private var spanned = 0

  /// Places each cell in the first column that is free, as browsers do.
  init(_ rows: [[Cell]]) {
    for (index, cells) in rows.enumerated() {
      var placed: [Placed] = []
      var column = 0
      for cell in cells {
        continueCells(at: &column, row: index, &placed)
        place(cell, at: &column, row: index, of: rows.count, &placed)
      }
      while column < free.count {
        let start = column
        continueCells(at: &column, row: index, &placed)
        guard column == start else { continue }
        placed.append(Placed(column: column, cell: Table.Cell(inlines: [])))
        column += 1
      }
      self.rows.append(placed)
      while let last = free.last, last <= index + 1 {
        free.removeLast()
        above.removeLast()
      }
    }
  }

  /// The cells that reach into a row from above.
  private mutating func continueCells(at column: inout Int, row: Int, _ placed: inout [Placed]) {
    while column < free.count, free[column] > row {
      guard var cell = above[column] else { return }
      cell.isContinued = true
      cell.inlines.removeAll { $0.image != nil }
      if CellText.length(of: cell.inlines) > Self.longestRepeated { cell.inlines = [] }
      placed.append(Placed(column: column, cell: cell))
      column += cell.columns
    }
  }

  private mutating func place(
    _ cell: Cell, at column: inout Int, row: Int, of count: Int, _ placed: inout [Placed]
  ) {
    var columns = min(max(1, cell.columns), Self.mostColumns)
    var rows = cell.rows == 0 ? count - row : min(max(1, cell.rows), count - row)
    let (places, isTooMany) = (column + columns).multipliedReportingOverflow(by: rows)
    if columns > 1 || rows > 1, isTooMany || spanned + places > Self.mostSpanned {
      (columns, rows) = (1, 1)
    } else if columns > 1 || rows > 1 {
      spanned += places
    }
    // A cell from above is in the way.
    let next = (column..<max(column, min(column + columns, free.count))).first { free[$0] > row }
    if let next { columns = max(1, next - column) }
    let made = Table.Cell(
      inlines: CellText.inlines(of: cell.blocks), isHeader: cell.isHeader, columns: columns,
      alignment: cell.alignment)
    placed.append(Placed(column: column, cell: made))
    if rows > 1 {
      let missing = max(0, column + columns - free.count)
      free += repeatElement(0, count: missing)
      above += repeatElement(nil, count: missing)
      for place in column..<column + columns {
        free[place] = row + rows
        above[place] = made
      }
    }
    column += columns
  }

  /// The table, without the columns and the rows that are empty.
  var table: Table {
    var isFilled: [Bool] = []
    for placed in rows.joined() {
      while isFilled.count <= placed.column { isFilled.append(false) }
      if !placed.cell.isEmpty { isFilled[placed.column] = true }
    }
    // The number of filled columns before each.
    var before = [0]
    for filled in isFilled { before.append(before[before.count - 1] + (filled ? 1 : 0)) }
    func count(_ column: Int) -> Int { before[min(column, before.count - 1)] }
    var kept: [Table.Row] = []
    for row in rows where row.contains(where: { !$0.cell.isContinued && !$0.cell.isEmpty }) {
      var cells: [Table.Cell] = []
      for var placed in row {
        let columns = count(placed.column + placed.cell.columns) - count(placed.column)
        guard columns > 0 else { continue }
        placed.cell.columns = columns
        cells.append(placed.cell)
      }
      kept.append(Table.Row(cells: cells))
    }
    return Table(rows: kept)
  }
}

/// The content of a cell as inline text, its blocks on lines of their own.
enum CellText {
  /// Bytes of a cell of lists beyond which a table without heads arranges a page.
  private static let longest = 1_000

  /// Whether a table keeps a cell of these blocks. One with heads holds more than text: it is one of data.
  static func holds(_ blocks: [Block], inTableWithHeads hasHeads: Bool) -> Bool {
    let isPlain = blocks.allSatisfy(\.isParagraph)
    guard !isPlain else { return true }
    guard blocks.allSatisfy({ $0.fitsCell(hasHeads) }) else { return false }
    return hasHeads || length(of: inlines(of: blocks)) <= longest
  }

  /// Whether these blocks are more than a word of a table: a picture, or a sentence.
  static func isLong(_ blocks: [Block], beyond bytes: Int = 80) -> Bool {
    blocks.contains { if case .figure(let image) = $0 { image.source != nil } else { false } }
      || length(of: inlines(of: blocks)) > bytes
  }

  fileprivate static func length(of inlines: [Inline]) -> Int {
    inlines.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
  }

  static func inlines(of blocks: [Block]) -> [Inline] {
    Array(lines(of: blocks).joined(separator: [.lineBreak]))
  }

  /// Recursive: blocks nest at most `Document.deepestNesting` levels deep.
  private static func lines(of blocks: [Block]) -> [[Inline]] {
    blocks.flatMap { block -> [[Inline]] in
      switch block {
      case .paragraph(let inlines): return [inlines]
      case .heading(_, let inlines): return [inlines.map { $0.adding(.strong) }]
      case .figure(let image): return [[.image(image)]]
      case .quote(let blocks), .indented(let blocks): return lines(of: blocks)
      case .preformatted(let code):
        return code.text.split(separator: "\n").map { [.text(String($0), .code)] }
      case .list(let list):
        return list.items.enumerated().flatMap { index, item in
          let marker = list.marker(of: index) + " "
          let indent = String(repeating: "\u{A0}", count: marker.count)
          return lines(of: item).enumerated().map {
            [.text($0 == 0 ? marker : indent)] + $1
          }
        }
      case .table(let table):
        return table.rows.map { row in
          Array(row.cells.filter { !$0.isEmpty }.map(\.inlines).joined(separator: [.text(" · ")]))
        }
      case .rule, .note: return []
      }
    }
  }
}

extension Block {
  fileprivate var isParagraph: Bool {
    switch self {
    case .paragraph, .figure: true
    default: false
    }
  }

  fileprivate func fitsCell(_ hasHeads: Bool) -> Bool {
    switch self {
    case .paragraph, .figure: true
    case .list(let list): list.items.joined().allSatisfy { $0.fitsCell(hasHeads) }
    case .quote(let blocks), .indented(let blocks):
      hasHeads && blocks.allSatisfy { $0.fitsCell(hasHeads) }
    case .heading, .preformatted: hasHeads
    // A small table in one of data.
    case .table: hasHeads && !CellText.isLong([self], beyond: 300)
    case .rule, .note: false
    }
  }
}

extension Inline {
  fileprivate func adding(_ more: Traits) -> Inline {
    guard case .text(let text, let traits, let link) = self else { return self }
    return .text(text, traits.union(more), link: link)
  }
}

extension DocumentBuilder.Element {
  /// The alignment by `align` or style (`text-align`).
  var alignment: Table.Alignment? {
    var word = self["align"]?.lowercased()
    if let style = self["style"]?.lowercased(), let found = style.firstRange(of: "text-align:") {
      word = String(
        style[found.upperBound...].drop { $0 == " " }.prefix { $0.isLetter || $0 == "-" })
    }
    switch word {
    case "right", "end", "-webkit-right": return .trailing
    case "center", "-webkit-center": return .center
    case "left", "start", "justify": return .leading
    default: break
    }
    for name in classes {
      switch name {
      case "has-text-align-right", "text-right", "text-end": return .trailing
      case "has-text-align-center", "text-center": return .center
      case "has-text-align-left", "text-left", "text-start": return .leading
      default: break
      }
    }
    return nil
  }
}
