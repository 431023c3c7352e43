package import News
internal import Screen

/// The feeds of a page, of which the reader picks one to subscribe to.
package struct FeedChoice: Hashable, Sendable {
  /// What was typed, and led to them.
  package let address: String
  /// Two at least, best first.
  package let links: [FeedLink]
  var selection: ScrollingSelection<String>

  init(address: String, links: [FeedLink]) {
    self.address = address
    self.links = links
    selection = ScrollingSelection(links.first?.url)
  }

  var selected: Int { selection.nearestIndex(in: links) ?? 0 }
}

extension FeedLink: SelectableRow {
  package var selectionID: String { url }
}

/// Where the parts of the choice lie: the address of the selected feed below the list, where there is
/// room for it.
struct FeedChoiceLayout: Hashable {
  /// With its heading.
  let list: Rect
  let rows: Rect
  /// With the rule above it.
  let details: Rect?

  init(size: Size) {
    let height = size.height > 1 ? size.height - 1 : size.height
    let below = height >= 7 ? 3 : 0
    list = Rect(x: 0, y: 0, width: size.width, height: height - below)
    rows = PaneLayout.content(of: list)
    details = below == 0 ? nil : Rect(x: 0, y: height - below, width: size.width, height: below)
  }
}

extension ReaderState {
  var choiceLayout: FeedChoiceLayout { FeedChoiceLayout(size: size) }

  /// The row at the top.
  func firstVisibleChoice(_ choice: FeedChoice) -> Int {
    choice.selection.firstVisible(in: choice.links, height: choiceLayout.rows.height)
  }
}
