internal import News
internal import Screen

extension ReaderState {
  mutating func reduce(_ mouse: MouseEvent, at milliseconds: Int64) -> [Effect] {
    if helpOffset != nil {
      switch mouse.kind {
      case .wheelDown:
        scrollHelp(3)
        return []
      case .wheelUp:
        scrollHelp(-3)
        return []
      case .click, .doubleClick:
        helpOffset = nil
        return []
      }
    }
    if choice != nil { return reduceInChoice(mouse) }
    if health != nil { return reduceInHealth(mouse) }
    let layout = layout
    func isIn(_ pane: Rect?) -> Bool { pane?.contains(x: mouse.x, y: mouse.y) ?? false }
    if isIn(layout.sidebar), let pane = layout.sidebar {
      return reduceInSidebar(mouse, row: mouse.y - PaneLayout.content(of: pane).y)
    }
    if isIn(layout.list), let pane = layout.list {
      return reduceInList(mouse, row: mouse.y - PaneLayout.content(of: pane).y, milliseconds)
    }
    if isIn(layout.article) {
      switch mouse.kind {
      case .wheelDown: scrollArticle(3)
      case .wheelUp: scrollArticle(-3)
      case .click, .doubleClick: if article != nil { focus = .article }
      }
    }
    return []
  }

  mutating func scrollHelp(_ delta: Int) {
    guard let offset = helpOffset else { return }
    helpOffset = scrolled(
      offset, by: delta, count: HelpPage.lines(width: size.width).count, height: size.height - 1)
  }

  private mutating func reduceInSidebar(_ mouse: MouseEvent, row: Int) -> [Effect] {
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
      if mouse.kind == .doubleClick, case .folder(let isOpen) = item.kind,
        case .folder(let path) = item.timeline
      {
        setFolder(path, isOpen: !isOpen)
        return []
      }
      let effects = show(item.timeline)
      sidebar.selection.selectInPlace(index, in: sidebar.items)
      focus = layout.list == nil || mouse.kind == .doubleClick ? .list : .sidebar
      return effects
    }
  }

  private mutating func reduceInList(
    _ mouse: MouseEvent, row: Int, _ milliseconds: Int64
  ) -> [Effect] {
    switch mouse.kind {
    case .wheelDown:
      pull.since = nil
      return moveInList(3)
    case .wheelUp:
      if list.selectedIndex.map({ $0 == 0 && isAtTop }) ?? true {
        return pullPastTop(at: milliseconds)
      }
      return moveInList(-3)
    case .click, .doubleClick:
      let index = firstVisibleRow + row
      guard row >= 0, list.rows.indices.contains(index) else {
        focus = .list
        return []
      }
      // A click on the selected row opens it, as a double click does.
      let wasSelected = focus == .list && index == list.selectedIndex
      select(index, screenRow: row)
      focus = .list
      return wasSelected || mouse.kind == .doubleClick ? openSelected() : []
    }
  }

  mutating func setFolder(_ path: String, isOpen: Bool) {
    if isOpen { sidebar.closedFolders.remove(path) } else { sidebar.closedFolders.insert(path) }
    sidebar.rebuildItems()
  }
}
