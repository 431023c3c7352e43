internal import Screen

/// The places of the parts of a page with a list: the details beside the list where there is room, else
/// below it.
struct PageLayout: Hashable {
  let list: Rect
  /// With its heading; nil on a screen that has room for the list only.
  let details: Rect?
  let isBeside: Bool

  private static let twoColumns = 120

  init(size: Size, rowCount: Int) {
    let height = PaneLayout.page(size).height
    if size.width >= Self.twoColumns {
      let left = size.width * 11 / 20
      list = Rect(x: 0, y: 0, width: left, height: height)
      details = Rect(x: left + 1, y: 0, width: size.width - left - 1, height: height)
      isBeside = true
      return
    }
    isBeside = false
    let room = height - 1
    guard room >= 6 else {
      list = Rect(x: 0, y: 0, width: size.width, height: height)
      details = nil
      return
    }
    // The details take more lines on a narrow screen.
    let below = min((room * 3 + 4) / 5, size.width < 60 ? 16 : 12)
    let rows = min(room - below, max(1, rowCount))
    list = Rect(x: 0, y: 0, width: size.width, height: 1 + rows)
    details = Rect(x: 0, y: 1 + rows, width: size.width, height: room - rows)
  }

  /// The rows of the list. Its heading stands above them on any screen that has three lines.
  var rows: Rect {
    guard details != nil, !isBeside else { return PaneLayout.content(of: list) }
    return Rect(x: list.x, y: list.y + 1, width: list.width, height: list.height - 1)
  }

  var text: Rect? {
    details.map { pane in
      if isBeside { return PaneLayout.content(of: pane) }
      return Rect(x: pane.x, y: pane.y + 1, width: pane.width, height: pane.height - 1)
    }
  }
}
