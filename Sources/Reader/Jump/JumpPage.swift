internal import News
internal import Screen

/// All lists, tags, folders and feeds: Enter goes to the selected one.
struct JumpPage: FilteredPage, Hashable, Sendable {
  static let name = "jump"
  static let opening: Command? = .jump
  static let words = FilteredList<Timeline>.Words(
    title: CoreStrings.goTo, prompt: "\(CoreStrings.goTo): ", nothing: CoreStrings.noFeedHasLetters)

  var filtered = FilteredList<Timeline>()

  static func rows(for text: String, in state: ReaderState) -> [JumpPlace] {
    JumpPlace.matches(text, among: state.jumpPlaces)
  }

  static func choose(
    _ place: JumpPlace, at milliseconds: Int64, in state: inout ReaderState
  ) -> [Effect] {
    state.goToList(of: place.timeline)
  }

  static func columns(in state: ReaderState) {}

  func draw(
    _ place: JumpPlace, _ frame: inout Frame, _ line: Rect, _ columns: Void, isSelected: Bool,
    in state: ReaderState
  ) {
    let theme = state.theme
    let style = isSelected ? theme.selected : theme.text
    frame.fill(line, style)
    let count = place.unread > 0 ? "\(place.unread)" : ""
    let room = max(0, line.width - 3 - TextWidth.columns(of: count))
    let width = min(TextWidth.columns(of: place.title), room)
    frame.put(
      place.title, x: line.x + 1, y: line.y,
      style: !isSelected && place.unread > 0 ? theme.unread : style, width: width,
      overflow: .ellipsis)
    if room - width > 4, !place.around.isEmpty {
      frame.put(
        place.around, x: line.x + 3 + width, y: line.y, style: isSelected ? style : theme.dim,
        width: room - width - 2, overflow: .ellipsis)
    }
    frame.put(
      count, x: line.maxX - 1 - TextWidth.columns(of: count), y: line.y,
      style: isSelected ? style : theme.dim, width: TextWidth.columns(of: count))
  }
}

extension ReaderState {
  /// All rows of the sidebar, those in closed folders and hidden feeds too; a feed in several folders once.
  fileprivate var jumpPlaces: [JumpPlace] {
    var open = sidebar
    open.closedFolders = []
    open.areTagsClosed = false
    open.hidesRead = false
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
        unread: [.starred, .later, .due].contains(item.timeline) ? 0 : item.count)
    }
  }
}
