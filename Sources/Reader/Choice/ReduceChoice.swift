internal import News
internal import Screen

/// Picking one of the feeds of a page.
extension ReaderState {
  mutating func offer(_ links: [FeedLink], of address: String) -> [Effect] {
    searches.removeAll { $0.address == address }
    guard links.count > 1 else {
      return links.first.map { subscribe(to: $0, of: address) } ?? []
    }
    choice = FeedChoice(address: address, links: links)
    return []
  }

  mutating func choose(_ key: KeyEvent, at milliseconds: Int64) -> [Effect] {
    switch key {
    case .control("c"), .control("g"):
      choice = nil
      return []
    default: break
    }
    let command = KeyMap.command(for: key, in: .list)
    if let motion = command?.motion {
      moveChoice(motion.delta(height: choiceLayout.rows.height))
      return []
    }
    switch command {
    case .open: return takeChoice()
    case .back, .leave: choice = nil
    case .help, .redraw, .suspend:
      return KeyMap.command(for: key, in: .list).map { perform($0, at: milliseconds) } ?? []
    case .quit: return leaveArticle() + [.quit]
    default: return tellUnknown(key)
    }
    return []
  }

  mutating func reduceInChoice(_ mouse: MouseEvent) -> [Effect] {
    guard let choice else { return [] }
    switch mouse.kind {
    case .wheelDown: moveChoice(3)
    case .wheelUp: moveChoice(-3)
    case .click, .doubleClick:
      let rows = choiceLayout.rows
      let index = firstVisibleChoice(choice) + mouse.y - rows.y
      guard rows.contains(x: mouse.x, y: mouse.y), choice.links.indices.contains(index) else {
        return []
      }
      moveChoice(index - choice.selected)
      if mouse.kind == .doubleClick { return takeChoice() }
    }
    return []
  }

  private mutating func takeChoice() -> [Effect] {
    guard let choice else { return [] }
    self.choice = nil
    return subscribe(to: choice.links[choice.selected], of: choice.address)
  }

  private mutating func subscribe(to link: FeedLink, of address: String) -> [Effect] {
    look(for: link.url, of: address)
    return [.addFound(link, of: address)]
  }

  private mutating func moveChoice(_ delta: Int) {
    guard var choice else { return }
    choice.selection.move(by: delta, in: choice.links, height: choiceLayout.rows.height)
    self.choice = choice
  }
}
