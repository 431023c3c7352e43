enum SidebarStrings {
  static let readLately = "Read lately"
  static let noNetwork = "no network"
  static let selectsFeeds = "Only feeds and folders can be selected in the sidebar."
  static let emptyFolder = "This folder has no feeds to select."
  static let hints = [
    KeyHint.keys, KeyHint(.open, "open"), KeyHint(.add, "subscribe"), KeyHint(.remove, "remove"),
    KeyHint(.refresh, "refresh"), KeyHint(.find, "find"), KeyHint(.leave, "quit"),
  ]
}
