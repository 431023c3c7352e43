internal import Screen

/// The three panes: subscriptions, articles, and the open article.
enum Pane: CaseIterable, Hashable, Sendable {
  case sidebar
  case list
  case article
}

/// The places of the panes: side by side where there is room, else one at a time.
struct PaneLayout: Hashable, Sendable {
  private(set) var sidebar: Rect?
  private(set) var list: Rect?
  private(set) var article: Rect?
  /// The line at the bottom; nil on a screen of one line.
  private(set) var status: Rect?

  private static let threeColumns = 120
  private static let twoColumns = 70

  init(size: Size, focus: Pane) {
    let height = size.height > 1 ? size.height - 1 : size.height
    if size.height > 1 {
      status = Rect(x: 0, y: height, width: size.width, height: 1)
    }
    func column(_ x: Int, _ width: Int) -> Rect { Rect(x: x, y: 0, width: width, height: height) }
    switch size.width {
    case Self.threeColumns...:
      let left = min(34, size.width / 5)
      let middle = max(40, (size.width - left) * 2 / 5)
      sidebar = column(0, left)
      list = column(left + 1, middle)
      article = column(left + middle + 2, size.width - left - middle - 2)
    case Self.twoColumns... where focus != .article:
      let left = min(26, size.width * 3 / 10)
      sidebar = column(0, left)
      list = column(left + 1, size.width - left - 1)
    default:
      let whole = column(0, size.width)
      switch focus {
      case .sidebar: sidebar = whole
      case .list: list = whole
      case .article: article = whole
      }
    }
  }

  /// The part of a pane below its heading.
  static func content(of pane: Rect) -> Rect {
    pane.height < 3
      ? pane : Rect(x: pane.x, y: pane.y + 1, width: pane.width, height: pane.height - 1)
  }

  /// The place of a pane; nil while it does not show.
  subscript(_ pane: Pane) -> Rect? {
    switch pane {
    case .sidebar: sidebar
    case .list: list
    case .article: article
    }
  }

  /// The number of lines of each pane below its heading, whether it shows or not.
  static func lines(of size: Size) -> Int {
    let pane = PaneLayout(size: size, focus: .list).list
    return max(1, pane.map { content(of: $0).height } ?? 1)
  }

  /// The columns that an article is wrapped to: a margin of one on either side where there is room for it.
  ///
  /// - Parameter longest: columns of the longest line.
  static func textWidth(of size: Size, focus: Pane, longest: Int) -> Int {
    let pane =
      PaneLayout(size: size, focus: focus).article
      ?? PaneLayout(size: size, focus: .article).article
    let room = pane?.width ?? size.width
    return max(1, min(longest, room > 20 ? room - 2 : room))
  }
}
