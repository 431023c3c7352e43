internal import Screen

extension LineEditor {
  /// Draws the line behind a label, with the cursor of the terminal where typing goes on.
  ///
  /// - Parameter direction: of the text as a whole; nil for that of its first letter that has one.
  func draw(
    _ frame: inout Frame, _ place: Rect, after label: String, _ theme: Theme,
    direction: TextDirection? = nil
  ) {
    let x = place.x + draw(label, &frame, place, theme)
    let room = max(1, place.maxX - x - 1)
    // The end that is being typed stays in sight.
    let whole = textBeforeCursor
    let before = Self.end(of: whole, fitting: room)
    let used = TextWidth.columns(of: before)
    frame.put(before, x: x, y: place.y, style: theme.text)
    let after = frame.put(text.dropFirst(whole.count), x: x + used, y: place.y, style: theme.text)
    // The place behind the last letter is a part of the text: the cursor may be there.
    frame.arrangeIfNeeded(x: x, y: place.y, width: used + after + 1, direction: direction)
    frame.cursor = (min(x + used, max(0, place.maxX - 1)), place.y)
  }

  /// Draws the label; at least half of the line is left for what is typed.
  private func draw(_ label: String, _ frame: inout Frame, _ place: Rect, _ theme: Theme) -> Int {
    let room = place.width / 2
    guard TextWidth.columns(of: label) > room else {
      return frame.put(label, x: place.x, y: place.y, style: theme.header)
    }
    // A space parts the sign of what is left out from what is typed.
    let used = frame.put(
      label, x: place.x, y: place.y, style: theme.header, width: max(0, room - 1),
      overflow: .ellipsis)
    return min(used + 1, room)
  }

  /// The longest end of a text that takes no more than `columns` columns. What stands before it is not looked at: a
  /// paste may be long.
  private static func end(of text: String, fitting columns: Int) -> Substring {
    var start = text.endIndex
    var left = columns
    while start > text.startIndex {
      let previous = text.index(before: start)
      left -= TextWidth.columns(of: text[previous])
      guard left >= 0 else { break }
      start = previous
    }
    // Characters may take more room next to each other than each by itself.
    var end = text[start...]
    while TextWidth.columns(of: end) > columns { end = end.dropFirst() }
    return end
  }
}
