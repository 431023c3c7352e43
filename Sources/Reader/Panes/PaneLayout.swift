internal import Screen

/// The three panes: subscriptions, articles, and the open article.
package enum Pane: String, CaseIterable, Hashable, Sendable {
  case sidebar
  case list
  case article
}

/// Influences on the places of the panes beside the size and the focus.
struct PaneSharing: Hashable, Sendable {
  var dividers = Dividers()
  /// Whether the other panes make room: for the article all of them, for the list the sidebar.
  var isZoomed = false
  /// Whether the selected article shows before it is opened.
  var previews = true
  var textWidth = 80
  /// Columns of a sidebar that cuts no name.
  var namesWidth = 0
}

/// The places of the panes. A wide screen has all three side by side; on a narrower one the article is below the list,
/// and in its place once it is opened; the narrowest show one at a time.
struct PaneLayout: Hashable, Sendable {
  private(set) var sidebar: Rect?
  private(set) var list: Rect?
  private(set) var article: Rect?
  /// The line at the bottom; nil on a screen of one line.
  private(set) var status: Rect?

  /// From this width on a list and an article of full width have room side by side…
  static let wide = 180
  /// …from this one on the article is below the list, where the screen has the height…
  private static let threePanes = 120
  private static let tall = 20
  /// …and from this one on the list is beside the sidebar.
  private static let twoPanes = 70

  init(size: Size, focus: Pane, sharing: PaneSharing = PaneSharing()) {
    let height = Self.page(size).height
    if size.height > 1 {
      status = Rect(x: 0, y: height, width: size.width, height: 1)
    }
    let dividers = sharing.dividers
    func column(_ x: Int, _ width: Int) -> Rect { Rect(x: x, y: 0, width: width, height: height) }
    func showOnly(_ pane: Pane) {
      switch pane {
      case .sidebar: sidebar = column(0, size.width)
      case .list: list = column(0, size.width)
      case .article: article = column(0, size.width)
      }
    }
    if focus == .article, sharing.isZoomed || size.width < Self.threePanes {
      showOnly(.article)
      return
    }
    guard size.width >= Self.twoPanes else {
      showOnly(focus)
      return
    }

    var right = column(0, size.width)
    if !sharing.isZoomed || focus == .sidebar {
      let left = dividers.columns(
        of: .sidebar, in: size.width, standard: Self.sidebarWidth(size, sharing))
      sidebar = column(0, left)
      right = column(left + 1, size.width - left - 1)
    }
    if size.width < Self.threePanes {
      list = right
    } else if size.width < Self.wide, height >= Self.tall {
      if focus == .article {
        article = right
      } else if sharing.previews {
        let above = dividers.columns(of: .above, in: height, standard: height * 2 / 5)
        list = Rect(x: right.x, y: 0, width: right.width, height: above)
        article = Rect(x: right.x, y: above + 1, width: right.width, height: height - above - 1)
      } else {
        list = right
      }
    } else {
      let room = right.width - 1
      // An article is no wider than its longest line, and the titles take the rest.
      let middle = dividers.columns(
        of: .list, in: room, standard: max(40, room - min(sharing.textWidth + 2, room * 3 / 5)))
      list = column(right.x, middle)
      article = column(right.x + middle + 1, room - middle)
    }
  }

  /// Columns of a sidebar that the user has not resized: as many as its names take, up to a quarter of the screen, and
  /// from a tenth of it on no more than a list and an article of full width leave.
  private static func sidebarWidth(_ size: Size, _ sharing: PaneSharing) -> Int {
    let article = size.width < wide ? 0 : sharing.textWidth + 3
    let spare = size.width - 1 - ListColumns.fullWidth - article
    return max(size.width / 10 + 10, min(sharing.namesWidth, size.width / 4, spare))
  }

  /// The place of a full page: all lines but the one at the bottom.
  static func page(_ size: Size) -> Rect {
    Rect(x: 0, y: 0, width: size.width, height: size.height > 1 ? size.height - 1 : size.height)
  }

  /// The part of a pane below its heading.
  static func content(of pane: Rect) -> Rect {
    pane.height < 3
      ? pane : Rect(x: pane.x, y: pane.y + 1, width: pane.width, height: pane.height - 1)
  }

  subscript(_ pane: Pane) -> Rect? {
    switch pane {
    case .sidebar: sidebar
    case .list: list
    case .article: article
    }
  }
}

// MARK: Dividers

extension PaneLayout {
  /// The line on the right of the sidebar, that between the list and the article, and that above the article.
  var dividers: [(divider: Divider, place: Rect)] {
    var found: [(Divider, Rect)] = []
    func upright(_ x: Int, _ y: Int, _ height: Int) -> Rect {
      Rect(x: x, y: y, width: 1, height: height)
    }
    if let sidebar, let right = list ?? article, right.x > 0 {
      found.append((.sidebar, upright(right.x - 1, 0, sidebar.height)))
    }
    if let list, let article {
      if article.y > 0 {
        found.append(
          (.above, Rect(x: article.x, y: article.y - 1, width: article.width, height: 1)))
      } else {
        found.append((.list, upright(article.x - 1, 0, list.height)))
      }
    }
    return found
  }

  /// The divider at a place of the screen; nil where there is none.
  func divider(atX x: Int, y: Int) -> Divider? {
    dividers.first { $0.place.contains(x: x, y: y) }?.divider
  }

  /// The divider that makes a pane larger, and which way it goes for that: 1 for right or down.
  func divider(of pane: Pane) -> (divider: Divider, way: Int)? {
    let shown = dividers.map(\.divider)
    switch pane {
    case .sidebar: return shown.contains(.sidebar) ? (.sidebar, 1) : nil
    case .list:
      if let own = shown.first(where: { $0 != .sidebar }) { return (own, 1) }
      return shown.contains(.sidebar) ? (.sidebar, -1) : nil
    case .article:
      if let own = shown.first(where: { $0 != .sidebar }) { return (own, -1) }
      return shown.contains(.sidebar) ? (.sidebar, -1) : nil
    }
  }
}
