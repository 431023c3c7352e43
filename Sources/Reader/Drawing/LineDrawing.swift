internal import Screen

extension LineEditor {
  /// Draws the line behind a label, with the cursor of the terminal where typing goes on.
  ///
  /// - Parameter direction: of the text as a whole; nil for that of its first letter that has one.
  func draw(
    _ frame: inout Frame, _ place: Rect, after label: String, _ theme: Theme,
    direction: TextDirection? = nil
  ) {
    let x = place.x + frame.put(label, x: place.x, y: place.y, style: theme.header)
    let room = max(1, place.maxX - x - 1)
    // The end that is being typed stays in sight.
    var before = Substring(textBeforeCursor)
    while TextWidth.columns(of: before) > room { before = before.dropFirst() }
    let used = TextWidth.columns(of: before)
    frame.put(before, x: x, y: place.y, style: theme.text)
    let after = frame.put(
      text.dropFirst(textBeforeCursor.count), x: x + used, y: place.y, style: theme.text)
    // The place behind the last letter is a part of the text: the cursor may be there.
    frame.arrangeIfNeeded(x: x, y: place.y, width: used + after + 1, direction: direction)
    frame.cursor = (min(x + used, max(0, place.maxX - 1)), place.y)
  }
}
