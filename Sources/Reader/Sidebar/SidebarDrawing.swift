internal import News
internal import Screen

struct SidebarDrawing {
  let sidebar: SidebarState
  let state: ReaderState

  private var theme: Theme { state.theme }
  private var isFocused: Bool { state.focus == .sidebar }

  func draw(_ frame: inout Frame, _ pane: Rect) {
    let count = sidebar.picked.ids.count
    let title = count == 0 ? "Telex" : "\(count) selected"
    frame.putHeading(title, isFocused: isFocused, in: pane, theme)
    let content = PaneLayout.content(of: pane)
    let first = sidebar.firstVisible
    for row in 0..<content.height {
      guard sidebar.items.indices.contains(first + row) else { break }
      let item = sidebar.items[first + row]
      drawItem(
        &frame, item, Rect(x: content.x, y: content.y + row, width: content.width, height: 1),
        isSelected: first + row == sidebar.selectedIndex
          && (isFocused || item.timeline == state.shownTimeline))
    }
  }

  /// Columns before the mark of a folder, or of what has failed.
  static func indent(of item: SidebarItem) -> Int { 1 + min(item.depth, 4) * 2 }

  private static func mark(of item: SidebarItem) -> String {
    switch item.kind {
    case .smart: ""
    case .tag: "# "
    case .folder(let isOpen), .tags(let isOpen): isOpen ? "▾ " : "▸ "
    case .account(let isOpen): (isOpen ? "▾ " : "▸ ") + (item.hasError ? "! " : "")
    case .feed: item.isGone ? "× " : item.isUntrusted ? "⊘ " : item.hasError ? "! " : "  "
    }
  }

  /// Columns of a row that has its whole name and a count of four digits.
  static func columns(of item: SidebarItem) -> Int {
    indent(of: item) + mark(of: item).count + TextWidth.columns(of: item.title) + 6
  }

  private func drawItem(_ frame: inout Frame, _ item: SidebarItem, _ line: Rect, isSelected: Bool) {
    var style = item.count > 0 ? theme.unread : theme.text
    if item.timeline == .starred || item.timeline == .later { style = theme.text }
    if isSelected {
      style = isFocused ? theme.selected : theme.selectedElsewhere
      frame.fill(line, style)
    }
    var count = item.count > 0 ? "\(item.count)" : ""
    if item.isCounting { count = "…" }
    if item.isEmpty { count = "0" }
    if item.count >= ArticleCounts.searchLimit, case .matching = item.timeline { count += "+" }
    let mark = Self.mark(of: item)
    let indent = Self.indent(of: item)
    let wait = waitText(item, fitting: line.width)
    let noteWidth = TextWidth.columns(of: wait)
    let countWidth = count.count
    if !sidebar.picked.isEmpty,
      sidebar.picked.contains(all: state.subscriptions.feeds(of: item.timeline))
    {
      frame.put("✓", x: line.x, y: line.y, style: isSelected ? style : theme.accent, width: 1)
    }
    var x = line.x + indent
    let markStyle =
      item.isUntrusted
      ? theme.alarm
      : isSelected || !(item.hasError || item.needsUser)
        ? style : item.needsUser ? theme.error : theme.dim
    x += frame.put(mark, x: x, y: line.y, style: markStyle, width: max(0, line.maxX - x))
    if mark == "  ", case .feed(let feed) = item.timeline,
      let icon = FeedIconBoard.icon(of: feed, in: state),
      line.width > x - line.x, sidebar.picked.isEmpty
    {
      // In the place of the mark, and with a gap before the title.
      frame.put(row: 0, of: icon, x: x - 1 - FeedIconBoard.columns, y: line.y, style: style)
    }
    frame.put(
      item.title, x: x, y: line.y, style: style,
      width: max(
        0,
        line.maxX - x - (countWidth > 0 ? countWidth + 2 : 1) - (noteWidth > 0 ? noteWidth + 1 : 0)),
      overflow: .ellipsis)
    if noteWidth > 0 {
      let end = line.maxX - 1 - (countWidth > 0 ? countWidth + 1 : 0)
      frame.put(
        wait, x: end - noteWidth, y: line.y,
        style: isSelected ? style : item.isFirstSync ? theme.accent : theme.warning,
        width: noteWidth)
    }
    if countWidth > 0, countWidth + 1 < line.width {
      frame.put(
        count, x: line.maxX - 1 - countWidth, y: line.y,
        style: item.isEmpty && !isSelected ? theme.dim : style)
    }
  }

  /// The time until the next fetch, or how far the first one has come; empty where there is no room, or nothing to
  /// wait for.
  private func waitText(_ item: SidebarItem, fitting width: Int) -> String {
    guard width >= 16 else { return "" }
    switch item.wait {
    case .retry(let wait): return "↻\(wait.attempt)/\(wait.maxAttempts)"
    case .next(let date) where date.seconds > state.clock.now: return state.clock.wait(date)
    case .network: return CoreStrings.noNetwork
    case .unsent(let count): return "↑\(count)"
    case .firstSync(let sync): return sync.short
    case .next, nil: return ""
    }
  }
}

extension SidebarItem {
  fileprivate var isFirstSync: Bool { if case .firstSync = wait { true } else { false } }
}
