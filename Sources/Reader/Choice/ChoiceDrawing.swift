internal import News
internal import Screen
internal import Text

extension Choice {
  /// Draws the rows, and the whole address of a selected feed.
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (layout, theme) = (ChoiceLayout(self, size: state.size), state.theme)
    if isBeside {
      (state.stack.below(Choice.self) ?? state.focus.screen).draw(&frame, in: state)
      frame.fill(layout.list, theme.text)
    }
    if layout.rows.y > 0 {
      frame.putHeading(
        title, note: "\(selected + 1)/\(items.count)", isFocused: true, in: layout.list, theme)
    }
    for (index, line) in selection.visible(of: items, in: layout.rows) {
      draw(items[index], &frame, line, isSelected: index == selected, theme)
    }
    if isBeside { drawEdge(&frame, around: layout.list, theme) }
    guard let area = layout.details, case .feed(let link, _) = items[selected] else { return }
    frame.put(String(repeating: "─", count: area.width), x: area.x, y: area.y, style: theme.border)
    let lines = TextWrapping.wrap(link.url, width: area.width - 2)
    let room = area.height - 1
    for (line, text) in lines.prefix(room).enumerated() {
      let isCut = line == room - 1 && lines.count > room
      frame.put(
        text + (isCut ? "…" : ""), x: area.x + 1, y: area.y + 1 + line, style: theme.dim,
        width: max(0, area.width - 2), overflow: .ellipsis)
    }
  }

  /// The note at the right gives way to the title on a screen that is too narrow for both.
  private func draw(
    _ item: Item, _ frame: inout Frame, _ line: Rect, isSelected: Bool, _ theme: Theme
  ) {
    let style = isSelected ? theme.selected : theme.text
    if isSelected { frame.fill(line, style) }
    var room = max(0, line.width - 2)
    let note = item == current ? "current" : item.note
    let columns = TextWidth.columns(of: note)
    if columns > 0, line.width >= columns + 20 {
      frame.put(
        note, x: line.maxX - 1 - columns, y: line.y, style: isSelected ? style : theme.dim)
      room -= columns + 2
    }
    frame.put(item.title, x: line.x + 1, y: line.y, style: style, width: room, overflow: .ellipsis)
  }

  /// Parts the choice from the page at its left and below it.
  private func drawEdge(_ frame: inout Frame, around list: Rect, _ theme: Theme) {
    for y in list.y..<list.maxY where list.x > 0 {
      frame.put("│", x: list.x - 1, y: y, style: theme.border)
    }
    guard list.maxY < PaneLayout.page(frame.size).height else { return }
    let corner = list.x > 0 ? "└" : ""
    frame.put(
      corner + String(repeating: "─", count: list.width), x: list.x - corner.count, y: list.maxY,
      style: theme.border)
  }
}

extension Choice.Item {
  fileprivate var title: String {
    switch self {
    case .feed(let link, _): link.title ?? WebAddress.withoutScheme(link.url)
    case .file(let file, _, _, _): file.title ?? Self.name(of: file.url)
    case .theme(let name): name
    case .order(let order): order.name
    }
  }

  fileprivate var note: String {
    switch self {
    case .feed(let link, _): link.formatName ?? ""
    case .file(let file, _, _, _):
      [file.type, file.length.map(TransferWords.bytes)].compactMap { $0 }.joined(separator: ", ")
    case .theme, .order: ""
    }
  }

  /// The last part of the address, without its query.
  private static func name(of url: String) -> String {
    let bare = WebAddress.redacted(url)
    guard let slash = bare.lastIndex(of: "/"), bare.index(after: slash) < bare.endIndex else {
      return bare
    }
    return String(bare[bare.index(after: slash)...])
  }
}
