internal import Screen

/// Where the parts of the choice lie: the address of the selected feed below the list, where there is
/// room for it.
struct FeedChoiceLayout: Hashable {
  /// With its heading.
  let list: Rect
  let rows: Rect
  /// With the rule above it.
  let details: Rect?

  init(size: Size) {
    let height = PaneLayout.page(size).height
    let below = height >= 7 ? 3 : 0
    list = Rect(x: 0, y: 0, width: size.width, height: height - below)
    rows = PaneLayout.content(of: list)
    details = below == 0 ? nil : Rect(x: 0, y: height - below, width: size.width, height: below)
  }
}
