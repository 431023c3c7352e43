internal import News
internal import Screen

extension Command {
  static let jump = Command("jump")
}

/// All lists, folders and feeds: what is typed makes them fewer, Enter goes to the selected one.
struct JumpPage: Hashable, Sendable {
  private var filtered = FilteredList<Timeline>()

  private func answer(
    _ outcome: FilteredList<Timeline>.Outcome, in state: inout ReaderState
  ) -> ScreenResponse {
    switch outcome {
    case .ignored: return .ignored
    case .done: return .done([])
    case .suspended: return .done([.suspend])
    case .closed: return .closed([])
    case .chosen(let index):
      return .closed(state.goToList(of: state.places(for: filtered.text)[index].timeline))
    }
  }
}

extension ReaderState {
  fileprivate func places(for text: String) -> [JumpPlace] {
    JumpPlace.matches(text, among: jumpPlaces)
  }

  /// What the sidebar has, also in closed folders; a feed in several folders once.
  private var jumpPlaces: [JumpPlace] {
    var open = sidebar
    open.closedFolders = []
    open.areTagsClosed = false
    open.rebuildItems(from: subscriptions)
    var seen: Set<Timeline> = []
    var path: [String] = []
    return open.items.compactMap { item in
      path.removeLast(max(0, path.count - item.depth))
      let around = item.kind == .smart ? "" : path.joined(separator: "/")
      switch item.kind {
      case .folder, .tags: path.append(item.title)
      case .smart, .tag, .account, .feed: break
      }
      if case .account = item.kind { path = [item.title] }
      guard seen.insert(item.timeline).inserted else { return nil }
      return JumpPlace(
        timeline: item.timeline, title: item.title, around: around,
        unread: item.timeline == .starred ? 0 : item.count)
    }
  }
}

extension JumpPage: ReaderScreen {
  static let name = "jump"
  static let layer = ScreenLayer.prompt
  static let bindings: [KeyBinding] = []
  static let opening: KeyBinding? = KeyBinding(
    .jump, [.character(";"), .function(3)], "go to a feed or folder by letters of its name", .move)

  static func open(in state: inout ReaderState) -> [Effect] {
    var page = JumpPage()
    page.filtered.selectFirst(of: state.places(for: ""), size: state.size)
    state.stack.push(page)
    return []
  }

  mutating func take(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    answer(filtered.take(press, size: state.size) { state.places(for: $0) }, in: &state)
  }

  mutating func take(pasted text: String, in state: inout ReaderState) -> ScreenResponse {
    filtered.take(pasted: text, size: state.size) { state.places(for: $0) }
    return .done([])
  }

  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse {
    answer(filtered.take(mouse, size: state.size) { state.places(for: $0) }, in: &state)
  }

  mutating func settle(in state: ReaderState) {
    filtered.settle(in: state.places(for: filtered.text), size: state.size)
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, in state: ReaderState) {
    let words = FilteredList<Timeline>.Words(
      title: "Go to", prompt: "Go to: ", nothing: "no feed or folder has these letters")
    filtered.draw(&frame, state.places(for: filtered.text), words, in: state) {
      frame, place, line, isSelected in
      let style = isSelected ? state.theme.selected : state.theme.text
      frame.fill(line, style)
      let count = place.unread > 0 ? "\(place.unread)" : ""
      let room = max(0, line.width - 3 - TextWidth.columns(of: count))
      let width = min(TextWidth.columns(of: place.title), room)
      frame.put(
        place.title, x: line.x + 1, y: line.y,
        style: !isSelected && place.unread > 0 ? state.theme.unread : style, width: width,
        overflow: .ellipsis)
      if room - width > 4, !place.around.isEmpty {
        frame.put(
          place.around, x: line.x + 3 + width, y: line.y,
          style: isSelected ? style : state.theme.dim, width: room - width - 2,
          overflow: .ellipsis)
      }
      frame.put(
        count, x: line.maxX - 1 - TextWidth.columns(of: count), y: line.y,
        style: isSelected ? style : state.theme.dim, width: TextWidth.columns(of: count))
    }
  }
}
