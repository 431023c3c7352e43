internal import News
package import Screen

extension ReaderState {
  /// Draws the whole screen. Total: any state can be drawn at any size.
  package func render() -> Frame {
    var frame = Frame(size: size)
    guard size.width > 0, size.height > 0 else { return frame }
    frame.fill(Rect(x: 0, y: 0, width: size.width, height: size.height), theme.text)
    page.draw(&frame, in: self)
    guard let line = layout.status else { return frame }
    if let top = stack.top, type(of: top).layer == .prompt {
      top.draw(&frame, in: self)
    } else {
      drawStatus(&frame, line)
    }
    return frame
  }

  /// The screen that shows above the line at the bottom.
  var page: any ReaderScreen { stack.topPage ?? focus.screen }

  /// The first line of a page or a pane: what it shows at the left, how it stands at the right.
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
}
