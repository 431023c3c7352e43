internal import News
internal import Screen

struct DeckDrawing {
  let deck: DeckState
  let theme: Theme
  /// How to leave.
  let back: String

  func draw(_ frame: inout Frame, _ size: Size) {
    let pane = PaneLayout.page(size)
    if pane.height >= 3 {
      frame.putHeading(deck.name, note: deck.progress, isFocused: true, in: pane, theme)
    }
    let room = DeckState.room(size)
    guard let rows = deck.rows else { return put(CoreStrings.loading, &frame, room, back) }
    guard let row = deck.row else { return drawEnd(rows.count, &frame, room) }
    guard let card = deck.card(at: size) else { return put(row.title, &frame, room) }
    var y = room.y
    func line(_ text: String, _ style: Style, _ frame: inout Frame) {
      guard y < room.maxY else { return }
      frame.put(text, x: room.x, y: y, style: style, width: room.width, overflow: .ellipsis)
      y += 1
    }
    for text in card.title { line(text, theme.header, &frame) }
    let mark = deck.decisions[row.id].map { " · \(DeckStrings.decision($0))" } ?? ""
    line(card.source + mark, theme.dim, &frame)
    y += 1
    if let picture = card.picture {
      draw(picture, of: card, &frame, room, y)
      y += picture.rows + 1
    }
    for text in card.text { line(text, theme.text, &frame) }
  }

  private func draw(
    _ picture: PagePicture, of card: ArticleCard, _ frame: inout Frame, _ room: Rect, _ y: Int
  ) {
    let phase = deck.phase(of: picture, of: card)
    guard case .shown(let cells) = phase else {
      frame.put(
        phase.words(alt: picture.alt), x: room.x, y: min(y + picture.rows / 2, room.maxY - 1),
        style: theme.dim, width: room.width, overflow: .ellipsis)
      return
    }
    for row in 0..<min(cells.rows, room.maxY - y) {
      frame.put(row: row, of: cells, x: room.x, y: y + row, style: theme.text, width: room.width)
    }
  }

  private func drawEnd(_ count: Int, _ frame: inout Frame, _ room: Rect) {
    guard count > 0 else { return put(MarksStrings.noUnreadHere, &frame, room, back) }
    put(DeckStrings.end, &frame, room, deck.summary)
  }

  private func put(_ text: String, _ frame: inout Frame, _ room: Rect, _ more: String? = nil) {
    frame.put(
      text, x: room.x, y: room.y, style: theme.header, width: room.width, overflow: .ellipsis)
    guard let more, room.height > 2 else { return }
    frame.put(
      more, x: room.x, y: room.y + 2, style: theme.dim, width: room.width, overflow: .ellipsis)
  }
}
