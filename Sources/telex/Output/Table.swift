internal import Screen
internal import Text

/// Rows of values: at a terminal aligned columns within its width below a heading, elsewhere values
/// separated by tabs without a heading.
///
/// The first rows, which are held back, set the widths of the columns. `finish` prints what is held
/// back.
struct Table {
  struct Column {
    enum Width: Hashable {
      /// As wide as its widest value.
      case whole
      /// Shrinks where there is no room, down to a fifth of the width.
      case limited
      /// Shrinks first, and may use the rest of the line.
      case rest
      /// Hidden at a terminal.
      case pipeOnly

      /// Hidden at a terminal of less than 110 columns.
      static var ifWide: Width { (Output.terminalWidth ?? 0) < 110 ? .pipeOnly : .limited }
    }

    let name: String
    let width: Width
    let isNumber: Bool

    init(_ name: String, _ width: Width = .whole, isNumber: Bool = false) {
      self.name = name
      self.width = width
      self.isNumber = isNumber
    }
  }

  private let columns: [Column]
  /// Of the terminal, in columns; nil without one.
  private let width: Int?
  private(set) var isEmpty = true
  private var held: [[String]] = []
  /// Of the visible columns, once they are known.
  private var widths: [Int]?

  /// The rows that set the widths.
  private static let sample = 200
  /// The least columns of a column that shrinks.
  private static let least = 6
  private static let gap = "  "

  init(_ columns: [Column], width: Int? = Output.terminalWidth) {
    self.columns = columns
    self.width = width
  }

  /// A value on one line and without tabs.
  static func cell(_ text: String) -> String { PlainText.sanitizedName(text) }

  /// - Parameter cells: of the first columns, or of all.
  mutating func add(_ cells: [String]) {
    isEmpty = false
    let cells = cells.map(Self.cell)
    guard width != nil else { return Output.line(cells.joined(separator: "\t")) }
    let visible = zip(columns, cells).filter { $0.0.width != .pipeOnly }.map(\.1)
    if widths != nil { return print(visible) }
    held.append(visible)
    if held.count >= Self.sample { release() }
  }

  mutating func finish() {
    if width != nil, widths == nil { release() }
  }

  private var visible: [Column] { columns.filter { $0.width != .pipeOnly } }

  private mutating func release() {
    guard let width, !held.isEmpty else { return }
    let columns = visible
    widths = Self.widths(of: columns, holding: held, within: width)
    let heading = line(columns.map(\.name))
    Output.lines([ColoredText(heading, .faint)], hasColors: Output.hasColors)
    for row in held { print(row) }
    held = []
  }

  private static func widths(
    of columns: [Column], holding rows: [[String]], within width: Int
  ) -> [Int] {
    var widths = columns.map { TextWidth.columns(of: $0.name) }
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], TextWidth.columns(of: cell))
      }
    }
    let room = width - gap.count * (columns.count - 1)
    func over() -> Int { widths.reduce(0, +) - room }
    // `rest` shrinks first, as long as a third of the width is left for it.
    for (index, column) in columns.enumerated() where column.width == .rest {
      widths[index] -= min(max(0, over()), max(0, widths[index] - max(least, width / 3)))
    }
    let limited = columns.indices.filter { columns[$0].width == .limited }
      .sorted { widths[$0] > widths[$1] }
    for index in limited where over() > 0 {
      widths[index] -= min(over(), max(0, widths[index] - max(least, width / 5)))
    }
    for (index, column) in columns.enumerated() where column.width == .rest && over() > 0 {
      widths[index] -= min(over(), max(0, widths[index] - least))
    }
    return widths
  }

  private func print(_ row: [String]) { Output.line(line(row)) }

  private func line(_ row: [String]) -> String {
    guard let width, let widths else { return "" }
    var text = ""
    var used = 0
    for (index, cell) in row.enumerated() where index < widths.count {
      if index > 0 { text += Self.gap }
      used += index > 0 ? Self.gap.count : 0
      // The last column may use the rest of the line.
      let isLast = index == row.count - 1
      let room = isLast ? max(0, width - used) : widths[index]
      let (shown, columns) = Self.fitted(cell, room)
      let fill = String(repeating: " ", count: max(0, widths[index] - columns))
      if visible[index].isNumber {
        text += fill + shown
      } else {
        text += shown + (isLast ? "" : fill)
      }
      used += max(columns, isLast ? columns : widths[index])
    }
    let fitting = TextWidth.prefix(of: text, fitting: width)
    return String(fitting.reversed().drop { $0 == " " }.reversed())
  }

  private static func fitted(_ text: String, _ room: Int) -> (text: String, columns: Int) {
    let columns = TextWidth.columns(of: text)
    guard columns > room else { return (text, columns) }
    let cut = TextWidth.prefix(of: text, fitting: max(0, room - 1)) + (room > 0 ? "…" : "")
    return (String(cut), TextWidth.columns(of: cut))
  }
}
