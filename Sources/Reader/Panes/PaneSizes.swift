internal import Screen

extension Command {
  static let growPane = Command("grow-pane")
  static let shrinkPane = Command("shrink-pane")
  static let articleAlone = Command("article-alone")
  static let textWidth = Command("text-width")
}

extension KeyBinding {
  static let growPane = KeyBinding(.growPane, [.character(">")], "this pane larger", .move)
  static let shrinkPane = KeyBinding(.shrinkPane, [.character("<")], "this pane smaller", .move)
}

/// The sizes of the panes: by keys, by dragging the lines between them, and with the article alone.
extension ReaderState {
  /// What a key moves a divider by: columns, or lines.
  private static let step = 2

  mutating func resizePane(_ sign: Int) -> [Effect] {
    guard let (divider, way) = layout.divider(of: focus) else {
      return notify("no other pane shows beside this one")
    }
    let now = place(of: divider)
    let step = divider == .above ? 1 : Self.step
    move(divider, to: now + sign * way * step)
    return [.preferences(.keepDividers(dividers))]
  }

  mutating func toggleArticleAlone() -> [Effect] {
    isArticleAlone.toggle()
    return isArticleAlone
      ? notify("the article has the screen; \(key(.articleAlone)) brings the others back") : []
  }

  /// Makes the lines of articles longer by ten columns, from 60 to 100 and again, until the program ends.
  mutating func changeTextWidth() -> [Effect] {
    let width = [60, 70, 80, 90, 100].first { $0 > settings.textWidth } ?? 60
    settings.textWidth = width
    return notify("lines of \(width) columns")
  }

  /// Begins to drag a divider.
  ///
  /// - Returns: nil where there is none at the place.
  mutating func grab(_ mouse: MouseEvent) -> [Effect]? {
    guard stack.count == 0, let divider = layout.divider(atX: mouse.x, y: mouse.y) else {
      return nil
    }
    dragged = divider
    guard mouse.kind == .doubleClick else { return [] }
    dividers.reset(divider)
    return [.preferences(.keepDividers(dividers))]
  }

  mutating func dragDivider(_ drag: MouseDrag) -> [Effect] {
    guard let divider = dragged else { return [] }
    move(divider, to: columns(before: divider, atX: drag.x, y: drag.y))
    guard drag.isOver else { return [] }
    dragged = nil
    return [.preferences(.keepDividers(dividers))]
  }

  /// The columns or lines before a divider now.
  private func place(of divider: Divider) -> Int {
    let place = layout.dividers.first { $0.divider == divider }?.place
    return place.map { columns(before: divider, atX: $0.x, y: $0.y) } ?? 0
  }

  private func columns(before divider: Divider, atX x: Int, y: Int) -> Int {
    switch divider {
    case .sidebar: x
    case .list: x - (layout.list?.x ?? 0)
    case .above: y
    }
  }

  private mutating func move(_ divider: Divider, to columns: Int) {
    let room =
      switch divider {
      case .sidebar: size.width
      case .list: (layout.list?.width ?? 0) + (layout.article?.width ?? 0)
      case .above: layout.sidebar?.height ?? size.height
      }
    dividers.move(divider, to: columns, in: room)
  }
}
