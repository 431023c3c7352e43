internal import News
internal import Screen
internal import Text

extension FeedChoice {
  /// Draws the feeds of a page and the whole address of the selected one.
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (size, theme) = (state.size, state.theme)
    let layout = FeedChoiceLayout(size: size)
    if layout.rows.y > 0 {
      let host = WebAddress.host(of: address) ?? WebAddress.redacted(address)
      frame.putHeading(
        CoreStrings.feeds(of: host), note: "\(selected + 1)/\(links.count)", isFocused: true,
        in: layout.list, theme)
    }
    for (index, line) in selection.visible(of: links, in: layout.rows) {
      draw(links[index], &frame, line, isSelected: index == selected, theme)
    }
    guard let area = layout.details else { return }
    frame.put(String(repeating: "─", count: area.width), x: area.x, y: area.y, style: theme.border)
    let lines = TextWrapping.wrap(links[selected].url, width: area.width - 2)
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
    _ link: FeedLink, _ frame: inout Frame, _ line: Rect, isSelected: Bool, _ theme: Theme
  ) {
    let style = isSelected ? theme.selected : theme.text
    if isSelected { frame.fill(line, style) }
    var room = max(0, line.width - 2)
    if let format = link.formatName, line.width >= 30 {
      frame.put(
        format, x: line.maxX - 1 - format.count, y: line.y, style: isSelected ? style : theme.dim)
      room -= format.count + 2
    }
    let title = link.title ?? WebAddress.withoutScheme(link.url)
    frame.put(title, x: line.x + 1, y: line.y, style: style, width: room, overflow: .ellipsis)
  }
}
