internal import Markup
internal import Screen

extension ArticleTypesetter {
  /// Sets a table as a grid, or, where its columns would be too narrow to read, as a list of
  /// "header: value".
  mutating func set(_ table: Table) {
    let texts = table.rows.map { row in
      row.cells.map { FlatText($0, base: row.isHeader ? .tableHeader : .body) }
    }
    guard let widths = TableColumns.widths(of: texts, within: measure) else {
      setAsList(table)
      return
    }
    for (index, row) in table.rows.enumerated() {
      set(row: texts[index], widths: widths)
      let isHeadersEnd =
        row.isHeader && index + 1 < table.rows.count && !table.rows[index + 1].isHeader
      if isHeadersEnd {
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─")
        setLine([StyledSpan(rule, .rule)])
      }
    }
  }

  private mutating func set(row: [FlatText], widths: [Int]) {
    let cells = zip(row, widths).map { text, width in
      text.lines(width: width).map { line in
        (spans: text.spans(from: line.start, to: line.end), columns: line.columns)
      }
    }
    for index in 0..<(cells.map(\.count).max() ?? 0) {
      var spans: [StyledSpan] = []
      for (column, cell) in cells.enumerated() {
        if column > 0 { spans.append(StyledSpan(" │ ", .rule)) }
        let line = index < cell.count ? cell[index] : (spans: [], columns: 0)
        spans += line.spans
        let padding = widths[column] - line.columns
        if padding > 0, column < widths.count - 1 {
          spans.append(StyledSpan(String(repeating: " ", count: padding), .body))
        }
      }
      setLine(spans)
    }
    skip(row.reduce(0) { $0 + $1.bytes.count })
  }

  private mutating func setAsList(_ table: Table) {
    let header = table.rows.count > 1 ? table.rows.first { $0.isHeader } : nil
    let rows = header == nil ? table.rows : table.rows.filter { $0 != header }
    for (index, row) in rows.enumerated() {
      if index > 0 { setBlank() }
      for (column, cell) in row.cells.enumerated() where !cell.isEmpty {
        let isNamed = header.map { column < $0.cells.count && !$0.cells[column].isEmpty } ?? false
        let name = isNamed ? (header?.cells[column] ?? []) + [.text(": ", .strong)] : []
        set(name.map(\.strong) + cell, base: .body)
      }
    }
  }
}

/// Shares the width of the screen among the columns of a table.
private enum TableColumns {
  static let separator = 3
  /// A column that must be wrapped to less than this is not readable.
  static let narrowest = 8

  /// Nil if the table does not fit.
  static func widths(of rows: [[FlatText]], within measure: Int) -> [Int]? {
    let count = rows.map(\.count).max() ?? 0
    guard count > 0, count <= measure else { return nil }
    var natural = [Int](repeating: 1, count: count)
    for row in rows {
      for (column, text) in row.enumerated() {
        natural[column] = max(natural[column], text.columns)
      }
    }
    var left = measure - separator * (count - 1)
    guard natural.reduce(0, +) > left else { return natural }
    // Columns that need less than their share leave the rest to the others.
    var widths = natural
    var open = Set(0..<count)
    while !open.isEmpty {
      let share = left / open.count
      let modest = open.filter { natural[$0] <= share }
      if modest.isEmpty {
        guard share >= narrowest else { return nil }
        for column in open { widths[column] = share }
        break
      }
      for column in modest { left -= natural[column] }
      open.subtract(modest)
    }
    return widths
  }
}

extension Inline {
  fileprivate var strong: Inline {
    guard case .text(let text, let traits, let link) = self else { return self }
    return .text(text, traits.union(.strong), link: link)
  }
}
