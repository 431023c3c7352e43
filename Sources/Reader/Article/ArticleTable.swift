internal import Markup
internal import Screen

extension ArticleTypesetter {
  /// Sets a table as a grid, or, where its columns would be too narrow to read, as records: a list of "head: value"
  /// for each row.
  mutating func set(_ table: Table) {
    let grid = TableGridText(table, styled: styled)
    guard let widths = grid.widths(within: measure) else {
      setRecords(table)
      return
    }
    let direction = grid.direction
    for (index, row) in table.rows.enumerated() {
      set(row: grid.rows[index], widths: widths, direction)
      let isHeadersEnd =
        row.isHeader && index + 1 < table.rows.count && !table.rows[index + 1].isHeader
      if isHeadersEnd {
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─")
        setLine(
          [StyledSpan(rule, .rule)], direction: direction,
          parts: direction == .leftToRight
            ? [] : [LinePart(width: TextWidth.columns(of: rule), direction: .rightToLeft)])
      }
    }
  }

  /// - Parameter direction: the side that the first column is on.
  private mutating func set(row: [TableGridText.Cell], widths: [Int], _ direction: TextDirection) {
    let cells = row.map { cell in
      let room = TableGridText.room(of: cell, widths)
      let lines = cell.isContinued ? [] : cell.text.lines(width: room)
      return (cell: cell, lines: lines, room: room, direction: cell.text.direction ?? direction)
    }
    let isOrdered = direction == .leftToRight && cells.allSatisfy { $0.direction == .leftToRight }
    var parts: [LinePart] = []
    for cell in isOrdered ? [] : cells {
      if !parts.isEmpty { parts.append(LinePart(width: 3, direction: direction)) }
      parts.append(LinePart(width: cell.room, direction: cell.direction))
    }
    for cell in cells where !cell.cell.isContinued { keepAnchors(atStartOf: cell.cell.text) }
    for index in 0..<max(1, cells.map(\.lines.count).max() ?? 0) {
      var spans: [StyledSpan] = []
      for (place, cell) in cells.enumerated() {
        if place > 0 { spans.append(StyledSpan(" │ ", .rule)) }
        let line = index < cell.lines.count ? cell.lines[index] : nil
        let padding = cell.room - (line?.columns ?? 0)
        let before =
          switch cell.cell.alignment {
          case .leading: 0
          case .center: padding / 2
          // The text of a right-to-left cell begins on that side already.
          case .trailing: cell.direction == .rightToLeft ? 0 : padding
          }
        if before > 0, line != nil { spans.append(.spaces(before)) }
        if let line { spans += cell.cell.text.spans(of: line) }
        let after = line == nil ? padding : padding - before
        if after > 0, place < cells.count - 1 { spans.append(.spaces(after)) }
      }
      setLine(spans, direction: direction, parts: parts)
    }
    skip(row.reduce(0) { $0 + ($1.isContinued ? 0 : $1.text.bytes.count) })
  }

  private mutating func setRecords(_ table: Table) {
    let heads = TableHeads(table)
    for (index, row) in table.rows.dropFirst(heads.rows).enumerated() {
      if index > 0 { setBlank() }
      var column = 0
      for cell in row.cells {
        defer { column += cell.columns }
        guard !cell.isEmpty else { continue }
        let name = row.cells.count > 1 ? heads.name(of: column) : []
        let value =
          cell.isHeader || row.cells.count == 1 ? cell.inlines.map(\.strong) : cell.inlines
        set(name.isEmpty ? value : name.map(\.strong) + [.text(": ", .strong)] + value, base: .body)
      }
    }
  }
}

extension StyledSpan {
  fileprivate static func spaces(_ count: Int) -> StyledSpan {
    StyledSpan(String(repeating: " ", count: count), .body)
  }
}

/// The names of the columns of a table that is set as records.
private struct TableHeads {
  /// The rows that they are in.
  private(set) var rows = 0
  private var names: [[Inline]] = []

  /// Characters of a name, which stands in front of each cell of its column.
  private static let longest = 80

  init(_ table: Table) {
    guard table.rows.count > 1 else { return }
    rows = table.rows.firstIndex { !$0.namesColumns } ?? 0
    if rows == 0, table.beginsWithHeads { rows = 1 }
    for row in table.rows.prefix(rows) {
      var column = 0
      for cell in row.cells {
        for place in column..<column + cell.columns {
          while names.count <= place { names.append([]) }
          guard !cell.isContinued, !cell.isEmpty else { continue }
          // A name of several lines, or one below another.
          names[place] += (names[place].isEmpty ? [] : [.text(" ")]) + cell.inlines.inOneLine
          names[place] = names[place].shortened(to: Self.longest)
        }
        column += cell.columns
      }
    }
  }

  func name(of column: Int) -> [Inline] { names.indices.contains(column) ? names[column] : [] }
}

extension Table {
  /// Whether the first row names the columns though the document does not say so: each cell reads like a name, and the
  /// row is set apart from those below, by bold letters or as words above a column of numbers.
  fileprivate var beginsWithHeads: Bool {
    guard rows[0].readsLikeNames else { return false }
    if rows[0].isStrong { return !rows[1].isStrong }
    // Below words, a single number is a coincidence.
    guard rows.count > 2 else { return false }
    return rows[0].cells.indices.contains { column in
      rows.dropFirst().allSatisfy { row in
        row.cells.count == rows[0].cells.count && row.cells[column].isNumber
      }
    }
  }
}

