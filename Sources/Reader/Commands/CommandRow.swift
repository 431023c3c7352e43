internal import Screen

struct CommandRow {
  let command: RunnableCommand

  /// Columns of the longest name and the longest keys of some commands, as far as there is room.
  struct Columns {
    let name: Int
    let keys: Int

    init(_ commands: [RunnableCommand], width: Int) {
      let names = commands.map { TextWidth.columns(of: $0.name) }.max() ?? 0
      let keys = commands.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
      name = min(names, max(8, width / 2))
      self.keys = width >= 60 ? min(keys, width / 4) : 0
    }
  }

  /// - Parameter isOverlaid: whether it lies over what the page shows, and has to be told from that.
  func draw(
    _ frame: inout Frame, _ line: Rect, _ columns: Columns, isSelected: Bool,
    isOverlaid: Bool = false, _ theme: Theme
  ) {
    let style = isSelected ? theme.selected : isOverlaid ? theme.status : theme.text
    let isPlain = !isSelected && !isOverlaid
    frame.fill(line, style)
    var x = line.x + 1
    frame.put(
      command.name, x: x, y: line.y, style: isPlain ? theme.accent : style.with(.bold),
      width: columns.name, overflow: .ellipsis)
    x += columns.name + 2
    if columns.keys > 0 {
      frame.put(
        command.keys, x: x, y: line.y, style: isPlain ? theme.header : style,
        width: columns.keys, overflow: .ellipsis)
      x += columns.keys + 2
    }
    guard line.maxX - 1 > x else { return }
    frame.put(
      command.help, x: x, y: line.y, style: isPlain ? theme.dim : style,
      width: line.maxX - 1 - x, overflow: .ellipsis)
  }
}
