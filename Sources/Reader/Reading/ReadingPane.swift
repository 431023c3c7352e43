internal import Screen

/// A pane. Panes are always open, below all other screens. Their states are members of the `ReaderState`,
/// because they are visible side by side.
protocol ReadingPane: ReaderScreen {
  /// Handles the mouse over the pane, whichever pane has the focus.
  ///
  /// - Parameter row: the line that the pointer is on, from the first below the heading.
  mutating func handle(_ mouse: MousePress, row: Int, in state: inout ReaderState) -> [Effect]
  func draw(_ frame: inout Frame, _ pane: Rect, in state: ReaderState)
}

extension ReadingPane {
  static var layer: ScreenLayer { .panes }

  /// Gives the event to the pane below the pointer.
  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    for pane in Pane.allCases {
      guard let place = state.layout[pane], place.contains(x: mouse.x, y: mouse.y) else {
        continue
      }
      var screen = pane.screen
      let row = mouse.y - PaneLayout.content(of: place).y
      return .done(screen.handle(mouse, row: row, in: &state))
    }
    return .done([])
  }

  /// Draws all panes that there is room for, and the lines between them.
  func draw(_ frame: inout Frame, in state: ReaderState) {
    let layout = state.layout
    for pane in Pane.allCases {
      if let place = layout[pane] { pane.screen.draw(&frame, place, in: state) }
    }
    for (divider, place) in layout.dividers {
      let line = divider == .above ? String(repeating: "─", count: place.width) : "│"
      for y in place.y..<place.maxY {
        frame.put(line, x: place.x, y: y, style: state.theme.border)
      }
      if divider == .above, place.x > 0 {
        frame.put("├", x: place.x - 1, y: place.y, style: state.theme.border)
      }
    }
  }
}

extension Pane {
  var screen: any ReadingPane {
    switch self {
    case .sidebar: SidebarPane()
    case .list: ListPane()
    case .article: ArticlePane()
    }
  }
}
