internal import News
internal import Screen

/// The links of comments. Each comment numbers its own; keys are about those of the selected one.
extension ConversationState: LinkedScreen {
  func link(numbered number: Int, on size: Size) -> String? {
    shown.isEmpty ? nil : text(selected, size).link(number)
  }

  /// Picks the next or previous link of the selected comment, and brings it into sight.
  mutating func pickLink(_ delta: Int, _ size: Size) -> Bool {
    guard !shown.isEmpty else { return false }
    let text = text(selected, size)
    let count = text.links.count
    guard count > 0 else { return false }
    if let comment = current?.comment, isFolded(comment) { toggleFold(size) }
    let next = link.map { ($0 - 1 + delta + count) % count } ?? (delta > 0 ? 0 : count - 1)
    link = next + 1
    if let line = text.line(ofLink: next + 1) { reveal(line: line + 1, size) }
    return true
  }

  func visibleLinks(_ size: Size) -> [LinkPlace] {
    let room = Self.room(size)
    var places: [LinkPlace] = []
    var (y, place) = (room.y, top)
    while y < room.maxY, place.index < shown.count {
      let row = row(place.index)
      let text = text(place.index, size)
      let lines = isFolded(row.comment) ? [] : text.lines
      let height = isFolded(row.comment) ? 1 : lines.count + 2
      let left = room.x + Self.margin(ofDepth: row.depth, size)
      for line in place.line..<max(height, place.line + 1) where y < room.maxY {
        if lines.indices.contains(line - 1) {
          var x = left
          for span in lines[line - 1].spans {
            let width = min(TextWidth.columns(of: span.text), room.maxX - x)
            guard width > 0 else { break }
            if let number = span.link, let url = text.link(number) {
              places.append(LinkPlace(number: number, url: url, x: x, width: width, y: y))
            }
            x += width
          }
        }
        y += 1
      }
      place = Place(index: place.index + 1)
    }
    return places
  }
}
