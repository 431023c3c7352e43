enum SidebarStrings {
  static let title = "Telex"
  static let all = "All"
  static let unread = "Unread"
  static let later = "Later"
  static let due = "Due"
  static let starred = "Starred"
  static let readLately = "Read lately"
  static let tags = "Tags"
  static let account = "Account"
  static let noNetwork = "no network"
  static let selectsFeeds = "Only feeds and folders can be selected in the sidebar."
  static let emptyFolder = "This folder has no feeds to select."
  static let hints = [
    KeyHint(.help, "keys"), KeyHint(.open, "open"), KeyHint(.add, "subscribe"),
    KeyHint(.remove, "remove"), KeyHint(.refresh, "refresh"), KeyHint(.find, "find"),
    KeyHint(.leave, "quit"),
  ]
}
