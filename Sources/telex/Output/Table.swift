internal import Screen
internal import Text

/// Rows of values. At a terminal they are columns in line, within its width and below a heading; elsewhere they are
/// lines of values with tabs between them, without a heading.
///
/// Rows can be without number: the widths are those of the first rows, which alone are held back. `finish` prints
/// what is held back.
struct Table {
  struct Column {
    enum Width: Hashable {
      /// As wide as its widest value.
      case whole
      /// Gives way where there is no room, down to a quarter of the width.
      case limited
      /// Takes what the others leave.
      case rest
      /// Not at a terminal.
      case pipeOnly
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
  /// That of the terminal, in columns; nil where there is none.
  private let width: Int?
  private var held: [[String]] = []
  /// Of the columns at a terminal, once they are known.
  private var widths: [Int]?

  /// Rows that decide about the widths.
  private static let sample = 200
  /// The least columns of what gives way.
  private static let least = 6
  private static let gap = "  "

  init(_ columns: [Column], width: Int? = Output.terminalWidth) {
    self.columns = columns
    self.width = width
  }

  /// A value as it stands in a row: on one line and without tabs.
  static func cell(_ text: String) -> String { PlainText.sanitizedName(text) }

  /// - Parameter cells: values of the first columns, or of all.
  mutating func add(_ cells: [String]) {
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
    // What takes the rest gives way first, as long as something can be read of it.
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
      // The last one may use what is left of the line.
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
