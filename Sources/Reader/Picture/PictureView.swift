internal import News
internal import Screen

/// The screen of one picture of the open article: whole, as large as there is room, or as wide as the screen, to be
/// scrolled.
struct PictureView: Hashable, Sendable {
  let article: ArticleID
  /// Its place among the pictures of the article, from 0.
  private(set) var number: Int
  private var isWide = false
  /// Whether the terminal shows its pixels, as far as it has been seen: those that are wider than the screen are made
  /// smaller, and others stay sharp.
  private var hasPixels = false
  /// The first row that shows of one that is as wide as the screen.
  private var top = 0

  /// The rows of one that is as wide as the screen, at most.
  private static let mostRows = 1_000

  init(article: ArticleID, number: Int) {
    self.article = article
    self.number = number
  }

  private func pictures(in state: ReaderState) -> [PagePicture] {
    ArticlePictures.pictures(of: article, in: state)
  }

  private func picture(in state: ReaderState) -> PagePicture? {
    let pictures = pictures(in: state)
    return pictures.indices.contains(number) ? pictures[number] : nil
  }

  private func room(_ size: Size) -> Rect { PaneLayout.content(of: PaneLayout.page(size)) }

  /// The picture to load; nil where the article has changed meanwhile.
  func wish(in state: ReaderState) -> PictureWish? {
    let room = room(state.size)
    guard var picture = picture(in: state) else { return nil }
    picture.columns = max(1, room.width)
    picture.rows = isWide ? Self.mostRows : max(1, room.height)
    var wish = ArticlePictures.wish(for: picture, in: state)
    wish?.fills = !(isWide && hasPixels)
    return wish
  }

  /// The visible cells; nil before they have come.
  private func cells(in state: ReaderState) -> CellPicture? {
    guard let wish = wish(in: state),
      case .shown(let cells) = ArticlePictures.phase(of: wish, in: state)
    else {
      return nil
    }
    return cells
  }

  private mutating func widen(in state: inout ReaderState) -> [Effect] {
    guard let cells = cells(in: state) else { return [] }
    if !isWide { hasPixels = cells.pixels != nil }
    (isWide, top) = (!isWide, 0)
    return []
  }

  /// Scrolls a picture that is as wide as the screen; at its end a page goes on to the next one, as a line does where
  /// all of it shows.
  private mutating func perform(_ motion: Motion, in state: inout ReaderState) -> [Effect] {
    let height = room(state.size).height
    let rows = cells(in: state)?.rows ?? 0
    let former = top
    let delta = motion.delta(height: height)
    if isWide { top = scrolled(top, by: delta, count: rows, height: height) }
    guard top == former else { return [] }
    switch motion {
    case .pageDown: return move(1, in: &state)
    case .pageUp: return move(-1, in: &state)
    case .down, .up: return isWide && rows > height ? [] : move(delta, in: &state)
    default: return []
    }
  }
}

extension PictureView: ReaderScreen {
  static let name = "picture"
  static let layer = ScreenLayer.page
  static let commands: [Command] =
    [.next, .previous, .width, .openInBrowser, .copyAddress, .back, .leave] + .motions
  static let help: [Command: String] = [
    .next: "Next picture", .previous: "Previous picture",
    .width: "Fit the screen, or its width", .openInBrowser: "Open the picture in the browser",
  ]

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion { return .done(perform(motion, in: &state)) }
    switch command {
    case .width: return .done(widen(in: &state))
    case .back, .leave:
      state.notice = nil
      return .closed([])
    case .next: return .done(move(1, in: &state))
    case .previous: return .done(move(-1, in: &state))
    case .openInBrowser:
      return .done(picture(in: state).map { [.opening(.openLink($0.url))] } ?? [])
    case .copyAddress: return .done(picture(in: state).map { [.opening(.copy($0.url))] } ?? [])
    default: return .ignored
    }
  }

  private mutating func move(_ delta: Int, in state: inout ReaderState) -> [Effect] {
    guard pictures(in: state).indices.contains(number + delta) else {
      return state.notify(delta > 0 ? ReadingStrings.lastPicture : ReadingStrings.firstPicture)
    }
    number += delta
    top = 0
    return []
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    switch mouse.kind {
    case .wheelDown: .done(perform(.down, in: &state))
    case .wheelUp: .done(perform(.up, in: &state))
    case .click, .doubleClick: .done([])
    }
  }

  mutating func settle(in state: ReaderState) {
    number = max(0, min(number, pictures(in: state).count - 1))
    if let cells = cells(in: state) {
      top = scrolled(top, by: 0, count: cells.rows, height: room(state.size).height)
    }
  }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let pane = PaneLayout.page(state.size)
    let room = room(state.size)
    let picture = picture(in: state)
    let alt = picture?.alt ?? ""
    if room.y > pane.y {
      frame.putHeading(
        alt.isEmpty ? "Picture" : alt, note: note(in: state),
        isFocused: true, in: pane, state.theme)
    }
    let phase = wish(in: state).flatMap { ArticlePictures.phase(of: $0, in: state) }
    guard case .shown(let cells) = phase else {
      let isThere = picture != nil
      let lines = [
        isThere ? phase.words(alt: "") : ReadingStrings.pictureGone,
        isThere
          ? ReadingStrings.pictureInBrowser(state.key(.openInBrowser))
          : ReadingStrings.back(state.key(.leave)),
      ]
      for (row, text) in lines.enumerated() where room.height / 2 + row < room.height {
        frame.put(
          text, x: room.x + 1, y: room.y + room.height / 2 + row, style: state.theme.dim,
          width: max(0, room.width - 1), overflow: .ellipsis)
      }
      return
    }
    let left = room.x + max(0, (room.width - cells.columns) / 2)
    let y = room.y + max(0, (room.height - cells.rows) / 2)
    for row in 0..<min(cells.rows - top, room.height) {
      frame.put(row: top + row, of: cells, x: left, y: y + row, style: state.theme.text)
    }
  }

  /// Which of how many it is, and how much of it has been seen where not all of it shows.
  private func note(in state: ReaderState) -> String {
    let place = "\(number + 1) of \(pictures(in: state).count)"
    let height = room(state.size).height
    guard let rows = cells(in: state)?.rows, rows > height else { return place }
    return "\(place) · \(min(rows, top + height) * 100 / rows) %"
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    [
      KeyHint.keys, KeyHint(.next, "next"), KeyHint(.previous, "previous"),
      KeyHint(.width, isWide ? "whole" : "wide"), KeyHint(.openInBrowser, "browser"), KeyHint.back,
    ]
  }
}
