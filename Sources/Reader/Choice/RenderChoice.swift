internal import News
internal import Screen

extension ReaderState {
  /// The feeds of a page, and the whole address of the selected one.
  func drawChoice(_ choice: FeedChoice, _ frame: inout Frame) {
    let layout = choiceLayout
    if layout.rows.y > 0 {
      let host = WebAddress.host(of: choice.address) ?? WebAddress.redacted(choice.address)
      drawHeading(
        &frame, layout.list, "Feeds of \(host)",
        note: "\(choice.selected + 1)/\(choice.links.count)",
        isFocused: true)
    }
    let first = firstVisibleChoice(choice)
    let end = min(choice.links.count, first + layout.rows.height)
    for index in first..<max(first, end) {
      draw(
        choice.links[index], &frame,
        Rect(x: 0, y: layout.rows.y + index - first, width: size.width, height: 1),
        isSelected: index == choice.selected)
    }
    guard let area = layout.details else { return }
    frame.put(
      String(repeating: "─", count: area.width), x: area.x, y: area.y, style: theme.border)
    let lines = TextWrapping.wrap(choice.links[choice.selected].url, width: area.width - 2)
    let room = area.height - 1
    for (line, text) in lines.prefix(room).enumerated() {
      let isCut = line == room - 1 && lines.count > room
      frame.put(
        text + (isCut ? "…" : ""), x: area.x + 1, y: area.y + 1 + line, style: theme.dim,
        width: max(0, area.width - 2), overflow: .ellipsis)
    }
  }

  /// The format at the right gives way to the title on a screen that is too narrow for both.
  private func draw(
    _ link: FeedLink, _ frame: inout Frame, _ line: Rect, isSelected: Bool
  ) {
    let style = isSelected ? theme.selected : theme.text
    if isSelected { frame.fill(line, style) }
    var room = max(0, line.width - 2)
    if let format = link.formatName, line.width >= 30 {
      frame.put(
        format, x: line.maxX - 1 - format.count, y: line.y, style: isSelected ? style : theme.dim)
      room -= format.count + 2
    }
    let title =
      link.title ?? link.url.firstRange(of: "://").map { String(link.url[$0.upperBound...]) }
    frame.put(
      title ?? link.url, x: line.x + 1, y: line.y, style: style, width: room, overflow: .ellipsis)
  }
}
