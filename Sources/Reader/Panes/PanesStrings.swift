enum PanesStrings {
  static let noFilter = "This list has no filter."
  static let noDivider = "No other pane is shown, so this pane keeps its size."
  static let selectionCleared = "Selection cleared."
  static let selectionTooFar =
    "The row you selected last is too far away to select up to here. Select a nearer one."
  static func selected(_ count: Int) -> String { count == 0 ? "" : ", \(count) selected" }
  static func zoomed(_ zoom: String) -> String { "Press \(zoom) to show the other panes again." }
  static func lineWidth(_ columns: Int) -> String { "Articles are now \(columns) columns wide." }
  static func refused(_ count: Int, isNarrow: Bool) -> String {
    isNarrow ? "why" : count == 1 ? "why 1 was refused" : "why \(count) were refused"
  }
  static let selectsFeeds = "Only feeds and folders can be selected in the sidebar."
  static let emptyFolder = "This folder has no feeds to select."
  static let sidebarHints = [
    KeyHint.keys, KeyHint(.open, "open"), KeyHint(.add, "subscribe"), KeyHint(.remove, "remove"),
    KeyHint(.refresh, "refresh"), KeyHint(.find, "find"), KeyHint(.leave, "quit"),
  ]
}
