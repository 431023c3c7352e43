internal import Screen

/// A pane. Panes are always open, below all other screens. Their states are members of the `ReaderState`,
/// because they are visible side by side.
protocol ReadingPane: ReaderScreen {}

extension ReadingPane {
  static var layer: ScreenLayer { .panes }

  /// The pane below the pointer takes it, whichever has the focus.
  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse {
    .done(state.takeInPanes(mouse, at: milliseconds))
  }

  func draw(_ frame: inout Frame, in state: ReaderState) { state.drawPanes(&frame) }
}

extension Pane {
  /// The screen that gets the input while the pane has the focus.
  var screen: any ReaderScreen {
    switch self {
    case .sidebar: SidebarPane()
    case .list: ListPane()
    case .article: ArticlePane()
    }
  }
}

extension ReaderState {
  func drawPanes(_ frame: inout Frame) {
    let layout = layout
    if let pane = layout.sidebar { drawSidebar(&frame, pane) }
    if let pane = layout.list { drawList(&frame, pane) }
    if let pane = layout.article { drawArticle(&frame, pane) }
    for pane in [layout.list, layout.article] {
      guard let pane, pane.x > 0 else { continue }
      for y in pane.y..<pane.maxY {
        frame.put("│", x: pane.x - 1, y: y, style: theme.border)
      }
    }
  }

  mutating func takeInPanes(_ mouse: MouseEvent, at milliseconds: Int64) -> [Effect] {
    let layout = layout
    func row(in pane: Rect?) -> Int? {
      guard let pane, pane.contains(x: mouse.x, y: mouse.y) else { return nil }
      return mouse.y - PaneLayout.content(of: pane).y
    }
    if let row = row(in: layout.sidebar) { return takeInSidebar(mouse, row: row) }
    if let row = row(in: layout.list) { return takeInList(mouse, row: row, at: milliseconds) }
    if row(in: layout.article) != nil { takeInArticle(mouse) }
    return []
  }
}
