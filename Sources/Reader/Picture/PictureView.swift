internal import News
internal import Screen

extension Command {
  static let nextPicture = Command("next-picture")
  static let previousPicture = Command("previous-picture")
}

extension KeyTopic {
  static let picture = KeyTopic("A picture")
}

/// The screen of one picture of the open article, as large as there is room.
struct PictureView: Hashable, Sendable {
  let article: ArticleID
  /// Its place among the pictures of the article, from 0.
  private(set) var number: Int

  init(article: ArticleID, number: Int) {
    self.article = article
    self.number = number
  }

  private func pictures(in state: ReaderState) -> [PagePicture] { state.pictures(of: article) }

  private func picture(in state: ReaderState) -> PagePicture? {
    let pictures = pictures(in: state)
    return pictures.indices.contains(number) ? pictures[number] : nil
  }

  private func pane(_ size: Size) -> Rect {
    Rect(x: 0, y: 0, width: size.width, height: size.height > 1 ? size.height - 1 : size.height)
  }

  private func room(_ size: Size) -> Rect { PaneLayout.content(of: pane(size)) }

  /// What is to be shown; nil where the article has changed meanwhile.
  func wish(in state: ReaderState) -> PictureWish? {
    let room = room(state.size)
    guard var picture = picture(in: state) else { return nil }
    (picture.columns, picture.rows) = (max(1, room.width), max(1, room.height))
    return state.wish(for: picture)
  }
}

extension PictureView: ReaderScreen {
  static let name = "picture"
  static let layer = ScreenLayer.page
  static let bindings: [KeyBinding] = [
    .back, .leave,
    KeyBinding(
      .nextPicture, [.character("n"), .character("j"), .down, .character(" ")],
      "the next picture of the article", .picture),
    KeyBinding(
      .previousPicture, [.character("N"), .character("k"), .up],
      "the picture before", .picture),
    KeyBinding(.openInBrowser, [.character("o"), .enter], "open it in the browser", .picture),
    KeyBinding(.copyLink, [.character("y")], "copy its address", .picture),
  ]

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    switch command {
    case .back, .leave:
      state.notice = nil
      return .closed([])
    case .nextPicture: return .done(move(1, in: &state))
    case .previousPicture: return .done(move(-1, in: &state))
    case .openInBrowser: return .done(picture(in: state).map { [.openLink($0.url)] } ?? [])
    case .copyLink: return .done(picture(in: state).map { [.copy($0.url)] } ?? [])
    default: return .ignored
    }
  }

  private mutating func move(_ delta: Int, in state: inout ReaderState) -> [Effect] {
    guard pictures(in: state).indices.contains(number + delta) else {
      return state.tell(delta > 0 ? "this is the last picture" : "this is the first picture")
    }
    number += delta
    return []
  }

  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse {
    switch mouse.kind {
    case .wheelDown: .done(move(1, in: &state))
    case .wheelUp: .done(move(-1, in: &state))
    case .click, .doubleClick: .done([])
    }
  }

  mutating func settle(in state: ReaderState) {
    number = max(0, min(number, pictures(in: state).count - 1))
  }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let pane = pane(state.size)
    let room = room(state.size)
    let picture = picture(in: state)
    let alt = picture?.alt ?? ""
    if room.y > pane.y {
      frame.putHeading(
        alt.isEmpty ? "picture" : alt, note: "\(number + 1) of \(pictures(in: state).count)",
        isFocused: true, in: pane, state.theme)
    }
    guard let wish = wish(in: state) else { return }
    let phase = state.phase(of: wish)
    guard case .shown(let cells) = phase else {
      frame.put(
        phase.words(alt: ""), x: room.x + 1, y: room.y + room.height / 2, style: state.theme.dim,
        width: max(0, room.width - 1), overflow: .ellipsis)
      return
    }
    let left = room.x + max(0, (room.width - cells.columns) / 2)
    let top = room.y + max(0, (room.height - cells.rows) / 2)
    for row in 0..<min(cells.rows, room.height) {
      frame.put(row: row, of: cells, x: left, y: top + row, style: state.theme.text)
    }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    [
      KeyHint("?", "keys"), KeyHint("n", "next"), KeyHint("N", "before"),
      KeyHint("o", "browser"), KeyHint("q", "back"),
    ]
  }
}
