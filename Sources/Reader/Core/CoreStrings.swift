enum CoreStrings {
  static let loading = "Loading …"
  static let noArticleSelected = "No article is selected."
  static let noLinks = "This article has no links."
  static let noVisibleLink = "No link is on the screen."
  static let online = "Online again."
  static let notPacking = "No trip is being packed."
  static let packingStopped = "Packing stopped. The packed articles are kept."
  static let wentOffline =
    "Offline: only cached articles show, and changes wait in the outbox. Run :offline to go online."
  static func unusedKey(_ key: String, help: String) -> String {
    "\(key) does not work on this page. Press \(help) to see the keys."
  }
  static func moreMistakes(_ first: String, more count: Int) -> String {
    count == 0 ? first : "\(first) (and \(count) more: telex config check)"
  }
  static let offlineByChoice = "offline (by choice)"
  static func offline(for duration: String) -> String { "offline for \(duration)" }
  static func windowTitle(unread: Int) -> String { unread == 0 ? "Telex" : "Telex (\(unread))" }
  static let readLately = "Read lately"
  static let justNow = "just now"
  static func ago(_ duration: String) -> String { "\(duration) ago" }
  static func days(_ count: Int64) -> String { "\(count) days" }
}
