internal import News
internal import Screen

/// The sizes of the panes: by keys, by dragging the lines between them, and with the article alone.
enum PaneResizing {
  /// Columns or lines that a key moves a divider by.
  private static let step = 2

  static func resizePane(_ sign: Int, in state: inout ReaderState) -> [Effect] {
    guard let (divider, way) = state.layout.divider(of: state.focus) else {
      return state.notify(PanesStrings.noDivider)
    }
    let now = place(of: divider, in: state)
    let step = divider == .above ? 1 : Self.step
    move(divider, to: now + sign * way * step, in: &state)
    return [.preferences(.keepDividers(state.dividers))]
  }

  static func zoom(in state: inout ReaderState) -> [Effect] {
    if state.focus == .sidebar { state.focus = .list }
    state.isZoomed.toggle()
    return state.isZoomed ? state.notify(PanesStrings.zoomed(state.key(.zoom))) : []
  }

  /// Makes the lines of articles longer by ten columns, from 60 to 100 and again, until the program ends.
  static func changeTextWidth(in state: inout ReaderState) -> [Effect] {
    let width = [60, 70, 80, 90, 100].first { $0 > state.settings.textWidth } ?? 60
    state.settings.textWidth = width
    return state.notify(PanesStrings.lineWidth(width))
  }

  /// Begins to drag a divider.
  static func grab(_ mouse: MouseEvent, in state: inout ReaderState) -> [Effect]? {
    guard state.stack.count == 0, let divider = state.layout.divider(atX: mouse.x, y: mouse.y)
    else {
      return nil
    }
    state.dragged = divider
    guard mouse.kind == .doubleClick else { return [] }
    state.dividers.reset(divider)
    return [.preferences(.keepDividers(state.dividers))]
  }

  static func dragDivider(_ drag: MouseDrag, in state: inout ReaderState) -> [Effect] {
    guard let divider = state.dragged else { return [] }
    move(divider, to: columns(before: divider, atX: drag.x, y: drag.y, in: state), in: &state)
    guard drag.isOver else { return [] }
    state.dragged = nil
    return [.preferences(.keepDividers(state.dividers))]
  }

  /// The columns or lines before a divider now.
  private static func place(of divider: Divider, in state: ReaderState) -> Int {
    let place = state.layout.dividers.first { $0.divider == divider }?.place
    return place.map { columns(before: divider, atX: $0.x, y: $0.y, in: state) } ?? 0
  }

  private static func columns(
    before divider: Divider, atX x: Int, y: Int, in state: ReaderState
  ) -> Int {
    switch divider {
    case .sidebar: x
    case .list: x - (state.layout.list?.x ?? 0)
    case .above: y
    }
  }

  private static func move(_ divider: Divider, to columns: Int, in state: inout ReaderState) {
    let room =
      switch divider {
      case .sidebar: state.size.width
      case .list: (state.layout.list?.width ?? 0) + (state.layout.article?.width ?? 0)
      case .above: state.layout.sidebar?.height ?? state.size.height
      }
    state.dividers.move(divider, to: columns, in: room)
  }
}