extension Table.Row {
  /// Whether all cells are heads, but for the corner above heads of rows.
  fileprivate var namesColumns: Bool {
    isHeader
      || cells.count > 1 && cells[0].isEmpty && cells.dropFirst().allSatisfy(\.isHeader)
  }

  /// Whether there are a few words in each cell, each of them different, and none that is a head or a number.
  fileprivate var readsLikeNames: Bool {
    let texts = cells.map(\.text)
    return cells.count > 1 && !cells.contains(where: \.isHeader)
      && Set(texts).count == texts.count
      && texts.allSatisfy { text in
        text.utf8.count <= 40 && text.contains(where: \.isLetter)
          && !(text.first?.isNumber ?? true)
      }
  }

  fileprivate var isStrong: Bool {
    cells.allSatisfy { cell in
      !cell.isEmpty
        && cell.inlines.allSatisfy { inline in
          guard case .text(let text, let traits, _) = inline else { return true }
          return traits.contains(.strong) || text.allSatisfy(\.isWhitespace)
        }
    }
  }
}

extension Table.Cell {
  fileprivate var text: String {
    inlines.reduce(into: "") { text, inline in
      if case .text(let more, _, _) = inline { text += more }
    }
  }

  /// Whether it begins with digits, behind the sign of a currency, say.
  fileprivate var isNumber: Bool { text.first { $0.isLetter || $0.isNumber }?.isNumber == true }
}

extension [Inline] {
  fileprivate var inOneLine: [Inline] { map { $0 == .lineBreak ? .text(" ") : $0 } }

  /// The beginning of a longer text, without its pictures; itself where it is short.
  fileprivate func shortened(to longest: Int) -> [Inline] {
    var left = longest
    var short: [Inline] = []
    for inline in self {
      guard case .text(let text, let traits, let link) = inline else {
        if case .anchor = inline { short.append(inline) }
        continue
      }
      let beginning = text.prefix(left)
      left -= beginning.count
      short.append(.text(String(beginning), traits, link: link))
      if beginning.endIndex < text.endIndex { return short + [.text("…")] }
    }
    return short
  }
}

/// A table as texts, by its columns.
private struct TableGridText {
  struct Cell {
    var text: FlatText
    var columns: Int
    var isContinued: Bool
    /// The first of its columns.
    var column: Int
    var alignment: Table.Alignment
  }

  private(set) var rows: [[Cell]] = []

  private static let separator = 3
  /// A column that must be wrapped to less than this is not readable.
  private static let narrowest = 8

  init(_ table: Table, styled: Traits) {
    var alignments: [Int: Table.Alignment] = [:]
    for row in table.rows {
      var column = 0
      for cell in row.cells {
        if alignments[column] == nil, !cell.isEmpty || cell.isHeader {
          alignments[column] = cell.alignment
        }
        column += cell.columns
      }
    }
    rows = table.rows.map { row in
      var column = 0
      return row.cells.map { cell in
        defer { column += cell.columns }
        // A head stands as its column does.
        let alignment = cell.alignment ?? (cell.isHeader ? alignments[column] : nil)
        return Cell(
          // A cell that continues one above has no text of its own.
          text: FlatText(
            cell.isContinued ? [] : cell.inlines, base: cell.isHeader ? .tableHeader : .body,
            styled: styled),
          columns: cell.columns, isContinued: cell.isContinued, column: column,
          alignment: alignment ?? .leading)
      }
    }
  }

  /// From right to left where all cells with letters are read so.
  var direction: TextDirection {
    var isRightToLeft = false
    for cell in rows.joined() {
      switch cell.text.direction {
      case .leftToRight: return .leftToRight
      case .rightToLeft: isRightToLeft = true
      case nil: break
      }
    }
    return isRightToLeft ? .rightToLeft : .leftToRight
  }

  /// The columns of the screen that a cell has.
  static func room(of cell: Cell, _ widths: [Int]) -> Int {
    widths[cell.column..<cell.column + cell.columns].reduce(0, +) + separator * (cell.columns - 1)
  }

  /// Shares the width of the screen among the columns; nil if the table does not fit.
  func widths(within measure: Int) -> [Int]? {
    let count = rows.map { $0.last.map { $0.column + $0.columns } ?? 0 }.max() ?? 0
    guard count > 0, count <= measure else { return nil }
    let natural = naturalWidths(count)
    var left = measure - Self.separator * (count - 1)
    guard natural.reduce(0, +) > left else { return natural }
    // Columns that need less than their share leave the rest to the others.
    var widths = natural
    var open = Set(0..<count)
    while !open.isEmpty {
      let share = left / open.count
      let modest = open.filter { natural[$0] <= share }
      if modest.isEmpty {
        guard share >= Self.narrowest else { return nil }
        for column in open { widths[column] = share }
        break
      }
      for column in modest { left -= natural[column] }
      open.subtract(modest)
    }
    return widths
  }

  /// The widths at which nothing is wrapped. A cell of several columns widens the last of them.
  private func naturalWidths(_ count: Int) -> [Int] {
    var widths = [Int](repeating: 1, count: count)
    for cell in rows.joined() where cell.columns == 1 {
      widths[cell.column] = max(widths[cell.column], cell.text.columns)
    }
    for cell in rows.joined() where cell.columns > 1 && !cell.isContinued {
      let missing = cell.text.columns - Self.room(of: cell, widths)
      if missing > 0 { widths[cell.column + cell.columns - 1] += missing }
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
