internal import Screen

/// The places of the parts of a page with a list: the details beside the list where there is room, else
/// below it.
struct PageLayout: Hashable {
  let list: Rect
  /// With its heading; nil on a screen that has room for the list only.
  let details: Rect?
  let isBeside: Bool
  private let footerHeight: Int

  /// - Parameters:
  ///   - hasFooter: whether a line below the rows is kept free where there are details.
  ///   - twoColumns: the columns from which the details stand beside the list.
  init(
    size: Size, rowCount: Int, hasFooter: Bool = false, besideFrom twoColumns: Int = PaneLayout.wide
  ) {
    let height = PaneLayout.page(size).height
    if size.width >= twoColumns {
      // The details are wrapped, and the rows take the rest.
      let left = size.width - 1 - min(70, size.width * 9 / 20)
      list = Rect(x: 0, y: 0, width: left, height: height)
      details = Rect(x: left + 1, y: 0, width: size.width - left - 1, height: height)
      isBeside = true
      footerHeight = hasFooter && height > 2 ? 1 : 0
      return
    }
    isBeside = false
    let room = height - 1
    guard room >= 6 else {
      list = Rect(x: 0, y: 0, width: size.width, height: height)
      details = nil
      footerHeight = 0
      return
    }
    // The details take more lines on a narrow screen.
    let below = min((room * 3 + 4) / 5, size.width < 60 ? 16 : 12)
    let rows = min(room - below, max(1, rowCount))
    footerHeight = hasFooter ? 1 : 0
    let top = 1 + rows + footerHeight
    list = Rect(x: 0, y: 0, width: size.width, height: top)
    details = Rect(x: 0, y: top, width: size.width, height: height - top)
  }

  /// The rows of the list. Its heading stands above them on any screen that has three lines.
  var rows: Rect {
    var rows = PaneLayout.content(of: list)
    if details != nil, !isBeside {
      rows = Rect(x: list.x, y: list.y + 1, width: list.width, height: list.height - 1)
    }
    rows.height -= footerHeight
    return rows
  }

  var footer: Rect? {
    guard footerHeight > 0 else { return nil }
    return Rect(x: rows.x, y: rows.maxY, width: rows.width, height: footerHeight)
  }

  var text: Rect? {
    details.map { pane in
      if isBeside { return PaneLayout.content(of: pane) }
      return Rect(x: pane.x, y: pane.y + 1, width: pane.width, height: pane.height - 1)
    }
  }
}
