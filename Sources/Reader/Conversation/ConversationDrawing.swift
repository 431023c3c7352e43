internal import Foundation
internal import News
internal import Screen

/// Draws a thread of comments: each with its head, its text, and bars for its depth.
struct ConversationDrawing {
  let screen: ConversationState
  let state: ReaderState

  var theme: Theme { state.theme }
  private var size: Size { state.size }
  var record: ConversationRecord { screen.conversation.record }

  func draw(_ frame: inout Frame) {
    let pane = PaneLayout.page(size)
    if pane.height >= 3 {
      frame.putHeading(
        screen.conversation.title, note: note, noteStyle: noteStyle, isFocused: true, in: pane,
        theme)
    }
    guard !screen.shown.isEmpty else { return frame.putEmpty(empty, in: size) }
    let room = ConversationState.room(size)
    var y = room.y
    var place = screen.top
    while y < room.maxY, place.index < screen.shown.count {
      let count = draw(place, &frame, room, y: y)
      y += max(1, count)
      place = ConversationState.Place(index: place.index + 1)
    }
  }

  // MARK: Heading

  /// How many there are and how many are new; how old that is where it is not fresh.
  private var note: String {
    let count = screen.rows.count
    var parts: [String] = []
    if count > 0 {
      let announced = screen.conversation.announced ?? 0
      let all = record.isCut ? "\(count)+" : "\(count)"
      let number =
        announced > count && screen.conversation.source == .feed
        ? "\(count) of \(announced)" : all
      parts.append(size.width < 60 ? number : number == "1" ? "1 comment" : "\(number) comments")
    }
    if screen.newCount > 0 { parts.append("\(screen.newCount) new") }
    if screen.isLoading {
      parts.append("loading …")
    } else if record.error != nil, count > 0 {
      parts.append(age)
    }
    return parts.joined(separator: " · ")
  }

  private var noteStyle: Style? {
    record.error != nil && !screen.isLoading && !screen.shown.isEmpty ? theme.warning : nil
  }

  private var age: String {
    guard let fetched = record.fetched else { return "incomplete" }
    return ConversationStrings.asOf(state.clock.age(Int64(fetched.timeIntervalSince1970)))
  }

  // MARK: Comments

  /// Draws a comment from one of its lines on.
  private func draw(
    _ place: ConversationState.Place, _ frame: inout Frame, _ room: Rect, y: Int
  ) -> Int {
    let row = screen.row(place.index)
    let margin = ConversationState.margin(ofDepth: row.depth, size)
    let (x, width) = (room.x + margin, max(1, room.width - margin))
    let lines =
      screen.isFolded(row.comment)
      ? nil : screen.text(place.index, size).lines
    let count = (lines?.count ?? -1) + 2
    // The empty line between two comments belongs to what both answer.
    let next =
      lines == nil
      ? margin
      : place.index + 1 < screen.shown.count
        ? ConversationState.margin(ofDepth: screen.row(place.index + 1).depth, size) : 0
    for line in place.line..<max(place.line, count) {
      let y = y + line - place.line
      guard y < room.maxY else { break }
      bars(&frame, room.x, y, line == count - 1 ? min(margin, next) : margin)
      if line == 0 {
        head(place.index, row, &frame, Rect(x: x, y: y, width: width, height: 1))
      } else if let lines, lines.indices.contains(line - 1) {
        frame.put(
          lines[line - 1], x: x, y: y, width: width, theme,
          picked: place.index == screen.selected ? screen.link : nil)
      }
    }
    return count - place.line
  }

  private func bars(_ frame: inout Frame, _ x: Int, _ y: Int, _ margin: Int) {
    for column in stride(from: 0, to: margin, by: 2) {
      frame.put("│", x: x + column, y: y, style: theme.border)
    }
  }

  private func head(_ index: Int, _ row: CommentThread.Row, _ frame: inout Frame, _ line: Rect) {
    let comment = row.comment
    let isSelected = index == screen.selected
    if isSelected { frame.fill(line, theme.selected) }
    func own(_ style: Style) -> Style { isSelected ? theme.selected : style }
    var x = line.x
    func put(_ text: String, _ style: Style) {
      guard x < line.maxX else { return }
      x += frame.put(
        text, x: x, y: line.y, style: own(style), width: line.maxX - x, overflow: .ellipsis)
    }
    if screen.isFolded(comment) { put("▸ ", theme.accent) }
    if screen.isNew(comment) { put("● ", theme.accent) }
    if ConversationState.isBounded(row.depth, size) { put("↳\(row.depth) ", theme.dim) }
    if let waiting = screen.conversation.waiting[comment.id] {
      put("you", theme.header)
      put(" · ", theme.dim)
      put(words(for: waiting), waiting.isRefused ? theme.error : theme.warning)
      return
    }
    put(comment.author ?? "somebody", theme.header)
    if let date = comment.published {
      put(" · \(state.clock.short(Int64(date.timeIntervalSince1970)))", theme.dim)
    }
    if comment.updated != nil { put(" · changed", theme.dim) }
    guard screen.isFolded(comment) else { return }
    let answers = screen.answers(below: index)
    if answers.count > 0 { put(" · " + quantity(answers.count, "answer"), theme.dim) }
    if answers.new > 0 { put(", \(answers.new) new", theme.accent) }
  }

  private func words(for waiting: WaitingText) -> String {
    guard let error = waiting.error?.line else { return ConversationStrings.waiting }
    return waiting.isRefused ? "refused: \(error)" : "waiting: \(error)"
  }
}
