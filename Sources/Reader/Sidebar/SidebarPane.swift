internal import News
internal import Screen

extension Command {
  static let fold = Command("fold")
}

/// The pane of the subscriptions.
struct SidebarPane: ReadingPane {
  static let name = "sidebar"
  static let bindings: [KeyBinding] =
    KeyBinding.motions + [
      .open, .back, .leave, .nextPane, .previousPane,
      KeyBinding(.fold, [.character("z")], "close the folder, or open it", .move),
      .nextUnread, .markAllRead, .undo, .toggleUnreadOnly,
      .refresh, .refreshAll, .addFeed, .renameFeed, .fileFeed, .removeFeed, .signIn, .search,
    ]

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion { return .done(state.moveInSidebar(motion)) }
    switch command {
    case .open: return .done(state.goToList(of: state.sidebar.selected))
    case .fold:
      state.toggleFolder()
      return .done([])
    case .back: return .done([])
    case .leave:
      state.notice = nil
      return .done(state.leaveArticle() + [.quit])
    default: return state.performInPanes(command)
    }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    state.whyHints + [
      KeyHint("?", "keys"), KeyHint("Enter", "open"), KeyHint("a", "add"), KeyHint("d", "remove"),
      KeyHint("r", "refresh"), KeyHint("/", "search"), KeyHint("q", "quit"),
    ]
  }

  func trouble(in state: ReaderState) -> StatusTrouble? { state.listTrouble }
}

extension ReaderState {
  mutating func moveInSidebar(_ motion: Motion) -> [Effect] {
    let items = sidebar.items
    guard !items.isEmpty else { return [] }
    let delta = motion.delta(height: sidebarHeight)
    let index = max(0, min(items.count - 1, sidebar.selectedIndex + delta))
    let effects = show(items[index].timeline)
    sidebar.selection.selectInPlace(index, in: sidebar.items)
    sidebar.selection.settle(in: sidebar.items, height: sidebarHeight)
    return effects
  }

  /// - Parameter row: the line of the pane that the pointer is on.
  mutating func takeInSidebar(_ mouse: MouseEvent, row: Int) -> [Effect] {
    switch mouse.kind {
    case .wheelDown:
      sidebar.selection.scroll(by: 3, in: sidebar.items, height: sidebarHeight)
      return []
    case .wheelUp:
      sidebar.selection.scroll(by: -3, in: sidebar.items, height: sidebarHeight)
      return []
    case .click, .doubleClick:
      let index = firstVisibleSidebarItem + row
      guard row >= 0, sidebar.items.indices.contains(index) else {
        focus = .sidebar
        return []
      }
      let item = sidebar.items[index]
      if mouse.kind == .doubleClick, case .folder(let folder) = item.timeline {
        setFolder(folder, isOpen: sidebar.closedFolders.contains(folder))
        return []
      }
      let effects = show(item.timeline)
      sidebar.selection.selectInPlace(index, in: sidebar.items)
      focus = layout.list == nil || mouse.kind == .doubleClick ? .list : .sidebar
      return effects
    }
  }

  /// Closes the folder that is selected, or opens it.
  mutating func toggleFolder() {
    guard case .folder(let folder) = sidebar.selected else { return }
    setFolder(folder, isOpen: sidebar.closedFolders.contains(folder))
  }

  private mutating func setFolder(_ folder: FolderID, isOpen: Bool) {
    if isOpen { sidebar.closedFolders.remove(folder) } else { sidebar.closedFolders.insert(folder) }
    sidebar.rebuildItems(from: subscriptions)
  }
}
