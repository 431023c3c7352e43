internal import News
package import Screen

extension ReaderState {
  /// Draws the whole screen. Total: any state can be drawn at any size.
  package func render() -> Frame {
    var frame = Frame(size: size)
    guard size.width > 0, size.height > 0 else { return frame }
    frame.fill(Rect(x: 0, y: 0, width: size.width, height: size.height), theme.text)
    page.draw(&frame, in: self)
    if let line = layout.status {
      if let top = stack.top, type(of: top).layer == .prompt {
        top.draw(&frame, in: self)
      } else {
        StatusLine(state: self).draw(&frame, line)
      }
    }
    if settings.usesAsciiSigns { frame.useAsciiSigns() }
    return frame
  }

  var page: any ReaderScreen { stack.topPage ?? focus.screen }
}
