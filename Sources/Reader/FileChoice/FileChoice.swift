internal import News
internal import Screen
internal import Text

struct FileChoice: Hashable, Sendable {
  let article: ArticleID
  let title: String
  let use: FileUse
  /// Two at least, in the order of the article.
  let files: [Row]
  var selection = ScrollingSelection<Int>(0)

  struct Row: Hashable, Sendable, SelectableRow {
    let place: Int
    let file: Enclosure
    var selectionID: Int { place }
  }

  init(article: ArticleID, title: String, files: [Enclosure], use: FileUse) {
    self.use = use
    self.article = article
    self.title = title
    self.files = files.enumerated().map { Row(place: $0, file: $1) }
  }

  private var effect: Effect {
    switch use {
    case .download: .transfers(.download(article, file: selected))
    case .open: .opening(.openFile(article, file: selected))
    case .queue: .queue(.toggle(article, file: selected))
    }
  }

  private var selected: Int { selection.nearestIndex(in: files) ?? 0 }

  private func rows(_ size: Size) -> Rect { PaneLayout.content(of: PaneLayout.page(size)) }
}

extension FileChoice: ReaderScreen {
  static let name = "files"
  static let layer = ScreenLayer.dialog
  static let commands: [Command] = [.open, .back, .leave] + .motions

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      let height = rows(state.size).height
      selection.move(by: motion.delta(height: height), in: files, height: height)
      return .done([])
    }
    switch command {
    case .open: return .closed([effect])
    case .back, .leave: return .closed([])
    default: return .ignored
    }
  }

  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    let clicked = selection.handle(mouse.event, in: files, area: rows(state.size))
    return clicked != nil && mouse.kind == .doubleClick ? .closed([effect]) : .done([])
  }

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let (pane, rows, theme) = (PaneLayout.page(state.size), rows(state.size), state.theme)
    if rows.y > 0 {
      frame.putHeading(
        CoreStrings.files(of: title), note: "\(selected + 1)/\(files.count)", isFocused: true,
        in: pane, theme)
    }
    for (index, line) in selection.visible(of: files, in: rows) {
      let style = index == selected ? theme.selected : theme.text
      if index == selected { frame.fill(line, style) }
      let file = files[index].file
      let note = [file.type, file.length.map(TransferWords.bytes)].compactMap { $0 }
        .joined(separator: ", ")
      var room = max(0, line.width - 2)
      let columns = TextWidth.columns(of: note)
      if columns > 0, line.width >= columns + 20 {
        frame.put(
          note, x: line.maxX - 1 - columns, y: line.y,
          style: index == selected ? style : theme.dim)
        room -= columns + 2
      }
      frame.put(
        file.title ?? Self.name(of: file.url), x: 1, y: line.y, style: style, width: room,
        overflow: .ellipsis)
    }
  }

  /// The last part of the address, without its query.
  private static func name(of url: String) -> String {
    let bare = WebAddress.redacted(url)
    guard let slash = bare.lastIndex(of: "/"), bare.index(after: slash) < bare.endIndex else {
      return bare
    }
    return String(bare[bare.index(after: slash)...])
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    [
      KeyHint(.open, use == .download ? "download" : use == .queue ? "queue" : "open"),
      KeyHint(.leave, "cancel"), KeyHint(Command(.down), Command(.up), "move"), KeyHint.keys,
    ]
  }
}

extension ReaderState {
  mutating func offer(
    _ files: [Enclosure], of article: ArticleID, title: String, for use: FileUse
  ) -> [Effect] {
    stack.push(FileChoice(article: article, title: title, files: files, use: use))
    return []
  }
}
