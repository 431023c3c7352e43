internal import News
package import Screen

extension ReaderState {
  /// Draws the whole screen. Total: any state can be drawn at any size.
  package func render() -> Frame {
    var frame = Frame(size: size)
    guard size.width > 0, size.height > 0 else { return frame }
    frame.fill(Rect(x: 0, y: 0, width: size.width, height: size.height), theme.text)
    if let helpOffset {
      drawHelp(&frame, from: helpOffset)
    } else if let choice {
      drawChoice(choice, &frame)
    } else if health != nil {
      drawHealth(&frame)
    } else {
      let layout = layout
      if let pane = layout.sidebar { drawSidebar(&frame, pane) }
      if let pane = layout.list { drawList(&frame, pane) }
      if let pane = layout.article { drawArticle(&frame, pane) }
      drawBorders(&frame, layout)
    }
    if let status = layout.status { drawStatus(&frame, status) }
    return frame
  }

  private func drawBorders(_ frame: inout Frame, _ layout: PaneLayout) {
    for pane in [layout.list, layout.article] {
      guard let pane, pane.x > 0 else { continue }
      for y in pane.y..<pane.maxY {
        frame.put("│", x: pane.x - 1, y: y, style: theme.border)
      }
    }
  }

  /// The first line of a pane: what it shows at the left, how it stands at the right.
  ///
  /// The left part gives way first: it stands in the sidebar as well.
  func drawHeading(
    _ frame: inout Frame, _ pane: Rect, _ title: String, note: String = "",
    noteStyle: Style? = nil, isFocused: Bool
  ) {
    guard pane.height >= 3 else { return }
    let noteWidth = min(TextWidth.columns(of: note), max(0, pane.width - 4))
    let style = isFocused ? theme.header : theme.dim
    frame.put(
      title, x: pane.x + 1, y: pane.y, style: style,
      width: max(0, pane.width - 2 - (noteWidth > 0 ? noteWidth + 1 : 0)), overflow: .ellipsis)
    if noteWidth > 0 {
      frame.put(
        note, x: pane.maxX - 1 - noteWidth, y: pane.y, style: noteStyle ?? theme.dim,
        width: noteWidth, overflow: .ellipsis)
    }
  }

  // MARK: Sidebar

  /// The item at the top of the sidebar: as scrolled, but never so that the selected one is hidden.
  var firstVisibleSidebarItem: Int {
    sidebar.selection.firstVisible(in: sidebar.items, height: sidebarHeight)
  }

  private func drawSidebar(_ frame: inout Frame, _ pane: Rect) {
    drawHeading(&frame, pane, "Telex", isFocused: focus == .sidebar)
    let content = PaneLayout.content(of: pane)
    let first = firstVisibleSidebarItem
    for row in 0..<content.height {
      guard sidebar.items.indices.contains(first + row) else { break }
      let item = sidebar.items[first + row]
      drawItem(
        &frame, item, Rect(x: content.x, y: content.y + row, width: content.width, height: 1),
        isSelected: first + row == sidebar.selectedIndex
          && (focus == .sidebar || item.timeline == list.query.timeline))
    }
  }

  private func drawItem(
    _ frame: inout Frame, _ item: SidebarItem, _ line: Rect, isSelected: Bool
  ) {
    var style = item.count > 0 ? theme.unread : theme.text
    if item.timeline == .starred { style = theme.text }
    if isSelected {
      style = focus == .sidebar ? theme.selected : theme.selectedElsewhere
      frame.fill(line, style)
    }
    let count = item.count > 0 ? "\(item.count)" : ""
    let mark =
      switch item.kind {
      case .smart: ""
      case .folder(let isOpen): isOpen ? "▾ " : "▸ "
      case .feed: item.isGone ? "× " : item.isUntrusted ? "⊘ " : item.hasError ? "! " : "  "
      }
    let indent = 1 + min(item.depth, 4) * 2
    let wait = waitText(item, fitting: line.width)
    let noteWidth = TextWidth.columns(of: wait)
    let countWidth = count.utf8.count
    var x = line.x + indent
    let markStyle =
      item.isUntrusted
      ? theme.alarm : (item.hasError || item.isGone) && !isSelected ? theme.error : style
    x += frame.put(mark, x: x, y: line.y, style: markStyle, width: max(0, line.maxX - x))
    frame.put(
      item.title, x: x, y: line.y, style: style,
      width: max(
        0,
        line.maxX - x - (countWidth > 0 ? countWidth + 2 : 1) - (noteWidth > 0 ? noteWidth + 1 : 0)),
      overflow: .ellipsis)
    if noteWidth > 0 {
      let end = line.maxX - 1 - (countWidth > 0 ? countWidth + 1 : 0)
      frame.put(
        wait, x: end - noteWidth, y: line.y, style: isSelected ? style : theme.warning,
        width: noteWidth)
    }
    if countWidth > 0, countWidth + 1 < line.width {
      frame.put(count, x: line.maxX - 1 - countWidth, y: line.y, style: style)
    }
  }

  /// When a feed is asked again; empty where there is no room, or nothing to wait for.
  private func waitText(_ item: SidebarItem, fitting width: Int) -> String {
    guard width >= 20 else { return "" }
    switch item.wait {
    case .retry(let wait): return "↻\(wait.attempt)/\(wait.maxAttempts)"
    case .next(let date) where date.seconds > clock.now: return clock.wait(date)
    case .next, nil: return ""
    }
  }

  // MARK: Help

  private func drawHelp(_ frame: inout Frame, from offset: Int) {
    let lines = HelpPage.lines(width: size.width)
    let column = HelpPage.keyColumn(width: size.width)
    let height = size.height > 1 ? size.height - 1 : size.height
    for (row, line) in lines.dropFirst(offset).prefix(height).enumerated() {
      if line.isHeading {
        frame.put(line.keys, x: 1, y: row, style: theme.header)
      } else {
        frame.put(line.keys, x: 2, y: row, style: theme.accent)
        frame.put(line.text, x: column + 1, y: row, style: theme.text)
      }
    }
  }
}
