internal import Screen

extension String {
  /// A bar of cells, the first of them filled.
  static func bar(_ filled: Int, of cells: Int) -> String {
    String(repeating: "━", count: filled) + String(repeating: "─", count: cells - filled)
  }
}

extension Frame {
  /// Draws the first line of a page or a pane: a title at the left, a note at the right. The title gives
  /// way first.
  ///
  /// - Parameters:
  ///   - noteStyle: the style of the note; nil for dim.
  ///   - icon: stands behind the title, so that nothing moves when it comes; left out where there is no room.
  mutating func putHeading(
    _ title: String, note: String = "", noteStyle: Style? = nil, icon: CellPicture? = nil,
    isFocused: Bool,
    in pane: Rect, _ theme: Theme
  ) {
    guard pane.height >= 3 else { return }
    let noteWidth = min(TextWidth.columns(of: note), max(0, pane.width - 4))
    let room = max(0, pane.width - 2 - (noteWidth > 0 ? noteWidth + 1 : 0))
    let used = put(
      title, x: pane.x + 1, y: pane.y, style: isFocused ? theme.header : theme.dim, width: room,
      overflow: .ellipsis)
    if let icon, used + 1 + icon.columns <= room {
      put(row: 0, of: icon, x: pane.x + 2 + used, y: pane.y)
    }
    if noteWidth > 0 {
      put(
        note, x: pane.maxX - 1 - noteWidth, y: pane.y, style: noteStyle ?? theme.dim,
        width: noteWidth, overflow: .ellipsis)
    }
  }
}
